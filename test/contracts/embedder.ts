import assert from "node:assert/strict";
import type { Embedder } from "../../src/core/ports.ts";

/** What every embedder must do. `known` is a text it can embed. */
export function embedderContract(make: () => Embedder, known: string): void {
  const signal = new AbortController().signal;

  it("names itself, its dimensions and its weight", () => {
    const embedder = make();
    assert.match(embedder.id, /\S/);
    assert.ok(Number.isInteger(embedder.dims) && embedder.dims > 0);
    assert.ok(embedder.maxTokens > 0);
    assert.ok(embedder.meaningWeight >= 0 && embedder.meaningWeight <= 1);
  });

  it("gives one vector a text, in order, of length 1", async () => {
    const embedder = make();
    const texts = [known, `${known} twice`, known];
    const vectors = await embedder.embed(texts, "passage", signal);
    assert.equal(vectors.length, texts.length);
    for (const vector of vectors) {
      assert.ok(vector);
      assert.equal(vector.length, embedder.dims);
      assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
    }
    assert.deepEqual(vectors[0], vectors[2]);
    assert.notDeepEqual(vectors[0], vectors[1]);
  });

  it("embeds a text the same in any batch", async () => {
    const embedder = make();
    const [alone] = await embedder.embed([known], "query", signal);
    const [, among] = await embedder.embed(["another text", known], "query", signal);
    assert.ok(alone && among);
    alone.forEach((value, i) => assert.ok(Math.abs(value - (among[i] ?? NaN)) < 1e-5));
  });

  it("gives no vector for an empty text, and nothing for no texts", async () => {
    const embedder = make();
    assert.deepEqual(await embedder.embed([""], "passage", signal), [undefined]);
    assert.deepEqual(await embedder.embed([], "passage", signal), []);
  });

  it("gives each token a place in the text and a vector, where it gives tokens", async () => {
    const embedder = make();
    if (embedder.embedTokens === undefined) return;
    const text = `  ${known},\n\u{1F600} ${known} `;
    const { spans, vectors } = await embedder.embedTokens(text, signal);
    assert.ok(spans.length > 0);
    assert.equal(vectors.length, spans.length * embedder.dims);
    assert.ok(vectors.every(Number.isFinite));
    let last = 0;
    for (const { start, end } of spans) {
      assert.ok(start >= last && end > start && end <= text.length, `${start}-${end} after ${last}`);
      assert.match(text.slice(start, end), /\S/);
      last = end;
    }
    // Both occurrences are covered, from their first letter to their last.
    const [first, second] = [text.indexOf(known), text.lastIndexOf(known)];
    assert.ok(spans.some(({ start }) => start === first));
    assert.ok(spans.some(({ start }) => start === second));
    assert.equal(spans.at(-1)?.end, second + known.length);
    assert.equal((await embedder.embedTokens("", signal)).spans.length, 0);
    assert.equal((await embedder.embedTokens("", signal)).vectors.length, 0);
    const reason = new Error("told to");
    await assert.rejects(embedder.embedTokens(known, AbortSignal.abort(reason)), reason);
  });

  it("stops when it is told to", async () => {
    const reason = new Error("told to");
    await assert.rejects(make().embed([known], "query", AbortSignal.abort(reason)), reason);
  });
}
