import type { FactId } from "../types.ts";
import { compareRanked, type Ranked } from "../util/ranked.ts";

/**
 * Reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009): an id scores the sum of `weight / (k + rank)` over the
 * rankings that hold it, rank counted from 1. Only ranks count, so rankings of different scales may meet.
 *
 * @param rankings Each best first and without repeats.
 * @param weights One a ranking, 0 or more; a missing weight is 1. A ranking of weight 0 changes nothing.
 * @param k Larger values flatten the difference between the first ranks. 60 is the paper's value.
 * @returns Best first, equal scores by id.
 */
export function reciprocalRankFusion(
  rankings: readonly (readonly Ranked[])[],
  weights: readonly number[] = [],
  k = 60,
): Ranked[] {
  const scores = new Map<FactId, number>();
  rankings.forEach((ranking, leg) => {
    const weight = weights[leg] ?? 1;
    if (weight === 0) return;
    ranking.forEach(({ id }, index) => scores.set(id, (scores.get(id) ?? 0) + weight / (k + index + 1)));
  });
  return [...scores].map(([id, score]) => ({ id, score })).sort(compareRanked);
}
