import assert from "node:assert/strict";
import fc from "fast-check";
import { lateVectors } from "../../../src/core/section/late.ts";
import type { Embedder } from "../../../src/core/ports.ts";
import type { Span } from "../../../src/core/types.ts";

const signal = new AbortController().signal;

/** A token a word. Its vector: the word's first letter, and how many words of the window stand before it. */
function wordEmbedder(windowWords: number, { sees = false } = {}): Embedder & { readonly windows: string[] } {
  const windows: string[] = [];
  return {
    id: "words",
    dims: 2,
    maxTokens: windowWords,
    meaningWeight: 1,
    windows,
    embed: () => Promise.reject(new Error("not asked")),
    embedTokens: (text) => {
      const spans: Span[] = [...text.matchAll(/\S+/gu)]
        .slice(0, windowWords)
        .map((match) => ({ start: match.index, end: match.index + match[0].length }));
      windows.push(text.slice(0, spans.at(-1)?.end));
      const vectors = Float32Array.from(
        spans.flatMap(({ start }, at) => (sees ? [1, at] : [text.charCodeAt(start), 1])),
      );
      return Promise.resolve({ spans, vectors });
    },
  };
}

describe("late chunking", () => {
  it("pools each section from its own tokens", async () => {
    const text = "a a b b";
    const vectors = await lateVectors(
      text,
      [
        { start: 0, end: 4 },
        { start: 4, end: 7 },
      ],
      wordEmbedder(10),
      signal,
    );
    const [first, second] = vectors ?? [];
    assert.ok(first && second);
    assert.ok(Math.abs(first[0]! / first[1]! - 97) < 1e-3);
    assert.ok(Math.abs(second[0]! / second[1]! - 98) < 1e-3);
    assert.ok(Math.abs(Math.hypot(...first) - 1) < 1e-6);
  });

  it("takes each token of a long page once, whatever the windows", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 4, max: 20 }),
        fc.integer({ min: 1, max: 9 }),
        async (words, windowWords, sectionWords) => {
          const text = words.join(" ");
          const sections: Span[] = [];
          for (let at = 0; at < words.length; at += sectionWords)
            sections.push({ start: at * 2, end: Math.min(text.length, (at + sectionWords) * 2) });
          const whole = await lateVectors(text, sections, wordEmbedder(1000), signal);
          const cut = await lateVectors(text, sections, wordEmbedder(windowWords), signal);
          whole?.forEach((vector, at) => {
            vector?.forEach((value, i) => assert.ok(Math.abs(value - (cut?.[at]?.[i] ?? NaN)) < 1e-5));
          });
        },
      ),
    ));

  it("goes over a long page in windows that overlap, and gives the overlap's second half to the later one", async () => {
    const text = "abcdefghijkl".split("").join(" ");
    const embedder = wordEmbedder(8, { sees: true });
    const sections = [...text.matchAll(/\S/gu)].map(({ index }) => ({ start: index, end: index + 1 }));
    const vectors = await lateVectors(text, sections, embedder, signal);
    assert.deepEqual(embedder.windows, ["a b c d e f g h", "g h i j k l"]);
    // Words before each within its window: g is read in the first, h in the second.
    const before = vectors?.map((vector) => Math.round((vector?.[1] ?? 0) / (vector?.[0] ?? 1)));
    assert.deepEqual(before, [0, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5]);
  });

  it("gives no vector to a section without a token, and none at all without token outputs", async () => {
    assert.deepEqual(
      (
        await lateVectors(
          "a   ",
          [
            { start: 0, end: 1 },
            { start: 1, end: 4 },
          ],
          wordEmbedder(9),
          signal,
        )
      )?.[1],
      undefined,
    );
    const { id, dims, maxTokens, meaningWeight } = wordEmbedder(9);
    const plain: Embedder = { id, dims, maxTokens, meaningWeight, embed: () => Promise.resolve([]) };
    assert.equal(await lateVectors("a", [{ start: 0, end: 1 }], plain, signal), undefined);
  });
});
