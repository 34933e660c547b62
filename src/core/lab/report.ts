/** Sums up question scores by type, style or as a whole. */
import type { Interval } from "./bootstrap.ts";
import { bootstrapMean } from "./bootstrap.ts";
import { mean, quantile, separation } from "./metrics.ts";
import { figuresFrom } from "./score.ts";
import type { FigureName, QuestionScore } from "./score.ts";

export interface Summary {
  /** `all`, a question type or a style. */
  readonly group: string;
  readonly n: number;
  readonly figures: QuestionScore["figures"];
}

/** `all` first, then each group in order of its first question. */
export function summarize(scores: readonly QuestionScore[], by: "type" | "style"): Summary[] {
  return [summaryOf("all", scores), ...groupedBy(scores, by).map(([group, members]) => summaryOf(group, members))];
}

/** 95 % bootstrap interval of one figure over the questions. */
export function intervalOf(scores: readonly QuestionScore[], figure: FigureName): Interval | undefined {
  return bootstrapMean(valuesOf(scores, figure));
}

export function valuesOf(scores: readonly QuestionScore[], figure: FigureName): number[] {
  return scores.map(({ figures }) => figures[figure]);
}

/** How the best score of a search tells questions without an answer from those with one. */
export interface NoneReport {
  readonly answerable: Spread;
  readonly none: Spread;
  /** Chance that an answerable question's best score is the higher one; 0.5 is no separation. */
  readonly separation: number | undefined;
  /** How often a search without an answer looks as good as one with it. */
  readonly wronglyConfident: WronglyConfident;
}

/** Shares of the questions without an answer whose best hit scores at least as well as ... `undefined` without any. */
export interface WronglyConfident {
  /** ... the weakest tenth of the answerable questions' best hits: a bar that lets nine of ten of those through. */
  readonly atTenth: number | undefined;
  /** ... their median: as sure as an ordinary right answer. */
  readonly atMedian: number | undefined;
}

export interface Spread {
  readonly n: number;
  /** Searches without any hit. */
  readonly empty: number;
  /** Of the best scores; `undefined` without any. */
  readonly low: number | undefined;
  readonly median: number | undefined;
  readonly high: number | undefined;
}

/** @param answerable Best score of each search, `undefined` when nothing was found. */
export function noneReport(
  answerable: readonly (number | undefined)[],
  none: readonly (number | undefined)[],
): NoneReport {
  return {
    answerable: spreadOf(answerable),
    none: spreadOf(none),
    // A search without a hit is the surest sign of "no answer".
    separation: separation(
      answerable.map((score) => score ?? -Infinity),
      none.map((score) => score ?? -Infinity),
    ),
    wronglyConfident: {
      atTenth: shareAbove(none, quantile(foundOf(answerable), 0.1)),
      atMedian: shareAbove(none, quantile(foundOf(answerable), 0.5)),
    },
  };
}

function shareAbove(scores: readonly (number | undefined)[], bar: number | undefined): number | undefined {
  return bar === undefined ? undefined : mean(scores.map((score) => (score !== undefined && score >= bar ? 1 : 0)));
}

function foundOf(scores: readonly (number | undefined)[]): number[] {
  return scores.filter((score) => score !== undefined);
}

function spreadOf(scores: readonly (number | undefined)[]): Spread {
  const found = foundOf(scores);
  return {
    n: scores.length,
    empty: scores.length - found.length,
    low: quantile(found, 0.1),
    median: quantile(found, 0.5),
    high: quantile(found, 0.9),
  };
}

function summaryOf(group: string, scores: readonly QuestionScore[]): Summary {
  return { group, n: scores.length, figures: figuresFrom((figure) => mean(valuesOf(scores, figure)) ?? 0) };
}

function groupedBy(scores: readonly QuestionScore[], by: "type" | "style"): [string, QuestionScore[]][] {
  const groups = new Map<string, QuestionScore[]>();
  for (const score of scores) {
    const group = groups.get(score.question[by]);
    if (group === undefined) groups.set(score.question[by], [score]);
    else group.push(score);
  }
  return [...groups];
}
