/** What a corpus is like, as far as it decides how to index it. */
import type { SavedPage } from "../types.ts";
import { quantile } from "./metrics.ts";

/** How often pages change: `minutes` leaves no time for a model. */
export const changeRates = ["rarely", "monthly", "daily", "minutes"] as const;
export type ChangeRate = (typeof changeRates)[number];

export interface CorpusProfile {
  readonly pages: number;
  /** Of all pages. */
  readonly tokens: number;
  /** Tokens a page: median and 90th percentile. */
  readonly medianTokens: number;
  readonly longTokens: number;
  /** Tokens a heading section, median. */
  readonly medianSectionTokens: number;
  /** Share of pages of each format they were saved from. */
  readonly formats: Readonly<Record<"html" | "markdown" | "text", number>>;
  /** Share of the characters in code fences, and in table rows. */
  readonly codeShare: number;
  readonly tableShare: number;
  /** Heading sections for 1,000 tokens: below 0.5 the pages have hardly any structure to cut at. */
  readonly headingsPerThousand: number;
}

export function profileOf(pages: readonly SavedPage[]): CorpusProfile {
  const lengths = pages.map(lengthOf);
  const tokens = lengths.reduce((sum, length) => sum + length, 0);
  const characters = pages.reduce((sum, { page }) => sum + page.text.length, 0);
  const shares = pages.map(({ page }) => charactersOf(page.text));
  const headings = pages.reduce(
    (sum, { sections }) => sum + sections.filter(({ headingPath }) => headingPath.length > 0).length,
    0,
  );
  const shareOf = (format: "html" | "markdown" | "text"): number =>
    pages.filter(({ page }) => page.format === format).length / Math.max(1, pages.length);
  const sum = (part: "code" | "table"): number => shares.reduce((total, share) => total + share[part], 0);
  return {
    pages: pages.length,
    tokens,
    medianTokens: quantile(lengths, 0.5) ?? 0,
    longTokens: quantile(lengths, 0.9) ?? 0,
    medianSectionTokens:
      quantile(
        pages.flatMap(({ sections }) => sections.map((section) => section.tokens)),
        0.5,
      ) ?? 0,
    formats: { html: shareOf("html"), markdown: shareOf("markdown"), text: shareOf("text") },
    codeShare: sum("code") / Math.max(1, characters),
    tableShare: sum("table") / Math.max(1, characters),
    headingsPerThousand: (headings * 1000) / Math.max(1, tokens),
  };
}

/** Tokens; an estimate where overlapping sections would count twice. */
function lengthOf({ page, sections }: SavedPage): number {
  const last = sections.at(-1);
  const tiles = last !== undefined && sections.every(({ start }, at) => start === (sections[at - 1]?.end ?? 0));
  return tiles ? sections.reduce((sum, { tokens }) => sum + tokens, 0) : Math.ceil(page.text.length / 4);
}

function charactersOf(text: string): { readonly code: number; readonly table: number } {
  let code = 0;
  let table = 0;
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
    const length = line.length + 1;
    if (fence !== undefined) {
      code += length;
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
      code += length;
    } else if (/^\s*\|.*\|\s*$/u.test(line)) table += length;
  }
  return { code, table };
}
