import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Site } from "../../fakes/siteServer.ts";
import { samplesFolder } from "../build.ts";
import { savedPages } from "../library.ts";
import { startSamples } from "../samples.ts";
import {
  chooseFromMenu,
  command,
  dropHtml,
  factRow,
  openFacts,
  openFile,
  openWindow,
  patience,
  quickInput,
  quickPicks,
  savePage,
  shoot,
  unfold,
} from "./workbench.ts";
import { world } from "./world.ts";

const fact = "Fact batch_size, batch_wait, max_concurrency: A batch is delivered";

/** Page content as a browser copies it. */
const rich = (title: string): string =>
  `<meta charset="utf-8"><h1>${title}</h1><p>${"A mooring holds 12 tons in a calm. ".repeat(8)}</p>
  <table><thead><tr><th>Buoy</th><th>Load</th></tr></thead><tbody><tr><td>Green</td><td>9 t</td></tr></tbody></table>
  <pre><code class="language-js">moor({ tons: 12 });</code></pre>`;

async function answerTitle(title: string): Promise<void> {
  const { page } = world();
  await page.locator(".quick-input-widget", { hasText: "Save as a Page (1/2)" }).waitFor(patience);
  assert.equal(await quickInput().inputValue(), title);
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget", { hasText: "Save as a Page (2/2)" }).waitFor(patience);
  await page.keyboard.press("Enter");
}

async function assertRich(title: string): Promise<void> {
  const saved = (await savedPages(world().server.dataFolder)).find(({ page }) => page.title === title);
  assert.match(saved?.page.text ?? "", /\| Green \| 9 t \|/u);
  assert.match(saved?.page.text ?? "", /```js\nmoor\(\{ tons: 12 \}\);\n```/u);
}

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

  it("keeps the failure in the tree until it is dismissed", async () => {
    const row = factRow(/^Job .*missing\.html: There is no page/u);
    await row.hover(patience);
    await row.getByRole("button", { name: /Dismiss Job/u }).click(patience);
    await row.waitFor({ ...patience, state: "hidden" });
  });

  it("refreshes all pages under one notice", async () => {
    const { page } = world();
    await command("Bacopa: Refresh All");
    const toast = page.locator(".notifications-toasts .notification-list-item", {
      hasText: "Refreshed 2 pages, 0 of them changed",
    });
    await toast.first().waitFor(patience);
    await command("Notifications: Clear All Notifications");
  });

  it("saves a link from the context menu of an editor, wherever the cursor was before", async () => {
    const { page } = world();
    await openFile("links.md");
    await page.locator(".monaco-editor .view-line", { hasText: "first line" }).first().click(patience);
    const link = page.locator(".monaco-editor .view-line span", { hasText: "harbor.test" }).last();
    await chooseFromMenu(link, "Save Link Under Cursor");
    await page
      .locator(".notifications-toasts .notification-list-item", { hasText: "harbor.test" })
      .first()
      .waitFor(patience);
    await command("Notifications: Clear All Notifications");
    await command("View: Close All Editors");
    const row = factRow(/^Job .*harbor\.test/u);
    await row.hover(patience);
    await row.getByRole("button", { name: /Dismiss Job/u }).click(patience);
  });

  it("saves what is dropped on the tree with its tables and code", async () => {
    await dropHtml(rich("Dropped moorings"));
    const title = world().page.locator(".quick-input-widget", { hasText: "Save as a Page (1/2)" });
    // The tree takes no drop while a row that is going away still lies under the pointer.
    if (
      !(await title.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      ))
    )
      await dropHtml(rich("Dropped moorings"));
    await answerTitle("Dropped moorings");
    await factRow(/^Page Dropped moorings/u).waitFor(patience);
    await assertRich("Dropped moorings");
  });

  it("saves what is pasted with its tables and code", async () => {
    const { page } = world();
    await page.evaluate(`navigator.clipboard.write([new ClipboardItem({
      "text/html": new Blob([${JSON.stringify(rich("Pasted moorings"))}], { type: "text/html" }),
      "text/plain": new Blob(["Pasted moorings"], { type: "text/plain" }),
    })])`);
    await command("Bacopa: Paste Page Content");
    await page.locator(".tab.active", { hasText: "Untitled-1" }).waitFor(patience);
    await page.locator(".editor-instance .monaco-editor.focused").first().waitFor(patience);
    await page.keyboard.press("Control+V");
    await answerTitle("Pasted moorings");
    await factRow(/^Page Pasted moorings/u).waitFor(patience);
    await assertRich("Pasted moorings");
    await page.locator(".tab", { hasText: "Untitled-1" }).waitFor({ ...patience, state: "hidden" });
  });

  it("keeps a key out of the settings and shows that it is set, until it is removed", async () => {
    const { page, server } = world();
    const key = "sk-ant-a-made-up-key";
    await command("Bacopa: Set Anthropic API Key");
    await page.locator(".quick-input-widget input[type=password]").waitFor(patience);
    await page.keyboard.insertText(key);
    await page.keyboard.press("Enter");
    await page.locator(".statusbar", { hasText: "Stored the key" }).first().waitFor(patience);
    await command("Bacopa: Choose Distiller");
    await quickPicks().filter({ hasText: "key is set" }).first().waitFor(patience);
    await page.keyboard.press("Escape");
    const settings = ["User", "Machine"].map((name) =>
      readFileSync(join(server.dataFolder, name, "settings.json"), "utf8"),
    );
    assert.ok(!settings.join().includes(key));
    await command("Bacopa: Remove Anthropic API Key");
    await page.locator(".statusbar", { hasText: "Removed the key" }).first().waitFor(patience);
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
