import { pairedBootstrap } from "./bootstrap.ts";
import type { Interval } from "./bootstrap.ts";

/** What one weight of the ranking by meaning gave: one value a question, same questions in the same order for all. */
export interface WeightedScores {
  /** 0 is words alone. */
  readonly weight: number;
  readonly scores: readonly number[];
}

export interface Fold {
  readonly fold: number;
  /** Questions held out. */
  readonly questions: number;
  /** Best over the other folds; of equal ones the smallest. */
  readonly weight: number;
  /** Means over the questions held out. */
  readonly words: number;
  readonly hybrid: number;
}

export interface CrossValidated {
  readonly folds: readonly Fold[];
  /** Best over all questions; of equal ones the smallest. What to set. */
  readonly weight: number;
  /** Each question by the weight that was chosen without it, minus words alone: what to expect on other questions. */
  readonly gain: Interval | undefined;
}

/**
 * Chooses the weight of the ranking by meaning without looking at the questions it is judged on.
 *
 * @param runs One a weight, words alone (0) among them.
 * @param foldOf Fold of each question. Questions about one page belong into one fold, as they share its words.
 */
export function crossValidateWeight(runs: readonly WeightedScores[], foldOf: readonly number[]): CrossValidated {
  const words = runs.find(({ weight }) => weight === 0)?.scores ?? [];
  const heldOut = [...words];
  const folds = [...new Set(foldOf)]
    .sort((a, b) => a - b)
    .map((fold): Fold => {
      const inside = indexesWhere(foldOf, (other) => other === fold);
      const best = bestOver(
        runs,
        indexesWhere(foldOf, (other) => other !== fold),
      );
      for (const question of inside) heldOut[question] = best?.scores[question] ?? 0;
      return {
        fold,
        questions: inside.length,
        weight: best?.weight ?? 0,
        words: meanOver(words, inside),
        hybrid: meanOver(heldOut, inside),
      };
    });
  const all = words.map((_, question) => question);
  return { folds, weight: bestOver(runs, all)?.weight ?? 0, gain: pairedBootstrap(heldOut, words) };
}

function bestOver(runs: readonly WeightedScores[], questions: readonly number[]): WeightedScores | undefined {
  let best: WeightedScores | undefined;
  for (const run of [...runs].sort((a, b) => a.weight - b.weight)) {
    if (best === undefined || meanOver(run.scores, questions) > meanOver(best.scores, questions) + rounding) best = run;
  }
  return best;
}

/** Sums of the same numbers in another order differ by less. */
const rounding = 1e-9;

function meanOver(scores: readonly number[], questions: readonly number[]): number {
  return questions.reduce((sum, question) => sum + (scores[question] ?? 0), 0) / Math.max(1, questions.length);
}

function indexesWhere(foldOf: readonly number[], wanted: (fold: number) => boolean): number[] {
  return foldOf.flatMap((fold, question) => (wanted(fold) ? [question] : []));
}
