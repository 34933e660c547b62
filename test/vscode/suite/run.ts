/** Runs the suites of this folder inside the extension host of a browser workbench. */
import { join } from "node:path";
import { launchBrowser, startServer } from "../../../tools/vscode-host/host.mjs";
import type { Built } from "../build.ts";
import { samplesFolder, shotsFolder, testMachineSettings, testSettings, workspaceFolder } from "../build.ts";
import { behaviorVariable } from "../fakeModel.ts";
import { dataVariable } from "../library.ts";
import { addFailure, grepVariable, readResults, resultsVariable } from "../results.ts";
import { samplesVariable } from "../samples.ts";

export interface Run {
  /** File of the results. */
  readonly results: string;
  /** File that tells the fake model what to do. */
  readonly modelFile: string;
  /** Words in the titles of the tests to run. Default: all tests. */
  readonly grep: string | undefined;
}

/** Longest time of all suites together, in ms; they take about 20 s on two idle cores. */
const timeoutMs = 400_000;

/** The test support is the extension under development, so that the real one is tested as it ships. */
export async function runSuites({ vsix, support, suites }: Built, { results, modelFile, grep }: Run): Promise<void> {
  const server = await startServer({
    vsix: [vsix],
    workspace: workspaceFolder,
    settings: testSettings,
    machineSettings: testMachineSettings,
    smokeTest: true,
    env: (dataFolder) => ({ ...suiteEnvironment({ results, modelFile, grep }), [dataVariable]: dataFolder }),
  });
  try {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const consoleErrors: string[] = [];
      page.on("console", (message) => message.type() === "error" && consoleErrors.push(message.text()));
      await page.exposeFunction("codeAutomationLog", () => undefined);
      const exited = new Promise<unknown>((resolve) => void page.exposeFunction("codeAutomationExit", resolve));
      const payload = [
        ["extensionDevelopmentPath", server.remoteUri(support)],
        ["extensionTestsPath", server.remoteUri(suites)],
      ] as const;
      await page.goto(server.url(payload), { waitUntil: "domcontentloaded" });
      const code = await Promise.race([exited, pause(timeoutMs)]);
      if (code === 0) return;
      await page.screenshot({ path: join(shotsFolder, "failed-suites.png") });
      // A failed test is among the results; anything else that ends the host is not.
      if (readResults(results).some(({ state }) => state === "failed")) return;
      const how =
        code === undefined ? `It did not end within ${timeoutMs / 1000} s` : `It ended with ${JSON.stringify(code)}`;
      addFailure(results, "extension host", "ends well", [how, ...consoleErrors.slice(-5)].join("\n"));
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

/** What the suites read from the environment, wherever they run; the folder of user data is known to the host alone. */
export function suiteEnvironment({ results, modelFile, grep }: Run): Record<string, string> {
  return {
    [resultsVariable]: results,
    [behaviorVariable]: modelFile,
    [samplesVariable]: samplesFolder,
    [grepVariable]: grep ?? "",
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
