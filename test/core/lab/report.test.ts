import assert from "node:assert/strict";
import type { Question } from "../../../src/core/lab/questions.ts";
import { intervalOf, noneReport, summarize } from "../../../src/core/lab/report.ts";
import { figuresFrom } from "../../../src/core/lab/score.ts";
import type { QuestionScore } from "../../../src/core/lab/score.ts";

const score = (type: Question["type"], value: number): QuestionScore => ({
  question: { id: "q", type, style: "keyword", query: "", gold: [], nuggets: [], answer: "" },
  figures: figuresFrom((name) => (name === "recall@5" ? value : 0)),
  covered: [],
  reading: { first: undefined, all: undefined },
});

describe("summaries", () => {
  it("gives all questions first, then each group", () => {
    const summaries = summarize([score("factoid", 1), score("multihop", 0.5), score("factoid", 0)], "type");
    assert.deepEqual(
      summaries.map(({ group, n, figures }) => [group, n, figures["recall@5"]]),
      [
        ["all", 3, 0.5],
        ["factoid", 2, 0.5],
        ["multihop", 1, 0.5],
      ],
    );
  });

  it("puts an interval around a figure", () => {
    const interval = intervalOf([score("factoid", 1), score("factoid", 0)], "recall@5");
    assert.equal(interval?.mean, 0.5);
    assert.equal(intervalOf([], "recall@5"), undefined);
  });

  it("takes a search without a hit as the lowest score", () => {
    const report = noneReport([5, 6, 7], [1, undefined, 6]);
    assert.deepEqual(report.none, { n: 3, empty: 1, low: 1.5, median: 3.5, high: 5.5 });
    assert.equal(report.answerable.median, 6);
    // Against 1 and "nothing" all three win; against 6: 5 loses, 6 ties, 7 wins.
    assert.equal(report.separation, 7.5 / 9);
    // The bars are 5.2 (a tenth of 5, 6, 7) and 6: of 1, nothing and 6 one reaches them.
    assert.deepEqual(report.wronglyConfident, { atTenth: 1 / 3, atMedian: 1 / 3 });
    assert.deepEqual(noneReport([], [1]).wronglyConfident, { atTenth: undefined, atMedian: undefined });
  });
});
