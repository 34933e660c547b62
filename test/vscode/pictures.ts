/**
 * `npm run pictures`: takes the pictures of the walkthrough and the README anew, from the packaged extension at work in a
 * real VS Code. Look at each before it is committed.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser, startServer } from "../../tools/vscode-host/host.mjs";
import {
  buildAll,
  packageSupport,
  projectFolder,
  samplesFolder,
  testMachineSettings,
  testSettings,
  workspaceFolder,
} from "./build.ts";
import { behaviorVariable, setBehavior } from "./fakeModel.ts";
import {
  ask,
  command,
  factRow,
  hoverOver,
  openFacts,
  openFile,
  openWindow,
  patience,
  savePage,
  unfold,
} from "./journeys/workbench.ts";
import { enterWorld } from "./journeys/world.ts";
import { startSamples } from "./samples.ts";

const folder = join(projectFolder, "media", "walkthrough");
/** Small enough to be read in a walkthrough, large enough for the three parts of the window. */
const viewport = { width: 1080, height: 620 };
/** Bars and hovers fade for this long. */
const fadeMs = 600;

const scratch = mkdtempSync(join(tmpdir(), "bacopa-pictures-"));
const modelFile = join(scratch, "model");
setBehavior({ kind: "answer" }, modelFile);
mkdirSync(folder, { recursive: true });
const { vsix, support } = await buildAll();
const server = await startServer({
  vsix: [vsix, packageSupport(support)],
  workspace: workspaceFolder,
  settings: { ...testSettings, "window.autoDetectColorScheme": true, "workbench.layoutControl.enabled": false },
  machineSettings: testMachineSettings,
  env: { [behaviorVariable]: modelFile },
});
const site = await startSamples(samplesFolder);
const browser = await launchBrowser({ viewport, colorScheme: "light" });
try {
  const page = await browser.newPage();
  enterWorld({ server, browser, page, modelFile });
  const picture = async (name: string): Promise<void> => {
    await page.waitForTimeout(fadeMs);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  };
  await openWindow();
  await openFacts();
  await savePage(
    ["halyard-queues-delivery.html", "pinnace-stream-api.html", "tamarind-config.html"]
      .map((name) => `${site.origin}/${name}`)
      .join(" "),
  );
  for (const title of ["Batching", "Streams API", "Configuration"])
    await factRow(new RegExp(`^Page ${title}.*facts$`, "u")).waitFor(patience);

  await openFile("streams.js");
  await hoverOver("openStream", "Opens a stream over a source");
  await picture("hover");
  await page.keyboard.press("Escape");
  await command("View: Close All Editors");

  await command("Bacopa: Save Docs Page");
  await page.locator('.quick-input-widget input[placeholder="https://"]').waitFor(patience);
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText("https://docs.halyard.example/queues/delivery");
  await picture("save");
  await page.keyboard.press("Escape");

  const answer = await ask("@bacopa how many messages can a batch hold?");
  await answer.locator("a", { hasText: "passage" }).first().waitFor(patience);
  await picture("ask");
  await page.keyboard.press("Control+Alt+B");

  await unfold(/^Page Batching/u);
  await unfold(/^Section Batching/u);
  await factRow(/^Fact /u).click(patience);
  await page.locator(".tab.active", { hasText: "Preview" }).waitFor(patience);
  await page.frameLocator("iframe.webview.ready").frameLocator("#active-frame").locator("h1").first().waitFor(patience);
  await picture("facts");
} finally {
  await browser.close();
  await server.stop();
  await site.close();
  rmSync(scratch, { recursive: true, force: true });
}
