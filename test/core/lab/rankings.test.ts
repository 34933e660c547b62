import assert from "node:assert/strict";
import { rankingAblations, rankingModes } from "../../../src/core/lab/rankings.ts";
import type { Legs } from "../../../src/core/lab/rankings.ts";
import { search } from "../../../src/core/search/search.ts";

const ranked = (...ids: string[]) => ids.map((id, at) => ({ id, score: 10 - at }));
const legs: Legs = { words: ranked("a", "b", "c"), meaning: ranked("c", "d", "a"), meaningWeight: 0.5 };
const idsBy = (name: string, of = legs): string[] => {
  const mode = [...rankingModes, ...rankingAblations].find((one) => one.name === name);
  assert.ok(mode !== undefined, name);
  return mode.rank(of).map(({ id }) => id);
};

describe("ways to rank", () => {
  it("ranks by one leg alone", () => {
    assert.deepEqual(idsBy("words"), ["a", "b", "c"]);
    assert.deepEqual(idsBy("meaning"), ["c", "d", "a"]);
    assert.deepEqual(idsBy("meaning", { ...legs, meaning: undefined }), []);
  });

  it("is hybrid as the product searches", () => {
    const product = search({ ...legs, limit: 50, mode: "hybrid" }).map(({ id }) => id);
    assert.deepEqual(idsBy("hybrid"), product);
  });

  it("lets the constant of the fusion decide between a first place and two lower ones", () => {
    const close: Legs = { words: ranked("x", "a", "y"), meaning: ranked("b", "c", "y"), meaningWeight: 1 };
    // k = 10: x and b 1/11 = .091 each, y 2/13 = .154: found twice wins.
    assert.equal(idsBy("hybrid k=10", close)[0], "y");
    // With a weight of .1: k = 10: x 1/11 = .0909, y 1.1/13 = .0846; k = 100: x 1/101 = .0099, y 1.1/103 = .0107.
    assert.equal(idsBy("hybrid k=10", { ...close, meaningWeight: 0.1 })[0], "x");
    assert.equal(idsBy("hybrid k=100", { ...close, meaningWeight: 0.1 })[0], "y");
  });

  it("sums scores as shares of the best, meaning at 0.8", () => {
    const words = [
      { id: "a", score: 20 },
      { id: "b", score: 15 },
    ];
    const meaning = [
      { id: "b", score: 0.9 },
      { id: "c", score: 0.45 },
    ];
    const mode = rankingAblations.find(({ name }) => name === "hybrid scores");
    const result = mode?.rank({ words, meaning, meaningWeight: 0.1 }) ?? [];
    assert.deepEqual(
      result.map(({ id, score }) => [id, Math.round(score * 1000) / 1000]),
      [
        ["b", 1.55],
        ["a", 1],
        ["c", 0.4],
      ],
    );
  });
});
