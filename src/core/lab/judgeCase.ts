/** What a judge looks at, and its verdict on it. */
import type { Fact, FactId, Page, Section } from "../types.ts";
import { factText } from "../util/factText.ts";

/** `kept` is judged of all facts of a section together, the others of each fact. */
export const criteria = ["kept", "supported", "selfContained", "noiseFree"] as const;
export type Criterion = (typeof criteria)[number];

/** 1 (worst) to 5 (no fault), with the quotes that show the faults. */
export interface Verdict {
  readonly score: number;
  /** Copied from the fact; for `kept` from the section. */
  readonly quotes: readonly string[];
}

/** One section and everything written from it. */
export interface JudgeCase {
  readonly page: Pick<Page, "id" | "title" | "url" | "text">;
  readonly section: Section;
  readonly facts: readonly Fact[];
}

export interface JudgedFact {
  readonly factId: FactId;
  readonly topic: string;
  readonly supported: Verdict;
  readonly selfContained: Verdict;
  readonly noiseFree: Verdict;
}

export interface JudgedCase {
  readonly pageId: string;
  readonly sectionIndex: number;
  readonly kept: Verdict;
  readonly facts: readonly JudgedFact[];
  /** Quotes that were found nowhere. */
  readonly unproven: number;
}

/** The part of a page that a case is about: what its facts were written from. */
export function sectionTextOf({ page, section }: JudgeCase): string {
  return page.text.slice(section.start, section.end).trim();
}

/** A fact as its reader gets it. */
export function judgedText(fact: Fact): string {
  return factText({ ...fact, extractive: fact.origin.extractive });
}
