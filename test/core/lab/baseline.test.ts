import assert from "node:assert/strict";
import fc from "fast-check";
import { compare, parseBaseline, rounded, withEntries } from "../../../src/core/lab/baseline.ts";

const entry = (figures: Record<string, number>) => ({ n: 10, units: 100, figures });

describe("baseline", () => {
  it("replaces entries of one corpus and keeps the others, keys sorted", () => {
    const before = withEntries({}, "bbb", { "pages/facts/words": entry({ "recall@5": 0.5 }) });
    const after = withEntries(before, "aaa", { z: entry({}), a: entry({}) });
    assert.deepEqual(Object.keys(after), ["aaa", "bbb"]);
    assert.deepEqual(Object.keys(after["aaa"] ?? {}), ["a", "z"]);
    assert.equal(after["bbb"]?.["pages/facts/words"]?.figures["recall@5"], 0.5);
  });

  it("gives the relative change of every figure that both sides have", () => {
    const changes = compare(
      { k: entry({ a: 0.5, b: 0, c: 0.4 }) },
      { k: entry({ a: 0.45, b: 0.2, d: 1 }), other: entry({ a: 1 }) },
    );
    assert.deepEqual(
      changes.map(({ figure, relative }) => [figure, rounded(relative)]),
      [
        ["a", -0.1],
        ["b", 1],
      ],
    );
  });

  it("reads back what it wrote", () => {
    const figures = fc.dictionary(fc.string(), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), figures), (records) => {
        const entries = Object.fromEntries(Object.entries(records).map(([key, value]) => [key, entry(value)]));
        const baseline = withEntries({}, "corpus", entries);
        const json = JSON.stringify(baseline);
        assert.equal(JSON.stringify(parseBaseline(json)), json);
      }),
    );
  });

  it("leaves out entries of another shape", () => {
    assert.deepEqual(parseBaseline('{"c":{"k":{"n":"10"},"l":3},"d":[]}'), { c: {}, d: {} });
    assert.deepEqual(parseBaseline("[]"), {});
  });
});
