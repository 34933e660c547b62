import assert from "node:assert/strict";
import fc from "fast-check";
import {
  mentions,
  mentionsFlag,
  mentionsName,
  mentionsNumber,
  numbersIn,
  specifics,
} from "../../../src/core/verify/specifics.ts";

describe("specifics", () => {
  it("finds numbers, versions, flags and identifiers of prose", () => {
    const found = specifics(
      "Since v2.14.1 the `max_tries` setting (default 1,000) takes `--no-wait` or `-f`, and retryAll() runs for 30s on fs.promises.readFile().",
    );
    assert.deepEqual(found.numbers, ["1000", "30"]);
    assert.deepEqual(found.versions, ["2.14.1"]);
    assert.deepEqual(found.flags, ["--no-wait", "-f"]);
    assert.deepEqual(found.identifiers.toSorted(), ["fs.promises.readFile", "max_tries", "retryAll"]);
  });

  const noise: [string, string][] = [
    ["list numbers", "1. Open the valve\n2. Close the valve\n10) Wait"],
    ["heading numbers", "## 3.2 Valves\n\n### 4. Pumps"],
    ["footnote marks", "Open the valve[^1] or wait [2].\n\n[^1]: A note"],
    ["years of a copyright", "© 2014 The Marmot Project. Copyright 2009-2024"],
    ["addresses", "See [the guide](https://example.com/v2/3?x=4) and <https://example.com/5>"],
    ["numbers of figures, tables, chapters and steps", "Figure 3 and Table 4 of chapter 12 show step 2"],
    ["references to other sections", "See section [7.6](#retry), [10.20](#x) and [3.4 Retry rules](#y)"],
    ["code in fences", "```js\nmax_tries = 7\n```"],
    ["ordinals", "the 2nd and the 5th valve"],
    ["digits inside words", "utf8 and sha256 and h2"],
    ["emphasis", "an _important_ and __very__ **bold** word"],
    ["product names", "JavaScript on GitHub with PostgreSQL"],
    ["formulas", "The mean $y_t = 3x_t$ and $$\\frac{1}{2}$$ of it"],
    ["tags and comments", '<a id="section_7"></a> <!-- todo_9 --> words'],
  ];
  for (const [name, text] of noise) {
    it(`leaves out ${name}`, () => {
      assert.deepEqual(specifics(text), { numbers: [], versions: [], flags: [], identifiers: [] });
    });
  }

  it("reads numbers in words where they measure something", () => {
    assert.deepEqual(specifics("Retried three times, in two ways, for ten minutes").numbers, ["3", "10"]);
  });

  it("keeps a power as one number", () => {
    for (const text of ["2^16 rows", "2<sup>16</sup> rows", "2¹⁶ rows", "2**16 rows"])
      assert.deepEqual(specifics(text).numbers, ["2^16"], text);
  });

  it("reads versions with a letter or a pre-release as one", () => {
    assert.deepEqual(specifics("From v0.99.9k, 1.1.1w and 3.0.0-rc.1 on").versions, [
      "0.99.9k",
      "1.1.1w",
      "3.0.0-rc.1",
    ]);
    assert.deepEqual(specifics("From v0.99.9k on").numbers, []);
  });

  it("finds names by their form outside code", () => {
    assert.deepEqual(
      specifics(
        "Set batchSize, std::vec::Vec, $HOME_DIR and queue.ackAll() but not Node.js or e.g. this",
      ).identifiers.toSorted(),
      ["HOME_DIR", "batchSize", "queue.ackAll", "std::vec::Vec"],
    );
  });
});

