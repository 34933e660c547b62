import assert from "node:assert/strict";
import { answerLimit, distillWithModel } from "../../../src/core/distill/distillWithModel.ts";
import type { DistilledBatch, DistillInput } from "../../../src/core/distill/distillWithModel.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import type { Reason } from "../../../src/core/errors.ts";
import { sha256Hex } from "../../../src/core/util/hash.ts";
import { countTokens, pageOfSections } from "../../fakes/pages.ts";
import { reply, replyFact, scriptedModel, sectionsOf } from "../../fakes/scriptedModel.ts";
import type { ScriptedModel } from "../../fakes/scriptedModel.ts";

const never = new AbortController().signal;
const prompts = (name: string) => `Prompt ${name}.`;
/** A section of so many tokens, in paragraphs. */
const section = (heading: string, tokens = 300) =>
  `## ${heading}\n\n${"word word word word\n\n".repeat((tokens * 4) / 21)}`;

function run(texts: readonly string[], model: ScriptedModel, over: Partial<DistillInput> = {}, signal = never) {
  return distillWithModel({ ...pageOfSections(texts), model, prompts, countTokens, ...over }, signal);
}

const good = () =>
  scriptedModel((request) =>
    reply(
      sectionsOf(request).map((index) => replyFact(index)),
      [],
      "Marmot Queue.",
    ),
  );
const failure = (reason: Reason) => new BacopaError(reason, { message: reason, userMessage: "It failed. Try again." });
const indexes = (result: { drafts: readonly { sectionIndex: number }[] }) =>
  result.drafts.map(({ sectionIndex }) => sectionIndex);

