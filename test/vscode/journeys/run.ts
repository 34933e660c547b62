/** Runs the journeys of this folder in a window that shows the installed extension. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import Mocha from "mocha";
import { launchBrowser, startServer } from "../../../tools/vscode-host/host.mjs";
import type { Built } from "../build.ts";
import { packageSupport, shotsFolder, testMachineSettings, testSettings, workspaceFolder } from "../build.ts";
import { behaviorVariable } from "../fakeModel.ts";
import { resultsReporter } from "../results.ts";
import type { Run } from "../suite/run.ts";
import { enterWorld } from "./world.ts";

export async function runJourneys({ vsix, support }: Built, { results, modelFile, grep }: Run): Promise<void> {
  const server = await startServer({
    vsix: [vsix, packageSupport(support)],
    workspace: workspaceFolder,
    settings: { ...testSettings, "window.autoDetectColorScheme": true },
    machineSettings: testMachineSettings,
    env: { [behaviorVariable]: modelFile },
  });
  try {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      enterWorld({ server, browser, page, modelFile });
      const mocha = new Mocha({ timeout: 180_000, reporter: resultsReporter("journey", results) });
      if (grep !== undefined) mocha.fgrep(grep);
      const here = import.meta.dirname;
      mocha.rootHooks({
        async afterEach(this: Mocha.Context) {
          const { currentTest } = this;
          if (currentTest?.state !== "failed") return;
          const name = currentTest.title.replace(/\W+/gu, "-");
          await page.screenshot({ path: join(shotsFolder, `failed-${name}.png`) });
        },
      });
      // Imported here and not by mocha, which would require them and so give them a second, empty world.
      mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, here, mocha);
      for (const name of readdirSync(here).sort()) if (name.endsWith(".journey.ts")) await import(join(here, name));
      await new Promise<void>((resolve) => void mocha.run(() => resolve()));
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}
