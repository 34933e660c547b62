/**
 * The suites and journeys of a real VS Code as tests of the project: `before` runs them all in a process of its
 * own, and each of their results becomes a test here.
 */
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Test } from "mocha";
import { readResults, resultsVariable } from "./results.ts";
import type { Result } from "./results.ts";

/** The whole run takes about three minutes on two idle cores, and one more when the host is installed first. */
const timeoutMs = 20 * 60_000;

describe("in a real VS Code", () => {
  let exitCode: number | null = null;
  let output = "";

  before(async function () {
    this.timeout(timeoutMs);
    const folder = mkdtempSync(join(tmpdir(), "bacopa-vscode-test-"));
    const results = join(folder, "results");
    const child = spawn(process.execPath, ["--import", "tsx", join(import.meta.dirname, "run.ts")], {
      env: { ...process.env, [resultsVariable]: results },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += String(data)));
    exitCode = await new Promise((resolve) => child.on("close", resolve));
    const { parent } = this.test!;
    for (const result of readResults(results)) parent!.addTest(testOf(result));
    rmSync(folder, { recursive: true, force: true });
  });

  it("the run ends and counts its tests", () => {
    assert.match(output, /\d+ passing/u, `Exit code ${exitCode}: ${output.slice(-2000)}`);
  });
});

function testOf({ part, title, state, error }: Result): Test {
  if (state === "pending") return new Test(`${part}: ${title}`);
  return new Test(`${part}: ${title}`, () => {
    if (state === "failed") throw Object.assign(new Error(error?.split("\n", 1)[0]), { stack: error });
  });
}
