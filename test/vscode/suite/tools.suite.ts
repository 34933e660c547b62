import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { Site } from "../../fakes/siteServer.ts";
import { distilled, saveSamples, startSampleSite } from "./editor.ts";

describe("language-model tools", () => {
  let site: Site;
  before(async () => {
    site = await startSampleSite({
      "/quay.md": `# Quay lights\n\n${"A quay light burns 9 watts and is replaced after 4000 hours. ".repeat(10)}\n`,
    });
    await saveSamples(site);
  });
  after(() => site.close());

  it("give facts in full with their page, as reference data", async () => {
    const text = await invoke("bacopa_search_docs", { query: "batch_size maximum" });
    assert.match(text, /250 messages/u);
    assert.match(text, /halyard-queues-delivery\.html/u);
  });

  it("keep to the tokens they may use", async () => {
    const whole = await invoke("bacopa_search_docs", { query: "retry", limit: 10 });
    const little = await invoke("bacopa_search_docs", { query: "retry", limit: 10 }, 300);
    assert.ok(little.length < whole.length, `${little.length} of ${whole.length} characters`);
    assert.ok(little.length / 4 <= 300, `${little.length} characters for 300 tokens`);
  });

  it("give the passage behind a fact", async () => {
    const { facts, page } = await distilled("Streams API");
    const [fact] = facts;
    assert.ok(fact);
    const passage = page.text.slice(fact.source.start, fact.source.end).trim();
    assert.ok((await invoke("bacopa_get_passage", { factId: fact.id })).includes(passage));
  });

  it("list the saved pages", async () => {
    const text = await invoke("bacopa_list_pages", {});
    for (const title of ["Streams API", "Configuration"]) assert.ok(text.includes(title), text);
  });

  it("save a page and say what came of it", async () => {
    const text = await invoke("bacopa_save_page", { url: `${site.origin}/quay.md` });
    assert.match(text, /Quay lights/u);
    await distilled("Quay lights");
  });

  it("tell the model what to do when it asks wrongly", async () => {
    assert.match(await invoke("bacopa_search_docs", {}), /query/u);
    assert.match(await invoke("bacopa_get_passage", { factId: "no-such.1" }), /[Ss]earch again/u);
    assert.match(await invoke("bacopa_save_page", { url: "ftp://example.com/a" }), /http/u);
  });
});

async function invoke(name: string, input: object, tokenBudget?: number): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, {
    input,
    toolInvocationToken: undefined,
    ...(tokenBudget !== undefined && {
      tokenizationOptions: { tokenBudget, countTokens: (text: string) => Promise.resolve(Math.ceil(text.length / 4)) },
    }),
  });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
}
