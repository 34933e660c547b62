import assert from "node:assert/strict";
import { matchingText } from "../../../src/core/lab/matching.ts";
import type { Question } from "../../../src/core/lab/questions.ts";
import { createScorer, prepareQuestion, ScorerMemory } from "../../../src/core/lab/score.ts";
import type { LabUnit } from "../../../src/core/lab/score.ts";

/** One token a word, so that budgets can be read off. */
const countTokens = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;

const text = "Queues retry a message three times. After that the message goes to the dead letter queue at once.";
const question = (over: Partial<Question> = {}): Question => ({
  id: "q1",
  type: "factoid",
  style: "question",
  query: "?",
  gold: [{ page: "p", evidence: ["retry a message three times", "the message goes to the dead letter queue"] }],
  nuggets: ["three"],
  answer: "",
  ...over,
});
const unit = (over: Partial<LabUnit>): LabUnit => ({ id: "u", page: "p", text: "nothing", span: undefined, ...over });
const prepare = (of: Question) => prepareQuestion(of, (page) => (page === "p" ? matchingText(text) : undefined));

describe("scoring a question", () => {
  it("covers a snippet by the returned text, from whatever page", () => {
    const { figures } = createScorer({ memory: new ScorerMemory(countTokens) }).score(prepare(question()), [
      unit({ page: "other", text: "They *retry* a `message`\nthree times." }),
    ]);
    assert.equal(figures["recall@1"], 0.5);
    assert.equal(figures["mrr@10"], 1);
    assert.equal(figures["page@1"], 0);
  });

  it("covers a snippet by the span it was written from, on its own page only", () => {
    const span = { start: 0, end: 40 };
    const scorer = createScorer({ memory: new ScorerMemory(countTokens) });
    assert.equal(scorer.score(prepare(question()), [unit({ span })]).figures["recall@1"], 0.5);
    assert.equal(scorer.score(prepare(question()), [unit({ span, page: "other" })]).figures["recall@1"], 0);
  });

  it("does not cover evidence that is cut in two", () => {
    const middle = text.indexOf("three");
    const units = [
      unit({ id: "a", text: text.slice(0, middle), span: { start: 0, end: middle } }),
      unit({ id: "b", text: text.slice(middle), span: { start: middle, end: text.length } }),
    ];
    const { figures, covered } = createScorer({ memory: new ScorerMemory(countTokens) }).score(
      prepare(question()),
      units,
    );
    assert.deepEqual(covered, [[], [1]]);
    assert.equal(figures["recall@5"], 0.5);
    assert.equal(figures["full@5"], 0);
    assert.equal(figures["mrr@10"], 0.5);
  });

  it("counts nuggets in the returned text alone, never by span", () => {
    const { figures } = createScorer({ memory: new ScorerMemory(countTokens) }).score(prepare(question()), [
      unit({ text: "retried some times", span: { start: 0, end: text.length } }),
    ]);
    assert.equal(figures["recall@1"], 1);
    assert.equal(figures["nuggets@500"], 0);
  });

  it("counts what is returned per page once, before the page's first hit", () => {
    const long = "word ".repeat(495);
    const hits = [unit({ id: "a", text: "word" }), unit({ id: "b", text: `${long} three` })];
    const without = createScorer({ memory: new ScorerMemory(countTokens) }).score(prepare(question()), hits);
    assert.equal(without.figures["nuggets@500"], 1);
    const withHead = createScorer({
      memory: new ScorerMemory(countTokens),
      pageHeadOf: () => "a page head of six words",
    });
    assert.equal(withHead.score(prepare(question()), hits).figures["nuggets@500"], 0);
    assert.equal(withHead.score(prepare(question()), hits).figures["nuggets@1000"], 1);
  });

  it("counts the tokens of whole hits until the first and until all nuggets are held", () => {
    const scorer = createScorer({ memory: new ScorerMemory(countTokens) });
    const of = prepare(question({ nuggets: ["three", "dead letter queue"] }));
    const hits = [
      unit({ id: "a", text: "four words without it" }), // 4
      unit({ id: "b", text: "retried three times" }), // 4 + 1 for the empty line + 3
      unit({ id: "c", text: "to the dead letter queue" }), // 8 + 1 + 5
      unit({ id: "d", text: "never read" }),
    ];
    assert.deepEqual(scorer.score(of, hits).reading, { first: 8, all: 14 });
    assert.deepEqual(scorer.score(of, hits.slice(0, 2)).reading, { first: 8, all: undefined });
    assert.deepEqual(scorer.score(of, []).reading, { first: undefined, all: undefined });
  });

  it("gives up reading at 2,000 tokens, where the last hit is cut", () => {
    const scorer = createScorer({ memory: new ScorerMemory(countTokens) });
    const long = (before: number): string => `${"word ".repeat(before)}three ${"word ".repeat(3000)}`;
    assert.deepEqual(scorer.score(prepare(question()), [unit({ text: long(1500) })]).reading, {
      first: 2000,
      all: 2000,
    });
    assert.equal(scorer.score(prepare(question()), [unit({ text: long(2500) })]).reading.all, undefined);
  });

  it("covers evidence that lies across two units only with both of them, and several gold spans each by its own", () => {
    const scorer = createScorer({ memory: new ScorerMemory(countTokens) });
    const middle = text.indexOf("After");
    const first = unit({ id: "a", span: { start: 0, end: middle } });
    const second = unit({ id: "b", span: { start: middle, end: text.length } });
    const both = prepare(question());
    assert.equal(scorer.score(both, [first, second]).figures["recall@1"], 0.5);
    assert.equal(scorer.score(both, [first, second]).figures["recall@3"], 1);
    // One snippet from the end of the first to the begin of the second: neither covers it, a larger unit does.
    const across = prepare(question({ gold: [{ page: "p", evidence: ["three times. After that the message"] }] }));
    assert.equal(scorer.score(across, [first, second]).figures["recall@20"], 0);
    assert.equal(scorer.score(across, [first, unit({ span: { start: 0, end: text.length } })]).figures["mrr@10"], 0.5);
  });

  it("knows no place of evidence that cleaning lost", () => {
    const lost = prepare(question({ gold: [{ page: "gone", evidence: ["retry a message three times"] }] }));
    assert.deepEqual(lost.snippets[0]?.places, []);
  });

  it("gives zeros for an empty list and refuses a question without gold", () => {
    const scorer = createScorer({ memory: new ScorerMemory(countTokens) });
    const { figures } = scorer.score(prepare(question()), []);
    assert.ok(Object.values(figures).every((figure) => figure === 0));
    assert.throws(() => scorer.score(prepare(question({ type: "none", gold: [], nuggets: [] })), []), RangeError);
  });
});
