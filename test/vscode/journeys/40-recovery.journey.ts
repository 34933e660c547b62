import { strict as assert } from "node:assert";
import type { Site } from "../../fakes/siteServer.ts";
import { startSite } from "../../fakes/siteServer.ts";
import { setBehavior } from "../fakeModel.ts";
import { isDistilled, savedPages } from "../library.ts";
import {
  allRows,
  command,
  factRow,
  openFacts,
  openWindow,
  patience,
  quickPicks,
  savePage,
  shoot,
} from "./workbench.ts";
import { world } from "./world.ts";

const tide = `# Tide tables\n\n## Springs\n\n${"A spring tide rises 6 meters within 5 hours. ".repeat(30)}\n\n## Neaps\n\n${"A neap tide rises 2 meters within 7 hours. ".repeat(30)}\n`;

describe("a window that is closed while a page is distilled", () => {
  let site: Site;
  before(async () => {
    site = await startSite({ "/tide.md": tide });
  });
  after(() => site.close());

  it("lets a person choose a model of the editor", async () => {
    await command("Bacopa: Choose Distiller");
    await quickPicks().filter({ hasText: "Fake One" }).first().waitFor(patience);
    await shoot("choose-distiller");
    await quickPicks().filter({ hasText: "Fake One" }).first().click(patience);
  });

  it("offers to distill again what the offline distiller made", async () => {
    const toast = world().page.locator(".notifications-toasts .notification-list-item", {
      hasText: "another distiller",
    });
    await toast.first().waitFor(patience);
    await command("Notifications: Clear All Notifications");
  });

  it("shows progress while the model works", async () => {
    setBehavior({ kind: "answer", delayMs: 120_000 }, world().modelFile);
    await openFacts();
    await savePage(`${site.origin}/tide.md`);
    await factRow(/^Page Tide tables.*distilling 0 of 2 sections/u).waitFor(patience);
    assert.equal(await allRows(/Tide tables|tide\.md/u).count(), 1, "the page and its job are one row");
    await world().page.locator(".statusbar-item", { hasText: "distilling" }).first().waitFor(patience);
    await shoot("distilling");
    const [saved] = await tidePages();
    assert.ok(saved !== undefined && !isDistilled(saved), "the page is stored before its facts are there");
  });

  it("has the job wait after a reload while the model is not there", async () => {
    setBehavior({ kind: "absent" }, world().modelFile);
    await openWindow();
    await openFacts();
    const row = factRow(/^Page Tide tables.*model is not there yet/u);
    await row.waitFor(patience);
    await row.hover(patience);
    await row.getByRole("button", { name: /Resume Job/u }).waitFor(patience);
    await shoot("waiting");
  });

  it("goes on by itself once the model is there", async () => {
    setBehavior({ kind: "answer" }, world().modelFile);
    await factRow(/^Page Tide tables, [1-9]\d* facts/u).waitFor(patience);
    const [saved] = await tidePages();
    assert.ok(saved !== undefined && isDistilled(saved));
    assert.deepEqual([...new Set(saved.facts.map(({ origin }) => origin.distiller))], ["vscode-fakelm:fake-1"]);
  });
});

async function tidePages(): ReturnType<typeof savedPages> {
  return (await savedPages(world().server.dataFolder)).filter(({ page }) => page.title === "Tide tables");
}
