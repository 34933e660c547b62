import type { CountTokens } from "../ports.ts";
import type { Section } from "../types.ts";
import { sectionByHeadings } from "./headings.ts";
import { outlineOf, sectionsOf } from "./outline.ts";
import { Weights, fillBounds, piecesOf, settle, spansOf, summed } from "./pieces.ts";

export interface ParentDocumentOptions {
  /** Largest parent: what a search returns. */
  readonly parentTokens: number;
  /** Largest child: what a search looks at; at most half of `parentTokens`. */
  readonly childTokens: number;
}

/** Least share of a child's size: a smaller one joins its neighbor in the parent. */
const leastChild = 0.25;

/**
 * Small sections for finding, each with the larger one around it that is returned: `Section.returned`. The parents are cut
 * at headings and tile the text, the children tile their parent. Code and table rows stay whole unless one alone is over a
 * child's size; a block of code over a parent's size makes a parent of its own.
 */
export function sectionParentDocument(
  text: string,
  { parentTokens, childTokens }: ParentDocumentOptions,
  countTokens: CountTokens,
): Section[] {
  const parents = sectionByHeadings(text, countTokens, {
    minTokens: Math.min(childTokens, Math.floor(parentTokens / 2)),
    maxTokens: parentTokens,
  });
  const limits = summed({ minTokens: Math.max(1, Math.floor(childTokens * leastChild)), maxTokens: childTokens });
  const children = parents.flatMap(({ start, end, tokens }) => {
    const pieces = piecesOf(text.slice(start, end), { maxTokens: childTokens, wholeTokens: 0 }, countTokens);
    const weights = new Weights(pieces);
    const bounds = settle(fillBounds(pieces, limits.maxTokens, weights), limits, weights);
    return spansOf(pieces, bounds).map((span) => ({
      start: start + span.start,
      end: start + span.end,
      returned: { start, end, tokens },
    }));
  });
  return sectionsOf(text, children, outlineOf(text), countTokens);
}