describe("mentions", () => {
  const supported: [string, string][] = [
    ["1000", "up to 1,000 rows"],
    ["1000", "up to 1 000 rows"],
    ["1000", "up to 1\u202f000 rows"],
    ["1000", "up to 1_000 rows"],
    ["3", "retried three times"],
    ["443", "ports 80,443"],
    ["30", "`timeout=30s`"],
    ["0.5", "wait .5 seconds"],
    ["50", "from 1–50"],
    ["50", "from 1-50"],
    ["2^16", "2<sup>16</sup> rows"],
    ["3.38", "wrangler 3.38.0 or greater"],
    ["2.1.0", "since v2.1.0"],
    ["10000", "at 10k requests"],
    ["7", "```\nx = 7\n```"],
  ];
  for (const [number, text] of supported) {
    it(`finds ${number} in ${JSON.stringify(text)}`, () => assert.ok(mentionsNumber(mentions(text), number)));
  }

  const unsupported: [string, string][] = [
    ["216", "2<sup>16</sup> rows"],
    ["38", "wrangler 3.38.0"],
    ["3", "30 seconds"],
    ["100", "up to 1000 rows"],
    ["5", "1.5 seconds"],
  ];
  for (const [number, text] of unsupported) {
    it(`does not find ${number} in ${JSON.stringify(text)}`, () => assert.ok(!mentionsNumber(mentions(text), number)));
  }

  it("finds flags in prose, code and with an optional no-", () => {
    const told = mentions("Use `-v`, --force or --[no-]verify; a well-known-f word is none.");
    for (const flag of ["-v", "--force", "--verify", "--no-verify"]) assert.ok(mentionsFlag(told, flag), flag);
    for (const flag of ["-f", "-k", "--known"]) assert.ok(!mentionsFlag(told, flag), flag);
  });

  it("finds a qualified name by its parts", () => {
    const told = mentions("`ackAll()` of the MessageBatch");
    assert.ok(mentionsName(told, "MessageBatch.ackAll"));
    assert.ok(!mentionsName(told, "MessageBatch.retryAll"));
  });
});

describe("number forms", () => {
  const grouped = (separator: string) => (value: number) => String(value).replace(/\B(?=(?:\d{3})+$)/gu, separator);

  it("read the same whatever separates thousands", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000, max: 1e12 }),
        fc.constantFrom(",", " ", "_", "'", "\u00A0", "\u202F"),
        (value, separator) => {
          assert.deepEqual([...numbersIn(`about ${grouped(separator)(value)} rows`)], [String(value)]);
        },
      ),
    );
  });

  it("every specific of a text is mentioned by that text", () => {
    const piece = fc.constantFrom(
      "max_tries",
      "`retryAll()`",
      "1,000",
      "v2.3.4",
      "--no-verify",
      "`-f`",
      "2^16",
      "30s",
      "a.b()",
      "x::y",
      "three times",
      "$home",
      "(12)",
      "5%",
      "\n",
      ". ",
      "```\ncode 9\n```\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join(" ");
        const { numbers, versions, flags, identifiers } = specifics(text);
        const told = mentions(text);
        for (const number of [...numbers, ...versions]) assert.ok(mentionsNumber(told, number), number);
        for (const flag of flags) assert.ok(mentionsFlag(told, flag), flag);
        for (const name of identifiers) assert.ok(mentionsName(told, name), name);
      }),
    );
  });

  it("any text can be read", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const { numbers } = specifics(text);
        const told = mentions(text);
        for (const number of numbers) assert.ok(mentionsNumber(told, number), number);
      }),
    );
  });

  it("long runs of anything are read in linear time", () => {
    for (const unit of ["1,", "a_", "`", "1 ", "a.", "-", "**", "[", "](", "<a ", "1.", "_"]) {
      // Where this were quadratic it would run into the suite's time limit.
      specifics(unit.repeat(50_000));
      mentions(unit.repeat(50_000));
    }
  });
});

describe("flags that a typesetter turned into dashes", () => {
  it("count as mentioned by their real spelling", () => {
    assert.ok(mentionsFlag(mentions("### —model, `–out-dir`"), "--model"));
    assert.ok(mentionsFlag(mentions("### —model, `–out-dir`"), "--out-dir"));
  });

  it("are not seen where a dash parts a sentence", () => {
    assert.ok(!mentionsFlag(mentions("the model—that is, the weights"), "--that"));
  });
});
