/**
 * `npm run test:vscode`: packages the extension, installs it into a real VS Code, runs the suites inside its
 * extension host, then the journeys in its window. Ends with counts; the exit code is 1 when a test failed.
 *
 * Options: `--grep <words>` runs the tests whose title holds them; `--only suites` or `--only journeys`.
 * Where no browser is found it says so in one line and counts as pending.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findChromium } from "../../tools/vscode-host/host.mjs";
import { install, unsupported } from "../../tools/vscode-host/install.mjs";
import { buildAll, shotsFolder } from "./build.ts";
import { runJourneys } from "./journeys/run.ts";
import { addFailure, addResult, printResults, readResults, resultsVariable } from "./results.ts";
import type { Result } from "./results.ts";
import { runSuites } from "./suite/run.ts";

const { values: options } = parseArgs({ options: { grep: { type: "string" }, only: { type: "string" } } });
const started = Date.now();
const scratch = mkdtempSync(join(tmpdir(), "bacopa-run-"));
const results = process.env[resultsVariable] ?? join(scratch, "results");
const printing = printResults(results);
const run = { results, modelFile: join(scratch, "model"), grep: options.grep };

const obstacle = unsupported() ?? browserMissing();
if (obstacle !== undefined) {
  addResult(results, { part: "workbench", title: obstacle, state: "pending", ms: 0 });
} else {
  try {
    install(console.log);
    rmSync(shotsFolder, { recursive: true, force: true });
    mkdirSync(shotsFolder, { recursive: true });
    const built = await buildAll();
    if (options.only !== "journeys") await runSuites(built, run);
    if (options.only !== "suites") await runJourneys(built, run);
    if (readResults(results).length === 0) throw new Error("No test ran");
  } catch (error) {
    addFailure(results, "workbench", "is built, starts and runs tests", error);
  }
}

printing.stop();
const count = (state: Result["state"]): number =>
  readResults(results).filter((result) => result.state === state).length;
console.log(`\n  ${count("passed")} passing (${((Date.now() - started) / 1000).toFixed(0)}s)`);
console.log(`  ${count("failed")} failing`);
console.log(`  ${count("pending")} pending`);
const failed = count("failed") > 0;
rmSync(scratch, { recursive: true, force: true });
process.exit(failed ? 1 : 0);

function browserMissing(): string | undefined {
  if (findChromium() !== undefined) return undefined;
  return "No Chromium was found: run apt-get install chromium, or name one in CHROMIUM";
}
