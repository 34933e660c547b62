import assert from "node:assert/strict";
import { crossValidateWeight } from "../../../src/core/lab/weights.ts";

describe("weight of the ranking by meaning", () => {
  const foldOf = [0, 0, 1, 1, 2, 2];

  it("is judged on questions it was not chosen by", () => {
    // At .5 the first fold wins and the others lose nothing: chosen by the others, it must not help there.
    const { folds, weight, gain } = crossValidateWeight(
      [
        { weight: 0, scores: [0, 0, 1, 1, 1, 1] },
        { weight: 0.5, scores: [1, 1, 1, 1, 1, 1] },
      ],
      foldOf,
    );
    assert.deepEqual(
      folds.map((fold) => [fold.weight, fold.words, fold.hybrid]),
      [
        [0, 0, 0],
        [0.5, 1, 1],
        [0.5, 1, 1],
      ],
    );
    assert.equal(weight, 0.5);
    assert.equal(gain?.mean, 0);
  });

  it("is 0 where meaning never helps, and the smallest where several are as good", () => {
    const words = { weight: 0, scores: [1, 0, 1, 0, 1, 0] };
    const worse = { weight: 1, scores: [0, 0, 1, 0, 1, 0] };
    assert.equal(crossValidateWeight([worse, words], foldOf).weight, 0);
    const better = { weight: 0.25, scores: [1, 1, 1, 1, 1, 1] };
    const { weight, gain } = crossValidateWeight([{ ...better, weight: 0.5 }, worse, words, better], foldOf);
    assert.equal(weight, 0.25);
    assert.equal(gain?.mean, 0.5);
    assert.ok(gain.low > 0);
  });
});
