import { strict as assert } from "node:assert";
import type { Site } from "../../fakes/siteServer.ts";
import { startSite } from "../../fakes/siteServer.ts";
import type { Page } from "./browser.ts";
import { factRow, openFacts, openWindow, patience, savePage } from "./workbench.ts";
import { world } from "./world.ts";

/** From the first window's tree to the second's: what a person is promised, and a little for the browser. */
const withinMs = 2000;

describe("a second window on the same library", () => {
  let site: Site;
  let second: Page;
  before(async () => {
    site = await startSite({
      "/buoy.md": `# Buoy colors\n\n${"A red buoy marks the port side and blinks every 4 seconds. ".repeat(20)}\n`,
    });
    second = await world().browser.newPage();
    await openWindow(second);
    await openFacts(second);
  });
  after(async () => {
    await second.close();
    await site.close();
  });

  it("shows what is there already", async () => {
    await factRow(/^Page Batching/u, second).waitFor(patience);
  });

  it("shows a page that the first one saves within two seconds", async () => {
    const { page } = world();
    await page.bringToFront();
    await savePage(`${site.origin}/buoy.md`);
    await factRow(/^Page Buoy colors/u).waitFor(patience);
    const from = Date.now();
    await factRow(/^Page Buoy colors/u, second).waitFor(patience);
    assert.ok(Date.now() - from <= withinMs, `${Date.now() - from} ms`);
  });
});
