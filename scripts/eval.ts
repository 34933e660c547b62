/** Measures how well saved pages can be searched. `npm run eval -- --help` lists the options. */
import { existsSync } from "node:fs";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createDocsStaticEmbedder } from "../src/adapters/embedders/docsStatic.ts";
import { createFilePrompts } from "../src/adapters/filePrompts.ts";
import { openCorpus } from "../src/adapters/lab/corpusFolder.ts";
import type { CorpusFolder } from "../src/adapters/lab/corpusFolder.ts";
import { pagesOfLibrary, readCorpusPages } from "../src/adapters/lab/pages.ts";
import { createAnswerCache } from "../src/adapters/models/answerCache.ts";
import { limitCost } from "../src/adapters/models/costLimit.ts";
import { createNodeClock } from "../src/adapters/nodeClock.ts";
import { canonicalUrl } from "../src/core/capture/canonicalUrl.ts";
import { pageIdOf } from "../src/core/capture/pageId.ts";
import { BacopaError } from "../src/core/errors.ts";
import { compare, parseBaseline, withEntries } from "../src/core/lab/baseline.ts";
import type { Baseline, BaselineEntry } from "../src/core/lab/baseline.ts";
import { compareStrategies, makingOnce } from "../src/core/lab/compare.ts";
import type { Comparison } from "../src/core/lab/compare.ts";
import type { FactFile } from "../src/core/lab/factFile.ts";
import { parseFactFile, withFacts } from "../src/core/lab/factFile.ts";
import { prepareQuestions } from "../src/core/lab/gold.ts";
import type { LabPage } from "../src/core/lab/labPage.ts";
import type { CorpusPage } from "../src/core/lab/questions.ts";
import { headlineFigures } from "../src/core/lab/results.ts";
import { figureNames, ScorerMemory } from "../src/core/lab/score.ts";
import { allOf, changeTable, resultTables } from "../src/core/lab/tables.ts";
import { countTokens } from "../src/core/util/tokens.ts";
import { chooseDistiller, defaultAnswersFolder } from "../src/headless/compose.ts";
import { costSentence, spentSentence } from "../src/headless/labCost.ts";
import { corpusFolderOf, projectFolder } from "./lib/corpusFolder.ts";
import { evalHelp, parseEvalOptions } from "./lib/evalOptions.ts";
import type { EvalOptions, Pool } from "./lib/evalOptions.ts";
import { failureList } from "./lib/failureList.ts";

const signal = new AbortController().signal;
const clock = createNodeClock();
const baselineFile = join(projectFolder, "test", "eval", "baseline.json");
/** A fall of a headline figure by more than this share of it fails the run. */
const allowedFall = 0.05;

process.exitCode = await main();

async function main(): Promise<number> {
  let options: EvalOptions | "help";
  try {
    options = parseEvalOptions(process.argv.slice(2));
  } catch (error) {
    note(`${sentenceOf(error)} See "npm run eval -- --help".`);
    return 2;
  }
  if (options === "help") {
    console.log(evalHelp);
    return 0;
  }
  try {
    return await run(options);
  } catch (error) {
    if (!BacopaError.is(error)) throw error;
    note(error.userMessage);
    return 1;
  }
}

interface PoolResult extends Comparison {
  readonly pool: Pool;
}

async function run(options: EvalOptions): Promise<number> {
  const folder = corpusFolderOf(options.corpus);
  if (!existsSync(join(folder, "questions.jsonl")) || !existsSync(join(folder, "manifest.json"))) {
    note(`${folder} is no corpus: it needs manifest.json and questions.jsonl. Name one with --corpus.`);
    return 2;
  }
  const corpus = await openCorpus(folder);
  corpus.problems.forEach(note);
  const chosen = options.strategies.map((strategy) => makingOnce(strategy, clock));
  const distiller = await chooseDistiller("auto", options.model);
  const model =
    distiller.kind === "model"
      ? createAnswerCache(limitCost(distiller.model, options.maxCost), options.answers ?? defaultAnswersFolder())
      : undefined;
  const tools = {
    countTokens,
    embedder: createDocsStaticEmbedder(join(projectFolder, "media", "docs-static")),
    model,
    prompts: createFilePrompts(join(projectFolder, "prompts")),
  };

  const wanted = corpus.pages.filter(({ id }) => options.pages === undefined || options.pages.includes(id));
  const pages =
    options.library !== undefined
      ? await savedPages(options.library, wanted)
      : options.facts !== undefined
        ? await pagesWithFacts(options.facts, corpus, wanted)
        : await readPages(corpus, wanted);
  const { questions, leftOut } = prepareQuestions(corpus.questions, pages);

  const pools = options.pools.filter((pool) => pool === "pages" || corpus.distractors.length > 0);
  const distractors = pools.includes("pages+distractors") ? await readPages(corpus, corpus.distractors) : [];
  costSentence(chosen, [...pages, ...distractors], tools, options.maxCost).forEach(note);
  const memory = new ScorerMemory(countTokens);
  const poolResults: PoolResult[] = [];
  for (const pool of pools) {
    const more = pool === "pages" ? [] : distractors;
    const { results, details } = await compareStrategies(
      {
        corpus: { kind: "corpus", name: pool, distractors: more.length },
        questionSet: { kind: "file", id: corpus.id, leftOut: leftOut.length },
        pages: [...pages, ...more],
        questions,
        strategies: chosen,
        ablations: options.ablations,
        tools,
        returned: options.returned,
        notes: [],
        memory,
        clock,
        onProgress: ({ strategy, done, of }) => note(`${pool}: ${strategy} (${done + 1} of ${of})`),
      },
      signal,
    );
    poolResults.push({ pool, results, details });
    if (!options.json) console.log(`\n${resultTables(results)}`);
    if (options.failures) console.log(`\n${failureList(details)}`);
  }
  if (model !== undefined) spentSentence(model).forEach(note);
  if (options.json)
    console.log(
      JSON.stringify(
        poolResults.map(({ pool, results }) => ({ pool, results })),
        undefined,
        1,
      ),
    );
  const isPart = options.pages !== undefined || options.facts !== undefined || options.library !== undefined;
  if (isPart || options.returned !== "briefs") return 0;
  return compareAndKeep(corpus, poolResults, options);
}

