import assert from "node:assert/strict";
import fc from "fast-check";
import { reciprocalRankFusion } from "../../../src/core/search/fuse.ts";
import { legDepth, search } from "../../../src/core/search/search.ts";
import type { Ranked } from "../../../src/core/util/ranked.ts";

/** A ranking of these ids, best first. */
function ranking(...ids: string[]): Ranked[] {
  return ids.map((id, index) => ({ id, score: ids.length - index }));
}

const idsOf = (ranked: readonly { id: string }[]): string[] => ranked.map(({ id }) => id);
const anyRanking = fc
  .uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"), { maxLength: 10 })
  .map((ids) => ranking(...ids));
const weight = fc.double({ min: 0, max: 1, noNaN: true });

describe("reciprocal rank fusion", () => {
  it("scores 1 / (60 + rank), summed over the rankings", () => {
    const [first, second] = reciprocalRankFusion([ranking("a", "b"), ranking("b")]);
    assert.deepEqual(first, { id: "b", score: 1 / 62 + 1 / 61 });
    assert.deepEqual(second, { id: "a", score: 1 / 61 });
  });

  it("takes weights and another k", () => {
    assert.deepEqual(reciprocalRankFusion([ranking("a"), ranking("b")], [1, 0.5], 0), [
      { id: "a", score: 1 },
      { id: "b", score: 0.5 },
    ]);
  });

  it("orders equal scores by id", () => {
    assert.deepEqual(idsOf(reciprocalRankFusion([ranking("b"), ranking("a")])), ["a", "b"]);
  });

  it("is not changed by an empty ranking, wherever it stands", () => {
    fc.assert(
      fc.property(anyRanking, anyRanking, (a, b) => {
        const fused = reciprocalRankFusion([a, b]);
        assert.deepEqual(reciprocalRankFusion([a, b, []]), fused);
        assert.deepEqual(reciprocalRankFusion([[], a, b]), fused);
      }),
    );
  });

  it("is not changed by a ranking of weight 0", () => {
    fc.assert(
      fc.property(anyRanking, anyRanking, (a, b) => {
        assert.deepEqual(reciprocalRankFusion([a, b], [1, 0]), reciprocalRankFusion([a]));
      }),
    );
  });

  it("keeps the order of a single ranking", () => {
    fc.assert(fc.property(anyRanking, (a) => assert.deepEqual(idsOf(reciprocalRankFusion([a])), idsOf(a))));
  });

  it("looks at ranks alone, not at scores", () => {
    fc.assert(
      fc.property(anyRanking, anyRanking, (a, b) => {
        const louder = a.map(({ id, score }) => ({ id, score: score * 1000 }));
        assert.deepEqual(reciprocalRankFusion([louder, b]), reciprocalRankFusion([a, b]));
      }),
    );
  });

  it("gives other ids the same scores", () => {
    fc.assert(
      fc.property(anyRanking, anyRanking, weight, (a, b, meaningWeight) => {
        const renamed = (list: Ranked[]): Ranked[] => list.map(({ id, score }) => ({ id: `x${id}`, score }));
        const fused = reciprocalRankFusion([a, b], [1, meaningWeight]);
        assert.deepEqual(reciprocalRankFusion([renamed(a), renamed(b)], [1, meaningWeight]), renamed(fused));
      }),
    );
  });

  it("never places an id lower that rises in one ranking", () => {
    fc.assert(
      fc.property(anyRanking, anyRanking, fc.nat(), weight, (a, b, at, meaningWeight) => {
        fc.pre(a.length > 1);
        const place = 1 + (at % (a.length - 1));
        const ids = idsOf(a);
        const [risen = ""] = ids.splice(place, 1);
        ids.splice(place - 1, 0, risen);
        const before = idsOf(reciprocalRankFusion([a, b], [1, meaningWeight])).indexOf(risen);
        const after = idsOf(reciprocalRankFusion([ranking(...ids), b], [1, meaningWeight])).indexOf(risen);
        assert.ok(after <= before);
      }),
    );
  });
});

describe("search", () => {
  const words = ranking("a", "b", "c");
  const meaning = ranking("c", "d");
  const input = { words, meaning, meaningWeight: 0.5, limit: 10, mode: "hybrid" as const };

  it("tells the rank in each leg", () => {
    const ranks = new Map(search(input).map((hit) => [hit.id, hit.ranks]));
    assert.deepEqual(ranks.get("a"), { words: 1, meaning: null });
    assert.deepEqual(ranks.get("c"), { words: 3, meaning: 1 });
    assert.deepEqual(ranks.get("d"), { words: null, meaning: 2 });
  });

  it("is the ranking by words without a meaning leg", () => {
    assert.deepEqual(idsOf(search({ ...input, meaning: undefined })), ["a", "b", "c"]);
    assert.deepEqual(search({ ...input, meaning: undefined }), search({ ...input, mode: "words" }));
  });

  it("is the ranking by meaning alone when asked for, whatever its weight", () => {
    assert.deepEqual(idsOf(search({ ...input, mode: "meaning", meaningWeight: 0 })), ["c", "d"]);
    assert.deepEqual(search({ ...input, mode: "meaning", meaning: undefined }), []);
  });

  it("gives at most `limit` hits, the first of the whole list", () => {
    assert.deepEqual(search({ ...input, limit: 2 }), search(input).slice(0, 2));
    assert.deepEqual(search({ ...input, limit: 0 }), []);
  });

  it("looks at the first 50 of each leg", () => {
    const long = ranking(...Array.from({ length: 80 }, (_, i) => `id${i}`));
    assert.equal(search({ ...input, words: long, meaning: undefined, limit: 100 }).length, legDepth);
  });
});
