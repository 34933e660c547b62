import type { Hit } from "../types.ts";
import { analyze } from "../util/analyzer.ts";

/**
 * Below this share of the question's words in the best fact, nothing saved covers the question. Measured on 235
 * questions with an answer and as many whose product was taken out of the library, with facts made offline: it turns
 * away 3 % of the first and 45 % of the second. Questions that the library nearly answers share their words with it and
 * pass: there the model that reads the facts has the say (`NOTHING-SAVED`).
 */
export const leastCoverage = 0.4;

/** Whether the hits can answer the question at all, by words. The closest hits are still worth showing when not. */
export function covers(query: string, hits: readonly Hit[]): boolean {
  return coverage(query, hits) >= leastCoverage;
}

/** Largest share of the query's distinct words that one fact holds with its page's title and its headings, 0..1. */
export function coverage(query: string, hits: readonly Hit[]): number {
  const words = [...new Set(analyze(query))];
  if (words.length === 0) return 0;
  const shares = hits.map((hit) => {
    const held = new Set(analyze(searchedTextOf(hit)));
    return words.filter((word) => held.has(word)).length / words.length;
  });
  return Math.max(0, ...shares);
}

/**
 * From this share of the question's words on, what no fact holds is worth a line. Over the first five offline facts it is
 * reached by 24 % of 235 questions with an answer, by 48 % of them when the page with the answer is not there, and by 57 %
 * of 14 questions that sound on topic and have no answer.
 */
const leastUnmentioned = 0.25;

/** Words of the question, as typed, that none of the facts holds, if they are many: a reader without a model judges by them. */
export function unmentioned(query: string, hits: readonly Hit[]): string[] {
  const held = new Set(hits.flatMap((hit) => analyze(searchedTextOf(hit))));
  const wanted = new Set(analyze(query));
  const missing = [...wanted].filter((word) => !held.has(word));
  if (missing.length < leastUnmentioned * wanted.size) return [];
  const words = query.match(/[\p{L}\p{N}_][\p{L}\p{N}_.:/-]*[\p{L}\p{N}_]|[\p{L}\p{N}]/gu) ?? [];
  return [...new Set(words)].filter((word) => {
    // A stop word alone is analyzed as it is; it is none of the question's words.
    const parts = analyze(word).filter((part) => wanted.has(part));
    return parts.length > 0 && !parts.some((part) => held.has(part));
  });
}

function searchedTextOf({ fact, page, source }: Hit): string {
  const { topic, statement, questions, keywords, symbols, body } = fact;
  return [page.title, ...source.headingPath, topic, statement, ...questions, ...keywords, ...symbols, body].join("\n");
}
