import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDocsStaticEmbedder, wordsOf } from "../../../src/adapters/embedders/docsStatic.ts";
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
