import assert from "node:assert/strict";
import fc from "fast-check";
import {
  fullCoverageAt,
  mean,
  ndcgAt,
  pageRecallAt,
  quantile,
  recallAt,
  reciprocalRankAt,
  separation,
} from "../../../src/core/lab/metrics.ts";

const near = (actual: number | undefined, expected: number): void => {
  assert.ok(actual !== undefined && Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
};

describe("metrics", () => {
  it("counts a snippet once, however many hits cover it", () => {
    const covered = [[0], [0], [1]];
    assert.equal(recallAt(covered, 3, 1), 1 / 3);
    assert.equal(recallAt(covered, 3, 2), 1 / 3);
    assert.equal(recallAt(covered, 3, 3), 2 / 3);
  });

  it("calls coverage full only when every snippet is covered within k", () => {
    assert.equal(fullCoverageAt([[0], [], [1]], 2, 2), 0);
    assert.equal(fullCoverageAt([[0], [], [1]], 2, 3), 1);
  });

  it("takes the rank of the first hit that covers anything, within the first k", () => {
    assert.equal(reciprocalRankAt([[], [], [1], [0]], 10), 1 / 3);
    assert.equal(reciprocalRankAt([...Array<number[]>(10).fill([]), [0]], 10), 0);
  });

  it("gives nDCG by hand-computed discounts", () => {
    near(ndcgAt([[0]], 1, 10), 1);
    near(ndcgAt([[], [0]], 1, 10), 0.6309297535714575);
    // Two snippets at ranks 1 and 3: (1 + 1/2) / (1 + 1/log2(3)).
    near(ndcgAt([[0], [], [1]], 2, 10), 0.9197207891481877);
    // The second hit repeats the first: no gain.
    near(ndcgAt([[0], [0]], 2, 10), 0.6131471927654585);
  });

  it("cuts nDCG at 1 when one hit covers more than one snippet a rank", () => {
    near(ndcgAt([[0, 1]], 2, 10), 1);
  });

  it("gives 0 for an empty list and no figure for an empty group", () => {
    for (const figure of [recallAt([], 2, 5), fullCoverageAt([], 2, 5), reciprocalRankAt([], 10), ndcgAt([], 2, 10)]) {
      assert.equal(figure, 0);
    }
    assert.equal(mean([]), undefined);
    assert.equal(quantile([], 0.5), undefined);
    assert.equal(separation([], [1]), undefined);
  });

  it("looks for any gold page among the first k", () => {
    assert.equal(pageRecallAt(["a", "b"], new Set(["b", "c"]), 1), 0);
    assert.equal(pageRecallAt(["a", "b"], new Set(["b", "c"]), 2), 1);
  });

  it("interpolates quantiles", () => {
    near(quantile([4, 1, 3, 2], 0.5), 2.5);
    near(quantile([1, 2, 3], 1), 3);
  });

  it("counts ties of a separation half", () => {
    near(separation([2, 3], [1, 2]), 3.5 / 4);
  });

  it("keeps every figure within 0..1 and recall growing with k", () => {
    const lists = fc.array(fc.uniqueArray(fc.nat(3), { maxLength: 4 }), { maxLength: 25 });
    fc.assert(
      fc.property(lists, (covered) => {
        let before = 0;
        for (let k = 1; k <= 21; k++) {
          const recall = recallAt(covered, 4, k);
          assert.ok(recall >= before && recall <= 1);
          assert.ok(fullCoverageAt(covered, 4, k) <= recall);
          before = recall;
        }
        for (const figure of [reciprocalRankAt(covered, 10), ndcgAt(covered, 4, 10)]) {
          assert.ok(figure >= 0 && figure <= 1);
        }
        assert.equal(ndcgAt(covered, 4, 10) > 0, recallAt(covered, 4, 10) > 0);
      }),
    );
  });
});
