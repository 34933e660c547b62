import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { createStdinSource, createTextSource } from "../../../src/adapters/sources/stdinSource.ts";
import { capture } from "../../../src/core/capture/capture.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import { describePageSource } from "../../contracts/pageSource.ts";

const never = new AbortController().signal;

describePageSource(
  "standard input",
  () =>
    Promise.resolve({
      source: createStdinSource({ input: Readable.from([Buffer.from("# Title\n\n"), Buffer.from("Text.")]) }),
      target: "-",
      content: "# Title\n\nText.",
      missing: undefined,
      knowsVersions: false,
    }),
  async () => {},
);

describePageSource(
  "a text at hand",
  () =>
    Promise.resolve({
      source: createTextSource("# Títle"),
      target: "-",
      content: "# Títle",
      missing: undefined,
      knowsVersions: false,
    }),
  async () => {},
);

describe("standard input", () => {
  it("puts a character together that arrives in two parts", async () => {
    const bytes = Buffer.from("Größe");
    const input = Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
    assert.equal(capture(await createStdinSource({ input }).read("-", never)).content, "Größe");
  });

  it("stops at the limit", async () => {
    const input = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(1000, "x");
      })(),
    );
    await assert.rejects(createStdinSource({ input, maxBytes: 10_000 }).read("-", never), (error) =>
      BacopaError.is(error, "too-large"),
    );
  });

  it("stops waiting when the signal aborts", async () => {
    const controller = new AbortController();
    const reason = new Error("canceled");
    const reading = createStdinSource({ input: new PassThrough() }).read("-", controller.signal);
    controller.abort(reason);
    await assert.rejects(reading, reason);
  });

  it("refuses binary input", async () => {
    const input = Readable.from([Buffer.from("%PDF-1.4\n")]);
    await assert.rejects(createStdinSource({ input }).read("-", never), (error) =>
      BacopaError.is(error, "unsupported-type"),
    );
  });

  it("answers to - alone", () => {
    const source = createStdinSource();
    assert.ok(source.accepts("-"));
    assert.ok(!source.accepts("a.md"));
  });
});
