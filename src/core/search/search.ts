import type { FactId, SearchMode } from "../types.ts";
import type { Ranked } from "../util/ranked.ts";
import { reciprocalRankFusion } from "./fuse.ts";

/** How many of each ranking are fused. What both legs place lower can hardly reach the first ten. */
export const legDepth = 50;

/** One entry of the fused list. */
export interface FusedHit {
  readonly id: FactId;
  /** RRF score; compares only within one search. */
  readonly score: number;
  /** 1-based rank in each leg; `null` where the leg did not run or did not find it among its first 50. */
  readonly ranks: { readonly words: number | null; readonly meaning: number | null };
}

export interface SearchInput {
  readonly words: readonly Ranked[];
  /** `undefined`: there is no embedder, or it knows no word of the query. */
  readonly meaning: readonly Ranked[] | undefined;
  /** Weight of the meaning ranking where the words' weight is 1; see `Embedder.meaningWeight`. */
  readonly meaningWeight: number;
  readonly limit: number;
  /** `meaning` without a meaning ranking finds nothing; `hybrid` without one is `words`. */
  readonly mode: SearchMode;
}

/** Merges the ranking by words and the ranking by meaning into one list, best first, at most `limit` entries. */
export function search({ words, meaning, meaningWeight, limit, mode }: SearchInput): FusedHit[] {
  const byWords = mode === "meaning" ? [] : words.slice(0, legDepth);
  const byMeaning = mode === "words" ? [] : (meaning ?? []).slice(0, legDepth);
  const wordRanks = ranksOf(byWords);
  const meaningRanks = ranksOf(byMeaning);
  return reciprocalRankFusion([byWords, byMeaning], [1, mode === "meaning" ? 1 : meaningWeight])
    .slice(0, limit)
    .map(({ id, score }) => ({
      id,
      score,
      ranks: { words: wordRanks.get(id) ?? null, meaning: meaningRanks.get(id) ?? null },
    }));
}

function ranksOf(ranking: readonly Ranked[]): Map<FactId, number> {
  return new Map(ranking.map(({ id }, index) => [id, index + 1]));
}
