/** Chooses an embedder's weight in the fusion by cross-validation. `npm run eval:weights -- --help` lists the options. */
import { parseArgs } from "node:util";
import { chooseEmbedder, parseEmbedder } from "../src/adapters/embedders/choose.ts";
import { createFilePrompts } from "../src/adapters/filePrompts.ts";
import { pairedBootstrap } from "../src/core/lab/bootstrap.ts";
import type { Interval } from "../src/core/lab/bootstrap.ts";
import { evaluate } from "../src/core/lab/evaluate.ts";
import { readLabPage } from "../src/core/lab/labPage.ts";
import type { LabPage } from "../src/core/lab/labPage.ts";
import { prepareQuestion, ScorerMemory } from "../src/core/lab/score.ts";
import type { FigureName, QuestionScore } from "../src/core/lab/score.ts";
import { parseStrategyName } from "../src/core/lab/strategies.ts";
import type { Strategy, StrategyUnits } from "../src/core/lab/strategies.ts";
import { crossValidateWeight } from "../src/core/lab/weights.ts";
import type { Embedder, TextKind } from "../src/core/ports.ts";
import { countTokens } from "../src/core/util/tokens.ts";
import { join } from "node:path";
import { openCorpus, rawPageOf } from "../src/adapters/lab/corpusFolder.ts";
import { markdownTable } from "../src/core/lab/markdownTable.ts";
import { corpusFolderOf, projectFolder } from "./lib/corpusFolder.ts";

const help = `npm run eval:weights -- [options]

Ranks the corpus' questions by words alone and with the embedder's ranking at several weights, and chooses the weight by
cross-validation over folds of pages.

  --corpus DIR       as for npm run eval
  --embedder WHICH   as for bacopa: docs-static (default), onnx:DIR, URL#MODEL
  --strategy NAME    default: facts
  --folds N          default: 5
`;

const { values } = parseArgs({
  options: {
    corpus: { type: "string" },
    embedder: { type: "string", default: "docs-static" },
    strategy: { type: "string", default: "facts" },
    folds: { type: "string", default: "5" },
    help: { type: "boolean", default: false },
  },
});
const weights = [0, 0.05, 0.1, 0.25, 0.5, 0.75, 1];
const figures = ["mrr@10", "recall@5", "recall@1", "nuggets@500"] as const satisfies readonly FigureName[];
/** What the weight is chosen by. */
const chosenBy: FigureName = "mrr@10";
const signal = new AbortController().signal;

if (values.help) console.log(help);
else await run();

