/**
 * Runs generated and mutated pages through the whole chain (capture, clean, cut, distill, check, index, render) and prints
 * what was tried and what survived: `npm run fuzz -- --inputs 10000 --seed 1`. `--index N` runs one input again.
 */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import type { FuzzOutcome, FuzzTask } from "../test/hostile/fuzzChild.ts";
import { shapes } from "../test/hostile/inputs.ts";
import { markdownTable } from "../src/core/lab/markdownTable.ts";
import { fixedReferenceMs, milliseconds, p50, p95 } from "./lib/timing.ts";

const { values } = parseArgs({
  options: {
    inputs: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    index: { type: "string" },
    /** Share of their full size at which all shapes are run after the inputs; 0 for none. */
    scale: { type: "string", default: "1" },
  },
});
const seed = Number(values.seed);
/** CPU milliseconds that no page may take. */
const limitMs = 5_000;
/** Wall-clock milliseconds after which a process is ended: a busy machine needs more of them than of CPU time. */
const patienceMs = 60_000;

const child = new URL("../test/hostile/fuzzChild.ts", import.meta.url);
let running: ChildProcess | undefined;

async function start(): Promise<ChildProcess> {
  const started = fork(child, { execArgv: ["--import", "tsx", "--max-old-space-size=3000"] });
  await once(started, "message");
  return started;
}

async function run(task: FuzzTask): Promise<FuzzOutcome> {
  const at = (running ??= await start());
  const kind = "index" in task ? `input ${task.index}` : task.shape;
  const outcome = await new Promise<FuzzOutcome>((resolve) => {
    const lost = (what: string): void => resolve({ kind, bytes: 0, isRefused: false, faults: [what], ms: patienceMs });
    const timer = setTimeout(() => lost(`no end after ${patienceMs / 1_000} s`), patienceMs);
    const settle = (message: FuzzOutcome): void => {
      clearTimeout(timer);
      at.off("exit", exited);
      resolve(message);
    };
    const exited = (): void => {
      clearTimeout(timer);
      lost("the process died");
    };
    at.once("message", settle);
    at.once("exit", exited);
    at.send(task);
  });
  if (outcome.bytes === 0) {
    at.removeAllListeners();
    at.kill("SIGKILL");
    running = undefined;
  }
  return outcome.ms > limitMs && outcome.faults.length === 0
    ? { ...outcome, faults: [`took ${milliseconds(outcome.ms)} ms of CPU`] }
    : outcome;
}

interface Tried {
  readonly task: FuzzTask;
  readonly outcome: FuzzOutcome;
}

async function runAll(tasks: readonly FuzzTask[]): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const task of tasks) {
    const outcome = await run(task);
    tried.push({ task, outcome });
    if (outcome.faults.length > 0) console.error(`${JSON.stringify(task)} ${outcome.kind}: ${outcome.faults[0] ?? ""}`);
    else if (tried.length % 500 === 0) console.error(`${tried.length} of ${tasks.length}`);
  }
  return tried;
}

function row(name: string, tried: readonly Tried[]): string[] {
  const ms = tried.map(({ outcome }) => outcome.ms);
  const survived = tried.filter(({ outcome }) => outcome.faults.length === 0).length;
  const refused = tried.filter(({ outcome }) => outcome.isRefused).length;
  const times = [p50(ms), p95(ms), Math.max(0, ...ms)].map(milliseconds);
  return [name, `${tried.length}`, `${survived}`, `${refused}`, ...times];
}

const inputs = values.index === undefined ? Number(values.inputs) : 1;
const first = Number(values.index ?? 0);
const generated = await runAll(Array.from({ length: inputs }, (_, n) => ({ seed, index: first + n })));
const scale = values.index === undefined ? Number(values.scale) : 0;
const large = scale > 0 ? await runAll(Object.keys(shapes).map((shape) => ({ shape, scale }))) : [];
running?.kill();

const groups = new Map<string, Tried[]>();
for (const each of generated) {
  const name = groupOf(each.outcome.kind);
  groups.set(name, [...(groups.get(name) ?? []), each]);
}
console.log(
  markdownTable(
    ["hostile pages", "tried", "survived", "refused with a reason", "p50 ms", "p95 ms", "slowest ms"],
    [
      ...[...groups].map(([name, tried]) => row(name, tried)),
      ...(large.length === 0 ? [] : [row(`shapes of great size or depth, at ${scale} of it`, large)]),
    ],
  ),
);
const slowest = [...generated, ...large].sort((a, b) => b.outcome.ms - a.outcome.ms).slice(0, 12);
const reference = fixedReferenceMs();
console.log(
  `\nMilliseconds are CPU time. Reference of this run (JSON of 1 MB of words, both ways): ${milliseconds(reference)} ms.\n`,
);
console.log(
  markdownTable(
    ["slowest", "kB", "ms", "references"],
    slowest.map(({ outcome: { kind, bytes, ms } }) => [
      kind,
      milliseconds(bytes / 1_000),
      milliseconds(ms),
      (ms / reference).toFixed(0),
    ]),
  ),
);
process.exitCode = [...generated, ...large].every(({ outcome }) => outcome.faults.length === 0) ? 0 : 1;

function groupOf(kind: string): string {
  if (kind.startsWith("wild")) return kind;
  if (kind.startsWith("mutated")) return "mutated pages";
  return kind.startsWith('"') ? "one trap by the thousand" : "shapes of great size or depth, small";
}
