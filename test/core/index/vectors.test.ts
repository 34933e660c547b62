import assert from "node:assert/strict";
import fc from "fast-check";
import { scanPlain, VectorIndex } from "../../../src/core/index/vectors.ts";

const dims = 19; // not a multiple of four
const compareTies = (a: number, b: number): number => a - b;

/** Reproducible numbers between -1 and 1. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

function vectorsFrom(seed: number, count: number): Float32Array[] {
  const next = numbers(seed);
  return Array.from({ length: count }, () => Float32Array.from({ length: dims }, next));
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) / (Math.hypot(...a) * Math.hypot(...b));
}

describe("vector index", () => {
  it("finds the nearest, exactly, though it scans in 8 bits", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const [query, ...vectors] = vectorsFrom(seed, 600);
        assert.ok(query);
        const index = new VectorIndex(dims);
        vectors.forEach((vector, slot) => index.add(slot, vector));
        const exact = vectors
          .map((vector, slot) => ({ slot, score: cosine(vector, query) }))
          .sort((a, b) => b.score - a.score)
          .slice(0, 10);
        const found = index.search({ vector: query, limit: 10, compareTies });
        assert.deepEqual(
          found.map(({ slot }) => slot),
          exact.map(({ slot }) => slot),
        );
        found.forEach(({ score }, i) => assert.ok(Math.abs(score - (exact[i]?.score ?? NaN)) < 1e-6));
      }),
      { numRuns: 20 },
    );
  });

  it("keeps the exact order of near twins when all fit among the candidates", () => {
    const index = new VectorIndex(2);
    for (let slot = 0; slot < 20; slot++) index.add(slot, Float32Array.of(1, slot * 1e-4));
    const found = index.search({ vector: Float32Array.of(1, 0), limit: 20, compareTies });
    assert.deepEqual(
      found.map(({ slot }) => slot),
      Array.from({ length: 20 }, (_, slot) => slot),
    );
  });

  it("leaves out removed units and those the caller refuses", () => {
    const index = new VectorIndex(2);
    for (let slot = 0; slot < 4; slot++) index.add(slot, Float32Array.of(1, slot));
    index.remove(1);
    const found = index.search({ vector: Float32Array.of(1, 1), limit: 9, accepts: (slot) => slot !== 2, compareTies });
    assert.deepEqual(found.map(({ slot }) => slot).sort(), [0, 3]);
  });

  it("takes no vector without a direction and none of another length", () => {
    const index = new VectorIndex(2);
    for (const vector of [[0, 0], [NaN, 1], [Infinity, 1], [1], [1, 2, 3]]) {
      assert.equal(index.add(0, Float32Array.from(vector)), false);
      assert.deepEqual(index.search({ vector: Float32Array.from(vector), limit: 5, compareTies }), []);
    }
  });

  it("scans rows as the plain formula says", () => {
    const rows = Int8Array.from({ length: 3 * 6 }, (_, i) => ((i * 37) % 255) - 127);
    const query = Int8Array.of(127, -127, 3, 0, -5, 99);
    const scores = new Float32Array(3);
    scanPlain(query, rows, Float32Array.of(1, 0.5, 2), 3, scores);
    [1, 0.5, 2].forEach((scale, row) => {
      const product = query.reduce((sum, value, i) => sum + value * (rows[row * 6 + i] ?? 0), 0);
      assert.equal(scores[row], product * scale);
    });
  });
});
