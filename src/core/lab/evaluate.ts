/** Runs a strategy over a corpus: builds its index, asks every question, scores the answers. */
import { FactIndex } from "../index/factIndex.ts";
import type { Clock } from "../ports.ts";
import { renderPageHead } from "../render.ts";
import type { Span } from "../types.ts";
import type { Boundaries } from "./boundaries.ts";
import { boundariesOf, sumOfBoundaries } from "./boundaries.ts";
import { cutToBudget } from "./budget.ts";
import type { Failure } from "./failures.ts";
import { evidenceFailures, nuggetFailures } from "./failures.ts";
import type { LabPage } from "./labPage.ts";
import type { Legs, RankingMode } from "./rankings.ts";
import { rankingModes } from "./rankings.ts";
import type { NoneReport } from "./report.ts";
import { noneReport } from "./report.ts";
import type { ReturnedForm } from "./returned.ts";
import type { LabUnit, PreparedQuestion, QuestionScore } from "./score.ts";
import { createScorer } from "./score.ts";
import type { ScorerMemory } from "./score.ts";
import type { Strategy, StrategyTools, StrategyUnit } from "./strategies.ts";

export interface EvaluationInput {
  readonly strategy: Strategy;
  /** The whole pool, distractors included. */
  readonly pages: readonly LabPage[];
  readonly questions: readonly PreparedQuestion[];
  readonly tools: StrategyTools;
  readonly returned: ReturnedForm;
  /** Shared between runs, so that no text is counted twice. */
  readonly memory: ScorerMemory;
  /** Default: by words, and merged with meaning where there is an embedder. */
  readonly rankings?: readonly RankingMode[] | undefined;
  /** For the time that indexing takes; without one it is told as 0. */
  readonly clock?: Pick<Clock, "elapsed"> | undefined;
}

export interface StrategyResult {
  readonly strategy: string;
  readonly units: number;
  readonly meanTokens: number;
  /** What a model wrote: for the strategy itself, or the facts when their page was saved; zeros without one. */
  readonly usage: Usage;
  /** Of the index as it would be written: words, and vectors where there is an embedder. */
  readonly indexBytes: number;
  /** Cutting or writing, embedding and indexing; for facts with the time of distilling. */
  readonly indexMs: number;
  readonly boundaries: Boundaries;
  readonly modes: readonly ModeResult[];
}

export interface Usage {
  readonly calls: number;
  readonly in: number;
  readonly out: number;
  readonly costUsd: number;
}

export interface ModeResult {
  /** A `RankingMode.name`. */
  readonly mode: string;
  /** Of the questions with gold, in their order. */
  readonly scores: readonly QuestionScore[];
  /** By best score of the ranking by words: RRF scores say nothing about how well the best hit fits. */
  readonly none: NoneReport;
  readonly evidenceFailures: readonly Failure[];
  /** At the smallest budget. */
  readonly nuggetFailures: readonly Failure[];
}

export async function evaluate(input: EvaluationInput, signal: AbortSignal): Promise<StrategyResult> {
  const { strategy, pages, questions, tools, rankings = rankingModes } = input;
  const { embedder } = tools;
  const elapsed = (): number => input.clock?.elapsed() ?? 0;
  const index = FactIndex.create({ embedderId: embedder?.id, dims: embedder?.dims });
  const unitsById = new Map<string, StrategyUnit>();
  const usage = { calls: 0, in: 0, out: 0, costUsd: 0 };
  const boundaries: Boundaries[] = [];
  let indexMs = 0;
  for (const page of pages) {
    signal.throwIfAborted();
    const started = elapsed();
    const made = await strategy.unitsOf(page, tools, signal);
    const cut = elapsed();
    const vectors = await vectorsOf(made.units, tools, signal);
    const indexUnits = made.units.map((unit) => unit.index);
    index.putPage(page.saved.page.id, "1", indexUnits, vectors);
    indexMs += elapsed() - cut + (made.ms ?? cut - started);
    for (const unit of made.units) unitsById.set(unit.index.id, unit);
    const spent = strategy.hasBrief ? spentOnFacts(page) : made.usage;
    for (const figure of ["calls", "in", "out", "costUsd"] as const) usage[figure] += spent?.[figure] ?? 0;
    if (strategy.hasBrief) indexMs += page.saved.figures.ms.distill;
    boundaries.push(boundariesOf(page.saved.page.text, spansOf(made.units)));
  }
  const vectors = await embedder?.embed(
    questions.map(({ question }) => question.query),
    "query",
    signal,
  );
  const searches: Searched[] = [];
  for (const [at, prepared] of questions.entries()) {
    const vector = vectors?.[at];
    const words = index.searchWords(prepared.question.query, searchDepth);
    const meaning = vector === undefined ? undefined : await index.searchMeaning(vector, searchDepth);
    searches.push({ prepared, legs: { words, meaning, meaningWeight: embedder?.meaningWeight ?? 0 } });
  }
  const modes: ModeResult[] = [];
  for (const mode of rankings) {
    if (mode.needsEmbedder && embedder === undefined) continue;
    signal.throwIfAborted();
    const ranked = searches.map(({ prepared, legs }) => ({
      prepared,
      best: legs[mode.confidence]?.[0]?.score,
      units: eachOnce(mode.rank(legs).flatMap(({ id }) => unitsById.get(id)?.lab ?? [])),
    }));
    modes.push(modeResult(mode.name, ranked, [...unitsById.values()], input));
  }
  const tokens = [...unitsById.values()].reduce((sum, unit) => sum + unit.tokens, 0);
  return {
    strategy: strategy.name,
    units: unitsById.size,
    meanTokens: tokens / Math.max(1, unitsById.size),
    usage,
    indexBytes: await bytesOf(index),
    indexMs,
    boundaries: sumOfBoundaries(boundaries),
    modes,
  };
}

