/** The built CLI as a person meets it: whole processes, from start to exit. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "../lib/corpusFolder.ts";
import type { CorpusFolder } from "../../src/adapters/lab/corpusFolder.ts";
import { markdownTable } from "../../src/core/lab/markdownTable.ts";
import { milliseconds, p50, timed } from "../lib/timing.ts";

export function benchProcesses(folder: CorpusFolder): void {
  const cli = join(projectFolder, "dist", "cli.js");
  if (!existsSync(cli)) {
    console.log("\nThe CLI is not built: `npm run build` first.");
    return;
  }
  const library = mkdtempSync(join(tmpdir(), "bacopa-bench-"));
  try {
    const largest = folder.pages.toSorted((a, b) => sizeOf(folder, a.file) - sizeOf(folder, b.file)).at(-1);
    const middle = folder.pages.toSorted((a, b) => sizeOf(folder, a.file) - sizeOf(folder, b.file))[
      folder.pages.length >> 1
    ];
    const save = (entry: typeof largest): string[] =>
      entry === undefined
        ? []
        : ["save", join(folder.folder, entry.file), "--url", entry.url, "--distiller", "offline", "--library", library];
    const reference = runWhole(["-e", "0"], 7);
    const rows = [
      { name: "node -e 0 (reference)", ...reference },
      { name: "bacopa --version", ...runWhole([cli, "--version"], 7) },
      {
        name: `bacopa save, page of median size (${kilobytes(folder, middle?.file)} kB)`,
        ...runWhole([cli, ...save(middle), "--force"], 3),
      },
      {
        name: `bacopa save, largest page (${kilobytes(folder, largest?.file)} kB)`,
        ...runWhole([cli, ...save(largest), "--force"], 3),
      },
      {
        name: "bacopa search in these two pages",
        ...runWhole([cli, "search", "default timeout", "--library", library], 7),
      },
    ];
    console.log("\n### Whole processes\n");
    console.log(
      markdownTable(
        ["command", "p50, ms", "max, ms", "ratio to reference", "peak memory, MB"],
        rows.map(({ name, times, maxRssMb }) => [
          name,
          milliseconds(p50(times)),
          milliseconds(Math.max(...times)),
          (p50(times) / p50(reference.times)).toFixed(1),
          maxRssMb.toFixed(0),
        ]),
      ),
    );
  } finally {
    rmSync(library, { recursive: true, force: true });
  }
}

function runWhole(args: readonly string[], runs: number): { readonly times: number[]; readonly maxRssMb: number } {
  // The child tells its own peak memory as its last line on stderr; no outside tool is needed.
  const probe = "process.on('exit',()=>process.stderr.write('\\nmaxRSS '+process.resourceUsage().maxRSS))";
  const times: number[] = [];
  let maxRssMb = 0;
  for (let run = 0; run < runs; run++) {
    const { value: child, ms } = timed(() =>
      spawnSync(process.execPath, ["--import", `data:text/javascript,${encodeURIComponent(probe)}`, ...args], {
        encoding: "utf8",
      }),
    );
    if (child.status !== 0) throw new Error(`${args.join(" ")} failed: ${child.stderr}`);
    times.push(ms);
    maxRssMb = Math.max(maxRssMb, Number(/maxRSS (\d+)$/.exec(child.stderr)?.[1] ?? 0) / 1024);
  }
  return { times, maxRssMb };
}

function sizeOf(folder: CorpusFolder, file: string): number {
  return statSync(join(folder.folder, file)).size;
}

function kilobytes(folder: CorpusFolder, file: string | undefined): string {
  return file === undefined ? "?" : (sizeOf(folder, file) / 1024).toFixed(0);
}
