/**
 * Questions for pages that nobody wrote questions for: the facts' own.
 *
 * They are too easy, and unfair: each is worded by who wrote the fact, and stands in that fact's index entry. They show
 * whether anything is badly broken, and how the ways to cut differ from each other; not how good facts are.
 */
import type { Fact, SavedPage } from "../types.ts";
import { blocks } from "../util/markdown.ts";
import { sentences } from "../util/sentences.ts";
import { randomFrom } from "./bootstrap.ts";
import type { LabPage } from "./labPage.ts";
import { matchingKey } from "./matching.ts";
import { compileNugget, holdsNugget, nuggetText } from "./nuggets.ts";
import type { Question } from "./questions.ts";

export const selfMadeNote =
  "The questions are the facts' own, taken from the index entries that answer them: an easy set that favors facts. The row facts-questions, searched without them, is the fairer one. Give a file of questions to measure properly.";

export interface SelfMadeOptions {
  /** Most questions. Default 120. */
  readonly limit?: number | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
}

/** The same questions for the same pages: drawn with a seed, spread over the pages. */
export function selfMadeQuestions(pages: readonly LabPage[], options: SelfMadeOptions = {}): Question[] {
  const { limit = 120, seed = 1 } = options;
  const random = randomFrom(seed);
  const perPage = pages.map(({ corpusId, saved }) => shuffled(questionsOf(corpusId, saved), random));
  const chosen: Question[] = [];
  // One of each page, then a second of each, so that a long page does not crowd out the others.
  for (let round = 0; chosen.length < limit && perPage.some((list) => round < list.length); round++) {
    for (const list of perPage) {
      const question = list[round];
      if (question !== undefined && chosen.length < limit) chosen.push(question);
    }
  }
  return chosen;
}

function questionsOf(page: string, saved: SavedPage): Question[] {
  return saved.facts.flatMap((fact) => {
    const [query] = fact.questions;
    const found = query === undefined ? undefined : evidenceOf(fact, saved);
    if (query === undefined || found === undefined) return [];
    return [
      {
        id: fact.id,
        type: "factoid",
        style: "question",
        query,
        gold: [{ page, evidence: [found.evidence] }],
        nuggets: found.nuggets,
        answer: fact.statement,
      },
    ];
  });
}

/** The sentence of the fact's source that holds most of what the fact is about. */
function evidenceOf(
  fact: Fact,
  saved: SavedPage,
): { readonly evidence: string; readonly nuggets: readonly string[] } | undefined {
  const { start, end } = fact.source;
  const text = saved.page.text.slice(start, end);
  const wanted = [...new Set([...fact.symbols, ...fact.keywords])];
  const candidates = blocks(text)
    .filter(({ kind }) => kind === "paragraph" || kind === "list" || kind === "quote")
    .flatMap((block) => sentences(text, block))
    .map((span) => text.slice(span.start, span.end).replace(/\s+/gu, " ").trim())
    .filter((sentence) => sentence.length >= 30 && sentence.length <= 300 && matchingKey(sentence).length >= 20)
    .map((evidence) => {
      const within = nuggetText(evidence);
      const nuggets = wanted.filter((word) => holdsNugget(within, compileNugget(word)));
      return { evidence, nuggets: nuggets.slice(0, 2) };
    })
    .filter(({ nuggets }) => nuggets.length > 0);
  return candidates.toSorted((a, b) => b.nuggets.length - a.nuggets.length)[0];
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((value) => ({ value, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}
