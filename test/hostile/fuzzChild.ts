/** Runs hostile pages that a parent process names, and tells what came of each. A process of its own, so that a hang can be ended. */
import { fileURLToPath } from "node:url";
import { seedPages, survive } from "./chain.ts";
import { inputAt, shapes } from "./inputs.ts";
import type { HostileInput } from "./inputs.ts";

/** An input by its number in a run, or a shape at a share of its full size. */
export type FuzzTask =
  { readonly seed: number; readonly index: number } | { readonly shape: string; readonly scale: number };

export interface FuzzOutcome {
  readonly kind: string;
  readonly bytes: number;
  readonly isRefused: boolean;
  readonly faults: readonly string[];
  /** CPU milliseconds of the stages; the checks after them are not in it. */
  readonly ms: number;
}

const seeds = seedPages(fileURLToPath(new URL("../..", import.meta.url)));

function inputOf(task: FuzzTask): HostileInput {
  if ("index" in task) return inputAt(task.seed, task.index, seeds);
  const make = shapes[task.shape];
  if (make === undefined) throw new Error(`no shape ${task.shape}`);
  return make(task.scale);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

process.on("message", (task: FuzzTask) => {
  const input = inputOf(task);
  const { faults, ms, isRefused } = survive(input, cpuMs);
  const stages = Object.entries(ms).filter(([stage]) => stage !== "render");
  const outcome: FuzzOutcome = {
    kind: input.kind,
    bytes: input.content.length,
    isRefused,
    faults,
    ms: stages.reduce((sum, [, stage]) => sum + stage, 0),
  };
  process.send?.(outcome);
});
process.send?.("ready");