describe("distilling with a model", () => {
  it("asks once for a page of ordinary size, brief included", async () => {
    const model = good();
    const result = await run([section("One"), section("Two"), section("Three")], model);
    assert.equal(model.requests.length, 1);
    assert.deepEqual(indexes(result), [0, 1, 2]);
    assert.equal(result.brief?.covers, "Marmot Queue.");
    assert.deepEqual(result.failed, []);
    assert.deepEqual(result.usage, { in: 100, out: 10, costUsd: 0.01, calls: 1 });
    assert.equal(result.promptHash, sha256Hex("Prompt facts.", 12));
  });

  it("adds to the model's brief what the model cannot see", async () => {
    const { page, sections } = pageOfSections([section("One")], { coverage: 0.5 });
    const result = await distillWithModel({ page, sections, model: good(), prompts, countTokens }, never);
    assert.match(result.brief?.caveats[0] ?? "", /50 %/u);
  });

  it("asks in batches of 8,000 tokens, some at a time, and for the brief once", async () => {
    const model = good();
    const result = await run(
      Array.from({ length: 30 }, (_, index) => section(`S${index}`, 2_000)),
      model,
      { concurrency: 3 },
    );
    assert.ok(model.requests.length >= 7 && model.requests.length <= 10);
    assert.ok(model.mostAtOnce() <= 3);
    assert.equal(model.requests.filter(({ content }) => content.includes("Write the brief: yes")).length, 1);
    assert.deepEqual(
      indexes(result),
      Array.from({ length: 30 }, (_, index) => index),
    );
  });

  it("asks in smaller batches of a model that gives short answers", async () => {
    const model = scriptedModel((request) => reply(sectionsOf(request).map((index) => replyFact(index))), {
      maxOutputTokens: 4_096,
    });
    await run(
      Array.from({ length: 8 }, (_, index) => section(`S${index}`, 800)),
      model,
    );
    assert.equal(model.requests.length, 4);
  });

  it("keeps the instructions the same for every call, so that they can be cached", async () => {
    const model = good();
    await run(
      Array.from({ length: 9 }, (_, index) => section(`S${index}`, 2_000)),
      model,
    );
    assert.deepEqual([...new Set(model.requests.map(({ instructions }) => instructions))], ["Prompt facts."]);
  });

  it("delivers each section once, with its facts, as answers arrive", async () => {
    const batches: DistilledBatch[] = [];
    await run(
      Array.from({ length: 12 }, (_, index) => section(`S${index}`, 2_000)),
      good(),
      { onBatch: (batch) => batches.push(batch) },
    );
    assert.ok(batches.length > 1);
    assert.deepEqual(
      batches.flatMap(({ sectionIndexes }) => sectionIndexes).toSorted((a, b) => a - b),
      Array.from({ length: 12 }, (_, index) => index),
    );
    for (const batch of batches) assert.deepEqual(indexes(batch), batch.sectionIndexes);
  });

  it("takes noise as done without a fact", async () => {
    const batches: DistilledBatch[] = [];
    const result = await run(
      [section("One"), section("Noise")],
      scriptedModel(() => reply([replyFact(0)], [1])),
      {
        onBatch: (batch) => batches.push(batch),
      },
    );
    assert.deepEqual(indexes(result), [0]);
    assert.deepEqual(
      batches.flatMap(({ sectionIndexes }) => sectionIndexes),
      [0, 1],
    );
  });

  it("asks once more for a section that the answer forgot; silence then means noise", async () => {
    const model = scriptedModel((_, call) =>
      call === 0 ? reply([replyFact(0), replyFact(2)]) : reply([replyFact(1)]),
    );
    const result = await run([section("One"), section("Two"), section("Three")], model);
    assert.deepEqual(sectionsOf(model.requests[1]!), [1]);
    assert.deepEqual(indexes(result), [0, 1, 2]);

    const silent = scriptedModel(() => reply([replyFact(0)]));
    const second = await run([section("One"), section("Two")], silent);
    assert.equal(silent.requests.length, 2);
    assert.deepEqual(second.failed, []);
  });

  it("drops and counts facts of sections that were not given", async () => {
    const result = await run(
      [section("One")],
      scriptedModel(() => reply([replyFact(0), replyFact(5)])),
    );
    assert.deepEqual(indexes(result), [0]);
    assert.equal(result.problems.unknownSection, 1);
  });

  describe("when a call fails", () => {
    const failing = (reason: Reason) =>
      scriptedModel((request) =>
        sectionsOf(request).includes(0) ? failure(reason) : reply(sectionsOf(request).map((index) => replyFact(index))),
      );
    const page = [section("One", 5_000), section("Two", 5_000)];

    for (const reason of [
      "model-rate-limited",
      "model-overloaded",
      "model-unavailable",
      "model-refused",
      "model-rejected",
      "model-too-large",
    ] as const) {
      it(`${reason}: its sections fail with that reason, the others have facts`, async () => {
        const result = await run(page, failing(reason));
        assert.deepEqual(
          result.failed.map(({ sectionIndex, error }) => [sectionIndex, error.reason]),
          [[0, reason]],
        );
        assert.deepEqual(indexes(result), [1]);
      });
    }

    for (const reason of ["model-auth", "model-rejected"] as const)
      it(`${reason}: further calls are not made`, async () => {
        const model = scriptedModel(() => failure(reason));
        const result = await run(
          Array.from({ length: 9 }, (_, index) => section(`S${index}`, 5_000)),
          model,
          { concurrency: 1 },
        );
        assert.equal(model.requests.length, 1);
        assert.equal(result.failed.length, 9);
      });

    it("a bad reply is asked for once more", async () => {
      for (const bad of [failure("model-bad-reply"), { value: { nothing: true } }, { value: "text" }]) {
        const model = scriptedModel((_, call) => (call === 0 ? bad : reply([replyFact(0)])));
        assert.deepEqual(indexes(await run([section("One")], model)), [0]);
      }
    });

    it("two bad replies fail the sections", async () => {
      const model = scriptedModel(() => ({ value: { facts: [{ section: 0 }] } }));
      const result = await run([section("One")], model);
      assert.equal(model.requests.length, 2);
      assert.equal(result.failed[0]?.error.reason, "model-bad-reply");
    });

    it("too much text for the model splits the batch", async () => {
      const model = scriptedModel((request) => {
        const given = sectionsOf(request);
        return given.length > 1 ? failure("model-too-large") : reply(given.map((index) => replyFact(index)));
      });
      assert.deepEqual(indexes(await run([section("One"), section("Two"), section("Three")], model)), [0, 1, 2]);
    });

    it("a refused batch is split, so that only the section at fault fails", async () => {
      const model = scriptedModel((request) => {
        const given = sectionsOf(request);
        return given.includes(2) ? failure("model-refused") : reply(given.map((index) => replyFact(index)));
      });
      const result = await run(
        Array.from({ length: 6 }, (_, index) => section(`S${index}`)),
        model,
      );
      assert.deepEqual(
        result.failed.map(({ sectionIndex }) => sectionIndex),
        [2],
      );
      assert.deepEqual(indexes(result), [0, 1, 3, 4, 5]);
    });

    it("a model that refuses everything is not asked for every section", async () => {
      const model = scriptedModel(() => failure("model-refused"));
      const result = await run(
        Array.from({ length: 26 }, (_, index) => section(`S${index}`)),
        model,
      );
      assert.equal(result.failed.length, 26);
      assert.ok(model.requests.length < 26, String(model.requests.length));
    });

    it("a fault that is not the model's is thrown", async () => {
      const model = scriptedModel(() => {
        throw new TypeError("a bug");
      });
      await assert.rejects(run([section("One")], model), TypeError);
    });
  });

  describe("when an answer does not fit", () => {
    it("splits the batch until it does", async () => {
      const model = scriptedModel((request) => {
        const given = sectionsOf(request);
        return given.length > 2 ? "cut-off" : reply(given.map((index) => replyFact(index)));
      });
      const result = await run(
        Array.from({ length: 6 }, (_, index) => section(`S${index}`)),
        model,
      );
      assert.deepEqual(indexes(result), [0, 1, 2, 3, 4, 5]);
      assert.deepEqual(result.failed, []);
    });

    it("asks for a single section again with the largest limit", async () => {
      const model = scriptedModel((request) => (request.maxTokens < 32_000 ? "cut-off" : reply([replyFact(0)])));
      assert.deepEqual(indexes(await run([section("One")], model)), [0]);
      assert.deepEqual(model.requests.map(({ maxTokens }) => maxTokens).at(-1), 32_000);
    });

    it("then cuts the section in two", async () => {
      const text = section("Long", 2_000);
      const model = scriptedModel((request) =>
        request.content.length > text.length
          ? "cut-off"
          : reply([replyFact(0, { statement: request.content.slice(-60) })]),
      );
      const batches: DistilledBatch[] = [];
      const result = await run([text], model, { onBatch: (batch) => batches.push(batch) });
      assert.deepEqual(result.failed, []);
      assert.deepEqual(
        batches.map(({ sectionIndexes }) => sectionIndexes),
        [[0]],
      );
    });

    it("then fails the section with a reason and goes on", async () => {
      const model = scriptedModel((request) =>
        sectionsOf(request).includes(0) ? "cut-off" : reply(sectionsOf(request).map((index) => replyFact(index))),
      );
      const result = await run([section("Long"), section("Two")], model);
      assert.deepEqual(
        result.failed.map(({ sectionIndex, error }) => [sectionIndex, error.reason]),
        [[0, "model-bad-reply"]],
      );
      assert.deepEqual(indexes(result), [1]);
    });
  });

  it("sets the answer's limit from the sections, up to what the model can give", () => {
    assert.equal(answerLimit([{ tokens: 1_000 }, { tokens: 500 }], 32_000), 6_500);
    assert.equal(answerLimit([{ tokens: 30_000 }], 32_000), 32_000);
  });

  it("throws the signal's reason on abort and delivers nothing more", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped");
    const batches: DistilledBatch[] = [];
    const model = scriptedModel((request, call) => {
      if (call === 1) controller.abort(reason);
      return reply(sectionsOf(request).map((index) => replyFact(index)));
    });
    const texts = Array.from({ length: 9 }, (_, index) => section(`S${index}`, 5_000));
    await assert.rejects(
      run(texts, model, { concurrency: 1, onBatch: (batch) => batches.push(batch) }, controller.signal),
      (error) => error === reason,
    );
    assert.ok(model.requests.length <= 2);
    assert.ok(batches.length <= 1);
  });

  it("makes no call for no sections", async () => {
    const model = good();
    const { page } = pageOfSections(["text"]);
    const result = await distillWithModel({ page, sections: [], model, prompts, countTokens }, never);
    assert.deepEqual([result.drafts, model.requests.length], [[], 0]);
  });
});
