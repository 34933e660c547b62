/**
 * Retrieval figures of one question, from what each rank of its result list covers.
 *
 * All figures lie in 0..1 and are 0 for an empty list. Ranks are 1-based; `k` counts hits.
 */

/** For each rank, best first: the indexes of the question's snippets that this hit covers. */
export type CoveredByRank = readonly (readonly number[])[];

/** Coverage at k: the share of the question's snippets that the first k hits cover. */
export function recallAt(covered: CoveredByRank, snippets: number, k: number): number {
  return snippets === 0 ? 0 : new Set(covered.slice(0, k).flat()).size / snippets;
}

/** 1 when the first k hits cover every snippet of the question, else 0. */
export function fullCoverageAt(covered: CoveredByRank, snippets: number, k: number): number {
  return recallAt(covered, snippets, k) === 1 ? 1 : 0;
}

/** 1 / the rank of the first hit that covers any snippet, looked for among the first k. */
export function reciprocalRankAt(covered: CoveredByRank, k: number): number {
  const first = covered.slice(0, k).findIndex((snippets) => snippets.length > 0);
  return first === -1 ? 0 : 1 / (first + 1);
}

/**
 * nDCG: a hit's gain is the number of snippets it is the first to cover; the ideal list covers one snippet a rank.
 *
 * A hit that covers two snippets at once beats that ideal list, so the value is cut at 1.
 */
export function ndcgAt(covered: CoveredByRank, snippets: number, k: number): number {
  const seen = new Set<number>();
  let gained = 0;
  covered.slice(0, k).forEach((indexes, position) => {
    const before = seen.size;
    for (const index of indexes) seen.add(index);
    gained += (seen.size - before) * discount(position + 1);
  });
  let ideal = 0;
  for (let rank = 1; rank <= Math.min(snippets, k); rank++) ideal += discount(rank);
  return ideal === 0 ? 0 : Math.min(1, gained / ideal);
}

/** 1 when a hit of one of the gold pages is among the first k. A coarse check only. */
export function pageRecallAt(pageIds: readonly string[], gold: ReadonlySet<string>, k: number): number {
  return pageIds.slice(0, k).some((pageId) => gold.has(pageId)) ? 1 : 0;
}

/** `undefined` for an empty list: no figure is better than a zero that looks like one. */
export function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @param share 0..1, e.g. 0.95. Linear between the two nearest values. `undefined` for an empty list. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)];
  const high = sorted[Math.ceil(at)];
  return low === undefined || high === undefined ? undefined : low + (high - low) * (at - Math.floor(at));
}

/**
 * How well a score tells two groups apart: the chance that a random member of `higher` scores above a random member of
 * `lower`, ties counting half. 0.5 is no separation. `undefined` when a group is empty.
 */
export function separation(higher: readonly number[], lower: readonly number[]): number | undefined {
  if (higher.length === 0 || lower.length === 0) return undefined;
  let wins = 0;
  for (const high of higher) {
    for (const low of lower) wins += high > low ? 1 : high === low ? 0.5 : 0;
  }
  return wins / (higher.length * lower.length);
}

function discount(rank: number): number {
  return 1 / Math.log2(rank + 1);
}
