import assert from "node:assert/strict";
import { parseEvalOptions } from "../../scripts/lib/evalOptions.ts";
import { markdownTable } from "../../scripts/lib/markdownTable.ts";

describe("eval command line", () => {
  it("runs with and without distractors unless one is asked for", () => {
    const poolsOf = (...args: string[]): unknown => {
      const options = parseEvalOptions(args);
      return options === "help" ? options : options.pools;
    };
    assert.deepEqual(poolsOf(), ["pages", "pages+distractors"]);
    assert.deepEqual(poolsOf("--distractors"), ["pages+distractors"]);
    assert.deepEqual(poolsOf("--no-distractors"), ["pages"]);
    assert.equal(poolsOf("--help"), "help");
  });

  it("reads lists and refuses what it does not know", () => {
    const options = parseEvalOptions(["--strategies", "facts, fixed", "--pages", "a"]);
    assert.ok(options !== "help");
    assert.deepEqual(options.strategies, ["facts", "fixed"]);
    assert.deepEqual(options.pages, ["a"]);
    assert.throws(() => parseEvalOptions(["--returned", "half"]), TypeError);
    assert.throws(() => parseEvalOptions(["--nonsense"]), TypeError);
  });
});

describe("Markdown tables", () => {
  it("pads columns to one width, numbers to the right", () => {
    assert.equal(
      markdownTable(
        ["name", "n"],
        [
          ["a", "1"],
          ["long name", "100"],
        ],
      ),
      ["| name      |   n |", "| --------- | --: |", "| a         |   1 |", "| long name | 100 |"].join("\n"),
    );
  });
});
