import type { FactId } from "../types.ts";
import { analyze } from "../util/analyzer.ts";

/** One question and what came of it. */
export interface Turn {
  readonly question: string;
  /** As the person read it; empty when a command answered. */
  readonly answer: string;
  /** Facts by the numbers they had in the answer, from 1; also those that it did not use. */
  readonly factIds: readonly FactId[];
  /** Facts whose text was shown in full. */
  readonly shownIds: readonly FactId[];
  /** Facts that a model's answer cited: what they say was told in its words. */
  readonly citedIds: readonly FactId[];
}

/** Facts that the person has read in this conversation, themselves or in an answer's words. */
export function knownFacts(turns: readonly Turn[]): ReadonlySet<FactId> {
  return new Set(turns.flatMap(({ shownIds, citedIds }) => [...shownIds, ...citedIds]));
}

/** Facts whose text stands in this conversation. */
export function shownFacts(turns: readonly Turn[]): ReadonlySet<FactId> {
  return new Set(turns.flatMap(({ shownIds }) => shownIds));
}

/**
 * What to search for. A question that leans on the one before it ("and the default?", "how do I turn it off") is
 * searched together with that one's words.
 */
export function searchQueryOf(question: string, turns: readonly Turn[]): string {
  const before = turns.at(-1)?.question;
  return before !== undefined && isElliptic(question) ? `${question} ${before}` : question;
}

/** Fewer content words do not name both a subject and what is asked of it. */
const fewestWords = 3;

function isElliptic(question: string): boolean {
  const text = question.trim();
  if (/^(?:and|or|but|also|what about|how about|und|et|y)\b/iu.test(text)) return true;
  // A name in code is a subject of its own.
  if (/`|\w[._:]\w|[a-z][A-Z]|\w\(|--\w/u.test(text)) return false;
  if (/\b(?:it|its|that|this|these|those|they|them|there|instead)\b/iu.test(text) && wordsOf(text) <= 2 * fewestWords)
    return true;
  return wordsOf(text) < fewestWords;
}

function wordsOf(text: string): number {
  return new Set(analyze(text)).size;
}
