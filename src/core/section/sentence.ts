import type { CountTokens } from "../ports.ts";
import type { Section, Span } from "../types.ts";
import { outlineOf, sectionsOf } from "./outline.ts";
import { Weights, piecesOf, settle, spansOf, summed, withHeadings } from "./pieces.ts";
import type { Piece, SizeLimits } from "./pieces.ts";

export interface SentenceOptions extends SizeLimits {
  /** Sentences in a window. A list item, a table row and a code block count as one each, a heading as none. */
  readonly sentences: number;
  /** Sentences shared with the window before; less than half of `sentences`. */
  readonly overlap: number;
}

/**
 * Windows of a number of sentences. A window under the minimum goes on to the next sentence, one that would pass the
 * maximum ends before its time. Code and table rows stay whole unless one alone is over the maximum.
 */
export function sectionSentences(text: string, given: SentenceOptions, countTokens: CountTokens): Section[] {
  const pieces = piecesOf(text, { maxTokens: given.maxTokens, wholeTokens: 0 }, countTokens);
  const options = summed(given);
  const weights = new Weights(pieces);
  const { sentences, overlap, minTokens, maxTokens } = options;
  const bounds = [0];
  let from = 0;
  let counted = 0;
  pieces.forEach((piece, at) => {
    const isFull = (counted >= sentences && weights.of(from, at) >= minTokens) || weights.of(from, at + 1) > maxTokens;
    if (at > from && isFull) {
      const cut = withHeadings(pieces, from, at, weights, maxTokens);
      bounds.push(cut);
      from = cut;
      counted = 0;
    }
    if (!piece.isHeading) counted++;
  });
  bounds.push(pieces.length);
  const settled = pieces.length === 0 ? [] : settle(bounds, options, weights);
  const spans = overlap === 0 ? spansOf(pieces, settled) : overlapping(pieces, settled, options, weights);
  return sectionsOf(text, spans, outlineOf(text), countTokens);
}

/** Windows that begin up to `overlap` sentences earlier, as many as the maximum leaves room for. */
function overlapping(
  pieces: readonly Piece[],
  bounds: readonly number[],
  { overlap, maxTokens }: SentenceOptions,
  weights: Weights,
): Span[] {
  return bounds.slice(0, -1).flatMap((from, group) => {
    const to = bounds[group + 1] ?? from;
    const before = bounds[group - 1] ?? from;
    let start = from;
    for (let shared = 0; start - 1 > before && shared < overlap; shared++) {
      if (weights.of(start - 1, to) > maxTokens) break;
      start--;
    }
    return spansOf(pieces, [start, to]);
  });
}
