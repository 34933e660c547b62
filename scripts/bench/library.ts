/** A library of generated pages as the editor uses it: what a person waits for, and how long the main loop stands still. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "../lib/corpusFolder.ts";
import { markdownTable } from "../../src/core/lab/markdownTable.ts";
import { milliseconds } from "../lib/timing.ts";

export type LibraryFigures = Readonly<Record<string, number>>;

/** Prints a table and gives its figures by size. */
export function benchLibrary(sizes: readonly number[], capMs: number): Map<number, LibraryFigures> {
  const measured = new Map<number, LibraryFigures>();
  for (const facts of sizes) {
    const folder = mkdtempSync(join(tmpdir(), "bacopa-bench-"));
    try {
      child(["prepare", `${facts}`, folder], capMs);
      const built = child(["index", folder], capMs);
      measured.set(facts, {
        ...built,
        buildMs: built["ms"] ?? NaN,
        ...prefixed("build", built),
        ...child(["use", folder], capMs),
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const columns = [...measured];
  const row = (name: string, value: (figures: LibraryFigures) => string): string[] => [
    name,
    ...columns.map(([, figures]) => value(figures)),
  ];
  const ms = (name: string) => (figures: LibraryFigures) => milliseconds(figures[name] ?? NaN);
  const step = (title: string, name: string): string[] =>
    row(title, (figures) =>
      [`${name}Ms`, `${name}OwnMs`, `${name}StallMs`, `${name}StallCpuMs`]
        .map((key) => milliseconds(figures[key] ?? NaN))
        .join(" / "),
    );
  console.log("\n### The library, 40 facts a page, vectors of 384 dimensions\n");
  console.log(
    markdownTable(
      ["ms", ...columns.map(([facts]) => `${facts.toLocaleString("en")} facts`)],
      [
        row("search, whole call with its 5 facts, p50 / p95", (f) => `${ms("searchP50")(f)} / ${ms("searchP95")(f)}`),
        row("longest stall while searching", ms("searchStallMs")),
        row("hover look-up, p50 / p95", (f) => `${ms("hoverP50")(f)} / ${ms("hoverP95")(f)}`),
        row("peak memory of opening and searching, MB", (f) => (f["rssMb"] ?? NaN).toFixed(0)),
        row("index all pages anew, s", (f) => ((f["buildMs"] ?? NaN) / 1000).toFixed(1)),
        row("its longest stall, wall / CPU", (f) => `${ms("stallMs")(f)} / ${ms("stallCpuMs")(f)}`),
        step("list the pages: wall / own / stall wall / stall CPU", "pages"),
        step("open and search by words, same", "open"),
        step("first search by words and vectors, same", "first"),
        step("save a page of 30 facts, same", "add"),
        step("next search, same", "afterAdd"),
        step("search after another process saved 50 pages, same", "catchUp"),
        step("first hover reads all names, same", "hoverRead"),
      ],
    ),
  );
  console.log(
    "\nOwn: the smaller of wall and processor time of the process. Stall: the longest time between two turns of the main loop, and the processor time used in one.",
  );
  return measured;
}

function prefixed(prefix: string, figures: LibraryFigures): LibraryFigures {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${prefix}.${name}`, value]));
}

function child(args: readonly string[], capMs: number): LibraryFigures {
  const script = join(projectFolder, "scripts", "bench", "libraryChild.ts");
  const run = spawnSync(process.execPath, ["--import", "tsx", script, ...args], {
    cwd: projectFolder,
    encoding: "utf8",
    timeout: capMs,
    killSignal: "SIGKILL",
  });
  if (run.status !== 0) throw new Error(run.error?.message ?? run.stderr);
  return JSON.parse(run.stdout) as LibraryFigures; // our own script printed it
}
