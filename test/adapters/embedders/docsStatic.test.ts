import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { createDocsStaticEmbedder, wordsOf, wordSpansOf } from "../../../src/adapters/embedders/docsStatic.ts";
import { embedderContract } from "../../contracts/embedder.ts";

const folder = fileURLToPath(new URL("../../../media/docs-static/", import.meta.url));
const signal = new AbortController().signal;

interface Reference {
  readonly text: string;
  readonly words: readonly string[];
  /** All zero where the text has no vector. */
  readonly vector: readonly number[];
}

const references = JSON.parse(
  readFileSync(new URL("../../fixtures/embedders/reference.json", import.meta.url), "utf8"),
) as readonly Reference[];

describe("docs-static embedder", () => {
  const shared = createDocsStaticEmbedder(folder);

  embedderContract(() => createDocsStaticEmbedder(folder), "connection pool timeout");

  for (const { text, words, vector } of references) {
    it(`agrees with the table's reference on ${JSON.stringify(text.slice(0, 40))}`, async () => {
      assert.deepEqual(wordsOf(text), words);
      const [found] = await shared.embed([text], "passage", signal);
      if (vector.every((value) => value === 0)) assert.equal(found, undefined);
      else vector.forEach((value, i) => assert.ok(Math.abs(value - (found?.[i] ?? NaN)) < 2e-6));
    });
  }

  it("finds the same words with their places", () => {
    const pieces = [
      "aB",
      "HTTPServer",
      "É",
      "e\u0301",
      "ﬁ",
      "Ω",
      "ſ",
      "²",
      "İ",
      "K",
      "x_1",
      " ",
      "-",
      "\u{1F600}",
      "한",
    ];
    const texts = fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" })))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        const found = wordSpansOf(text);
        assert.deepEqual(
          found.map(({ word }) => word),
          wordsOf(text),
        );
        let last = 0;
        for (const { start, end } of found) {
          assert.ok(start >= last && end > start && end <= text.length);
          last = start;
        }
      }),
    );
    const text = "Naïve HTTPServer";
    assert.deepEqual(
      wordSpansOf(text).map(({ start, end }) => text.slice(start, end)),
      ["Naïve", "HTTP", "Server"],
    );
  });

  it("gives a text's vector as the sum of its tokens' vectors when no word repeats", async () => {
    const text = "Set the visibility timeout above xyzzyqueue latency";
    const { spans, vectors } = (await shared.embedTokens?.(text, signal)) ?? assert.fail();
    assert.equal(spans.length, 7);
    const sum = new Float32Array(shared.dims);
    vectors.forEach((value, i) => (sum[i % shared.dims] = (sum[i % shared.dims] ?? 0) + value));
    const length = Math.hypot(...sum);
    const [whole] = await shared.embed([text], "passage", signal);
    sum.forEach((value, i) => assert.ok(Math.abs(value / length - (whole?.[i] ?? NaN)) < 1e-5));
  });

  it("brings related texts nearer than unrelated ones", async () => {
    const [query, near, far] = await shared.embed(
      ["retry a failed request", "attempts are repeated after an error", "paint the window border in blue"],
      "query",
      signal,
    );
    assert.ok(query && near && far);
    const dot = (other: Float32Array): number => query.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
    assert.ok(dot(near) > dot(far));
  });

  it("ships the files its description names, byte for byte", () => {
    const meta = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8"));
    for (const [name, { sha256, bytes }] of Object.entries<{ sha256: string; bytes: number }>(meta.files)) {
      const file = readFileSync(join(folder, name));
      assert.equal(file.length, bytes);
      assert.equal(createHash("sha256").update(file).digest("hex"), sha256);
    }
  });

  it("names every source and its license in the notice", () => {
    const notice = readFileSync(join(folder, "NOTICE.md"), "utf8");
    const meta = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8"));
    assert.ok(meta.sources.texts.length > 100);
    for (const { name, version, licence } of meta.sources.texts) {
      assert.ok(notice.includes(`| ${name} | ${version} | ${licence} |`), name);
    }
  });

  it("says so when its files do not fit together", async () => {
    const torn = mkdtempSync(join(tmpdir(), "docs-static-"));
    try {
      for (const name of ["meta.json", "vocab.txt", "scale.f32"]) {
        writeFileSync(join(torn, name), readFileSync(join(folder, name)));
      }
      writeFileSync(join(torn, "table.i8"), readFileSync(join(folder, "table.i8")).subarray(0, 1000));
      await assert.rejects(createDocsStaticEmbedder(torn).embed(["queue"], "query", signal), /fit together/);
    } finally {
      rmSync(torn, { recursive: true });
    }
  });
});
