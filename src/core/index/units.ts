import type { Fact, FactId, PageId, SavedPage, Section, Tier } from "../types.ts";

/** Part of the index header: raise it when `unitsOf` fills a field differently, so that older indexes are built anew. */
export const unitsVersion = 2;

/** What the index holds of one fact, or of one section that has no facts yet. Texts are as the analyzer gets them. */
export interface IndexUnit {
  readonly id: FactId;
  readonly pageId: PageId;
  readonly tier: Tier;
  readonly statement: string;
  /** One a line. */
  readonly questions: string;
  /** One a line. */
  readonly keywords: string;
  readonly topic: string;
  /** Headings from the page's h1 down, one a line. */
  readonly headings: string;
  /** Page title, then site or product. */
  readonly title: string;
  /** The page's own words, for units that no model has summed up; empty for the others. */
  readonly text: string;
  /** API names that the unit is about, as written. */
  readonly symbols: readonly string[];
  /** What is embedded. */
  readonly meaningText: string;
}

/**
 * The units of a page: each section that is not distilled yet (or whose distillation failed), so that a page can be
 * searched before a model has seen it, then each fact. A section that held only noise gives nothing.
 */
export function unitsOf(saved: SavedPage): IndexUnit[] {
  const units: IndexUnit[] = [];
  for (const section of saved.sections) {
    if (isUndistilled(saved, section)) units.push(sectionUnit(saved, section));
  }
  for (const fact of saved.facts) units.push(factUnit(saved, fact));
  return units;
}

/** `<pageId>.s<index>` for a section that stands in for its facts. */
export function sectionFactId(pageId: PageId, index: number): FactId {
  return `${pageId}.s${index}`;
}

/**
 * A section in the shape of a fact, for showing it as a hit: the heading path is its topic, its own text the body, or that
 * of the larger part that is returned in its place; a context that a model wrote for it is the statement.
 * `undefined` when the page has no such section.
 *
 * @param countTokens Tokens of the fact as rendered in full.
 */
export function sectionFactOf(
  saved: SavedPage,
  index: number,
  countTokens: (text: string) => number,
): Fact | undefined {
  const section = saved.sections[index];
  if (section === undefined) return undefined;
  const topic = topicOf(saved, section);
  const { context } = section;
  const { start, end } = section.returned ?? section;
  const body = saved.page.text.slice(start, end).trim();
  const statement = context?.text ?? "";
  return {
    id: sectionFactId(saved.page.id, index),
    pageId: saved.page.id,
    sectionIndex: index,
    source: { start, end, headingPath: section.headingPath },
    topic,
    statement,
    questions: [],
    keywords: [],
    symbols: [],
    body,
    tokens: countTokens([topic, statement, body].filter((part) => part !== "").join("\n\n")),
    unverified: [],
    origin: context?.origin ?? { distiller: "none", extractive: true },
  };
}

/** The index of the section that `id` stands for; `undefined` for the id of a fact. */
export function sectionIndexOf(id: FactId): number | undefined {
  const digits = /\.s(\d+)$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function isUndistilled(saved: SavedPage, section: Section): boolean {
  const state = saved.sectionStates[section.index];
  return state === undefined || state.state !== "distilled";
}

function topicOf(saved: SavedPage, section: Section): string {
  return section.headingPath.length > 0 ? section.headingPath.join(" › ") : saved.page.title;
}

/** Title, site, and the words of the address: many a page names its product nowhere else (+.02 recall@5, as above). */
function titleOf({ page }: SavedPage): string {
  const { title, site } = page;
  const named = site === undefined || title.includes(site) ? title : `${title}\n${site}`;
  return `${named}\n${addressWords(page.url)}`;
}

/** The names in a web address: host without its last label, and path. Nothing for files and pasted pages. */
function addressWords(url: string): string {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return "";
  const { hostname, pathname } = new URL(url);
  const host = hostname
    .split(".")
    .slice(0, -1)
    .filter((label) => label !== "www");
  const path = pathname.replace(/\.[a-z]{2,5}$/i, "").split(/[^\p{L}\p{N}]+/u);
  return [...host, ...path].filter((word) => word !== "").join(" ");
}

function sectionUnit(saved: SavedPage, section: Section): IndexUnit {
  const own = saved.page.text.slice(section.start, section.end);
  const text = section.context === undefined ? own : `${section.context.text}\n\n${own}`;
  const headings = section.headingPath.join("\n");
  const title = titleOf(saved);
  return {
    id: sectionFactId(saved.page.id, section.index),
    pageId: saved.page.id,
    tier: "section",
    statement: "",
    questions: "",
    keywords: "",
    topic: section.headingPath.at(-1) ?? "",
    headings,
    title,
    text,
    symbols: [],
    meaningText: [title, headings, text].join("\n"),
  };
}

function factUnit(saved: SavedPage, fact: Fact): IndexUnit {
  const questions = fact.questions.join("\n");
  const headings = fact.source.headingPath.join("\n");
  const title = titleOf(saved);
  return {
    id: fact.id,
    pageId: saved.page.id,
    tier: "fact",
    // The sentences of an extractive fact's statement are in its body. As a statement they would count double, and hide
    // what only the body says: as text recall@5 is .832, as a statement .815 (3,764 facts, 235 questions, words).
    statement: fact.origin.extractive ? "" : fact.statement,
    questions,
    keywords: [...fact.keywords, ...fact.symbols.filter((symbol) => !fact.keywords.includes(symbol))].join("\n"),
    topic: fact.topic,
    headings,
    title,
    text: fact.origin.extractive ? `${fact.statement}\n${fact.body}` : "",
    symbols: fact.symbols,
    // An extractive fact is embedded like a section: its statement and questions are patterns filled in by program, and
    // with them alone the ranking by meaning finds half as much (MRR@10 .33 against .48, 4,007 facts, 235 questions).
    meaningText: fact.origin.extractive
      ? [title, headings, fact.topic, fact.body].join("\n")
      : [fact.topic, fact.statement, questions].join("\n"),
  };
}
