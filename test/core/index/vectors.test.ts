import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { fastestRows, plainRows, scanBlock, strideOf, wasmRows } from "../../../src/core/index/rowMemory.ts";
import type { MakeRowMemory } from "../../../src/core/index/rowMemory.ts";
import { VectorIndex } from "../../../src/core/index/vectors.ts";
import type { VectorParts, VectorQuery } from "../../../src/core/index/vectors.ts";
import { wasmModuleFile, wasmModuleText } from "../../../scripts/lib/wasmModule.ts";

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

const everyUnit = { accepts: (): boolean => true, compareTies };

/** Rows in WebAssembly from the first on. */
const wasmAlways: MakeRowMemory = (stride) => {
  const rows = wasmRows(stride);
  assert.ok(rows, "this platform has no WebAssembly SIMD");
  return rows;
};

const wholeCells = fc.integer({ min: -127, max: 127 });

describe("vector index", () => {
  for (const [name, makeRows] of Object.entries({
    "plain JavaScript": plainRows,
    WebAssembly: wasmAlways,
    fastestRows,
  })) {
    it(`finds the nearest, exactly, though it scans in 8 bits (${name})`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), async (seed) => {
          const [query, ...vectors] = vectorsFrom(seed, 600);
          assert.ok(query);
          const index = new VectorIndex(dims, undefined, makeRows);
          vectors.forEach((vector, slot) => index.add(slot, vector));
          const exact = vectors
            .map((vector, slot) => ({ slot, score: cosine(vector, query) }))
            .sort((a, b) => b.score - a.score)
            .slice(0, 10);
          const found = await index.search({ vector: query, limit: 10, ...everyUnit });
          assert.deepEqual(
            found.map(({ slot }) => slot),
            exact.map(({ slot }) => slot),
          );
          found.forEach(({ score }, i) => assert.ok(Math.abs(score - (exact[i]?.score ?? NaN)) < 1e-6));
        }),
        { numRuns: 20 },
      );
    });
  }

  it("keeps the exact order of near twins when all fit among the candidates", async () => {
    const index = new VectorIndex(2);
    for (let slot = 0; slot < 20; slot++) index.add(slot, Float32Array.of(1, slot * 1e-4));
    const found = await index.search({ vector: Float32Array.of(1, 0), limit: 20, ...everyUnit });
    assert.deepEqual(
      found.map(({ slot }) => slot),
      Array.from({ length: 20 }, (_, slot) => slot),
    );
  });

  it("leaves out units the caller does not accept", async () => {
    const index = new VectorIndex(2);
    for (let slot = 0; slot < 4; slot++) index.add(slot, Float32Array.of(1, slot));
    const query: VectorQuery = {
      vector: Float32Array.of(1, 1),
      limit: 9,
      accepts: (slot) => slot % 3 === 0,
      compareTies,
    };
    assert.deepEqual((await index.search(query)).map(({ slot }) => slot).sort(), [0, 3]);
  });

  it("takes no vector without a direction and none of another length", async () => {
    const index = new VectorIndex(2);
    for (const vector of [[0, 0], [NaN, 1], [Infinity, 1], [1], [1, 2, 3]]) {
      assert.equal(index.add(0, Float32Array.from(vector)), false);
      assert.deepEqual(await index.search({ vector: Float32Array.from(vector), limit: 5, ...everyUnit }), []);
    }
  });

  describe("whose exact vectors are in a file", () => {
    /** An index whose rows went through a snapshot's parts; `exact` stands for the file. */
    async function reopened(vectors: readonly Float32Array[], exact?: VectorParts["exact"]): Promise<VectorIndex> {
      const index = new VectorIndex(dims);
      vectors.forEach((vector, slot) => index.add(slot, vector));
      const rows = index.kept((slot) => slot);
      const small = fastestRows(strideOf(dims));
      small.reserve(vectors.length);
      let start = 0;
      for (const cells of rows.small()) {
        small.cells.set(cells, start);
        start += cells.length;
      }
      const spaced: number[] = [];
      for await (const part of rows.exact()) spaced.push(...part);
      const inFile: VectorParts["exact"] = {
        read: (wanted, target) => {
          wanted.forEach((row, at) =>
            target.set(spaced.slice(row * strideOf(dims), row * strideOf(dims) + dims), at * dims),
          );
          return Promise.resolve();
        },
      };
      return new VectorIndex(dims, { slots: rows.slots, scales: rows.scales, small, exact: exact ?? inFile });
    }

    it("answers as one that has them in memory", async () => {
      const [query, ...vectors] = vectorsFrom(7, 400);
      assert.ok(query);
      const inMemory = new VectorIndex(dims);
      vectors.forEach((vector, slot) => inMemory.add(slot, vector));
      const asked = { vector: query, limit: 25, ...everyUnit };
      assert.deepEqual(await (await reopened(vectors)).search(asked), await inMemory.search(asked));
    });

    it("falls back on its 8 bits for rows that were damaged or cannot be read any more", async () => {
      const [query, ...vectors] = vectorsFrom(8, 400);
      assert.ok(query);
      const asked = { vector: query, limit: 10, ...everyUnit };
      const sound = await (await reopened(vectors)).search(asked);
      const faults: VectorParts["exact"][] = [
        { read: (_rows, target) => Promise.resolve(void target.fill(NaN)) },
        { read: (_rows, target) => Promise.resolve(void target.fill(9)) },
        { read: () => Promise.reject(new Error("gone")) },
      ];
      for (const fault of faults) {
        const found = await (await reopened(vectors, fault)).search(asked);
        assert.equal(found.length, 10);
        found.forEach(({ score }, i) => assert.ok(Math.abs(score - (sound[i]?.score ?? NaN)) < 0.05));
      }
    });
  });
});

