import assert from "node:assert/strict";
import { BacopaError } from "../../../src/core/errors.ts";
import { compareStrategies, makingOnce } from "../../../src/core/lab/compare.ts";
import type { CompareInput } from "../../../src/core/lab/compare.ts";
import { prepareQuestions } from "../../../src/core/lab/gold.ts";
import type { LabPage } from "../../../src/core/lab/labPage.ts";
import { matchingText } from "../../../src/core/lab/matching.ts";
import type { Question } from "../../../src/core/lab/questions.ts";
import { labResultsFormat, parseLabResults } from "../../../src/core/lab/results.ts";
import { ScorerMemory } from "../../../src/core/lab/score.ts";
import { facts, parseStrategyName } from "../../../src/core/lab/strategies.ts";
import type { Strategy } from "../../../src/core/lab/strategies.ts";
import { wholePage } from "../../../src/core/lab/wholePage.ts";
import { savedPage } from "../../fakes/savedPages.ts";

const signal = new AbortController().signal;
const countTokens = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;

const headings: Strategy = { ...(parseStrategyName("headings:min=1") as Strategy), name: "headings" };

const pages: readonly LabPage[] = ["retries-0a1b2c3d4e", "limits-1a1b2c3d4e"].map((id) => {
  const saved = savedPage(id, { title: id, note: `Only ${id} says lanterns.` });
  return { corpusId: id, saved, matching: matchingText(saved.page.text) };
});
const question = (id: string, over: Partial<Question> = {}): Question => ({
  id,
  type: "factoid",
  style: "keyword",
  query: "wait doubles backoff",
  gold: [{ page: "retries-0a1b2c3d4e", evidence: ["The wait doubles from 200 ms"] }],
  nuggets: ["200"],
  answer: "",
  ...over,
});
const asked = [
  question("q1"),
  question("q2", { type: "analytical", style: "symptom", query: "max_retries default" }),
  question("q3", { type: "none", query: "backoff of a moon", gold: [], nuggets: [] }),
];

/** A clock that goes on by one millisecond a look. */
const ticking = () => {
  let ms = 0;
  return { elapsed: () => ms++ };
};
const input = (over: Partial<CompareInput> = {}): CompareInput => ({
  corpus: { kind: "folder", name: "two pages", distractors: 0 },
  questionSet: { kind: "file", id: "0123456789ab", leftOut: 0 },
  pages,
  questions: prepareQuestions(asked, pages).questions,
  strategies: [headings, facts, wholePage],
  ablations: false,
  tools: { countTokens, embedder: undefined, model: undefined, prompts: () => "" },
  returned: "briefs",
  notes: [],
  memory: new ScorerMemory(countTokens),
  clock: ticking(),
  ...over,
});

