import type { Fact, SavedPage } from "../types.ts";
import { inertMarkdown } from "../util/inertMarkdown.ts";
import { factLabel } from "../util/labels.ts";
import { codeBlocks } from "../util/markdown.ts";

/** What a hover shows of one fact. All of it is a page's text or a model's: data without trust. */
export interface HoverFact {
  /** Short: the page is named beside it. Plain text. */
  readonly topic: string;
  /** Inert Markdown. */
  readonly statement: string;
  /** The first short code of the fact that holds the name. */
  readonly code: { readonly language: string; readonly text: string } | undefined;
  readonly page: { readonly title: string; readonly version: string | undefined };
}

/** A hover is read at a glance: lines of code shown at most, and characters of a statement. */
const maxCodeLines = 10;
const maxStatement = 400;

export function hoverFactOf(fact: Fact, { page }: SavedPage, name: string): HoverFact {
  return {
    topic: factLabel({ ...fact, headingPath: fact.source.headingPath }).label,
    statement: inertMarkdown(cut(fact.statement !== "" ? fact.statement : firstParagraph(fact.body))),
    code: codeWith(fact.body, name),
    page: { title: page.title, version: page.version },
  };
}

function codeWith(body: string, name: string): HoverFact["code"] {
  const blocks = codeBlocks(body).map(({ content, language }) => ({ language, text: content.trimEnd() }));
  const found = blocks.find(({ text }) => text.includes(name));
  if (found === undefined) return undefined;
  const lines = found.text.split("\n");
  if (lines.length <= maxCodeLines) return found;
  const at = lines.findIndex((line) => line.includes(name));
  const start = Math.max(0, Math.min(at - 2, lines.length - maxCodeLines));
  return { ...found, text: lines.slice(start, start + maxCodeLines).join("\n") };
}

function firstParagraph(body: string): string {
  return body.split(/\n\s*\n/u).find((paragraph) => !/^\s*(?:#|```|~~~|\||!\[)/u.test(paragraph)) ?? "";
}

function cut(text: string): string {
  if (text.length <= maxStatement) return text;
  return `${text.slice(0, maxStatement).replace(/\s+\S*$/u, "")} …`;
}
