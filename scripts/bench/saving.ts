/** Saving through the library: a page of 5 MB, and many pages in a row. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "../lib/corpusFolder.ts";
import { markdownTable } from "../../src/core/lab/markdownTable.ts";
import { milliseconds } from "../lib/timing.ts";

export type SavingFigures = Readonly<Record<string, number>>;

export function benchLargePage(capMs: number): SavingFigures | undefined {
  const figures = child("large", [], capMs);
  if (figures === undefined) return undefined;
  const { bytes = 0, facts = 0, searchableMs = 0, wholeMs = 0, stallMs = 0, stallCpuMs = 0 } = figures;
  console.log(`\n### One page of ${(bytes / 1e6).toFixed(1)} MB (${facts} facts), stages in the worker\n`);
  console.log(
    markdownTable(
      ["", "ms"],
      [
        ["until searchable", milliseconds(searchableMs)],
        ["until distilled offline and stored", milliseconds(wholeMs)],
        ["longest stall of the main loop, wall", milliseconds(stallMs)],
        ["most processor time between two turns, all threads", milliseconds(stallCpuMs)],
      ],
    ),
  );
  return figures;
}

export function benchManyPages(count: number, corpus: string, capMs: number): SavingFigures | undefined {
  const figures = child("many", [`${count}`, corpus], capMs);
  if (figures === undefined) return undefined;
  console.log(`\n### ${count} pages saved in a row (${figures["failed"] ?? 0} refused)\n`);
  console.log(
    markdownTable(
      ["tenth", "p50 a page, ms", "memory, MB"],
      Array.from({ length: 10 }, (_, i) => [
        `${i + 1}`,
        milliseconds(figures[`p50 ${i + 1}`] ?? NaN),
        (figures[`rss ${i + 1}`] ?? NaN).toFixed(0),
      ]),
    ),
  );
  return figures;
}

function child(action: string, args: readonly string[], capMs: number): SavingFigures | undefined {
  if (!existsSync(join(projectFolder, "dist", "worker.cjs"))) {
    console.log("\nThe worker is not built: `npm run build` first.");
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), "bacopa-bench-"));
  try {
    const script = join(projectFolder, "scripts", "bench", "savingChild.ts");
    const run = spawnSync(process.execPath, ["--import", "tsx", script, action, folder, ...args], {
      cwd: projectFolder,
      encoding: "utf8",
      timeout: capMs,
      killSignal: "SIGKILL",
    });
    if (run.status !== 0) throw new Error(run.error?.message ?? run.stderr);
    return JSON.parse(run.stdout) as SavingFigures; // our own script printed it
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
