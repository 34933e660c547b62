import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAnswerCache } from "../../../src/adapters/models/answerCache.ts";
import { limitCost } from "../../../src/adapters/models/costLimit.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import type { ModelRequest } from "../../../src/core/ports.ts";
import { scriptedModel } from "../../fakes/scriptedModel.ts";

const signal = new AbortController().signal;
const request = (content: string): ModelRequest => ({
  purpose: "contextual",
  instructions: "Place the chunk.",
  content,
  schema: { name: "answer", description: "", schema: { type: "object" } },
  maxTokens: 100,
});

describe("the cache of model answers", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bacopa-answers-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("asks the model once, also across processes, and tells the usage the answer once had", async () => {
    const model = scriptedModel(({ content }) => ({ value: { said: content } }));
    const first = createAnswerCache(model, folder);
    const reply = await first.ask(request("a"), signal);
    assert.deepEqual(first.spent(), { calls: 1, costUsd: 0.01, fromCache: 0 });
    const later = createAnswerCache(model, folder);
    assert.deepEqual(await later.ask(request("a"), signal), reply);
    assert.deepEqual(later.spent(), { calls: 0, costUsd: 0, fromCache: 1 });
    assert.equal(model.requests.length, 1);
  });

  it("asks again when anything that the answer depends on is another", async () => {
    const model = scriptedModel(() => ({ value: {} }));
    const cached = createAnswerCache(model, folder);
    const other = createAnswerCache({ ...model, id: "scripted:two" }, folder);
    await cached.ask(request("a"), signal);
    await cached.ask(request("b"), signal);
    await cached.ask({ ...request("a"), instructions: "Another." }, signal);
    await cached.ask({ ...request("a"), maxTokens: 101 }, signal);
    await other.ask(request("a"), signal);
    assert.equal(model.requests.length, 5);
  });

  it("keeps no failure, and asks again where a file is torn", async () => {
    let fails = true;
    const overloaded = new BacopaError("model-overloaded", { message: "529", userMessage: "Busy." });
    const model = scriptedModel(() => (fails ? overloaded : { value: 1 }));
    const cached = createAnswerCache(model, folder);
    await assert.rejects(cached.ask(request("a"), signal));
    fails = false;
    await cached.ask(request("a"), signal);
    for (const inner of readdirSync(folder))
      for (const file of readdirSync(join(folder, inner))) writeFileSync(join(folder, inner, file), '{"stop":');
    assert.deepEqual((await cached.ask(request("a"), signal)).value, 1);
    assert.equal(model.requests.length, 3);
  });

  it("answers without a folder it can write", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const cached = createAnswerCache(
      scriptedModel(() => ({ value: 1 })),
      join(file, "below"),
    );
    assert.equal((await cached.ask(request("a"), signal)).value, 1);
  });
});

describe("the limit of cost", () => {
  it("begins no call once the sum is spent, and says how to go on", async () => {
    const model = scriptedModel(() => ({ value: 1 }));
    const limited = limitCost(model, 0.02);
    await limited.ask(request("a"), signal);
    await limited.ask(request("b"), signal);
    await assert.rejects(limited.ask(request("c"), signal), (error) => {
      assert.ok(BacopaError.is(error, "model-rejected"));
      assert.match(error.userMessage, /\$0\.02.*--max-cost/u);
      return !error.retryable;
    });
    assert.equal(model.requests.length, 2);
  });

  it("begins no call at all at 0", async () => {
    const model = scriptedModel(() => ({ value: 1 }));
    await assert.rejects(limitCost(model, 0).ask(request("a"), signal));
    assert.equal(model.requests.length, 0);
  });
});
