/** The headings above any place of a page, and sections made from bare spans. */
import type { CountTokens } from "../ports.ts";
import type { Section, Span } from "../types.ts";
import { blocks } from "../util/markdown.ts";

/** A top-level block with the headings over it: h1, h2, h3; of a heading, itself included. */
export interface OutlineBlock extends Span {
  readonly path: readonly string[];
  /** 1..6 for a heading, 0 for all else. */
  readonly depth: number;
}

/** The blocks of a page, each with the blank lines after it: they tile the text. Empty for a blank text. */
export function outlineOf(text: string): OutlineBlock[] {
  const found = blocks(text);
  let path: readonly string[] = [];
  return found.map((block, index) => {
    const depth = block.kind === "heading" ? (block.depth ?? 1) : 0;
    if (depth >= 1 && depth <= 3) {
      const above = Array.from({ length: depth - 1 }, (_, level) => path[level] ?? "");
      path = [...above, block.title ?? ""];
    }
    const start = index === 0 ? 0 : lineStart(text, block.start);
    const next = found[index + 1];
    const end = next === undefined ? text.length : lineStart(text, next.start);
    return { start, end, path, depth };
  });
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** Sections of spans in rising order, each counted and with the headings over its first content. */
export function sectionsOf(
  text: string,
  spans: readonly (Span & Pick<Section, "returned">)[],
  outline: readonly OutlineBlock[],
  countTokens: CountTokens,
): Section[] {
  let first = 0;
  return spans.map(({ start, end, returned }, index) => {
    while ((outline[first]?.end ?? Infinity) <= start) first++;
    let block = outline[first];
    for (let at = first; at < outline.length; at++) {
      const candidate = outline[at];
      if (candidate === undefined || candidate.start >= end) break;
      block = candidate;
      // What a section begins with counts; white space before a heading is no content.
      if (candidate.depth === 0 && text.slice(Math.max(start, candidate.start), candidate.end).trim() !== "") break;
    }
    return {
      index,
      start,
      end,
      headingPath: (block?.path ?? []).filter((title) => title !== ""),
      tokens: countTokens(text.slice(start, end)),
      ...(returned === undefined ? {} : { returned }),
    };
  });
}
