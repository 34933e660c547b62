import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createDocsStaticEmbedder } from "../../../src/adapters/embedders/docsStatic.ts";
import { createFilePrompts } from "../../../src/adapters/filePrompts.ts";
import { createAnthropicModel } from "../../../src/adapters/models/anthropic.ts";
import { createLibrary } from "../../../src/core/library.ts";
import type { Library } from "../../../src/core/library.ts";
import { strategyKinds } from "../../../src/core/strategy.ts";
import { countTokens } from "../../../src/core/util/tokens.ts";
import { describeStrategy } from "../../contracts/strategy.ts";
import type { SavingWith } from "../../contracts/strategy.ts";
import { createMemoryStorage } from "../../fakes/memoryStorage.ts";
import { serverKey, startMessagesServer } from "../../fakes/messagesServer.ts";
import type { MessagesServer, RequestBody, Step } from "../../fakes/messagesServer.ts";
import { changingText, partsOf, strategyAnswer } from "../../fakes/strategyAnswers.ts";

const url = "https://docs.marmot.example/queue";
const root = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const signal = new AbortController().signal;

const sentences = (subject: string): string =>
  Array.from(
    { length: 24 },
    (_, at) => `The ${subject} of queue ${"abcdefghijklmnopqrstuvwxyz"[at]} are kept on two disks of the cluster.`,
  ).join(" ");
const pageText = (hours: number): string =>
  [
    "# Marmot Queue",
    `## Retries\n\nA failing message is delivered again. ${sentences("retries")}`,
    `## Delays\n\nA message can be held back for at most ${hours} hours. ${sentences("delays")}`,
    `## Draining\n\nTo empty a queue, run:\n\n\`\`\`sh\nmarmot drain --now\n\`\`\`\n\n${sentences("drains")}`,
  ].join("\n\n");

interface Set extends SavingWith {
  readonly server: MessagesServer;
}

async function setUp(
  script: (body: RequestBody, call: number) => Step = (body) => ({ json: strategyAnswer(body) }),
): Promise<Set> {
  const server = await startMessagesServer(script);
  let hours = 12;
  const embedder = createDocsStaticEmbedder(root("media/docs-static"));
  const library: Library = createLibrary({
    storage: createMemoryStorage(),
    sources: [
      {
        accepts: () => true,
        read: (target) =>
          Promise.resolve({
            requested: target,
            url: target,
            redirects: [],
            bytes: new TextEncoder().encode(pageText(hours)),
            contentType: "text/markdown",
            status: 200,
          }),
      },
    ],
    embedder: { name: "docs-static", isInstant: true, open: () => Promise.resolve(embedder) },
    prompts: createFilePrompts(root("prompts")),
    clock: { now: () => new Date("2026-01-01T00:00:00Z"), elapsed: () => 0 },
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
    loadTokenizer: () => Promise.resolve(countTokens),
  });
  const model = createAnthropicModel({ apiKey: serverKey, baseUrl: server.url, maxRetries: 0 });
  return {
    server,
    library,
    distiller: { kind: "model", model },
    url,
    change: () => (hours = 36),
    close: async () => {
      await library.close();
      await server.close();
    },
  };
}

for (const kind of strategyKinds) describeStrategy(kind, () => setUp());
for (const name of ["recursive:64:16:min=16", "fixed:300c", "parent-document:512:64"])
  describeStrategy(name, () => setUp());

