import type { Library } from "../library.ts";
import type { FactId, Hit } from "../types.ts";
import { knownFacts, searchQueryOf } from "./conversation.ts";
import type { Turn } from "./conversation.ts";
import { covers } from "./coverage.ts";

/** A fact with the number under which the prompt and the answer name it. */
export interface NumberedHit {
  readonly number: number;
  readonly hit: Hit;
  /** The person knows it from earlier in the conversation: it helps the model and is not shown again. */
  readonly seen: boolean;
}

export interface Retrieved {
  /** What was searched for: the question, with the one before it where it leans on that. */
  readonly query: string;
  /** Best first, numbered from 1. */
  readonly facts: readonly NumberedHit[];
  /** `false`: nothing saved covers the question; the facts are only the closest ones. */
  readonly covered: boolean;
}

export interface RetrieveOptions {
  /** Facts the person has not seen yet. */
  readonly limit: number;
  /** Budget for all facts with their pages' briefs, tokens. */
  readonly maxTokens?: number | undefined;
  /** Facts that count as seen. Default: those the conversation has shown or cited. */
  readonly seen?: ReadonlySet<FactId> | undefined;
}

/** Facts of earlier turns that are given to the model once more, at most. */
const seenLimit = 3;

/** The facts for a question, those the conversation has shown already told apart. */
export async function retrieve(
  library: Pick<Library, "search">,
  question: string,
  turns: readonly Turn[],
  { limit, maxTokens, seen = knownFacts(turns) }: RetrieveOptions,
  signal: AbortSignal,
): Promise<Retrieved> {
  const query = searchQueryOf(question, turns);
  // Seen facts may hold the first ranks, so that many more are asked for.
  const { hits } = await library.search(query, { limit: Math.min(50, limit + seen.size), maxTokens }, signal);
  const chosen = choose(withWords(hits), seen, limit);
  return {
    query,
    facts: chosen.map((hit, index) => ({ number: index + 1, hit, seen: seen.has(hit.fact.id) })),
    covered: covers(query, chosen),
  };
}

/** What is near by meaning alone is noise beside facts that use the question's words; without those it is all there is. */
function withWords(hits: readonly Hit[]): readonly Hit[] {
  const found = hits.filter(({ ranks }) => ranks.words !== null);
  return found.length > 0 ? found : hits;
}

/** The best unseen facts, and seen ones only where they rank before the last of those. */
function choose(hits: readonly Hit[], seen: ReadonlySet<FactId>, limit: number): Hit[] {
  const chosen: Hit[] = [];
  let fresh = 0;
  let old = 0;
  for (const hit of hits) {
    if (seen.has(hit.fact.id)) {
      if (old++ < seenLimit) chosen.push(hit);
    } else {
      chosen.push(hit);
      if (++fresh === limit) break;
    }
  }
  return chosen;
}
