import assert from "node:assert/strict";
import { BacopaError } from "../../src/core/errors.ts";
import type { PageSource } from "../../src/core/ports.ts";

export interface PageSourceExample {
  readonly source: PageSource;
  /** A target that can be read, and what is in it. */
  readonly target: string;
  readonly content: string;
  /** A target of this source's kind that is not there; `undefined` for a source that has one target only. */
  readonly missing: string | undefined;
  /** Whether a second read can answer 304. */
  readonly knowsVersions: boolean;
}

/** What every `PageSource` promises. */
export function describePageSource(
  name: string,
  start: () => Promise<PageSourceExample>,
  stop: () => Promise<void>,
): void {
  describe(`${name} as a page source`, () => {
    let example: PageSourceExample;
    const signal = new AbortController().signal;
    beforeEach(async () => {
      example = await start();
    });
    afterEach(stop);

    it("accepts its own targets and no empty one", () => {
      assert.equal(example.source.accepts(example.target), true);
      assert.equal(example.source.accepts(""), false);
    });

    it("delivers the bytes and what was asked for", async () => {
      const page = await example.source.read(example.target, signal);
      assert.equal(new TextDecoder().decode(page.bytes), example.content);
      assert.equal(page.requested, example.target);
      assert.deepEqual(page.redirects, []);
    });

    it("fails for a missing page with a reason and a sentence for the person", async () => {
      if (example.missing === undefined) return;
      await assert.rejects(example.source.read(example.missing, signal), (error: unknown) => {
        assert.ok(BacopaError.is(error));
        assert.match(error.userMessage, /\w.*\. .*\w.*\.$/u);
        return true;
      });
    });

    it("rejects with the signal's reason when it was aborted before", async () => {
      const reason = new Error("stopped by the test");
      await assert.rejects(example.source.read(example.target, AbortSignal.abort(reason)), reason);
    });

    it("answers 304 without bytes for the version that is known", async () => {
      if (!example.knowsVersions) return;
      const { etag, lastModified } = await example.source.read(example.target, signal);
      const again = await example.source.read(example.target, signal, { etag, lastModified });
      assert.equal(again.status, 304);
      assert.equal(again.bytes.length, 0);
      const changed = await example.source.read(example.target, signal, { etag: '"another"' });
      assert.equal(new TextDecoder().decode(changed.bytes), example.content);
    });
  });
}
