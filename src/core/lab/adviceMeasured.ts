/** What measured results say about the choice of a strategy. */
import { pairedBootstrap } from "./bootstrap.ts";
import type { Interval } from "./bootstrap.ts";
import type { QuestionType } from "./questions.ts";

export type AnswerableType = Exclude<QuestionType, "none">;

/** Shares of the expected questions; they need not sum to 1. */
export type QuestionMix = Readonly<Record<AnswerableType, number>>;

/** One strategy as the lab measured it. */
export interface MeasuredStrategy {
  /** As the lab names it, parameters included. */
  readonly name: string;
  /** Units it made. */
  readonly units: number;
  /** Mean of a unit as returned. */
  readonly tokens: number;
  readonly modelCalls: number;
  readonly costUsd: number;
  /** Share of a unit that the one before it holds too; 0 without overlap. */
  readonly overlapShare: number;
  /** One entry a question, the same questions for every strategy. */
  readonly questions: readonly {
    readonly id: string;
    readonly type: AnswerableType;
    readonly recallAt5: number;
    /** Share of the answer's nuggets within 1,000 returned tokens. */
    readonly nuggetsAt1000: number;
  }[];
}

export interface Reasoned<T> {
  readonly value: T;
  readonly reason: string;
}

export interface Choice extends Reasoned<string> {
  /** A unit's. */
  readonly tokens: number;
}

export interface MeasuredChoice {
  readonly measured: readonly MeasuredStrategy[];
  readonly mix: QuestionMix;
  readonly hasModel: boolean;
  /** Answers must quote the page's own wording. */
  readonly quotesWording: boolean;
  /** The text changes faster than a model can follow. */
  readonly changesByMinutes: boolean;
}

/** Questions from which measured results may decide (lesson: a 50-query evaluation set). */
export const enoughQuestions = 50;

/** Strategies whose units a model writes. */
const writtenByModel = new Set(["contextual", "propositions", "agentic"]);

/** The best strategy by measurement; among those that noise cannot tell from it, the one that costs least. */
export function bestMeasured({
  measured,
  mix,
  hasModel,
  quotesWording,
  changesByMinutes,
}: MeasuredChoice): Choice | undefined {
  const usable = measured.filter(
    ({ name, questions, modelCalls }) =>
      questions.length >= enoughQuestions &&
      (hasModel || modelCalls === 0) &&
      !(changesByMinutes && (modelCalls > 0 || writtenByModel.has(familyOf(name)))) &&
      !(quotesWording && rewrites(name)),
  );
  const scored = usable
    .map((strategy) => ({ strategy, values: valuesOf(strategy, mix) }))
    .map((entry) => ({ ...entry, score: sum(entry.values) / Math.max(1, entry.values.length) }))
    .toSorted((a, b) => b.score - a.score);
  const [best] = scored;
  if (best === undefined) return undefined;
  const ties = scored.filter(({ strategy, values }) => {
    if (strategy === best.strategy) return true;
    const paired = pairedBy(best.strategy, strategy, best.values, values);
    return paired !== undefined && paired.low <= 0;
  });
  const [cheapest = best] = ties.toSorted((a, b) => a.strategy.costUsd - b.strategy.costUsd || b.score - a.score);
  const { strategy } = cheapest;
  const recall = mean(strategy.questions.map(({ recallAt5 }) => recallAt5));
  const nuggets = mean(strategy.questions.map(({ nuggetsAt1000 }) => nuggetsAt1000));
  const figures = `recall@5 ${recall.toFixed(3)}, ${(nuggets * 100).toFixed(0)} % of the answers' nuggets in 1,000 tokens (n = ${strategy.questions.length})`;
  const others = ties.length - 1;
  const tie =
    others === 0
      ? "No other strategy is within noise of it."
      : `${others} other ${others === 1 ? "strategy is" : "strategies are"} within noise of the best; this one costs least.`;
  return { value: strategy.name, tokens: strategy.tokens, reason: `Measured on these pages: ${figures}. ${tie}` };
}

/**
 * A question's value: does the right place come up, and does the answer fit into a budget? Recall alone favors large units, nuggets
 * alone small ones. Weighted so that the types count as the expected questions have them.
 */
function valuesOf({ questions }: MeasuredStrategy, mix: QuestionMix): number[] {
  const counts: Record<AnswerableType, number> = { factoid: 0, analytical: 0, multihop: 0 };
  for (const { type } of questions) counts[type]++;
  const total = sum(Object.values(mix)) || 1;
  return questions.map(({ type, recallAt5, nuggetsAt1000 }) => {
    const weight = (mix[type] / total) * (questions.length / counts[type]);
    return (weight * (recallAt5 + nuggetsAt1000)) / 2;
  });
}

function pairedBy(
  a: MeasuredStrategy,
  b: MeasuredStrategy,
  valuesA: readonly number[],
  valuesB: readonly number[],
): Interval | undefined {
  const byId = new Map(b.questions.map(({ id }, at) => [id, valuesB[at] ?? 0]));
  const shared = a.questions.flatMap(({ id }, at) => {
    const other = byId.get(id);
    return other === undefined ? [] : [{ mine: valuesA[at] ?? 0, other }];
  });
  return pairedBootstrap(
    shared.map(({ mine }) => mine),
    shared.map(({ other }) => other),
  );
}

/** Whether a measured strategy with about this overlap beats the same one without, beyond noise. */
export function overlapHelps(share: number, measured: readonly MeasuredStrategy[]): boolean {
  return measured.some((one) => {
    if (one.overlapShare < share * 0.8) return false;
    const plain = measured.find(
      (other) => other.overlapShare === 0 && familyOf(other.name) === familyOf(one.name) && other.questions.length > 0,
    );
    if (plain === undefined) return false;
    const even: QuestionMix = { factoid: 1, analytical: 1, multihop: 1 };
    const paired = pairedBy(one, plain, valuesOf(one, even), valuesOf(plain, even));
    return paired !== undefined && paired.low > 0;
  });
}

/** `recursive:512:100` is of the family `recursive`. */
export function familyOf(name: string): string {
  return name.split(/[:(+]/u)[0] ?? name;
}

function rewrites(name: string): boolean {
  return ["facts", "propositions", "agentic"].includes(familyOf(name));
}

function mean(values: readonly number[]): number {
  return sum(values) / Math.max(1, values.length);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
