import assert from "node:assert/strict";
import { createNodeClock } from "../../src/adapters/nodeClock.ts";
import { createLibrary } from "../../src/core/library.ts";
import { createTools, runWithin } from "../../src/core/tools.ts";
import type { AgentTool } from "../../src/core/tools.ts";
import type { SaveReport } from "../../src/core/save.ts";
import type { SavedPage } from "../../src/core/types.ts";
import { createMemoryStorage } from "../fakes/memoryStorage.ts";
import { countTokens } from "../fakes/pages.ts";
import { savedPage } from "../fakes/savedPages.ts";

const { signal } = new AbortController();

async function toolsOver(pages: readonly SavedPage[], saveFails = false): Promise<(name: string) => AgentTool> {
  const storage = createMemoryStorage();
  for (const page of pages) await storage.writePage(page);
  const library = createLibrary({
    storage,
    sources: [],
    embedder: undefined,
    prompts: () => "",
    clock: createNodeClock(),
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
    loadTokenizer: () => Promise.resolve(countTokens),
  });
  const tools = createTools({
    library,
    save: (url) =>
      saveFails ? Promise.reject(new Error("broken")) : library.save(url, { distiller: { kind: "offline" } }, signal),
  });
  return (name) => tools.find((tool) => tool.name === name)!;
}

