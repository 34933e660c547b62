import type { CountTokens } from "../ports.ts";
import type { Section, Span } from "../types.ts";
import { outlineOf, sectionsOf } from "./outline.ts";
import { Weights, piecesOf, settle, spansOf, summed, withHeadings } from "./pieces.ts";
import type { Piece, SizeLimits } from "./pieces.ts";

/**
 * Where the meaning of neighbors counts as drifting apart.
 * - `percentile`: a drift above that percentile of the page's own drifts; 95 is the default of LangChain's SemanticChunker,
 *   which took it from G. Kamradt's "5 Levels of Text Splitting" (2024).
 * - `similarity`: a cosine below it, whatever the page; it has to be chosen for each embedder.
 */
export type Breakpoint = { readonly kind: "percentile" | "similarity"; readonly value: number };

export interface SemanticOptions extends SizeLimits {
  readonly breakpoint: Breakpoint;
}

/** Sentences on each side that are embedded with a sentence, so that a short one has a meaning; as in Kamradt's notebook. */
const buffer = 1;

/** What is embedded: each sentence (list item, table row, code block) with its neighbors. */
export function semanticPieces(text: string, { maxTokens }: SizeLimits, countTokens: CountTokens): Piece[] {
  return piecesOf(text, { maxTokens, wholeTokens: 0 }, countTokens);
}

/** The text to embed for each piece. */
export function semanticTexts(text: string, pieces: readonly Span[]): string[] {
  return pieces.map((_, at) => {
    const first = pieces[Math.max(0, at - buffer)];
    const last = pieces[Math.min(pieces.length - 1, at + buffer)];
    return text.slice(first?.start, last?.end);
  });
}

/**
 * Cuts where the meaning drifts, never into less than the minimum, and at the widest drift where a section would pass the
 * maximum. Code and table rows stay whole unless one alone is over the maximum.
 *
 * @param vectors Of `semanticTexts`, unit length; `undefined` where the embedder knows nothing: no drift is seen there.
 */
export function sectionSemantic(
  text: string,
  pieces: readonly Piece[],
  vectors: readonly (Float32Array | undefined)[],
  given: SemanticOptions,
  countTokens: CountTokens,
): Section[] {
  if (pieces.length === 0) return [];
  const options = summed(given);
  const weights = new Weights(pieces);
  const { minTokens, maxTokens } = options;
  const drifts = pieces.map((_, at) => driftOf(vectors[at - 1], vectors[at]));
  const least = thresholdOf(drifts.slice(1), options.breakpoint);
  const bounds = [0];
  for (let at = 1; at < pieces.length; at++) {
    if ((drifts[at] ?? 0) <= least) continue;
    const from = bounds.at(-1) ?? 0;
    const cut = withHeadings(pieces, from, at, weights, maxTokens);
    if (weights.of(from, cut) >= minTokens) bounds.push(cut);
  }
  bounds.push(pieces.length);
  const fitting = bounds.slice(0, -1).flatMap((from, group) => fit(from, bounds[group + 1] ?? from));
  const settled = settle([...fitting, pieces.length], options, weights);
  return sectionsOf(text, spansOf(pieces, settled), outlineOf(text), countTokens);

  /** Where the parts of a group begin that fit the maximum. */
  function fit(from: number, to: number): number[] {
    if (weights.of(from, to) <= maxTokens || to - from < 2) return [from];
    let best = from + 1;
    let widest = -Infinity;
    for (let cut = from + 1; cut < to; cut++) {
      const short = Math.min(weights.of(from, cut), weights.of(cut, to)) < minTokens;
      // A place after a heading, or one that leaves a fragment, is taken only where there is no other.
      const worth = (drifts[cut] ?? 0) - (short ? 10 : 0) - (pieces[cut - 1]?.isHeading === true ? 5 : 0);
      if (worth > widest) [widest, best] = [worth, cut];
    }
    return [...fit(from, best), ...fit(best, to)];
  }
}

/** 1 - cosine, 0..2. */
function driftOf(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let cosine = 0;
  for (let index = 0; index < a.length; index++) cosine += (a[index] ?? 0) * (b[index] ?? 0);
  return 1 - cosine;
}

function thresholdOf(drifts: readonly number[], { kind, value }: Breakpoint): number {
  if (kind === "similarity") return 1 - value;
  if (drifts.length === 0) return Infinity;
  const sorted = drifts.toSorted((a, b) => a - b);
  const rank = (value / 100) * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0];
  return below + (above - below) * (rank - Math.floor(rank));
}
