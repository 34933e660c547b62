import type { CountTokens } from "../ports.ts";
import type { Section, Span } from "../types.ts";
import { outlineOf, sectionsOf } from "./outline.ts";
import { Weights, cutLong, evenCut, settle, spansOf } from "./pieces.ts";
import type { Piece, SizeLimits } from "./pieces.ts";
import { Ruler } from "./ruler.ts";

/** Where to cut, best first: after a paragraph, a line, a sentence, a word (its blank goes with the next). What is left is cut anywhere. */
const separators: readonly RegExp[] = [/(?<=\n[ \t]*\n)(?=\S)/u, /(?<=\n)/u, /(?<=[.!?][ \t])/u, /(?=[ \t])/u];
const words = separators.length - 1;

/** Tokens by which a sum of measured parts can be off. */
const slack = 2;

export interface RecursiveOptions extends SizeLimits {
  /** Tokens shared with the section before, at most; less than half of `maxTokens`. */
  readonly overlap: number;
}

/**
 * Pieces filled up to the maximum, each cut as coarsely as its size allows; without an overlap they tile the text. They
 * know no code and no tables. A short rest takes words from the section before it, so that none is under the minimum.
 */
export function sectionRecursive(text: string, options: RecursiveOptions, countTokens: CountTokens): Section[] {
  if (text === "") return [];
  const ruler = new Ruler(text, countTokens);
  const { overlap } = options;
  // An overlap comes on top of what a section holds itself.
  const limits = { minTokens: options.minTokens + slack, maxTokens: options.maxTokens - overlap - slack };
  const pieces = leavesOf(text, { start: 0, end: text.length }, 0, limits.maxTokens, ruler);
  const spans = noneShort(text, joined(pieces, limits), limits, ruler);
  const overlapping = spans.map((span, index) => {
    const before = spans[index - 1];
    if (before === undefined || overlap === 0) return span;
    return { start: Math.max(before.start + 1, ruler.reachBack(before.end, overlap)), end: span.end };
  });
  return sectionsOf(text, overlapping, outlineOf(text), countTokens);
}

function leavesOf(text: string, span: Span, level: number, maxTokens: number, ruler: Ruler): Piece[] {
  if (span.start === span.end) return [];
  const tokens = ruler.tokens(span);
  if (tokens <= maxTokens) return [{ ...span, tokens, isHeading: false }];
  const separator = separators[level];
  if (separator === undefined) {
    return cutLong(text, span, maxTokens, ruler).map((part) => ({
      ...part,
      tokens: ruler.tokens(part),
      isHeading: false,
    }));
  }
  let start = span.start;
  return text
    .slice(span.start, span.end)
    .split(separator)
    .flatMap((part) => {
      const inner = { start, end: start + part.length };
      start = inner.end;
      return leavesOf(text, inner, level + 1, maxTokens, ruler);
    });
}

/** Pieces joined from the front as long as they fit, then the short ones with a neighbor. */
function joined(pieces: readonly Piece[], limits: SizeLimits): Span[] {
  const weights = new Weights(pieces);
  const bounds = [0];
  for (let at = 1; at < pieces.length; at++) {
    if (weights.of(bounds.at(-1) ?? 0, at + 1) > limits.maxTokens) bounds.push(at);
  }
  bounds.push(pieces.length);
  return spansOf(pieces, settle(bounds, limits, weights));
}

/** Where joining did not help, a neighbor gives up words. */
function noneShort(text: string, spans: readonly Span[], limits: SizeLimits, ruler: Ruler): Span[] {
  const settled = [...spans];
  for (let index = 0; index < settled.length && settled.length > 1; index++) {
    const span = settled[index];
    if (span === undefined || ruler.tokens(span) >= limits.minTokens) continue;
    const first = Math.max(0, index - 1);
    const union = { start: settled[first]?.start ?? 0, end: settled[first + 1]?.end ?? text.length };
    const parts = wordsOf(text, union, limits, ruler);
    const weights = new Weights(parts);
    const cut = evenCut(0, parts.length, limits, weights);
    const at = cut === undefined ? undefined : parts[cut]?.start;
    if (at !== undefined) settled.splice(first, 2, { start: union.start, end: at }, { start: at, end: union.end });
  }
  return settled;
}

function wordsOf(text: string, span: Span, { minTokens }: SizeLimits, ruler: Ruler): Piece[] {
  const most = Math.max(1, Math.floor(minTokens / 4));
  let start = span.start;
  return text
    .slice(span.start, span.end)
    .split(separators[words] ?? "")
    .flatMap((part) => {
      const inner = { start, end: start + part.length };
      start = inner.end;
      return leavesOf(text, inner, separators.length, most, ruler);
    });
}