describe("strategies that a model writes", () => {
  let set: Set;
  afterEach(() => set.close());
  const save = (strategy: string) => set.library.save(url, { distiller: set.distiller, strategy }, signal);

  it("contextual: the page is a cached part of its own, the context is searched, embedded and returned", async () => {
    set = await setUp((body) => ({
      json: {
        contexts: partsOf(body).map(({ number }) => ({
          section: number,
          context: "The Heligoland edition of Marmot Queue.",
        })),
      },
    }));
    const report = await save("contextual:128:min=32");
    assert.equal(report.state, "done", report.message);
    const content = set.server.requests[0]?.body.messages[0]?.content as unknown as {
      text: string;
      cache_control?: unknown;
    }[];
    assert.match(content[0]?.text ?? "", /<page-\w+>\n# Marmot Queue/u);
    assert.deepEqual([content[0]?.cache_control, content[1]?.cache_control], [{ type: "ephemeral" }, undefined]);
    const contents = set.server.requests.map(({ body }) =>
      JSON.stringify((body.messages[0]?.content as unknown as object[])[0]),
    );
    assert.equal(new Set(contents).size, 1);
    const { hits } = await set.library.search("Heligoland", {}, signal);
    assert.equal(hits[0]?.fact.statement, "The Heligoland edition of Marmot Queue.");
    const { hits: near } = await set.library.search("Heligoland", { mode: "meaning" }, signal);
    assert.ok(near.length > 0);
    const { hits: found } = await set.library.search("held back 12 hours", {}, signal);
    assert.match(found[0]?.fact.body ?? "", /12 hours/);
    assert.ok(report.calls > 0 && report.costUsd > 0);
  });

  it("contextual: what the page does not say is taken out, too long a context is none, a forgotten one is asked for again", async () => {
    const texts = ["Marmot Queue keeps 77 disks. Marmot Queue has retries.", "word ".repeat(400)];
    set = await setUp((body, call) => ({
      json: {
        contexts: partsOf(body)
          .slice(0, call === 0 ? 2 : 99)
          .map(({ number }, at) => ({ section: number, context: call === 0 ? texts[at] : "About Marmot Queue." })),
      },
    }));
    const report = await save("contextual:256:min=32");
    assert.deepEqual([report.state, report.dropped.unverified, report.failedSections], ["done", 1, 0]);
    const { sections } = await set.library.page(report.pageId ?? "");
    assert.equal(sections[0]?.context?.text, "Marmot Queue has retries.");
    assert.ok(sections.slice(1).every(({ context }) => context?.text === "About Marmot Queue."));
  });

  it("contextual: an unchanged section keeps its context when the page is read again", async () => {
    set = await setUp();
    const first = await save("contextual:128:min=32");
    const asked = set.server.requests.length;
    set.change();
    const again = await set.library.refresh(first.pageId ?? "", { distiller: set.distiller }, signal);
    assert.equal(again.keptSections, again.sections - 1);
    assert.equal(partsOf(set.server.requests.at(-1)!.body).length, 1);
    assert.equal(set.server.requests.length, asked + 1);
  });

  it("propositions: a claim with a number that its section does not hold is left out, code is kept beside the claims", async () => {
    set = await setUp((body) => ({
      json: {
        propositions: partsOf(body).flatMap(({ number, text }) => [
          { section: number, claim: "Marmot Queue waits 99 days.", quote: "is delivered" },
          ...(text.includes("12 hours")
            ? [
                {
                  section: number,
                  claim: "Marmot Queue holds a message back for at most 12 hours.",
                  quote: "held back for at most",
                },
              ]
            : []),
          { section: 400, claim: "Nobody asked for this section.", quote: "" },
          { section: number, claim: 7, quote: [] },
        ]),
        noise: [-1, "x"],
      },
    }));
    const report = await save("propositions");
    assert.equal(report.state, "done", report.message);
    const { facts, page } = await set.library.page(report.pageId ?? "");
    const claims = facts.filter(({ origin }) => !origin.extractive);
    assert.deepEqual(
      claims.map(({ statement }) => statement),
      ["Marmot Queue holds a message back for at most 12 hours."],
    );
    assert.match(page.text.slice(claims[0]?.source.start, claims[0]?.source.end), /held back for at most 12 hours/);
    assert.equal(report.dropped.unverified > 0, true);
    const code = facts.filter(({ origin }) => origin.extractive);
    assert.deepEqual(
      code.map(({ body }) => body),
      ["```sh\nmarmot drain --now\n```"],
    );
  });

  it("agentic: sections end where the model says, within the limits, and a page that stays is not asked about again", async () => {
    set = await setUp();
    const report = await save("agentic:600:min=40");
    assert.equal(report.state, "done", report.message);
    const { sections, page } = await set.library.page(report.pageId ?? "");
    assert.equal(sections.map(({ start, end }) => page.text.slice(start, end)).join(""), page.text);
    const starts = sections.map(({ start }) => page.text.slice(start, start + 12));
    for (const heading of ["## Delays", "## Draining"])
      assert.ok(
        starts.some((text) => text.startsWith(heading)),
        heading,
      );
    assert.ok(sections.every(({ tokens }) => tokens >= 40 && tokens <= 600));
    const asked = set.server.requests.length;
    const again = await set.library.refresh(report.pageId ?? "", { distiller: set.distiller }, signal);
    assert.deepEqual([again.state, set.server.requests.length], ["done", asked]);
  });

  it("agentic: numbers that were not given are dropped, and an answer without a usable one leaves the page cut at its headings", async () => {
    set = await setUp((body) => ({ json: { ends: [999, -1, "2", 1.5, partsOf(body)[0]!.number] } }));
    const some = await save("agentic:600:min=40");
    assert.equal(some.state, "done", some.message);
    await set.close();
    set = await setUp(() => ({ json: { ends: [999] } }));
    const none = await save("agentic:600:min=40");
    assert.deepEqual([none.state, none.reason], ["failed", "model-bad-reply"]);
    assert.ok(none.sections > 0);
    const { hits } = await set.library.search("how long can a message be held back?", {}, signal);
    assert.match(hits[0]?.fact.body ?? "", /12 hours/);
  });

  for (const strategy of ["contextual", "propositions", "agentic"]) {
    it(`${strategy}: a refused key fails with its reason, and the page can be searched by its sections`, async () => {
      set = await setUp(() => ({ status: 401, type: "authentication_error", message: "invalid x-api-key" }));
      const report = await save(strategy);
      assert.deepEqual([report.state, report.reason], ["failed", "model-auth"]);
      const { hits } = await set.library.search("how long can a message be held back?", {}, signal);
      assert.match(hits[0]?.fact.body ?? "", /12 hours/);
    });

    it(`${strategy}: an answer cut off, broken or with orders of the page in it does no harm`, async () => {
      const broken: Step[] = [
        { text: '{"contexts": [{"sec' },
        { text: "{}", stopReason: "max_tokens" },
        { json: { contexts: null, propositions: {}, ends: "all" } },
      ];
      set = await setUp((body, call) => broken[call] ?? { json: strategyAnswer(body) });
      const report = await save(strategy);
      assert.ok(report.state === "done" || report.reason === "model-bad-reply", report.message);
      assert.ok(report.sections > 0);
    });

    it(`${strategy}: without a model the save fails with a sentence, and what was saved stays`, async () => {
      set = await setUp();
      const kept = await set.library.save(url, { distiller: { kind: "offline" } }, signal);
      const asked = set.server.requests.length;
      const report = await set.library.save(url, { distiller: { kind: "offline" }, strategy }, signal);
      assert.deepEqual([report.state, report.reason, report.pageId], ["failed", "model-missing", null]);
      assert.match(report.message ?? "", /needs a language model: set an Anthropic key/);
      const saved = await set.library.page(kept.pageId ?? "");
      assert.deepEqual([saved.strategy, saved.facts.length, set.server.requests.length], ["facts", kept.facts, asked]);
    });
  }

  it("a canceled save ends as canceled", async () => {
    set = await setUp((body) => ({ waitMs: 5_000, then: { json: strategyAnswer(body) } }));
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    const report = await set.library.save(url, { distiller: set.distiller, strategy: "contextual" }, stop.signal);
    assert.equal(report.state, "canceled");
  });

  it("a request of facts is sent as before, in one piece", async () => {
    set = await setUp();
    await save("facts");
    const first = set.server.requests[0]!;
    assert.equal(typeof first.body.messages[0]?.content, "string");
    assert.match(changingText(first.body), /Write the facts/);
  });
});
