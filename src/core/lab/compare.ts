/** Compares strategies: each over the same pages, questions, embedder and rankings, with what tells chance from skill. */
import { BacopaError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { rounded } from "./baseline.ts";
import { bootstrapMean, pairedTest } from "./bootstrap.ts";
import { evaluate } from "./evaluate.ts";
import type { ModeResult, StrategyResult } from "./evaluate.ts";
import type { Failure, FailureCause } from "./failures.ts";
import type { LabPage } from "./labPage.ts";
import type { RankingMode } from "./rankings.ts";
import { rankingAblations, rankingModes } from "./rankings.ts";
import type { NoneReport, Spread } from "./report.ts";
import { summarize, valuesOf } from "./report.ts";
import type { ReturnedForm } from "./returned.ts";
import { headlineFigures, intervalFigures, labResultsFormat } from "./results.ts";
import type {
  HeadlineFigure,
  LabComparison,
  LabCorpus,
  LabFigures,
  LabGroup,
  LabQuestions,
  LabReading,
  LabResults,
  LabRow,
  LabSpread,
} from "./results.ts";
import { figureNames, readingLimit } from "./score.ts";
import type { PreparedQuestion, QuestionScore, ScorerMemory } from "./score.ts";
import type { Strategy, StrategyTools, StrategyUnits } from "./strategies.ts";

export interface CompareInput {
  readonly corpus: Omit<LabCorpus, "pages" | "tokens">;
  readonly questionSet: Pick<LabQuestions, "kind" | "id" | "leftOut">;
  readonly pages: readonly LabPage[];
  readonly questions: readonly PreparedQuestion[];
  readonly strategies: readonly Strategy[];
  /** Also rank the facts by meaning alone, with other constants of the fusion, and by fused scores. */
  readonly ablations: boolean;
  readonly tools: StrategyTools;
  readonly returned: ReturnedForm;
  readonly notes: readonly string[];
  readonly memory: ScorerMemory;
  readonly clock: Pick<Clock, "elapsed">;
  readonly onProgress?: ((progress: CompareProgress) => void) | undefined;
}

export interface CompareProgress {
  readonly strategy: string;
  /** Strategies done, this one not counted. */
  readonly done: number;
  readonly of: number;
}

export interface Comparison {
  readonly results: LabResults;
  /** Every question's scores and every miss, for who looks into a figure. */
  readonly details: readonly StrategyResult[];
}

/** A strategy that lacks its tools, or whose model fails, is named in `results.missing`; the others run. */
export async function compareStrategies(input: CompareInput, signal: AbortSignal): Promise<Comparison> {
  const { strategies, pages, questions, tools, returned, memory, clock } = input;
  const details: StrategyResult[] = [];
  const missing: { strategy: string; reason: string }[] = [];
  for (const [done, strategy] of strategies.entries()) {
    input.onProgress?.({ strategy: strategy.name, done, of: strategies.length });
    const lacks = strategy.lacks?.(tools);
    if (lacks !== undefined) {
      missing.push({ strategy: strategy.name, reason: lacks });
      continue;
    }
    const rankings = rankingsOf(strategy, input.ablations);
    try {
      details.push(await evaluate({ strategy, pages, questions, tools, returned, memory, rankings, clock }, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (!BacopaError.is(error)) throw error;
      missing.push({ strategy: strategy.name, reason: error.userMessage });
    }
  }
  const answerable = questions.filter(({ question }) => question.type !== "none").length;
  const { embedder, model } = tools;
  const results: LabResults = {
    format: labResultsFormat,
    corpus: {
      ...input.corpus,
      pages: pages.length,
      tokens: pages.reduce((sum, page) => sum + memory.measured(page.saved.page.text).tokens, 0),
    },
    questions: {
      ...input.questionSet,
      answerable,
      none: questions.length - answerable,
      asked: questions.flatMap(({ question: { id, type } }) => (type === "none" ? [] : { id, type })),
    },
    embedder:
      embedder === undefined ? null : { id: embedder.id, dims: embedder.dims, meaningWeight: embedder.meaningWeight },
    model: model?.id ?? null,
    returned,
    notes: input.notes,
    rows: rowsOf(details),
    missing,
  };
  return { results, details };
}

/** A strategy whose units are made once, however often it is run over the same pages; with the time that took. */
export function makingOnce(strategy: Strategy, clock: Pick<Clock, "elapsed">): Strategy {
  const made = new Map<LabPage, Promise<StrategyUnits>>();
  const make = async (...[page, tools, signal]: Parameters<Strategy["unitsOf"]>): Promise<StrategyUnits> => {
    const started = clock.elapsed();
    const units = await strategy.unitsOf(page, tools, signal);
    return { ...units, ms: units.ms ?? clock.elapsed() - started };
  };
  return {
    ...strategy,
    unitsOf: (page, tools, signal) => {
      let units = made.get(page);
      if (units === undefined) made.set(page, (units = make(page, tools, signal)));
      return units;
    },
  };
}

function rankingsOf(strategy: Strategy, ablations: boolean): readonly RankingMode[] {
  return ablations && strategy.name === "facts" ? [...rankingModes, ...rankingAblations] : rankingModes;
}

interface RowParts {
  readonly key: string;
  readonly result: StrategyResult;
  readonly mode: ModeResult;
}

function rowsOf(details: readonly StrategyResult[]): LabRow[] {
  const parts = details.flatMap((result) =>
    result.modes.map((mode): RowParts => ({ key: `${result.strategy}/${mode.mode}`, result, mode })),
  );
  const best = new Map(headlineFigures.map((figure) => [figure, leaderOf(parts, figure)]));
  return parts.map((part) => {
    const { key, result, mode } = part;
    const facts = parts.find(({ key: other }) => other === `facts/${mode.mode}`);
    return {
      key,
      strategy: result.strategy,
      mode: mode.mode,
      units: result.units,
      meanTokens: Math.round(result.meanTokens * 10) / 10,
      indexBytes: result.indexBytes,
      indexMs: Math.round(result.indexMs),
      usage: result.usage,
      boundaries: result.boundaries,
      groups: groupsOf(mode.scores),
      none: noneOf(mode.none),
      comparisons: headlineFigures.flatMap((figure) => [
        ...comparisonOf(part, facts, figure, "facts"),
        ...comparisonOf(part, best.get(figure), figure, "best"),
      ]),
      values: {
        "recall@5": valuesOf(mode.scores, "recall@5").map(rounded),
        "nuggets@1000": valuesOf(mode.scores, "nuggets@1000").map(rounded),
      },
      misses: { evidence: countsOf(mode.evidenceFailures), nuggets: countsOf(mode.nuggetFailures) },
    };
  });
}

/** Of equal ones the first. */
function leaderOf(parts: readonly RowParts[], figure: HeadlineFigure): RowParts | undefined {
  const sumOf = ({ mode }: RowParts): number => valuesOf(mode.scores, figure).reduce((sum, value) => sum + value, 0);
  return parts.reduce<RowParts | undefined>(
    (best, part) => (best === undefined || sumOf(part) > sumOf(best) ? part : best),
    undefined,
  );
}

function comparisonOf(
  { key, mode }: RowParts,
  other: RowParts | undefined,
  figure: HeadlineFigure,
  against: LabComparison["against"],
): LabComparison[] {
  if (other === undefined || other.key === key) return [];
  const test = pairedTest(valuesOf(mode.scores, figure), valuesOf(other.mode.scores, figure));
  if (test === undefined) return [];
  const { mean, low, high, p } = test;
  return [
    {
      figure,
      against,
      other: other.key,
      difference: rounded(mean),
      low: rounded(low),
      high: rounded(high),
      p: rounded(p),
    },
  ];
}

function groupsOf(scores: readonly QuestionScore[]): LabGroup[] {
  const [all, ...types] = summarize(scores, "type");
  const styles = summarize(scores, "style").slice(1);
  const groupOf = (by: LabGroup["by"], name: string, members: readonly QuestionScore[]): LabGroup => {
    const [summary] = summarize(members, "type");
    const figures = Object.fromEntries(
      figureNames.map((figure) => [figure, rounded(summary?.figures[figure] ?? 0)]),
    ) as Omit<LabFigures, "failed@20">; // exactly `figureNames`
    return {
      by,
      name,
      n: members.length,
      figures: { ...figures, "failed@20": rounded(1 - figures["recall@20"]) },
      intervals: by === "style" ? {} : intervalsOf(members),
      reading: readingOf(members),
    };
  };
  return [
    ...(all === undefined ? [] : [groupOf("all", "all", scores)]),
    ...types.map(({ group }) =>
      groupOf(
        "type",
        group,
        scores.filter(({ question }) => question.type === group),
      ),
    ),
    ...styles.map(({ group }) =>
      groupOf(
        "style",
        group,
        scores.filter(({ question }) => question.style === group),
      ),
    ),
  ];
}

function intervalsOf(scores: readonly QuestionScore[]): LabGroup["intervals"] {
  return Object.fromEntries(
    intervalFigures.flatMap((figure) => {
      const values =
        figure === "failed@20" ? valuesOf(scores, "recall@20").map((value) => 1 - value) : valuesOf(scores, figure);
      const interval = bootstrapMean(values);
      return interval === undefined ? [] : [[figure, [rounded(interval.low), rounded(interval.high)] as const]];
    }),
  );
}

function readingOf(scores: readonly QuestionScore[]): LabReading {
  const perOf = (tokens: readonly (number | undefined)[]): number | null => {
    const found = tokens.filter((one) => one !== undefined).length;
    const read = tokens.reduce<number>((sum, one) => sum + (one ?? readingLimit), 0);
    return found === 0 ? null : Math.round(read / found);
  };
  const all = scores.map(({ reading }) => reading.all);
  return {
    perFirstNugget: perOf(scores.map(({ reading }) => reading.first)),
    perAnswer: perOf(all),
    answered: rounded(all.filter((one) => one !== undefined).length / Math.max(1, all.length)),
  };
}

function noneOf({ answerable, none, separation, wronglyConfident }: NoneReport): LabRow["none"] {
  const spread = ({ n, empty, low, median, high }: Spread): LabSpread => ({
    n,
    empty,
    low: roundedOrNull(low),
    median: roundedOrNull(median),
    high: roundedOrNull(high),
  });
  return {
    answerable: spread(answerable),
    none: spread(none),
    separation: roundedOrNull(separation),
    wronglyConfident: {
      atTenth: roundedOrNull(wronglyConfident.atTenth),
      atMedian: roundedOrNull(wronglyConfident.atMedian),
    },
  };
}

function roundedOrNull(value: number | undefined): number | null {
  return value === undefined ? null : rounded(value);
}

function countsOf(failures: readonly Failure[]): Record<FailureCause, number> {
  const count = (cause: FailureCause): number => failures.filter((failure) => failure.cause === cause).length;
  return {
    cleaning: count("cleaning"),
    cutting: count("cutting"),
    page: count("page"),
    place: count("place"),
    budget: count("budget"),
  };
}
