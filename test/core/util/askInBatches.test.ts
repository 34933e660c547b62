import assert from "node:assert/strict";
import fc from "fast-check";
import { BacopaError } from "../../../src/core/errors.ts";
import type { Reason } from "../../../src/core/errors.ts";
import { askInBatches } from "../../../src/core/util/askInBatches.ts";
import type { BatchWork } from "../../../src/core/util/askInBatches.ts";
import { scriptedModel } from "../../fakes/scriptedModel.ts";
import type { ScriptedAnswer, ScriptedModel } from "../../fakes/scriptedModel.ts";

const never = new AbortController().signal;

const done = (value: unknown): ScriptedAnswer => ({ value });
const failure = (reason: Reason) => new BacopaError(reason, { message: reason, userMessage: "It failed. Try again." });

/** Numbers to double; the reply is a list of pairs. */
function run(items: readonly number[], model: ScriptedModel, over: Partial<BatchWork<number, number>> = {}) {
  return askInBatches<number, number>(
    {
      model,
      purpose: "double",
      instructions: "Double each number.",
      schema: { name: "double", description: "Doubles", schema: { type: "object" } },
      items,
      tokensOf: () => 10,
      batchTokens: 40,
      answerTokens: (batch) => 5 * batch.length,
      content: (batch) => batch.join(" "),
      parse: (value, batch) =>
        Array.isArray(value)
          ? new Map((value as [number, number][]).filter(([item]) => batch.includes(item)))
          : undefined,
      ...over,
    },
    never,
  );
}

const numbersOf = (content: string): number[] => content.split(" ").map(Number);
const doubles = (content: string): ScriptedAnswer => done(numbersOf(content).map((item) => [item, item * 2]));

describe("asking a model about many items", () => {
  it("answers each item once, in batches within the size", async () => {
    const model = scriptedModel(({ content }) => doubles(content));
    const { answers, failed, usage } = await run([1, 2, 3, 4, 5, 6], model);
    assert.deepEqual(
      model.requests.map(({ content }) => content),
      ["1 2 3 4", "5 6"],
    );
    assert.deepEqual(
      [...answers],
      [
        [1, 2],
        [2, 4],
        [3, 6],
        [4, 8],
        [5, 10],
        [6, 12],
      ],
    );
    assert.equal(failed.size, 0);
    assert.deepEqual(usage, { in: 200, out: 20, costUsd: 0.02, calls: 2 });
  });

  it("asks once more for what a reply forgot, and gives up after that", async () => {
    const model = scriptedModel(({ content }) =>
      done(
        numbersOf(content)
          .filter((n) => n !== 3)
          .slice(0, 2)
          .map((n) => [n, n * 2]),
      ),
    );
    const { answers, failed } = await run([1, 2, 3, 4], model);
    assert.deepEqual([...answers.keys()], [1, 2, 4]);
    assert.equal(failed.get(3)?.reason, "model-bad-reply");
    assert.equal(model.requests.length, 2);
  });

  it("splits a batch whose answer does not fit or that is too large", async () => {
    for (const tooMuch of [() => "cut-off" as const, () => failure("model-too-large")]) {
      const model = scriptedModel(({ content }) => (numbersOf(content).length > 1 ? tooMuch() : doubles(content)));
      const { answers, failed } = await run([1, 2, 3], model);
      assert.deepEqual([...answers.keys()].sort(), [1, 2, 3]);
      assert.equal(failed.size, 0);
    }
  });

  it("asks again for a reply it cannot use, and fails those items alone", async () => {
    const model = scriptedModel(({ content }) => (content.startsWith("1") ? done("nonsense") : doubles(content)));
    const { answers, failed } = await run([1, 2, 3, 4, 5], model);
    assert.deepEqual([...answers.keys()], [5]);
    assert.deepEqual([...failed.keys()], [1, 2, 3, 4]);
    assert.equal(model.requests.length, 3);
  });

  it("does not go on asking with a key that was refused", async () => {
    const model = scriptedModel(() => {
      throw failure("model-auth");
    });
    const { failed } = await run(
      Array.from({ length: 40 }, (_, at) => at),
      model,
      { concurrency: 1 },
    );
    assert.equal(failed.size, 40);
    assert.equal(model.requests.length, 1);
  });

  it("throws what is no fault of the model", async () => {
    await assert.rejects(
      run(
        [1],
        scriptedModel(({ content }) => doubles(content)),
        {
          parse: () => {
            throw new TypeError("ours");
          },
        },
      ),
      TypeError,
    );
  });

  it("ends with every item answered or failed, whatever the model does", async () => {
    const behavior = fc.constantFrom("good", "forgets", "cut-off", "nonsense", "overloaded");
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 30 }), fc.array(behavior, { minLength: 1 }), async (count, plan) => {
        let call = 0;
        const model = scriptedModel(({ content }) => {
          switch (plan[call++ % plan.length]) {
            case "forgets":
              return done(
                numbersOf(content)
                  .slice(1)
                  .map((n) => [n, n * 2]),
              );
            case "cut-off":
              return "cut-off";
            case "nonsense":
              return done(7);
            case "overloaded":
              throw failure("model-overloaded");
            default:
              return doubles(content);
          }
        });
        const items = Array.from({ length: count }, (_, at) => at);
        const { answers, failed } = await run(items, model);
        assert.deepEqual(
          [...answers.keys(), ...failed.keys()].toSorted((a, b) => a - b),
          items,
        );
      }),
    );
  });
});
