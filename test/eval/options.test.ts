import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { projectFolder } from "../../scripts/lib/corpusFolder.ts";
import { parseEvalOptions } from "../../scripts/lib/evalOptions.ts";
import { markdownTable } from "../../src/core/lab/markdownTable.ts";

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
    assert.deepEqual(
      options.strategies.map(({ name }) => name),
      ["facts", "fixed"],
    );
    assert.deepEqual(options.pages, ["a"]);
    assert.throws(() => parseEvalOptions(["--returned", "half"]), TypeError);
    assert.throws(() => parseEvalOptions(["--nonsense"]), TypeError);
    assert.throws(() => parseEvalOptions(["--max-cost", "much"]), TypeError);
    assert.throws(() => parseEvalOptions(["--strategies", ","]), RangeError);
    assert.throws(() => parseEvalOptions(["--strategies", "guess"]), /no strategy "guess"; there are fixed/);
    assert.throws(() => parseEvalOptions(["--pages", "a", "--update-baseline"]), TypeError);
  });
});

describe("npm run eval", function () {
  this.timeout(60_000);
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["--import", "tsx", "scripts/eval.ts", ...args], {
      cwd: projectFolder,
      encoding: "utf8",
    });

  it("helps on stdout and exits with 0", () => {
    const { status, stdout } = run("--help");
    assert.equal(status, 0);
    assert.match(stdout, /--update-baseline/);
  });

  for (const args of [
    ["--sideways"],
    ["--returned", "half"],
    ["--strategies", "guess"],
    ["--corpus", "/no/such/folder"],
  ]) {
    it(`says in one line what is wrong with ${args.join(" ")} and exits with 2`, () => {
      const { status, stdout, stderr } = run(...args);
      assert.equal(status, 2);
      assert.equal(stdout, "");
      assert.match(stderr, /^[^\n]+\n$/u);
    });
  }
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
