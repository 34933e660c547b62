/** Facts given as a file, e.g. written by hand or by a model outside of Bacopa, brought to a page of the corpus. */
import type { CountTokens } from "../ports.ts";
import type { Brief, Fact, SavedPage, Span } from "../types.ts";
import { factText } from "../util/factText.ts";
import { labPageOf } from "./labPage.ts";
import type { LabPage } from "./labPage.ts";
import type { MatchingText } from "./matching.ts";
import { matchingKey, placesOf } from "./matching.ts";

/** A page's facts: a JSON object with `page`, `brief` and `facts`. */
export interface FactFile {
  /** A `CorpusPage.id`. */
  readonly page: string;
  readonly brief: Brief;
  readonly facts: readonly FileFact[];
}

export type FileFact = Pick<Fact, "topic" | "statement" | "questions" | "keywords" | "symbols" | "body"> & {
  /** The sections it was written from. */
  readonly sources: readonly FileSource[];
};

export interface FileSource {
  readonly headingPath: readonly string[];
  /** The first characters of the section. */
  readonly start: string;
}

/** `undefined` when the text is no such file; a fact of another shape is left out. */
export function parseFactFile(json: string): FactFile | undefined {
  const file = recordOf(parseJson(json));
  const { page, facts } = file;
  if (typeof page !== "string" || !Array.isArray(facts)) return undefined;
  const brief = recordOf(file["brief"]);
  const caveats = brief["caveats"];
  return {
    page,
    brief: {
      covers: textOf(brief["covers"]),
      caveats: typeof caveats === "string" ? [caveats] : textsOf(caveats),
    },
    facts: facts.map(recordOf).flatMap((fact) => {
      if (typeof fact["topic"] !== "string" || typeof fact["statement"] !== "string") return [];
      return [
        {
          topic: fact["topic"],
          statement: fact["statement"],
          questions: textsOf(fact["questions"]),
          keywords: textsOf(fact["keywords"]),
          symbols: textsOf(fact["symbols"]),
          body: textOf(fact["body"]),
          sources: (Array.isArray(fact["source"]) ? fact["source"] : [fact["source"]])
            .map(recordOf)
            .map((source) => ({ headingPath: textsOf(source["headingPath"]), start: textOf(source["start"]) })),
        },
      ];
    }),
  };
}

/**
 * The page with these facts in place of its own.
 *
 * A source reaches from the place of its section's first characters to the next such place, but never past the end of our
 * own section there; a fact of several sections that follow each other has them all. A source that cannot be found is
 * empty: such a fact is scored by its text alone.
 */
export function withFacts(page: LabPage, file: FactFile, countTokens: CountTokens): LabPage {
  const { saved, matching } = page;
  const beginnings = new Set(file.facts.flatMap(({ sources }) => sources.map((source) => source.start)));
  const starts = new Map(
    [...beginnings].map((beginning) => [beginning, startOf(beginning, saved.page.text, matching)]),
  );
  const facts = file.facts.map((fact, position): Fact => {
    const spans = fact.sources.flatMap(
      (source) => spanFrom(starts.get(source.start), [...starts.values()], saved) ?? [],
    );
    const { start, end } = joined(spans);
    const { topic, statement, questions, keywords, symbols, body } = fact;
    return {
      id: `${saved.page.id}.${position.toString(16).padStart(10, "0")}`,
      pageId: saved.page.id,
      sectionIndex: Math.max(
        0,
        saved.sections.findLastIndex((section) => section.start <= start),
      ),
      source: { start, end, headingPath: fact.sources[0]?.headingPath ?? [] },
      ...{ topic, statement, questions, keywords, symbols, body },
      tokens: countTokens(factText({ ...fact, extractive: false })),
      unverified: [],
      origin: { distiller: "file", extractive: false },
    };
  });
  return labPageOf(page.corpusId, saved.page, saved.sections, facts, file.brief, countTokens);
}

function spanFrom(
  start: number | undefined,
  starts: readonly (number | undefined)[],
  saved: SavedPage,
): Span | undefined {
  if (start === undefined) return undefined;
  const next = starts.filter((other) => other !== undefined).filter((other) => other > start);
  const section = saved.sections.find((candidate) => candidate.start <= start && start < candidate.end);
  return { start, end: Math.min(...next, section?.end ?? saved.page.text.length) };
}

/** The first span with those that follow it without a gap of more than a heading's length. */
function joined(spans: readonly Span[]): Span {
  const [first, ...others] = spans.toSorted((a, b) => a.start - b.start);
  if (first === undefined) return { start: 0, end: 0 };
  return others.reduce((whole, span) => (span.start - whole.end < maxGap ? { ...whole, end: span.end } : whole), first);
}

/** Characters. */
const maxGap = 80;

/**
 * Where a section begins, by its first characters. Another cleaner may have written them, so the heading alone is enough,
 * then the first 24 letters and digits.
 */
function startOf(beginning: string, text: string, matching: MatchingText): number | undefined {
  const [whole] = placesOf(matchingKey(beginning), matching);
  if (whole !== undefined) return whole.start;
  const heading = matchingKey(withoutAnchors(/^#{1,6} (.*)$/m.exec(beginning)?.[1] ?? ""));
  if (heading !== "") {
    for (const line of text.matchAll(/^#{1,6} .*$/gm)) {
      if (matchingKey(withoutAnchors(line[0])) === heading) return line.index;
    }
  }
  return placesOf(matchingKey(beginning).slice(0, 24), matching)[0]?.start;
}

/** A heading without its permanent links: `[](#id)`, `[#](#id)`; a target that was cut off goes too. */
function withoutAnchors(heading: string): string {
  return heading.replace(/\[\W?\]\([^)]*\)?/gu, "").replace(/\]\([^)]*$/u, "]");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
