import assert from "node:assert/strict";
import { createAnthropicModel } from "../../../src/adapters/models/anthropic.ts";
import { distillWithModel } from "../../../src/core/distill/distillWithModel.ts";
import { repairWithModel } from "../../../src/core/distill/repair.ts";
import type { FactDraft } from "../../../src/core/types.ts";
import { verify } from "../../../src/core/verify/verify.ts";
import { serverKey, startMessagesServer } from "../../fakes/messagesServer.ts";
import type { MessagesServer, RequestBody, Step } from "../../fakes/messagesServer.ts";
import { countTokens, pageOfSections } from "../../fakes/pages.ts";
import { replyFact } from "../../fakes/scriptedModel.ts";

const prompts = (name: string) => `Prompt ${name}.`;
const section = (heading: string, tokens = 300) =>
  `## ${heading}\n\n${"word word word word\n\n".repeat((tokens * 4) / 21)}`;
const given = (body: RequestBody): number[] =>
  [...(body.messages[0]?.content ?? "").matchAll(/<section-\w+ number="(\d+)"/gu)].map(([, number]) => Number(number));
const answer = (facts: readonly unknown[]): Step => ({
  json: { facts, noise: [], brief: { covers: "", caveats: [] } },
});
const good = (body: RequestBody): Step => answer(given(body).map((index) => replyFact(index)));

describe("distilling over HTTP", () => {
  let server: MessagesServer;
  afterEach(() => server.close());

  async function run(
    texts: readonly string[],
    script: (body: RequestBody, call: number) => Step,
    { signal = new AbortController().signal, maxRetries = 1 } = {},
  ) {
    server = await startMessagesServer(script);
    const model = createAnthropicModel({ apiKey: serverKey, baseUrl: server.url, maxRetries });
    const { page, sections } = pageOfSections(texts);
    return distillWithModel({ page, sections, model, prompts, countTokens }, signal);
  }
  const summary = ({ drafts, failed }: Awaited<ReturnType<typeof run>>) => ({
    facts: drafts.map(({ sectionIndex }) => sectionIndex),
    failed: failed.map(({ sectionIndex, error }) => [sectionIndex, error.reason]),
  });

  it("one call, its tokens and its cost", async () => {
    const result = await run([section("One"), section("Two")], good);
    assert.deepEqual(summary(result), { facts: [0, 1], failed: [] });
    assert.deepEqual({ ...result.usage, costUsd: undefined }, { in: 1_000, out: 200, calls: 1, costUsd: undefined });
    assert.ok(result.usage.costUsd > 0);
  });

  it("an overloaded server that recovers costs nothing but time", async () => {
    const result = await run([section("One")], (body, call) =>
      call === 0
        ? { status: 529, type: "overloaded_error", message: "Overloaded", headers: { "retry-after": "0.05" } }
        : good(body),
    );
    assert.deepEqual(summary(result), { facts: [0], failed: [] });
  });

  it("broken JSON is asked for again", async () => {
    const result = await run([section("One")], (body, call) =>
      call === 0 ? { text: '{"facts": [{"section": 0,' } : good(body),
    );
    assert.deepEqual(summary(result), { facts: [0], failed: [] });
  });

  it("an answer cut off at max_tokens splits the batch", async () => {
    const result = await run([section("One"), section("Two"), section("Three")], (body) =>
      given(body).length > 1 ? { text: '{"facts": [{"sec', stopReason: "max_tokens" } : good(body),
    );
    assert.deepEqual(summary(result), { facts: [0, 1, 2], failed: [] });
  });

  it("facts for a section that was not given are dropped", async () => {
    const result = await run([section("One")], () => answer([replyFact(0), replyFact(4)]));
    assert.deepEqual(summary(result), { facts: [0], failed: [] });
    assert.equal(result.problems.unknownSection, 1);
  });

  it("a refused key fails all sections with one call a running task at most", async () => {
    const texts = Array.from({ length: 12 }, (_, index) => section(`S${index}`, 5_000));
    const result = await run(texts, () => ({
      status: 401,
      type: "authentication_error",
      message: "invalid x-api-key",
    }));
    assert.equal(result.failed.length, 12);
    assert.ok(result.failed.every(({ error }) => error.reason === "model-auth"));
    assert.ok(server.requests.length <= 4);
  });

  it("a slow answer ends with the signal", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 60);
    await assert.rejects(
      run([section("One")], (body) => ({ waitMs: 5_000, then: good(body) }), { signal: controller.signal }),
      { name: "AbortError" },
    );
  });

  it("facts that fail the check are repaired", async () => {
    const text = "## Retries\n\nMarmot retries `max_tries` times (default 5), 30 seconds apart.\n";
    const right = "Marmot retries `max_tries` times (default 5), 30 seconds apart.";
    server = await startMessagesServer((body) =>
      body.system?.[0]?.text === "Prompt repair."
        ? { json: { facts: [{ ...replyFact(0), body: right, replaces: 1 }] } }
        : answer([replyFact(0, { body: "Marmot retries 50 times." })]),
    );
    const model = createAnthropicModel({ apiKey: serverKey, baseUrl: server.url });
    const { page, sections } = pageOfSections([text]);
    const signal = new AbortController().signal;
    const { drafts } = await distillWithModel({ page, sections, model, prompts, countTokens }, signal);
    const check = (given: readonly FactDraft[]) =>
      verify({ drafts: given, page, sections, origin: { distiller: model.id, extractive: false }, countTokens });
    assert.deepEqual(check(drafts).facts[0]?.unverified, ["Marmot retries 50 times."]);
    const { result } = await repairWithModel({ page, sections, drafts, check, model, prompts, countTokens }, signal);
    assert.equal(result.facts[0]?.body, right);
    assert.deepEqual([result.repairs, result.missing], [[], []]);
  });
});
