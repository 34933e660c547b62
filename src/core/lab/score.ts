/** Scores one question's result list: what its hits cover and what they hold at a token budget. */
import type { CountTokens } from "../ports.ts";
import type { Span } from "../types.ts";
import { cutToBudget, measure } from "./budget.ts";
import type { MeasuredText } from "./budget.ts";
import type { MatchingText } from "./matching.ts";
import { coversPlace, matchingKey, placesOf } from "./matching.ts";
import type { CoveredByRank } from "./metrics.ts";
import { fullCoverageAt, ndcgAt, pageRecallAt, recallAt, reciprocalRankAt } from "./metrics.ts";
import type { Nugget } from "./nuggets.ts";
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
/** Hits looked at by every figure. */
export const scoredRanks = 20;

export type FigureName =
  | `recall@${(typeof recallRanks)[number]}`
  | `full@${(typeof recallRanks)[number]}`
  | `page@${(typeof recallRanks)[number]}`
  | "mrr@10"
  | "ndcg@10"
  | `nuggets@${(typeof nuggetBudgets)[number]}`;

export type Figures = Readonly<Record<FigureName, number>>;

export interface QuestionScore {
  readonly question: Question;
  readonly figures: Figures;
  readonly covered: CoveredByRank;
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
  tokensOf(unit: LabUnit): number;
}

export interface ScorerOptions {
  readonly countTokens: CountTokens;
  /** What is returned once per page, before its first hit, e.g. title and brief. Counted; default nothing. */
  readonly pageHeadOf?: ((page: string) => string | undefined) | undefined;
}

/** Keys and token counts of units are kept for the scorer's life: score all questions of a strategy with one. */
export function createScorer({ countTokens, pageHeadOf }: ScorerOptions): Scorer {
  const keys = new Map<LabUnit, string>();
  const measured = new Map<string, MeasuredText>();

  function keyOf(unit: LabUnit): string {
    let key = keys.get(unit);
    if (key === undefined) keys.set(unit, (key = matchingKey(unit.text)));
    return key;
  }

  function measuredText(text: string): MeasuredText {
    let known = measured.get(text);
    if (known === undefined) measured.set(text, (known = measure(text, countTokens)));
    return known;
  }

  function covers(unit: LabUnit, { page, key, places }: Snippet): boolean {
    if (unit.span !== undefined && unit.page === page && coversPlace(unit.span, places)) return true;
    return key !== "" && keyOf(unit).includes(key);
  }

  function* returnedTexts(ranked: readonly LabUnit[]): Generator<MeasuredText> {
    const shown = new Set<string>();
    for (const unit of ranked) {
      const head = shown.has(unit.page) ? undefined : pageHeadOf?.(unit.page);
      shown.add(unit.page);
      if (head !== undefined && head !== "") yield measuredText(head);
      yield measuredText(unit.text);
    }
  }

  function nuggetsWithin(nuggets: readonly Nugget[], ranked: readonly LabUnit[], budget: number): number {
    if (nuggets.length === 0) return 0;
    const text = nuggetText(cutToBudget(returnedTexts(ranked), budget));
    return nuggets.filter((nugget) => holdsNugget(text, nugget)).length / nuggets.length;
  }

  return {
    covers,
    tokensOf: (unit) => countTokens(unit.text),
    score({ question, snippets, nuggets, goldPages }, ranked) {
      if (snippets.length === 0) throw new RangeError(`Question ${question.id} has no evidence to score`);
      const top = ranked.slice(0, scoredRanks);
      const covered = top.map((unit) => [...snippets.keys()].filter((index) => coversAt(unit, index)));
      function coversAt(unit: LabUnit, index: number): boolean {
        const snippet = snippets[index];
        return snippet !== undefined && covers(unit, snippet);
      }
      const pages = top.map(({ page }) => page);
      const at = {
        recall: (k: number) => recallAt(covered, snippets.length, k),
        full: (k: number) => fullCoverageAt(covered, snippets.length, k),
        page: (k: number) => pageRecallAt(pages, goldPages, k),
        nuggets: (budget: number) => nuggetsWithin(nuggets, ranked, budget),
      };
      const figures: Figures = {
        "recall@1": at.recall(1),
        "recall@3": at.recall(3),
        "recall@5": at.recall(5),
        "recall@10": at.recall(10),
        "recall@20": at.recall(20),
        "full@1": at.full(1),
        "full@3": at.full(3),
        "full@5": at.full(5),
        "full@10": at.full(10),
        "full@20": at.full(20),
        "page@1": at.page(1),
        "page@3": at.page(3),
        "page@5": at.page(5),
        "page@10": at.page(10),
        "page@20": at.page(20),
        "mrr@10": reciprocalRankAt(covered, 10),
        "ndcg@10": ndcgAt(covered, snippets.length, 10),
        "nuggets@500": at.nuggets(500),
        "nuggets@1000": at.nuggets(1000),
        "nuggets@2000": at.nuggets(2000),
      };
      return { question, figures, covered };
    },
  };
}
