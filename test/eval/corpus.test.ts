import assert from "node:assert/strict";
import { join } from "node:path";
import { createDocsStaticEmbedder } from "../../src/adapters/embedders/docsStatic.ts";
import { createFilePrompts } from "../../src/adapters/filePrompts.ts";
import { evaluate } from "../../src/core/lab/evaluate.ts";
import type { StrategyResult } from "../../src/core/lab/evaluate.ts";
import { readLabPage } from "../../src/core/lab/labPage.ts";
import type { LabPage } from "../../src/core/lab/labPage.ts";
import { holdsNugget, nuggetText } from "../../src/core/lab/nuggets.ts";
import { summarize } from "../../src/core/lab/report.ts";
import { prepareQuestion, ScorerMemory } from "../../src/core/lab/score.ts";
import type { PreparedQuestion } from "../../src/core/lab/score.ts";
import { facts, factAblations, strategies } from "../../src/core/lab/strategies.ts";
import type { Strategy, StrategyTools } from "../../src/core/lab/strategies.ts";
import { countTokens } from "../../src/core/util/tokens.ts";
import { ownCorpusFolder, projectFolder } from "../../scripts/lib/corpusFolder.ts";
import { openCorpus, rawPageOf } from "../../src/adapters/lab/corpusFolder.ts";

describe("the project's own evaluation corpus", () => {
  const signal = new AbortController().signal;
  const embedder = createDocsStaticEmbedder(join(projectFolder, "media", "docs-static"));
  const prompts = createFilePrompts(join(projectFolder, "prompts"));
  const tools: StrategyTools = { countTokens, embedder, model: undefined, prompts };
  let pages: LabPage[] = [];
  let questions: PreparedQuestion[] = [];

  before(async () => {
    const corpus = await openCorpus(ownCorpusFolder);
    assert.deepEqual(corpus.problems, []);
    pages = [];
    for (const entry of corpus.pages) {
      const raw = await rawPageOf(corpus.folder, entry);
      pages.push(readLabPage({ corpusId: entry.id, raw, url: entry.url, countTokens, now: new Date("2026-06-01") }));
    }
    const byId = new Map(pages.map((page) => [page.corpusId, page]));
    questions = corpus.questions.map((question) => prepareQuestion(question, (page) => byId.get(page)?.matching));
  });

  const run = (strategy: Strategy): Promise<StrategyResult> =>
    evaluate({ strategy, pages, questions, tools, returned: "briefs", memory: new ScorerMemory(countTokens) }, signal);

  it("has every evidence and every nugget in its cleaned pages", () => {
    const lost = questions.flatMap(({ question, snippets, nuggets, goldPages }) => {
      const gold = pages
        .filter(({ corpusId }) => goldPages.has(corpusId))
        .map(({ saved }) => nuggetText(saved.page.text));
      return [
        ...snippets.filter(({ places }) => places.length === 0).map(({ evidence }) => `${question.id}: ${evidence}`),
        ...nuggets
          .filter((nugget) => !gold.some((text) => holdsNugget(text, nugget)))
          .map(() => `${question.id}: nugget`),
      ];
    });
    assert.deepEqual(lost, []);
  });

  it("is answered by every strategy, words alone and hybrid", async () => {
    const able = strategies.filter(({ lacks }) => lacks?.(tools) === undefined);
    assert.deepEqual(
      strategies.filter((strategy) => !able.includes(strategy)).map(({ name }) => name),
      ["contextual", "propositions", "agentic"],
    );
    for (const strategy of able) {
      const { modes, units } = await run(strategy);
      assert.deepEqual(
        modes.map(({ mode }) => mode),
        ["words", "hybrid"],
      );
      assert.ok(units >= pages.length);
      for (const { mode, scores, none } of modes) {
        const [all] = summarize(scores, "type");
        assert.equal(all?.n, 44);
        assert.equal(none.none.n, 4);
        assert.ok(all.figures["recall@10"] > 0.85, `${strategy.name} ${mode}: ${all.figures["recall@10"]}`);
        assert.ok(all.figures["nuggets@2000"] > 0.9, `${strategy.name} ${mode}: ${all.figures["nuggets@2000"]}`);
      }
    }
  });

  it("gives the same figures twice", async () => {
    const [first, second] = [await run(facts), await run(facts)];
    assert.deepEqual(
      first.modes.map(({ scores }) => scores.map(({ figures }) => figures)),
      second.modes.map(({ scores }) => scores.map(({ figures }) => figures)),
    );
  });

  it("returns the same units in an ablation, searched by less", async () => {
    const [whole, statementOnly] = [facts, factAblations.find(({ name }) => name === "facts-statement-only")];
    assert.ok(statementOnly !== undefined && pages[0] !== undefined);
    const { units: a } = await whole.unitsOf(pages[0], tools, signal);
    const { units: b } = await statementOnly.unitsOf(pages[0], tools, signal);
    assert.deepEqual(
      a.map(({ lab }) => lab),
      b.map(({ lab }) => lab),
    );
    assert.ok(b.every(({ index }) => index.questions === "" && index.text === "" && index.statement !== ""));
  });
});
