import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { Site } from "../../fakes/siteServer.ts";
import { distilled, eventually, pageTitled, startSampleSite, workspaceUri } from "./editor.ts";

const bell = `# Harbor bell

## Ringing

${"The bell rings 8 times at noon, and 16 times when a ship enters in fog. ".repeat(15)}

## Cleaning

${"The bell is cleaned with 2 liters of vinegar every 30 days. ".repeat(20)}
`;

describe("saving", () => {
  let site: Site;
  before(async () => {
    site = await startSampleSite({
      "/bell.md": { body: bell, headers: { etag: '"bell-1"' } },
      "/lagoon.html": `<!doctype html><title>Lagoon locks</title><main><h1>Lagoon locks</h1><p>${"A lock opens for 12 minutes. ".repeat(20)}</p></main>`,
    });
  });
  after(() => site.close());

  it("saves a page by its address and distills it", async () => {
    await vscode.commands.executeCommand("bacopa.savePage", `${site.origin}/bell.md`);
    const saved = await distilled("Harbor bell");
    assert.ok(saved.facts.length >= 2, `${saved.facts.length} facts`);
    assert.equal(saved.page.url, `${site.origin}/bell.md`);
  });

  it("saves several addresses at once", async () => {
    const urls = ["halyard-queues-delivery.html", "tamarind-config.html"].map((name) => `${site.origin}/${name}`);
    await vscode.commands.executeCommand("bacopa.savePage", urls.join("\n"));
    await distilled("Batching, retries and delays");
    await distilled("Configuration");
  });

  it("saves the link in the clipboard", async () => {
    await vscode.env.clipboard.writeText(`${site.origin}/lagoon.html`);
    await vscode.commands.executeCommand("bacopa.saveFromClipboard");
    await distilled("Lagoon locks");
  });

  it("saves a file of the workspace", async () => {
    await vscode.commands.executeCommand("bacopa.saveFile", workspaceUri("notes.md"));
    const saved = await distilled("Notes on the ferry timetable");
    assert.match(saved.facts.map(({ statement }) => statement).join("\n"), /07:10|38 passengers/u);
  });

  it("saves the link under the cursor", async () => {
    const text = `See ${site.origin}/tamarind-config.html?from=link, the second link.`;
    const document = await vscode.workspace.openTextDocument({ content: text, language: "markdown" });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 30, 0, 30);
    await vscode.commands.executeCommand("bacopa.saveLinkUnderCursor");
    await eventually(() => site.requests.some(({ path }) => path.endsWith("?from=link")));
  });

  it("refreshes a page with a conditional request and keeps its facts", async () => {
    const before = await distilled("Harbor bell");
    const seen = site.requests.length;
    await vscode.commands.executeCommand("bacopa.refreshPage", before.page.id);
    await eventually(() =>
      site.requests
        .slice(seen)
        .some(({ path, headers }) => path === "/bell.md" && headers["if-none-match"] === '"bell-1"'),
    );
    const after = await distilled("Harbor bell");
    assert.deepEqual(
      after.facts.map(({ id }) => id),
      before.facts.map(({ id }) => id),
    );
  });

  it("removes a page", async () => {
    const { page } = await distilled("Lagoon locks");
    // The command ends with its notice, which nobody answers here.
    void vscode.commands.executeCommand("bacopa.removePage", page.id);
    await eventually(async () => (await pageTitled("Lagoon locks")) === undefined);
  });
});