describe("comparing strategies", () => {
  it("gives one row a strategy and ranking, each with its groups, cost and cuts", async () => {
    const { results } = await compareStrategies(input(), signal);
    assert.equal(results.format, labResultsFormat);
    assert.deepEqual(
      results.rows.map(({ key }) => key),
      ["headings/words", "facts/words", "whole-page/words"],
    );
    assert.deepEqual(results.corpus, { kind: "folder", name: "two pages", distractors: 0, pages: 2, tokens: 58 });
    assert.deepEqual(
      [results.questions.answerable, results.questions.none, results.embedder, results.model],
      [2, 1, null, null],
    );
    const [row] = results.rows;
    assert.deepEqual(
      row?.groups.map(({ by, name, n }) => `${by} ${name} ${n}`),
      ["all all 2", "type factoid 1", "type analytical 1", "style keyword 1", "style symptom 1"],
    );
    assert.equal(row.units, 4);
    assert.deepEqual(row.boundaries, { units: 4, insideSentence: 0, insideFence: 0, insideTable: 0, broken: 0 });
    assert.ok(row.indexBytes > 100 && row.indexMs > 0);
    const all = row.groups[0]?.figures;
    assert.equal(all?.["failed@20"], 1 - (all?.["recall@20"] ?? 0));
  });

  it("sets each row against the facts and against the best, never against itself", async () => {
    const { results } = await compareStrategies(input(), signal);
    for (const { key, comparisons } of results.rows) {
      assert.ok(comparisons.every(({ other }) => other !== key));
      assert.equal(
        comparisons.some(({ against }) => against === "facts"),
        key !== "facts/words",
      );
    }
  });

  it("gives the same results twice, times aside, and reads them back", async () => {
    const run = async () => {
      const { results } = await compareStrategies(input({ ablations: true }), signal);
      return JSON.stringify({ ...results, rows: results.rows.map((row) => ({ ...row, indexMs: 0 })) });
    };
    const [first, second] = [await run(), await run()];
    assert.equal(first, second);
    assert.deepEqual(parseLabResults(first), JSON.parse(first));
    assert.equal(parseLabResults('{"format":"another"}'), undefined);
    assert.equal(parseLabResults("{"), undefined);
  });

  it("names a strategy that lacks its tools or whose model fails, and goes on", async () => {
    const lacking: Strategy = { ...headings, name: "dreamt", lacks: () => "It needs a model." };
    const failing: Strategy = {
      ...headings,
      name: "doomed",
      unitsOf: () =>
        Promise.reject(new BacopaError("model-auth", { message: "401", userMessage: "The key is wrong." })),
    };
    const { results } = await compareStrategies(input({ strategies: [lacking, failing, headings] }), signal);
    assert.deepEqual(results.missing, [
      { strategy: "dreamt", reason: "It needs a model." },
      { strategy: "doomed", reason: "The key is wrong." },
    ]);
    assert.equal(results.rows.length, 1);
  });

  it("stops when it is canceled", async () => {
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    await assert.rejects(compareStrategies(input({ onProgress }), stop.signal), { name: "AbortError" });
  });

  it("makes the units of a page once, and tells the time that took then", async () => {
    let made = 0;
    const counted: Strategy = {
      ...headings,
      unitsOf: (...parts) => {
        made++;
        return headings.unitsOf(...parts);
      },
    };
    const once = makingOnce(counted, ticking());
    const { tools } = input();
    const [page] = pages;
    assert.ok(page !== undefined);
    const first = await once.unitsOf(page, tools, signal);
    assert.deepEqual([(await once.unitsOf(page, tools, signal)) === first, made, first.ms], [true, 1, 1]);
  });

  it("takes the cost of facts from the pages they were saved with", async () => {
    const [page] = pages;
    assert.ok(page !== undefined);
    const figures = { ...page.saved.figures, calls: 3, costUsd: 0.25, tokens: { in: 900, out: 300 } };
    const paid = [{ ...page, saved: { ...page.saved, figures } }];
    const { questions } = prepareQuestions(asked, paid);
    const { results } = await compareStrategies(input({ pages: paid, questions }), signal);
    const usages = Object.fromEntries(results.rows.map(({ strategy, usage }) => [strategy, usage]));
    assert.deepEqual(usages["facts"], { calls: 3, in: 900, out: 300, costUsd: 0.25 });
    assert.equal(usages["headings"]?.calls, 0);
  });
});

describe("the whole page as a strategy", () => {
  it("is one unit a page that returns title and text", async () => {
    const [page] = pages;
    assert.ok(page !== undefined);
    const { units } = await wholePage.unitsOf(page, input().tools, signal);
    const { title, text } = page.saved.page;
    assert.deepEqual(
      units.map(({ lab }) => [lab.text, lab.span]),
      [[`${title}\n\n${text}`, { start: 0, end: text.length }]],
    );
  });
});

describe("gold of questions", () => {
  it("names a page by its id, its address in any spelling, or another name it has", () => {
    const [page] = pages;
    assert.ok(page !== undefined);
    const { url } = page.saved.page;
    const goldOf = (name: string) =>
      prepareQuestions(
        [question("q", { gold: [{ page: name, evidence: ["The wait doubles from 200 ms"] }] })],
        pages,
        ({ corpusId }) => [`${corpusId}.md`],
      ).questions[0]?.question.gold[0]?.page;
    for (const name of [page.corpusId, url, `${page.corpusId}.md`]) assert.equal(goldOf(name), page.corpusId);
    assert.equal(goldOf("https://elsewhere.example/"), undefined);
  });

  it("leaves out a question with a gold page that is not there, and keeps those without an answer", () => {
    const away = question("away", { gold: [{ page: "gone", evidence: ["The wait doubles from 200 ms"] }] });
    const { questions, leftOut } = prepareQuestions([...asked, away], pages);
    assert.deepEqual(
      questions.map((one) => one.question.id),
      ["q1", "q2", "q3"],
    );
    assert.deepEqual(leftOut, [away]);
  });
});