describe("rows of 8-bit numbers", () => {
  it("give the sums of the plain formula, in JavaScript and in WebAssembly", () => {
    const shape = fc.record({ steps: fc.integer({ min: 1, max: 6 }), count: fc.integer({ min: 1, max: 9 }) });
    const filled = shape.chain(({ steps, count }) =>
      fc.record({
        stride: fc.constant(steps * 16),
        count: fc.constant(count),
        cells: fc.array(wholeCells, { minLength: steps * 16 * count, maxLength: steps * 16 * count }),
        query: fc.array(wholeCells, { minLength: steps * 16, maxLength: steps * 16 }),
        first: fc.nat(count - 1),
      }),
    );
    fc.assert(
      fc.property(filled, ({ stride, count, cells, query, first }) => {
        const expected = Array.from({ length: count - first }, (_, row) =>
          query.reduce((sum, value, i) => sum + value * (cells[(first + row) * stride + i] ?? 0), 0),
        );
        for (const makeRows of [plainRows, wasmAlways]) {
          const rows = makeRows(stride);
          rows.reserve(count);
          rows.cells.set(cells);
          const sums = rows.dots(Int8Array.from(query), first, count - first);
          assert.deepEqual([...sums.subarray(0, count - first)], expected);
        }
      }),
    );
  });

  it("do not overflow at the largest numbers of 1,536 cells", () => {
    for (const makeRows of [plainRows, wasmAlways]) {
      const rows = makeRows(1536);
      rows.reserve(2);
      rows.cells.fill(-127, 0, 1536).fill(127, 1536);
      const query = new Int8Array(1536).fill(127);
      assert.deepEqual([...rows.dots(query, 0, 2).subarray(0, 2)], [-127 * 127 * 1536, 127 * 127 * 1536]);
    }
  });

  it("stay when there is more room, also over the border to WebAssembly", () => {
    const rows = fastestRows(16);
    for (const count of [3, 300, 5000]) {
      rows.reserve(count);
      rows.cells.fill(count % 100, (count - 1) * 16);
    }
    const query = new Int8Array(16).fill(1);
    assert.equal(rows.dots(query, 2, 1)[0], 3 * 16);
    assert.equal(rows.dots(query, 299, 1)[0], 0);
    assert.equal(rows.dots(query, 5000 - scanBlock, scanBlock)[scanBlock - 1], 0);
    assert.equal(rows.capacity, 5000);
  });

  it("are scanned by the module that `rowDots.wat` gives", async () => {
    assert.equal(await readFile(wasmModuleFile, "utf8"), await wasmModuleText(), "run npm run build:wasm");
  });
});
