import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { Site } from "../../fakes/siteServer.ts";
import { distilled, eventually, saveSamples, startSampleSite } from "./editor.ts";

describe("reading", () => {
  let site: Site;
  before(async () => {
    site = await startSampleSite();
    await saveSamples(site);
  });
  after(() => site.close());

  it("opens a fact, its page and its passage as read-only documents", async () => {
    const saved = await distilled("Streams API");
    const fact = saved.facts.find(({ body }) => body.includes("highWaterMark"));
    assert.ok(fact);
    await vscode.commands.executeCommand("bacopa.openPassage", fact.id);
    const editor = await eventually(() => vscode.window.activeTextEditor);
    assert.equal(editor.document.uri.scheme, "bacopa");
    assert.equal(editor.document.getText(), saved.page.text);
    assert.equal(editor.document.offsetAt(editor.selection.active), fact.source.start);
    await vscode.commands.executeCommand("bacopa.openFact", fact.id);
    await eventually(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith("Preview"));
    await vscode.commands.executeCommand("bacopa.openPage", saved.page.id);
    await eventually(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes("Streams API"));
  });

  it("answers a question without chat and without a model", async () => {
    await vscode.commands.executeCommand("bacopa.askSavedDocs", "how many records are buffered before a pause");
    const answer = await eventually(() =>
      vscode.workspace.textDocuments.find(
        (document) => document.uri.scheme === "bacopa" && /256/u.test(document.getText()),
      ),
    );
    assert.match(answer.getText(), /highWaterMark/u);
  });

  it("advises on a strategy for the saved pages", async () => {
    const uri = vscode.Uri.from({ scheme: "bacopa", path: "/advice/minutes, quote/Advice.md" });
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    assert.match(text, /Strategy: headings/u);
    assert.match(text, /Overlap: 0 tokens/u);
    assert.match(text, /for \d+ pages/u);
  });

  it("copies a fact as Markdown", async () => {
    const saved = await distilled("Configuration");
    const [fact] = saved.facts;
    assert.ok(fact);
    await vscode.commands.executeCommand("bacopa.copyFact", fact.id);
    const copied = await vscode.env.clipboard.readText();
    assert.ok(copied.includes(fact.body.trim()) && copied.includes(saved.page.url), copied);
  });

  it("opens the quick pick of facts", async () => {
    await vscode.commands.executeCommand("bacopa.searchFacts");
    await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
  });
});
