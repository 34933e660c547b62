/**
 * The part of `npm run bench:vscode` that runs inside the extension host: it starts the extension by hand, uses it as the
 * editor would, and writes what that took as one JSON object.
 */
import { strict as assert } from "node:assert";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import * as vscode from "vscode";
import { fixedReferenceMs } from "../../../scripts/lib/timing.ts";

/** The environment variable that names the file with what to do. */
export const taskVariable = "BACOPA_BENCH_TASK";

export interface Task {
  /** File of the results; beside it, `.searchable` and `.done` appear as the large page gets there. */
  readonly results: string;
  /** Names that the library's facts are about. */
  readonly symbols: readonly string[];
  /** Address of a page of 5 MB. */
  readonly largePage: string;
}

export interface Measured {
  readonly activationMs: number;
  readonly activationCpuMs: number;
  readonly memoryMb: { readonly before: number; readonly activated: number; readonly inUse: number };
  readonly openingMs: number;
  /** Longest stalls of the host's loop, ms. */
  readonly stallMs: {
    readonly idle: number;
    readonly opening: number;
    readonly saving: number;
    readonly hovering: number;
  };
  readonly saving: { readonly searchableMs: number; readonly doneMs: number };
  readonly firstHoverMs: number;
  readonly hoverMs: readonly number[];
  /** The same call where no name is: the editor's own way there and back. */
  readonly noHoverMs: readonly number[];
  readonly referenceMs: number;
}

export async function run(): Promise<void> {
  const task: Task = JSON.parse(readFileSync(process.env[taskVariable] ?? "", "utf8"));
  const extension = vscode.extensions.getExtension("bacopa.bacopa");
  assert.ok(extension !== undefined && !extension.isActive);
  const rssMb = (): number => process.memoryUsage().rss / 1024 / 1024;
  await pause(3000); // The editor's own extensions start.
  const before = rssMb();
  const cpu = process.cpuUsage();
  const started = performance.now();
  await extension.activate();
  const activationMs = performance.now() - started;
  await pause(500);
  const used = process.cpuUsage(cpu);
  const activated = rssMb();

  const idle = await longestStall(() => pause(3000));
  let openingMs = 0;
  const opening = await longestStall(async () => {
    const from = performance.now();
    await vscode.lm.invokeTool("bacopa_search_docs", {
      input: { query: "default value" },
      toolInvocationToken: undefined,
    });
    openingMs = performance.now() - from;
  });

  const document = await vscode.workspace.openTextDocument({
    language: "python",
    content: task.symbols.map((symbol) => `client.${symbol}(1)\n`).join(""),
  });
  await vscode.window.showTextDocument(document);
  const hoverAt = async (line: number, character: number): Promise<{ ms: number; found: number }> => {
    const from = performance.now();
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      "vscode.executeHoverProvider",
      document.uri,
      new vscode.Position(line, character),
    );
    return { ms: performance.now() - from, found: hovers.length };
  };
  const hoverMs: number[] = [];
  const noHoverMs: number[] = [];
  let firstHoverMs = 0;
  const hovering = await longestStall(async () => {
    firstHoverMs = (await hoverAt(0, 9)).ms;
    for (let line = 0; line < task.symbols.length; line++) {
      const { ms, found } = await hoverAt(line, 9);
      assert.ok(found > 0, `no hover over ${task.symbols[line] ?? ""}`);
      hoverMs.push(ms);
      noHoverMs.push((await hoverAt(line, 6)).ms);
    }
  });
  const inUse = rssMb();

  const saving = { searchableMs: 0, doneMs: 0 };
  const savingStall = await longestStall(async () => {
    const from = performance.now();
    await vscode.commands.executeCommand("bacopa.savePage", task.largePage);
    // Whether the page is there is looked for outside: reading it here would be a stall of this test's own.
    const there = async (file: string): Promise<number> => {
      while (!existsSync(file)) {
        assert.ok(performance.now() - from < 240_000, `${file} did not come`);
        await pause(50);
      }
      return performance.now() - from;
    };
    saving.searchableMs = await there(`${task.results}.searchable`);
    saving.doneMs = await there(`${task.results}.done`);
  });

  const measured: Measured = {
    activationMs,
    activationCpuMs: (used.user + used.system) / 1000,
    memoryMb: { before, activated, inUse },
    openingMs,
    stallMs: { idle, opening, saving: savingStall, hovering },
    saving,
    firstHoverMs,
    hoverMs,
    noHoverMs,
    referenceMs: fixedReferenceMs(),
  };
  writeFileSync(task.results, JSON.stringify(measured));
}

async function longestStall(work: () => Promise<void>): Promise<number> {
  const histogram = monitorEventLoopDelay({ resolution: 5 });
  histogram.enable();
  await pause(20); // A stall in the first interval would be missed.
  await work();
  await pause(20);
  histogram.disable();
  return histogram.max / 1e6;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