async function readPages(corpus: CorpusFolder, entries: readonly CorpusPage[]): Promise<readonly LabPage[]> {
  const started = performance.now();
  const { pages, problems } = await readCorpusPages(corpus.folder, entries, { countTokens, clock }, signal);
  problems.forEach(note);
  note(`${pages.length} pages cleaned, cut and distilled: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return pages;
}

/** The pages that have facts in the folder, with those facts. */
async function pagesWithFacts(folder: string, corpus: CorpusFolder, wanted: readonly CorpusPage[]): Promise<LabPage[]> {
  const files: FactFile[] = [];
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".json")).sort()) {
    const file = parseFactFile(await readFile(join(folder, name), "utf8"));
    if (file !== undefined) files.push(file);
  }
  const pages = await readPages(
    corpus,
    wanted.filter(({ id }) => files.some(({ page }) => page === id)),
  );
  return pages.flatMap((page) => {
    const file = files.find((one) => one.page === page.corpusId);
    return file === undefined ? [] : [withFacts(page, file, countTokens)];
  });
}

/** The pages of the corpus that the library has, by their address, as they were saved there. */
async function savedPages(folder: string, wanted: readonly CorpusPage[]): Promise<LabPage[]> {
  const { pages, problems } = await pagesOfLibrary(folder, { countTokens }, signal);
  problems.forEach(note);
  return pages.flatMap((page) => {
    const { url, id } = page.saved.page;
    const entry = wanted.find((one) => one.url === url || pageIdOf(canonicalUrl(one.url)) === id);
    if (entry === undefined) note(`${url} is not in the corpus`);
    return entry === undefined ? [] : [{ ...page, corpusId: entry.id }];
  });
}

async function compareAndKeep(
  corpus: CorpusFolder,
  pools: readonly PoolResult[],
  options: EvalOptions,
): Promise<number> {
  const entries = Object.fromEntries(pools.flatMap(entriesOf));
  const baseline: Baseline = existsSync(baselineFile) ? parseBaseline(await readFile(baselineFile, "utf8")) : {};
  const changes = compare(baseline[corpus.id] ?? {}, entries);
  const headline = changes.filter(({ figure }) => headlineFigures.some((one) => one === figure));
  const changed = headline.filter(({ key, relative }) => key.includes("/facts/") || relative !== 0);
  const falls = headline.filter(({ relative }) => relative < -allowedFall);
  if (!options.json && changed.length > 0) {
    console.log(`\n## Facts, and every other row that changed, against the baseline\n\n${changeTable(changed)}`);
  }
  if (options.updateBaseline) {
    await writeFile(baselineFile, `${JSON.stringify(withEntries(baseline, corpus.id, entries), undefined, 1)}\n`);
    note("baseline kept");
    return 0;
  }
  if (changes.length === 0) note("no baseline for this corpus and these strategies: keep one with --update-baseline");
  for (const { key, figure } of falls) note(`${key} ${figure} fell by more than ${allowedFall * 100} %`);
  return falls.length > 0 ? 1 : 0;
}

function entriesOf({ pool, results }: PoolResult): [string, BaselineEntry][] {
  return results.rows.map((row): [string, BaselineEntry] => {
    const all = allOf(row);
    const kept = figureNames.filter((figure) => !figure.startsWith("page@"));
    const figures = Object.fromEntries(kept.map((figure) => [figure, all?.figures[figure] ?? 0]));
    return [`${pool}/${row.key}`, { n: all?.n ?? 0, units: row.units, figures }];
  });
}

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /[.!?]$/u.test(message) ? message : `${message}.`;
}

function note(text: string): void {
  console.error(text);
}
