/** Ways to rank the units of one index: by words, by meaning, and both merged. */
import { reciprocalRankFusion } from "../search/fuse.ts";
import { legDepth } from "../search/search.ts";
import type { Ranked } from "../util/ranked.ts";
import { compareRanked } from "../util/ranked.ts";

/** The two legs of one search, best first. `meaning` is `undefined` where the embedder knows no word of the query. */
export interface Legs {
  readonly words: readonly Ranked[];
  readonly meaning: readonly Ranked[] | undefined;
  /** Of the embedder, see `Embedder.meaningWeight`. */
  readonly meaningWeight: number;
}

/** One way to make a single ranking of the two legs. */
export interface RankingMode {
  /** As results and baselines name it. */
  readonly name: string;
  readonly needsEmbedder: boolean;
  /** What the best hit's own score is, to tell a good fit from a poor one: fused scores only order. */
  readonly confidence: "words" | "meaning";
  rank(legs: Legs): readonly Ranked[];
}

const words: RankingMode = {
  name: "words",
  needsEmbedder: false,
  confidence: "words",
  rank: (legs) => legs.words.slice(0, legDepth),
};

/** As the product searches: reciprocal rank fusion, k = 60. */
const hybrid: RankingMode = rrf("hybrid", 60);

const meaning: RankingMode = {
  name: "meaning",
  needsEmbedder: true,
  confidence: "meaning",
  rank: (legs) => (legs.meaning ?? []).slice(0, legDepth),
};

/** What each strategy is ranked by. */
export const rankingModes: readonly RankingMode[] = [words, hybrid];

/** Ablations: the other leg alone, other constants of the fusion, and scores in place of ranks. */
export const rankingAblations: readonly RankingMode[] = [
  meaning,
  rrf("hybrid k=10", 10),
  rrf("hybrid k=30", 30),
  rrf("hybrid k=100", 100),
  {
    name: "hybrid scores",
    needsEmbedder: true,
    confidence: "words",
    rank: (legs) => scoreFusion(legs.words.slice(0, legDepth), (legs.meaning ?? []).slice(0, legDepth)),
  },
];

function rrf(name: string, k: number): RankingMode {
  return {
    name,
    needsEmbedder: true,
    confidence: "words",
    rank: (legs) =>
      reciprocalRankFusion(
        [legs.words.slice(0, legDepth), (legs.meaning ?? []).slice(0, legDepth)],
        [1, legs.meaningWeight],
        k,
      ),
  };
}

/**
 * The sum of the BM25 score as a share of the best one and 0.8 times the cosine as a share of the best one.
 * The weight is a fixed choice between the two legs, not tuned to any corpus.
 */
function scoreFusion(byWords: readonly Ranked[], byMeaning: readonly Ranked[]): Ranked[] {
  const scores = new Map<string, number>();
  const add = (ranking: readonly Ranked[], weight: number): void => {
    const best = ranking[0]?.score ?? 0;
    if (best <= 0) return;
    for (const { id, score } of ranking) scores.set(id, (scores.get(id) ?? 0) + (weight * Math.max(0, score)) / best);
  };
  add(byWords, 1);
  add(byMeaning, 0.8);
  return [...scores].map(([id, score]) => ({ id, score })).sort(compareRanked);
}