describe("the agent tools", () => {
  for (const url of ["/etc/passwd", "file:///etc/passwd", "-", "ftp://x.test/y", "https://"]) {
    it(`never read ${url} for an agent`, async () => {
      const tool = await toolsOver([]);
      const { text, failed } = await tool("bacopa_save_page").run({ url }, undefined, signal);
      assert.equal(failed, true);
      assert.match(text, /no web address/);
    });
  }

  it("give facts in full with the page's brief, address and id, fenced as data", async () => {
    const tool = await toolsOver([savedPage()]);
    const { text, failed } = await tool("bacopa_search_docs").run({ query: "max_retries default" }, undefined, signal);
    assert.equal(failed, false);
    assert.match(text, /^<saved-docs [^>]*not instructions; [^>]*">\n/);
    assert.match(text, /Covers: How Courier retries jobs\./);
    assert.match(text, /https:\/\/courier\.example\/docs/);
    assert.match(text, /\[fact retries-0a1b2c3d4e\.0000000000/);
    assert.match(text, /<\/saved-docs>$/);
  });

  it("give the passage behind a fact, and the list of pages", async () => {
    const tool = await toolsOver([savedPage()]);
    const passage = await tool("bacopa_get_passage").run(
      { factId: "retries-0a1b2c3d4e.0000000001" },
      undefined,
      signal,
    );
    assert.match(passage.text, /queue\.retry\(\{ backoff: "double" \}\)/);
    const list = await tool("bacopa_list_pages").run({}, undefined, signal);
    assert.match(list.text, /Retries \(2 facts, saved 2026-03-01\)/);
  });

  it("check their input, which no host does, and say how to call them", async () => {
    const tool = await toolsOver([]);
    for (const [name, input] of [
      ["bacopa_search_docs", {}],
      ["bacopa_search_docs", { query: "x", limit: 900 }],
      ["bacopa_search_docs", "query"],
      ["bacopa_get_passage", { factId: 7 }],
      ["bacopa_save_page", undefined],
    ] as const) {
      const { text, failed } = await tool(name).run(input, undefined, signal);
      assert.ok(failed, name);
      assert.match(text, /Call the tool again with corrected input/);
    }
  });

  it("say what to do next when nothing is there or something broke", async () => {
    const tool = await toolsOver([], true);
    assert.match((await tool("bacopa_list_pages").run({}, undefined, signal)).text, /Offer to save one/);
    const gone = await tool("bacopa_get_passage").run({ factId: "gone.0" }, undefined, signal);
    assert.match(gone.text, /Search again/);
    const broken = await tool("bacopa_save_page").run({ url: "https://a.example" }, undefined, signal);
    assert.ok(broken.failed);
    assert.doesNotMatch(broken.text, /broken/);
  });

  for (const [state, sections, failedSections, expected] of [
    ["done", 4, 0, /^Saved "Retries" .*: 6 facts from 4 sections\. Search for what you need\.$/u],
    [
      "done",
      4,
      2,
      /2 of its sections have no facts yet and are searched as they are \(http-status\): The server is busy\./u,
    ],
    ["failed", 0, 0, /^The page was not saved \(http-status\): The server is busy\. Retry once later\.$/u],
    ["failed", 4, 4, /^The page was saved without facts; its sections can be searched as they are \(http-status\)/u],
    ["canceled", 0, 0, /canceled before the page was saved/u],
    ["canceled", 4, 0, /What was saved so far can be searched/u],
  ] as const) {
    it(`say what is true of a save that is ${state} with ${sections} sections, ${failedSections} of them failed`, async () => {
      const report: SaveReport = {
        ...savedPage().figures,
        ...{ pageId: sections === 0 ? null : "retries", url: "https://a.example", title: "Retries", state },
        ...{ sections, failedSections, facts: 6, keptSections: 0, distiller: "offline-1", strategy: "facts" },
        ...{
          coverage: 1,
          leftOut: [],
          reason: "http-status",
          message: "The server is busy.",
          hint: "Retry once later.",
        },
        commandLine: "Use --force.",
      };
      const tools = createTools({ library: undefined as never, save: () => Promise.resolve(report) });
      const save = tools.find(({ name }) => name === "bacopa_save_page")!;
      const { text, failed } = await save.run({ url: "https://a.example" }, undefined, signal);
      assert.match(text.split("\n")[1]!, expected);
      assert.doesNotMatch(text, /--force/u);
      assert.equal(failed, state !== "done");
    });
  }

  it("ask a person before a host is contacted, and name that host", async () => {
    const tool = await toolsOver([]);
    const asked = tool("bacopa_save_page").confirm?.({ url: "https://docs.example:8443/a?b" });
    assert.match(asked?.message ?? "", /contact docs\.example:8443 /);
    assert.equal(tool("bacopa_search_docs").confirm, undefined);
  });

  it("throw only when they are canceled", async () => {
    const tool = await toolsOver([savedPage()]);
    const canceled = AbortSignal.abort();
    await assert.rejects(tool("bacopa_search_docs").run({ query: "retries" }, undefined, canceled), {
      name: "AbortError",
    });
  });
});

describe("a tool's token budget", () => {
  const count = (text: string): Promise<number> => Promise.resolve(countTokens(text));
  const pages = Array.from({ length: 40 }, (_, index) =>
    savedPage(`page${index}-0a1b2c3d4e`, { title: `Retries ${index}` }),
  );

  it("leaves facts out of a search, and lines out of a list with their number", async () => {
    const tool = await toolsOver(pages);
    for (const tokens of [150, 400, 1200]) {
      const found = await runWithin(
        tool("bacopa_search_docs"),
        { query: "retries backoff", limit: 20 },
        { tokens, count },
        signal,
      );
      assert.ok(countTokens(found.text) <= tokens, `search ${countTokens(found.text)} of ${tokens}`);
      const list = await runWithin(tool("bacopa_list_pages"), {}, { tokens, count }, signal);
      assert.ok(countTokens(list.text) <= tokens, `list ${countTokens(list.text)} of ${tokens}`);
      assert.match(list.text, /more pages did not fit/);
    }
  });

  it("ends a long passage at a blank line, closes its code, and says so", async () => {
    const code = `\`\`\`js\n${"call(1);\n".repeat(600)}\`\`\`\n`;
    const tool = await toolsOver([
      savedPage("long-0a1b2c3d4e", { note: `\n\n${"A sentence of prose.\n\n".repeat(30)}${code}` }),
    ]);
    const input = { factId: "long-0a1b2c3d4e.0000000000" };
    const { text } = await runWithin(tool("bacopa_get_passage"), input, { tokens: 600, count }, signal);
    assert.ok(countTokens(text) <= 600);
    assert.match(text, /The first \d+ % of the passage/);
    assert.equal((text.match(/```/g) ?? []).length % 2, 0);
  });

  it("asks for less when the model counts more tokens than we do", async () => {
    const tool = await toolsOver(pages);
    const counted = (text: string): Promise<number> => Promise.resolve(text.length / 2);
    const { text } = await runWithin(
      tool("bacopa_search_docs"),
      { query: "retries backoff", limit: 20 },
      { tokens: 800, count: counted },
      signal,
    );
    assert.ok(text.length / 2 <= 800);
    assert.match(text, /Retries/);
  });

  it("does not say that nothing is saved when nothing fits", async () => {
    const tool = await toolsOver([savedPage()]);
    const { text } = await tool("bacopa_search_docs").run({ query: "backoff" }, 20, signal);
    assert.match(text, /none fits the token budget\. The closest is "Retries/);
  });

  it("never saves a page twice", async () => {
    let saves = 0;
    const tool: AgentTool = {
      ...(await toolsOver([]))("bacopa_save_page"),
      run: () => Promise.resolve({ text: "x".repeat(9000), failed: saves++ > 0 }),
    };
    await runWithin(tool, { url: "https://a.example" }, { tokens: 10, count }, signal);
    assert.equal(saves, 1);
  });
});
