import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LabResults } from "../../src/core/lab/results.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const corpus = join(root, "test", "eval", "corpus");

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe("bacopa eval", function () {
  this.timeout(120_000);
  let folder = "";

  before(() => execFileSync(process.execPath, ["esbuild.config.mjs", "--quiet"], { cwd: root }));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bacopa-eval-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the built CLI as its own process, with no key in the environment. */
  function bacopa(...args: readonly string[]): Promise<Run> {
    return new Promise((resolve) => {
      const env = { ...process.env, HOME: folder, BACOPA_LIBRARY: join(folder, "library") };
      delete (env as Record<string, unknown>)["ANTHROPIC_API_KEY"];
      const child = spawn(process.execPath, [join(root, "dist/cli.js"), ...args], { cwd: root, env });
      let stdout = "";
      let stderr = "";
      child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
      child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
      child.on("close", (code) => resolve({ code, stdout, stderr }));
    });
  }
  const resultsOf = ({ stdout, stderr, code }: Run): LabResults => {
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };

  it("compares strategies over a corpus, twice with the same figures", async () => {
    const args = ["eval", "--corpus", corpus, "--strategies", "fixed,facts,whole-page", "--json"];
    const timeless = (results: LabResults) => ({
      ...results,
      rows: results.rows.map((row) => ({ ...row, indexMs: 0 })),
    });
    const first = resultsOf(await bacopa(...args));
    assert.deepEqual(
      first.rows.map(({ key }) => key),
      ["fixed/words", "fixed/hybrid", "facts/words", "facts/hybrid", "whole-page/words", "whole-page/hybrid"],
    );
    assert.equal(first.questions.answerable, 44);
    assert.deepEqual(timeless(resultsOf(await bacopa(...args))), timeless(first));
  });

  it("prints tables with every kind of figure", async () => {
    const { stdout, code } = await bacopa("eval", "--corpus", corpus, "--strategies", "headings,facts");
    assert.equal(code, 0);
    for (const part of ["failed@20", "tokens/answer", "95 %", "type multihop", "style api-lookup", "Wrongly confident"])
      assert.ok(stdout.includes(part), part);
  });

  it("writes the report as one file that fetches nothing", async () => {
    const file = join(folder, "report.html");
    const run = await bacopa("eval", "--corpus", corpus, "--strategies", "recursive,facts", "--report", file, "--json");
    assert.equal(run.code, 0, run.stderr);
    const html = readFileSync(file, "utf8");
    assert.equal(html.match(/<svg /gu)?.length, 3);
    assert.doesNotMatch(html, /<script|(?:src|href)=/u);
    const failed = await bacopa(
      "eval",
      "--corpus",
      corpus,
      "--strategies",
      "facts",
      "--report",
      join(folder, "no", "r.html"),
    );
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /report cannot be written/u);
  });

  it("takes any folder of pages, its questions naming pages by their files", async () => {
    const pages = join(folder, "docs", "guides");
    mkdirSync(pages, { recursive: true });
    writeFileSync(
      join(pages, "cache.md"),
      "# Kelp cache\n\nThe cache of Kelp holds 512 entries unless cache_entries says otherwise.\n",
    );
    writeFileSync(
      join(folder, "docs", "log.html"),
      "<html><body><main><h1>Kelp log</h1><p>Kelp writes its log to standard error, one line for each request.</p></main></body></html>",
    );
    const gold = (page: string, evidence: string) => [{ page, evidence: [evidence] }];
    const questions = [
      { id: "q1", query: "how many entries", gold: gold("cache", "cache of Kelp holds 512 entries"), nuggets: ["512"] },
      {
        id: "q2",
        query: "where is the log",
        gold: gold("log.html", "log to standard error, one line"),
        nuggets: ["error"],
      },
      { id: "q3", query: "elsewhere", gold: gold("gone.md", "nothing here at all to be found"), nuggets: ["x"] },
    ].map((one) => JSON.stringify({ type: "factoid", style: "question", answer: "", ...one }));
    writeFileSync(join(folder, "questions.jsonl"), questions.join("\n"));
    const run = await bacopa(
      ...["eval", "--corpus", join(folder, "docs"), "--questions", join(folder, "questions.jsonl")],
      ...["--strategies", "recursive,facts", "--json"],
    );
    const results = resultsOf(run);
    assert.deepEqual([results.corpus.kind, results.corpus.pages, results.questions.leftOut], ["folder", 2, 1]);
    assert.equal(results.rows[0]?.groups[0]?.figures["recall@1"], 1);
    assert.match(run.stderr, /1 of 3 questions were left out/);
  });

  it("measures a library with questions that name addresses, and keeps the results in it", async () => {
    const library = join(folder, "library");
    const sample = join(root, "samples", "halyard-queues-delivery.html");
    const url = "https://halyard.example/queues/delivery";
    assert.equal((await bacopa("save", sample, "--url", url, "--library", library)).code, 0);
    const easy = resultsOf(await bacopa("eval", "--library", library, "--json", "--strategies", "headings,facts"));
    assert.equal(easy.questions.kind, "self-made");
    assert.match(easy.notes.join(), /easy set that favors facts/);
    const line = JSON.stringify({
      ...{ id: "q", type: "factoid", style: "question", query: "is the whole batch delivered again" },
      ...{ gold: [{ page: url, evidence: ["the whole batch is delivered again"] }], nuggets: ["batch"], answer: "" },
    });
    writeFileSync(join(folder, "q.jsonl"), line);
    const args = ["--questions", join(folder, "q.jsonl"), "--strategies", "headings", "--json"];
    const results = resultsOf(await bacopa("eval", "--library", library, ...args));
    assert.deepEqual([results.corpus.kind, results.questions.kind], ["library", "file"]);
    assert.ok(existsSync(join(library, "lab", "results.json")));
    assert.equal((await bacopa("search", "batch", "--library", library)).code, 0);
  });

  for (const [what, args, expected] of [
    ["an unknown strategy", ["--strategies", "guess"], /no strategy "guess"; there are fixed/],
    ["no strategy", ["--strategies", ","], /at least one name/],
    ["two things to measure", ["--library", "elsewhere"], /two things to measure/],
    ["an unknown form", ["--returned", "half"], /--returned is one of/],
    ["a cost that is no amount", ["--max-cost", "much"], /amount of dollars/],
    ["a model without a key", ["--model", "some-model"], /ANTHROPIC_API_KEY/],
    ["an operand", ["something"], /no operands/],
    ["an empty path", ["--questions", ""], /needs a path/],
  ] as const) {
    it(`exits with 2 and one sentence for ${what}`, async () => {
      const { code, stdout, stderr } = await bacopa("eval", "--corpus", corpus, ...args);
      assert.equal(code, 2, stderr);
      assert.equal(stdout, "");
      assert.match(stderr, expected);
      assert.equal(stderr.trim().split("\n").length, 1, stderr);
    });
  }

  it("exits with 1 and the next step where there is nothing to measure", async () => {
    const nothing = await bacopa("eval", "--library", join(folder, "empty"));
    assert.equal(nothing.code, 1);
    assert.match(nothing.stderr, /Nothing is saved.*Save some pages/);
    const noPages = await bacopa("eval", "--corpus", join(folder, "none"));
    assert.equal(noPages.code, 1);
    assert.match(noPages.stderr, /gives no pages/);
    const noQuestions = await bacopa("eval", "--corpus", corpus, "--questions", join(folder, "none.jsonl"));
    assert.equal(noQuestions.code, 1);
    assert.match(noQuestions.stderr, /cannot be read/);
  });
});
