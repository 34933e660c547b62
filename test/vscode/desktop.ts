/**
 * `npm run test:desktop`: the suites of `suite/` in a desktop VS Code, downloaded by @vscode/test-electron.
 * For machines that may download one and have a display; `npm run test:vscode` needs neither.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { downloadAndUnzipVSCode, runTests } from "@vscode/test-electron";
import { buildAll, projectFolder, testMachineSettings, testSettings, workspaceFolder } from "./build.ts";
import { dataVariable } from "./library.ts";
import { printResults, readResults } from "./results.ts";
import { suiteEnvironment } from "./suite/run.ts";

process.exitCode = await main();

async function main(): Promise<number> {
  const editor = await downloadAndUnzipVSCode({ cachePath: join(projectFolder, ".bacopa", "desktop") }).catch(
    (error: unknown) => {
      const why = (error instanceof Error ? error.message : String(error)).split("\n", 1)[0];
      console.error(
        `A desktop VS Code could not be downloaded (${why}): run npm run test:vscode instead, the same suites in the browser workbench.`,
      );
      return undefined;
    },
  );
  if (editor === undefined) return 1;
  const { support, suites } = await buildAll();
  const scratch = mkdtempSync(join(tmpdir(), "bacopa-desktop-"));
  const [dataFolder, workspace, results] = [
    join(scratch, "data"),
    join(scratch, "workspace"),
    join(scratch, "results"),
  ];
  mkdirSync(join(dataFolder, "User"), { recursive: true });
  writeFileSync(join(dataFolder, "User", "settings.json"), JSON.stringify({ ...testSettings, ...testMachineSettings }));
  cpSync(workspaceFolder, workspace, { recursive: true });
  const run = { results, modelFile: join(scratch, "model"), grep: undefined };
  const printing = printResults(results);
  try {
    return await runTests({
      vscodeExecutablePath: editor,
      extensionDevelopmentPath: [projectFolder, support],
      extensionTestsPath: suites,
      extensionTestsEnv: { ...suiteEnvironment(run), [dataVariable]: dataFolder },
      launchArgs: [workspace, "--user-data-dir", dataFolder, "--disable-extensions", "--disable-workspace-trust"],
    });
  } catch {
    return 1; // The failed tests are printed below.
  } finally {
    printing.stop();
    const passed = readResults(results).filter(({ state }) => state === "passed").length;
    const failed = readResults(results).filter(({ state }) => state === "failed").length;
    console.log(`\n  ${passed} passing\n  ${failed} failing`);
    rmSync(scratch, { recursive: true, force: true });
  }
}
