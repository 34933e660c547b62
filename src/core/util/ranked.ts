import type { FactId } from "../types.ts";

/** One entry of a ranking, best first. Scores compare only within one ranking. */
export interface Ranked {
  readonly id: FactId;
  readonly score: number;
}

/** The order of every ranking: better score first, equal scores by id, so that the same search always gives the same list. */
export function compareRanked(a: Ranked, b: Ranked): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
