import { strict as assert } from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Site } from "../../fakes/siteServer.ts";
import { startSite } from "../../fakes/siteServer.ts";
import type { Page } from "./browser.ts";
import { factRow, openFacts, openWindow, patience, savePage } from "./workbench.ts";
import { world } from "./world.ts";

/** From the first window's tree to the second's: what a person is promised, and a little for the browser. */
const withinMs = 2000;

for (const scope of ["workspace", "user"] as const) {
  describe(`a second window on the library of the ${scope}`, () => {
    let site: Site;
    let second: Page;
    before(async () => {
      const { server, page, browser } = world();
      const markdown = (title: string): string =>
        `# ${title}\n\n${"A red buoy marks the port side and blinks every 4 seconds. ".repeat(20)}\n`;
      site = await startSite({
        "/buoy.md": markdown(`Buoy colors of the ${scope}`),
        "/beacon.md": markdown(`Beacons of the ${scope}`),
      });
      const file = join(server.dataFolder, "User", "settings.json");
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), "bacopa.library.scope": scope }));
      second = await browser.newPage();
      for (const window of [page, second]) {
        await openWindow(window);
        await openFacts(window);
      }
    });
    after(async () => {
      await second.close();
      await site.close();
    });

    it("shows a page that the first one saves within two seconds", async () => {
      const { page } = world();
      await page.bringToFront();
      await savePage(`${site.origin}/buoy.md`);
      await factRow(`Page Buoy colors of the ${scope}`).waitFor(patience);
      const from = Date.now();
      await factRow(`Page Buoy colors of the ${scope}`, second).waitFor(patience);
      assert.ok(Date.now() - from <= withinMs, `${Date.now() - from} ms`);
    });

    it("saves a page itself, and none is lost", async () => {
      await second.bringToFront();
      await savePage(`${site.origin}/beacon.md`, second);
      for (const window of [second, world().page])
        for (const title of ["Beacons", "Buoy colors"])
          await factRow(`Page ${title} of the ${scope}`, window).waitFor(patience);
    });
  });
}
