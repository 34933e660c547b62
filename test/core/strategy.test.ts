import assert from "node:assert/strict";
import { parseStrategy, strategyKinds, strategyOf } from "../../src/core/strategy.ts";

describe("the names of strategies", () => {
  it("stand for every strategy with its default sizes", () => {
    for (const kind of strategyKinds) {
      const parsed = parseStrategy(kind);
      assert.ok(typeof parsed !== "string", kind);
      assert.deepEqual([parsed.name, parsed.kind, parsed.sizes.kind], [kind, kind, kind]);
    }
  });

  it("carry sizes", () => {
    const sizes = (name: string): unknown => {
      const parsed = parseStrategy(name);
      return typeof parsed === "string" ? parsed : parsed.sizes;
    };
    assert.deepEqual(sizes("fixed:512:100"), { kind: "fixed", size: 512, overlap: 100, unit: "tokens" });
    assert.deepEqual(sizes("fixed:1000c"), { kind: "fixed", size: 1000, overlap: 0, unit: "characters" });
    assert.deepEqual(sizes("recursive:512:100"), { kind: "recursive", minTokens: 64, maxTokens: 512, overlap: 100 });
    assert.deepEqual(sizes("recursive:64:min=10"), { kind: "recursive", minTokens: 10, maxTokens: 64, overlap: 0 });
    assert.deepEqual(sizes("sentence:5:1"), {
      kind: "sentence",
      sentences: 5,
      overlap: 1,
      minTokens: 64,
      maxTokens: 512,
    });
    assert.deepEqual(sizes("semantic:400:min=50:t=0.6"), {
      kind: "semantic",
      minTokens: 50,
      maxTokens: 400,
      breakpoint: { kind: "similarity", value: 0.6 },
    });
    assert.deepEqual(sizes("parent-document:2048:256"), {
      kind: "parent-document",
      parentTokens: 2048,
      childTokens: 256,
    });
  });

  const refused: readonly (readonly [string, RegExp])[] = [
    ["sliding", /no strategy "sliding"; there are fixed, recursive/],
    ["recursive:512:256", /overlap \(256\) is less than half of the size \(512\)/],
    ["recursive:100:min=60", /minimum \(60\) is at most half of the maximum \(100\)/],
    ["recursive:200:90:min=60", /minimum \(60\) is at most half of what the overlap leaves/],
    ["recursive:4", /between 16 and 8192 tokens/],
    ["fixed:100c:20", /overlap is in the unit of the size/],
    ["recursive:100c", /"100c" is no size of this strategy: write recursive:MAX/],
    ["semantic:400:min=0", /without a floor they leave fragments/],
    ["semantic:p=95:t=0.5", /exclude each other/],
    ["facts:200", /facts, without sizes/],
    ["parent-document:600:400", /at most half as long as its parent/],
    ["sentence:0", /1 to 200 sentences/],
  ];
  for (const [name, reason] of refused) {
    it(`refuse ${name} with a reason`, () => {
      const parsed = parseStrategy(name);
      assert.ok(typeof parsed === "string");
      assert.match(parsed, reason);
    });
  }

  it("of a stored page that nobody knows any more stand for facts", () => {
    assert.equal(strategyOf("gone").kind, "facts");
  });
});
