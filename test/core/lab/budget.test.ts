import assert from "node:assert/strict";
import fc from "fast-check";
import { cutToBudget, measure } from "../../../src/core/lab/budget.ts";
import { countTokens } from "../../../src/core/util/tokens.ts";

const cut = (texts: readonly string[], budget: number): string =>
  cutToBudget(
    texts.map((text) => measure(text, countTokens)),
    budget,
  );

describe("token budget", () => {
  it("keeps whole texts that fit and cuts the one at the budget", () => {
    // "one two three" and " four five six": one token a word.
    assert.equal(cut(["one two three", "four five six"], 100), "one two three\n\nfour five six");
    assert.equal(cut(["one two three", "four five six"], 6), "one two three\n\nfour five");
    assert.equal(cut(["one two three", "four five six"], 3), "one two three");
    assert.equal(cut([], 10), "");
  });

  it("stays within the budget but for a few tokens, and uses nearly all of it", () => {
    const text = fc.array(fc.constantFrom("retry", "max_retries", "`ack()`", "12", ")\n", "\n\n", "| a |", "naïve"), {
      minLength: 200,
      maxLength: 400,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 150 }), (words, budget) => {
        const used = countTokens(cut([words.join(" ")], budget));
        assert.ok(used <= budget * 1.05 + 3 && used >= budget * 0.9 - 8, `${used} of ${budget}`);
      }),
      { numRuns: 50 },
    );
  });

  it("cuts inside an unbroken run", () => {
    assert.ok(cut(["漢字".repeat(500)], 50).length < 200);
  });
});