interface Searched {
  readonly prepared: PreparedQuestion;
  readonly legs: Legs;
}

async function bytesOf(index: FactIndex): Promise<number> {
  let bytes = 0;
  for await (const piece of index.save()) bytes += piece.length;
  return bytes;
}

function spentOnFacts({ saved: { figures } }: LabPage): Usage {
  return { calls: figures.calls, costUsd: figures.costUsd, ...figures.tokens };
}

/** Where the returned texts are from; several units may return one text. */
function spansOf(units: readonly StrategyUnit[]): Span[] {
  return eachOnce(units.map(({ lab }) => lab)).flatMap(({ span }) => span ?? []);
}

async function vectorsOf(
  units: readonly StrategyUnit[],
  { embedder }: StrategyTools,
  signal: AbortSignal,
): Promise<(Float32Array | undefined)[] | undefined> {
  if (embedder === undefined) return undefined;
  const plain = units.filter(({ vector }) => vector === undefined);
  const texts = plain.map(({ index }) => index.meaningText);
  const embedded = await embedder.embed(texts, "passage", signal);
  const byUnit = new Map(plain.map((unit, at) => [unit, embedded[at]]));
  return units.map((unit) => unit.vector ?? byUnit.get(unit));
}

/** The first of each id: several small units may stand for one larger text. */
function eachOnce(units: readonly LabUnit[]): LabUnit[] {
  const seen = new Set<string>();
  return units.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Hits asked for: 50 facts of 60 tokens still fill the largest budget. */
const searchDepth = 50;
/** Tokens; where misses are explained. */
const explainedBudget = 500;

interface RankedQuestion {
  readonly prepared: PreparedQuestion;
  readonly best: number | undefined;
  readonly units: readonly LabUnit[];
}

function modeResult(
  mode: string,
  ranked: readonly RankedQuestion[],
  units: readonly StrategyUnit[],
  { strategy, pages, returned, memory }: EvaluationInput,
): ModeResult {
  const byPage = new Map(pages.map((page) => [page.corpusId, page]));
  const pageHeadOf = strategy.hasBrief && returned !== "facts" ? (page: string) => headOf(byPage.get(page)) : undefined;
  const sourceLineOf =
    strategy.hasBrief && returned === "rendered"
      ? (unit: LabUnit) => sourceLine(unit, byPage.get(unit.page))
      : undefined;
  const shown = sourceLineOf === undefined ? undefined : withSourceLines(sourceLineOf);
  const scorer = createScorer({ pageHeadOf, memory });
  const labUnits = units.map(({ lab }) => lab);
  const goldUnits = (goldPages: ReadonlySet<string>): LabUnit[] => labUnits.filter(({ page }) => goldPages.has(page));

  const scores: QuestionScore[] = [];
  const evidence: Failure[] = [];
  const nuggets: Failure[] = [];
  for (const { prepared, units: hits } of ranked) {
    if (prepared.question.type === "none") continue;
    const returnedHits = shown === undefined ? hits : hits.map(shown);
    const score = scorer.score(prepared, returnedHits);
    scores.push(score);
    const pool = goldUnits(prepared.goldPages);
    if (score.figures["recall@10"] < 1) evidence.push(...evidenceFailures(prepared, score, hits, pool, scorer));
    if (score.figures["nuggets@500"] < 1) {
      const text = cutToBudget(scorer.returnedTexts(returnedHits), explainedBudget);
      nuggets.push(
        ...nuggetFailures(prepared, text, hits, pool, (page) => byPage.get(page)?.saved.page.text ?? "", memory),
      );
    }
  }
  const bestOf = (isNone: boolean): (number | undefined)[] =>
    ranked.filter(({ prepared }) => (prepared.question.type === "none") === isNone).map(({ best }) => best);
  return {
    mode,
    scores,
    none: noneReport(bestOf(false), bestOf(true)),
    evidenceFailures: evidence,
    nuggetFailures: nuggets,
  };
}

function headOf(page: LabPage | undefined): string | undefined {
  if (page === undefined) return undefined;
  const { title, url } = page.saved.page;
  return renderPageHead({ title, url, brief: page.saved.brief });
}

/** As render.ts names a hit's source, less the heading path; what counts is its length. */
function sourceLine(unit: LabUnit, page: LabPage | undefined): string {
  return `[fact ${unit.id}, ${page?.saved.page.url ?? ""}]`;
}

/** Each unit is changed once, since scorers remember units by identity. */
function withSourceLines(lineOf: (unit: LabUnit) => string): (unit: LabUnit) => LabUnit {
  const changed = new Map<LabUnit, LabUnit>();
  return (unit) => {
    let known = changed.get(unit);
    if (known === undefined) changed.set(unit, (known = { ...unit, text: `${unit.text}\n\n${lineOf(unit)}` }));
    return known;
  };
}