async function run(): Promise<void> {
  const choice = chooseEmbedder(parseEmbedder(values.embedder), {
    installation: projectFolder,
    key: () => Promise.resolve(process.env.BACOPA_EMBEDDINGS_KEY),
  });
  const strategy = parseStrategyName(values.strategy);
  if (choice === undefined || typeof strategy === "string")
    throw new TypeError("an embedder and a strategy are needed");
  const embedder = remembering(await choice.open(signal));
  const corpus = await openCorpus(corpusFolderOf(values.corpus));
  const pages: LabPage[] = [];
  for (const entry of corpus.pages) {
    const raw = await rawPageOf(corpus.folder, entry);
    pages.push(readLabPage({ corpusId: entry.id, raw, url: entry.url, countTokens, now: new Date() }));
  }
  const byId = new Map(pages.map((page) => [page.corpusId, page]));
  const questions = corpus.questions
    .filter(({ gold }) => gold.length > 0 && gold.every(({ page }) => byId.has(page)))
    .map((question) => prepareQuestion(question, (page) => byId.get(page)?.matching));
  const memory = new ScorerMemory(countTokens);
  const prompts = createFilePrompts(join(projectFolder, "prompts"));
  const made = unitsOnce(strategy);
  const runs: { readonly weight: number; readonly scores: readonly QuestionScore[] }[] = [];
  for (const weight of weights) {
    const tools = { countTokens, embedder: { ...embedder, meaningWeight: weight }, model: undefined, prompts };
    const input = { strategy: made, pages, questions, tools, returned: "briefs", memory } as const;
    const { modes } = await evaluate(input, signal);
    const mode = weight === 0 ? "words" : "hybrid";
    runs.push({ weight, scores: modes.find((result) => result.mode === mode)?.scores ?? [] });
  }
  const of = (name: FigureName): { weight: number; scores: number[] }[] =>
    runs.map(({ weight, scores }) => ({ weight, scores: scores.map((score) => score.figures[name]) }));
  const pageNumbers = new Map(pages.map(({ corpusId }, i) => [corpusId, i]));
  const foldOf = (runs[0]?.scores ?? []).map(
    ({ question }) => (pageNumbers.get(question.gold[0]?.page ?? "") ?? 0) % Number(values.folds),
  );

  console.log(`${embedder.id}, ${values.strategy}: ${pages.length} pages, ${foldOf.length} questions\n`);
  console.log("Each weight on all questions, and its difference to words alone with a 95 % interval:\n");
  const tables = figures.map(of);
  console.log(
    markdownTable(
      ["weight", ...figures],
      weights.map((weight, i) => [
        weight === 0 ? "words alone" : weight === embedder.meaningWeight ? `${weight} (set)` : String(weight),
        ...tables.map((table) => {
          const [words = [], own = []] = [table[0]?.scores, table[i]?.scores];
          const mean = own.reduce((sum, value) => sum + value, 0) / Math.max(1, own.length);
          return weight === 0 ? three(mean) : `${three(mean)} ${interval(pairedBootstrap(own, words))}`;
        }),
      ]),
    ),
  );
  console.log(`\nCross-validation by ${chosenBy}, each fold with the weight that was best on the others:\n`);
  const result = crossValidateWeight(of(chosenBy), foldOf);
  console.log(
    markdownTable(
      ["fold", "questions", "weight", "words", "hybrid"],
      result.folds.map(({ fold, questions: count, weight, words, hybrid }) => [
        String(fold + 1),
        String(count),
        String(weight),
        three(words),
        three(hybrid),
      ]),
    ),
  );
  console.log(`\nOn questions it was not chosen by: ${interval(result.gain)} ${chosenBy} over words alone.`);
  console.log(`Best on all questions: ${result.weight}. Set for this embedder: ${embedder.meaningWeight}.`);
  const set = weights.indexOf(embedder.meaningWeight);
  for (const [i, name] of figures.entries()) {
    const gain = set < 0 ? undefined : pairedBootstrap(tables[i]?.[set]?.scores ?? [], tables[i]?.[0]?.scores ?? []);
    if (gain !== undefined)
      console.log(`  ${name} at the weight that is set: ${interval(gain)}${gain.high < 0 ? "  WORSE" : ""}`);
  }
  embedder.dispose?.();
}

/** Units are the same for each weight. */
function unitsOnce(strategy: Strategy): Strategy {
  const made = new Map<LabPage, Promise<StrategyUnits>>();
  return {
    ...strategy,
    unitsOf: (page, tools, stop) => {
      const units = made.get(page) ?? strategy.unitsOf(page, tools, stop);
      made.set(page, units);
      return units;
    },
  };
}

/** Each text is embedded once. */
function remembering(embedder: Embedder): Embedder {
  const vectors = new Map<string, Float32Array | undefined>();
  return {
    ...embedder,
    async embed(texts, kind: TextKind, stop) {
      const missing = [...new Set(texts)].filter((text) => !vectors.has(`${kind} ${text}`));
      const made = await embedder.embed(missing, kind, stop);
      missing.forEach((text, i) => vectors.set(`${kind} ${text}`, made[i]));
      return texts.map((text) => vectors.get(`${kind} ${text}`));
    },
  };
}

function three(value: number): string {
  return value.toFixed(3).replace(/^0\./, ".");
}

function interval(found: Interval | undefined): string {
  if (found === undefined) return "";
  const signed = (value: number): string => `${value < 0 ? "-" : "+"}${three(Math.abs(value))}`;
  return `${signed(found.mean)} [${signed(found.low)}, ${signed(found.high)}]`;
}
