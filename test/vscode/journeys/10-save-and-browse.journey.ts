import { strict as assert } from "node:assert";
import type { Site } from "../../fakes/siteServer.ts";
import { samplesFolder } from "../build.ts";
import { startSamples } from "../samples.ts";
import {
  chooseFromMenu,
  command,
  factRow,
  openFacts,
  openWindow,
  patience,
  quickPicks,
  savePage,
  shoot,
  unfold,
} from "./workbench.ts";
import { world } from "./world.ts";

const fact = "Fact batch_size, batch_wait, max_concurrency: A batch is delivered";

describe("saving a page and browsing its facts", () => {
  let site: Site;
  before(async () => {
    site = await startSamples(samplesFolder);
  });
  after(() => site.close());

  it("welcomes a person whose library is empty", async () => {
    await openWindow();
    await openFacts();
    await world().page.locator(".welcome-view", { hasText: "No page is saved yet" }).first().waitFor(patience);
    await shoot("welcome");
  });

  it("saves pages from the palette, and the tree fills", async () => {
    await savePage(
      ["halyard-queues-delivery.html", "pinnace-stream-api.html"].map((name) => `${site.origin}/${name}`).join(" "),
    );
    await factRow(/^Page Batching, retries and delays, \d+ facts/u).waitFor(patience);
    await factRow(/^Page Streams API, \d+ facts/u).waitFor(patience);
  });

  it("unfolds a page, a section and its facts", async () => {
    await unfold(/^Page Batching/u);
    await unfold(/^Section Batching/u);
    await factRow(fact).waitFor(patience);
    await shoot("tree");
  });

  it("opens a fact as a rendered document", async () => {
    const { page } = world();
    await factRow(fact).click(patience);
    await page.locator(".tab.active", { hasText: "Preview" }).waitFor(patience);
    const body = page.frameLocator("iframe.webview.ready").frameLocator("#active-frame").locator("body");
    await body.locator("table", { hasText: "250 messages" }).first().waitFor(patience);
    await shoot("fact");
  });

  it("opens the passage behind a fact with its lines highlighted", async () => {
    const { page } = world();
    const row = factRow(fact);
    await row.hover(patience);
    await row.getByRole("button", { name: /Open Passage/u }).click(patience);
    await page.locator(".monaco-editor .view-line", { hasText: "batch_size" }).first().waitFor(patience);
    await page
      .locator(".monaco-editor .cdr")
      .first()
      .waitFor({ ...patience, state: "attached" });
    await shoot("passage");
  });

  it("finds facts while one types", async () => {
    const { page } = world();
    await command("Bacopa: Search Facts");
    await page.locator('.quick-input-widget input[placeholder^="A question"]').waitFor(patience);
    await page.keyboard.type("how many records are buffered", { delay: 10 });
    await quickPicks().filter({ hasText: "openStream" }).first().waitFor(patience);
    await shoot("search");
    await page.keyboard.press("Enter");
    await page.locator(".tab.active", { hasText: "openStream" }).waitFor(patience);
  });

  it("filters the tree and shows all of it again", async () => {
    const { page } = world();
    await command("Bacopa: Filter Facts");
    await page.locator(".quick-input-widget", { hasText: "whose title, topic or statement" }).waitFor(patience);
    await page.keyboard.type("mapRecords", { delay: 10 });
    await page.keyboard.press("Enter");
    await factRow(/^Page Batching/u).waitFor({ ...patience, state: "hidden" });
    await factRow(/^Page Streams API/u).waitFor(patience);
    await shoot("filter");
    await page.locator('.sidebar [aria-label^="Clear Filter"]').first().click(patience);
    await factRow(/^Page Batching/u).waitFor(patience);
  });

  it("tells why a page could not be saved and what to do next", async () => {
    const { page } = world();
    await savePage(`${site.origin}/missing.html`);
    const toast = page.locator(".notifications-toasts .notification-list-item").first();
    await toast.waitFor(patience);
    assert.match((await toast.textContent()) ?? "", /404|not found|no page/iu);
    await shoot("failure");
    await command("Notifications: Clear All Notifications");
  });

  it("removes a page and brings it back", async () => {
    const { page } = world();
    await chooseFromMenu(factRow(/^Page Streams API/u), "Remove Page");
    await factRow(/^Page Streams API/u).waitFor({ ...patience, state: "hidden" });
    await page.locator(".notifications-toasts").getByRole("button", { name: "Undo" }).click(patience);
    await factRow(/^Page Streams API/u).waitFor(patience);
  });
});
