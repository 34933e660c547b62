/** Measures how well saved pages can be searched. `npm run eval -- --help` lists the options. */
import { existsSync } from "node:fs";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createDocsStaticEmbedder } from "../src/adapters/embedders/docsStatic.ts";
import { createFilePrompts } from "../src/adapters/filePrompts.ts";
import { createFileStorage } from "../src/adapters/storage/fileStorage.ts";
import { canonicalUrl } from "../src/core/capture/canonicalUrl.ts";
import { pageIdOf } from "../src/core/capture/pageId.ts";
import { BacopaError } from "../src/core/errors.ts";
import { compare, parseBaseline, rounded, withEntries } from "../src/core/lab/baseline.ts";
import type { Baseline, BaselineEntry } from "../src/core/lab/baseline.ts";
import { evaluate } from "../src/core/lab/evaluate.ts";
import type { StrategyResult } from "../src/core/lab/evaluate.ts";
import type { FactFile } from "../src/core/lab/factFile.ts";
import { parseFactFile, withFacts } from "../src/core/lab/factFile.ts";
import { readLabPage } from "../src/core/lab/labPage.ts";
import type { LabPage } from "../src/core/lab/labPage.ts";
import { matchingText } from "../src/core/lab/matching.ts";
import type { CorpusPage, Question } from "../src/core/lab/questions.ts";
import { summarize } from "../src/core/lab/report.ts";
import { figureNames, prepareQuestion, ScorerMemory } from "../src/core/lab/score.ts";
import { factAblations, parseStrategyName, strategies } from "../src/core/lab/strategies.ts";
import type { Strategy, StrategyTools, StrategyUnits } from "../src/core/lab/strategies.ts";
import { countTokens } from "../src/core/util/tokens.ts";
import { corpusFolderOf, openCorpus, projectFolder, rawPageOf } from "./lib/corpusFolder.ts";
import type { CorpusFolder } from "./lib/corpusFolder.ts";
import { evalHelp, parseEvalOptions } from "./lib/evalOptions.ts";
import type { EvalOptions, Pool } from "./lib/evalOptions.ts";
import {
  changeTable,
  failureList,
  failureTable,
  groupTables,
  headlineFigures,
  intervalTable,
  mainTable,
  noneTable,
} from "./lib/evalReport.ts";

const signal = new AbortController().signal;
const baselineFile = join(projectFolder, "test", "eval", "baseline.json");
/** A fall of a headline figure by more than this share of it fails the run. */
const allowedFall = 0.05;

const options = readOptions();
if (options === "help") console.log(evalHelp);
else process.exitCode = await run(options);

interface PoolResult {
  readonly pool: Pool;
  readonly questions: number;
  readonly pages: number;
  readonly results: readonly StrategyResult[];
}

async function run(options: EvalOptions): Promise<number> {
  const corpus = await openCorpus(corpusFolderOf(options.corpus));
  for (const problem of corpus.problems) console.error(problem);
  const embedder = createDocsStaticEmbedder(join(projectFolder, "media", "docs-static"));

  const tools: StrategyTools = {
    countTokens,
    embedder,
    model: undefined,
    prompts: createFilePrompts(join(projectFolder, "prompts")),
  };
  const chosen = chosenStrategies(options, tools).map(remembering);

  const wanted = corpus.pages.filter(({ id }) => options.pages === undefined || options.pages.includes(id));
  const pages =
    options.library !== undefined
      ? await pagesOfLibrary(options.library, wanted)
      : options.facts !== undefined
        ? await pagesWithFacts(options.facts, corpus, wanted)
        : await readPages(corpus, wanted);
  const held = new Set(pages.map(({ corpusId }) => corpusId));
  const byId = new Map(pages.map((page) => [page.corpusId, page]));
  const prepared = corpus.questions
    .filter(({ gold }) => gold.every(({ page }) => held.has(page)))
    .map((question: Question) => prepareQuestion(question, (page) => byId.get(page)?.matching));

  const pools = options.pools.filter((pool) => pool === "pages" || corpus.distractors.length > 0);
  const distractors = pools.includes("pages+distractors") ? await readPages(corpus, corpus.distractors) : [];
  const poolResults: PoolResult[] = [];
  const memory = new ScorerMemory(countTokens);
  for (const pool of pools) {
    const poolPages = pool === "pages" ? pages : [...pages, ...distractors];
    const results: StrategyResult[] = [];
    for (const strategy of chosen) {
      const started = performance.now();
      const { returned } = options;
      results.push(
        await evaluate({ strategy, pages: poolPages, questions: prepared, tools, returned, memory }, signal),
      );
      note(`${strategy.name} over ${poolPages.length} pages: ${seconds(started)}`);
    }
    poolResults.push({ pool, questions: prepared.length, pages: poolPages.length, results });
  }

  if (options.json) console.log(JSON.stringify(jsonOf(corpus, poolResults), undefined, 1));
  else for (const result of poolResults) printPool(result, corpus, options);
  const isPart = options.pages !== undefined || options.facts !== undefined || options.library !== undefined;
  if (isPart || options.returned !== "briefs") return 0;
  return compareAndKeep(corpus, poolResults, options);
}

function chosenStrategies({ strategies: names, ablations }: EvalOptions, tools: StrategyTools): readonly Strategy[] {
  const runnable = strategies.filter((strategy) => strategy.lacks?.(tools) === undefined);
  const all = [...runnable, ...(ablations ? factAblations : [])];
  if (names === undefined) return all;
  return names.flatMap((name) => {
    const strategy = parseStrategyName(name);
    if (typeof strategy === "string") return fail(strategy);
    const lack = strategy.lacks?.(tools);
    if (lack === undefined) return strategy;
    note(`${name} is left out: ${lack}`);
    return [];
  });
}

