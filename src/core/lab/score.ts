/** Scores one question's result list: what its hits cover and what they hold at a token budget. */
import type { CountTokens } from "../ports.ts";
import type { Span } from "../types.ts";
import { cutToBudget, measure, separatorTokens } from "./budget.ts";
import type { MeasuredText } from "./budget.ts";
import type { MatchingText } from "./matching.ts";
import { coversPlace, matchingKey, placesOf } from "./matching.ts";
import type { CoveredByRank } from "./metrics.ts";
import { fullCoverageAt, ndcgAt, pageRecallAt, recallAt, reciprocalRankAt } from "./metrics.ts";
import type { Nugget, NuggetText } from "./nuggets.ts";
import { compileNugget, holdsNugget, nuggetText } from "./nuggets.ts";
import type { Question } from "./questions.ts";

/** What a strategy puts into the index and gives back as one hit. */
export interface LabUnit {
  readonly id: string;
  /** A `CorpusPage.id`. */
  readonly page: string;
  /** The text as returned to the reader. */
  readonly text: string;
  /** The part of the page's cleaned text it was made from; `undefined` when only the text itself can be compared. */
  readonly span: Span | undefined;
}

export interface Snippet {
  readonly page: string;
  readonly evidence: string;
  readonly key: string;
  /** Where the page's cleaned text has it. Empty: cleaning lost it. */
  readonly places: readonly Span[];
}

export interface PreparedQuestion {
  readonly question: Question;
  readonly snippets: readonly Snippet[];
  readonly nuggets: readonly Nugget[];
  readonly goldPages: ReadonlySet<string>;
}

export const recallRanks = [1, 3, 5, 10, 20] as const;
/** Tokens. */
export const nuggetBudgets = [500, 1000, 2000] as const;
/** Tokens after which a reader gives up: the largest budget. */
export const readingLimit = 2000;
/** Hits looked at by every figure. */
export const scoredRanks = 20;

export const figureNames = [
  ...recallRanks.map((rank) => `recall@${rank}` as const),
  ...recallRanks.map((rank) => `full@${rank}` as const),
  ...recallRanks.map((rank) => `page@${rank}` as const),
  "mrr@10",
  "ndcg@10",
  ...nuggetBudgets.map((budget) => `nuggets@${budget}` as const),
] as const;
export type FigureName = (typeof figureNames)[number];

export type Figures = Readonly<Record<FigureName, number>>;

export interface QuestionScore {
  readonly question: Question;
  readonly figures: Figures;
  readonly covered: CoveredByRank;
  readonly reading: Reading;
}

/**
 * Tokens returned, in whole hits and rank order, until the first and until all nuggets are held. Who reads stops at the
 * hit that completes the answer, or gives up at `readingLimit`, where the last hit is cut; `undefined`: not held by then.
 */
export interface Reading {
  readonly first: number | undefined;
  readonly all: number | undefined;
}

/** @param textOf The cleaned text of a corpus page; `undefined` for a page that could not be read. */
export function prepareQuestion(
  question: Question,
  textOf: (page: string) => MatchingText | undefined,
): PreparedQuestion {
  const snippets = question.gold.flatMap(({ page, evidence }) =>
    evidence.map((snippet) => {
      const key = matchingKey(snippet);
      const text = textOf(page);
      return { page, evidence: snippet, key, places: text === undefined ? [] : placesOf(key, text) };
    }),
  );
  return {
    question,
    snippets,
    nuggets: question.nuggets.map(compileNugget),
    goldPages: new Set(question.gold.map(({ page }) => page)),
  };
}

export interface Scorer {
  /**
   * @param ranked Best first. More than `scoredRanks` are looked at only for the budgets.
   * @throws RangeError for a question without gold: those have no such figures.
   */
  score(prepared: PreparedQuestion, ranked: readonly LabUnit[]): QuestionScore;
  covers(unit: LabUnit, snippet: Snippet): boolean;
  /** What is returned, in order, page heads included: input of `cutToBudget`. */
  returnedTexts(ranked: readonly LabUnit[]): Iterable<MeasuredText>;
}

export interface ScorerOptions {
  /** Outlives the scorer: share one between runs over the same units. */
  readonly memory: ScorerMemory;
  /** What is returned once per page, before its first hit, e.g. title and brief. Counted; default nothing. */
  readonly pageHeadOf?: ((page: string) => string | undefined) | undefined;
}

/** What scorers remember of units and texts, so that runs over the same texts cost once. */
export class ScorerMemory {
  readonly #countTokens: CountTokens;
  readonly #keys = new WeakMap<LabUnit, string>();
  readonly #measured = new Map<string, MeasuredText>();
  readonly #pieceTokens = new Map<string, number>();
  readonly #nuggetTexts = new Map<string, NuggetText>();

  constructor(countTokens: CountTokens) {
    this.#countTokens = countTokens;
  }