/** Units are the same in each pool: they are made once. */
function remembering(strategy: Strategy): Strategy {
  const made = new Map<LabPage, Promise<StrategyUnits>>();
  return {
    ...strategy,
    unitsOf: (page, tools, stop) => {
      let units = made.get(page);
      if (units === undefined) made.set(page, (units = strategy.unitsOf(page, tools, stop)));
      return units;
    },
  };
}

async function readPages(corpus: CorpusFolder, entries: readonly CorpusPage[]): Promise<LabPage[]> {
  const started = performance.now();
  const pages: LabPage[] = [];
  for (const entry of entries) {
    try {
      const raw = await rawPageOf(corpus.folder, entry);
      pages.push(readLabPage({ corpusId: entry.id, raw, url: entry.url, countTokens, now: new Date() }));
    } catch (error) {
      if (!BacopaError.is(error)) throw error;
      console.error(`${entry.id} was refused: ${error.reason}`);
    }
  }
  note(`${pages.length} pages cleaned, cut and distilled: ${seconds(started)}`);
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
async function pagesOfLibrary(folder: string, wanted: readonly CorpusPage[]): Promise<LabPage[]> {
  const storage = createFileStorage(folder);
  const pages: LabPage[] = [];
  for (const id of (await storage.revisions()).keys()) {
    const saved = await storage.readPage(id);
    if (saved === undefined) continue;
    const entry = wanted.find(({ url }) => saved.page.url === url || pageIdOf(canonicalUrl(url)) === id);
    if (entry === undefined) console.error(`${saved.page.url} is not in the corpus`);
    else pages.push({ corpusId: entry.id, saved, matching: matchingText(saved.page.text) });
  }
  return pages;
}

function printPool({ pool, questions, pages, results }: PoolResult, corpus: CorpusFolder, options: EvalOptions): void {
  console.log(
    `\n# ${pool}: ${pages} pages, ${questions} questions (corpus ${corpus.id}), returned: ${options.returned}\n`,
  );
  console.log(mainTable(results));
  console.log(`\n## 95 % intervals (bootstrap over questions)\n\n${intervalTable(results)}`);
  console.log(`\n## Per type\n\n${groupTables(results, "type")}`);
  if (options.styles) console.log(`\n## Per style\n\n${groupTables(results, "style")}`);
  console.log(`\n## Questions without an answer (scores of the ranking by words)\n\n${noneTable(results)}`);
  console.log(`\n## Causes of misses\n\n${failureTable(results)}`);
  if (options.failures) console.log(`\n${failureList(results)}`);
}

function jsonOf(corpus: CorpusFolder, pools: readonly PoolResult[]): unknown {
  return {
    corpus: corpus.id,
    pools: pools.map(({ pool, pages, results }) => ({
      pool,
      pages,
      strategies: results.map(({ strategy, units, meanTokens, modes }) => ({
        strategy,
        units,
        meanTokens,
        modes: modes.map(({ mode, scores, none, evidenceFailures, nuggetFailures }) => ({
          mode,
          types: summarize(scores, "type"),
          styles: summarize(scores, "style"),
          none,
          failures: { evidence: evidenceFailures, nuggets: nuggetFailures },
          questions: scores.map(({ question, figures }) => ({ id: question.id, figures })),
        })),
      })),
    })),
  };
}

async function compareAndKeep(
  corpus: CorpusFolder,
  pools: readonly PoolResult[],
  options: EvalOptions,
): Promise<number> {
  const entries = Object.fromEntries(pools.flatMap(entriesOf));
  const baseline: Baseline = existsSync(baselineFile) ? parseBaseline(await readFile(baselineFile, "utf8")) : {};
  const changes = compare(baseline[corpus.id] ?? {}, entries);
  const headline = changes.filter(
    ({ key, figure }) => key.includes("/facts/") && headlineFigures.some((one) => one === figure),
  );
  const falls = headline.filter(({ relative }) => relative < -allowedFall);
  if (!options.json && headline.length > 0) console.log(`\n## Facts against the baseline\n\n${changeTable(headline)}`);
  if (options.updateBaseline) {
    await writeFile(baselineFile, `${JSON.stringify(withEntries(baseline, corpus.id, entries), undefined, 1)}\n`);
    note("baseline kept");
    return 0;
  }
  if (changes.length === 0) note("no baseline for this corpus and these strategies: keep one with --update-baseline");
  for (const { key, figure } of falls) console.error(`${key} ${figure} fell by more than ${allowedFall * 100} %`);
  return falls.length > 0 ? 1 : 0;
}

function entriesOf({ pool, results }: PoolResult): [string, BaselineEntry][] {
  return results.flatMap(({ strategy, units, modes }) =>
    modes.map(({ mode, scores }): [string, BaselineEntry] => {
      const [all] = summarize(scores, "type");
      const kept = figureNames.filter((figure) => !figure.startsWith("page@"));
      const figures = Object.fromEntries(kept.map((figure) => [figure, rounded(all?.figures[figure] ?? 0)]));
      return [`${pool}/${strategy}/${mode}`, { n: scores.length, units, figures }];
    }),
  );
}

function readOptions(): EvalOptions | "help" {
  try {
    return parseEvalOptions(process.argv.slice(2));
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${evalHelp}`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function note(text: string): void {
  console.error(text);
}

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