  keyOf(unit: LabUnit): string {
    return remembered(this.#keys, unit, () => matchingKey(unit.text));
  }

  measured(text: string): MeasuredText {
    return remembered(this.#measured, text, () => measure(text, this.#countTokens, this.#countPiece));
  }

  /** For texts that come again: units and pages, not what a budget left of them. */
  nuggetText(text: string): NuggetText {
    return remembered(this.#nuggetTexts, text, () => nuggetText(text));
  }

  readonly #countPiece: CountTokens = (piece) => remembered(this.#pieceTokens, piece, () => this.#countTokens(piece));
}

interface Remembers<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

function remembered<K, V>(known: Remembers<K, V>, key: K, make: () => V): V {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make()));
  return value;
}

export function createScorer({ memory, pageHeadOf }: ScorerOptions): Scorer {
  function covers(unit: LabUnit, { page, key, places }: Snippet): boolean {
    if (unit.span !== undefined && unit.page === page && coversPlace(unit.span, places)) return true;
    return key !== "" && memory.keyOf(unit).includes(key);
  }

  function* returnedTexts(ranked: readonly LabUnit[]): Generator<MeasuredText> {
    const shown = new Set<string>();
    for (const unit of ranked) {
      const head = shown.has(unit.page) ? undefined : pageHeadOf?.(unit.page);
      shown.add(unit.page);
      if (head !== undefined && head !== "") yield memory.measured(head);
      yield memory.measured(unit.text);
    }
  }

  function nuggetsWithin(nuggets: readonly Nugget[], ranked: readonly LabUnit[], budget: number): number {
    if (nuggets.length === 0) return 0;
    const text = nuggetText(cutToBudget(returnedTexts(ranked), budget));
    return nuggets.filter((nugget) => holdsNugget(text, nugget)).length / nuggets.length;
  }

  function reading(nuggets: readonly Nugget[], ranked: readonly LabUnit[]): Reading {
    if (nuggets.length === 0) return { first: undefined, all: undefined };
    const texts = [...returnedTexts(ranked)];
    const ends: number[] = [];
    let tokens = 0;
    for (const text of texts) {
      if (tokens >= readingLimit) break;
      tokens = Math.min(readingLimit, tokens + text.tokens + (tokens === 0 ? 0 : separatorTokens));
      ends.push(tokens);
    }
    const held = remembering((count) => {
      const text = nuggetText(cutToBudget(texts.slice(0, count), readingLimit));
      return nuggets.filter((nugget) => holdsNugget(text, nugget)).length;
    });
    // A longer text holds all that a shorter one holds, so the first place is found by halves.
    const until = (wanted: number): number | undefined => {
      if (held(ends.length) < wanted) return undefined;
      let low = 1;
      let high = ends.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (held(middle) >= wanted) high = middle;
        else low = middle + 1;
      }
      return ends[low - 1];
    };
    return { first: until(1), all: until(nuggets.length) };
  }

  return {
    covers,
    returnedTexts,
    score({ question, snippets, nuggets, goldPages }, ranked) {
      if (snippets.length === 0) throw new RangeError(`Question ${question.id} has no evidence to score`);
      const top = ranked.slice(0, scoredRanks);
      const covered = top.map((unit) => [...snippets.keys()].filter((index) => coversAt(unit, index)));
      function coversAt(unit: LabUnit, index: number): boolean {
        const snippet = snippets[index];
        return snippet !== undefined && covers(unit, snippet);
      }
      const pages = top.map(({ page }) => page);
      const figures = figuresFrom((name) => {
        switch (name) {
          case "mrr@10":
            return reciprocalRankAt(covered, 10);
          case "ndcg@10":
            return ndcgAt(covered, snippets.length, 10);
          default: {
            const { kind, at } = parseFigureName(name);
            if (kind === "recall") return recallAt(covered, snippets.length, at);
            if (kind === "full") return fullCoverageAt(covered, snippets.length, at);
            if (kind === "page") return pageRecallAt(pages, goldPages, at);
            return nuggetsWithin(nuggets, ranked, at);
          }
        }
      });
      return { question, figures, covered, reading: reading(nuggets, ranked) };
    },
  };
}

function remembering(make: (count: number) => number): (count: number) => number {
  const known = new Map<number, number>();
  return (count) => remembered(known, count, () => make(count));
}

/** Every figure, each by the given function. */
export function figuresFrom(figureOf: (name: FigureName) => number): Figures {
  // `fromEntries` forgets the keys' type; they are exactly `figureNames`.
  return Object.fromEntries(figureNames.map((name) => [name, figureOf(name)])) as Record<FigureName, number>;
}

type Kind = "recall" | "full" | "page" | "nuggets";

function parseFigureName(name: `${Kind}@${number}`): { readonly kind: Kind; readonly at: number } {
  const [kind, at] = name.split("@");
  return { kind: kind as Kind, at: Number(at) }; // the template type says so
}
