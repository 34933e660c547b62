/** The smallest parts of a page that the cuts by structure work with, and how they are put together. */
import type { CountTokens } from "../ports.ts";
import type { Span } from "../types.ts";
import { blocks, listItems, tableRows } from "../util/markdown.ts";
import { sentences } from "../util/sentences.ts";
import type { OutlineBlock } from "./outline.ts";
import { outlineOf } from "./outline.ts";
import { Ruler, wholeCharacter } from "./ruler.ts";

export interface Piece extends Span {
  readonly tokens: number;
  /** A heading goes with what follows it. */
  readonly isHeading: boolean;
}

export interface SizeLimits {
  /** A section under this joins a neighbor wherever the maximum allows. */
  readonly minTokens: number;
  /** No section is longer; at least twice the minimum. */
  readonly maxTokens: number;
}

/** What sums of pieces are held to: they leave out the blank at a section's end, which counts there. */
export function summed<Limits extends SizeLimits>(limits: Limits): Limits {
  return { ...limits, maxTokens: limits.maxTokens - 1 };
}

export interface Grain {
  /** Only a block (code, a table's row) above this is cut, code between lines. */
  readonly maxTokens: number;
  /** Blocks up to this stay whole; longer ones are cut into sentences, list items and table rows. 0: all are cut. */
  readonly wholeTokens: number;
}

/** Sentences, list items, table rows and whole code blocks, in order; they tile the text. */
export function piecesOf(text: string, grain: Grain, countTokens: CountTokens): Piece[] {
  if (text === "") return [];
  const ruler = new Ruler(text, countTokens);
  const outline = outlineOf(text);
  const all: readonly OutlineBlock[] =
    outline.length > 0 ? outline : [{ start: 0, end: text.length, path: [], depth: 0 }];
  return all.flatMap((block) => {
    const parts = partsOfBlock(text, block, grain, ruler);
    return parts.map(({ start, end }) => {
      // A blank at the end is a token of its own only where nothing follows.
      const tokens = countTokens(text.slice(start, end).replace(/[ \t]+$/u, ""));
      return { start, end, tokens, isHeading: block.depth > 0 };
    });
  });
}

function partsOfBlock(text: string, block: OutlineBlock, { maxTokens, wholeTokens }: Grain, ruler: Ruler): Span[] {
  const span = { start: block.start, end: block.end };
  const tokens = ruler.tokens(span);
  if (tokens <= Math.min(wholeTokens, maxTokens)) return [span];
  const fit = (part: Span): Span[] =>
    ruler.tokens(part) <= maxTokens ? [part] : cutLong(text, part, maxTokens, ruler);
  const [found] = blocks(text, span);
  switch (found?.kind) {
    case "heading":
      return fit(span);
    case "code":
      return tokens <= maxTokens ? [span] : cutLong(text, span, maxTokens, ruler);
    case "table": {
      const rows = tableRows(text, found).slice(1);
      return tile(
        span,
        rows.map((row) => row.span),
      ).flatMap(fit);
    }
    case "list":
      return tile(span, listItems(text, found)).flatMap((item) =>
        holdsStructure(text, item) || ruler.tokens(item) <= itemTokens
          ? fit(item)
          : tile(item, sentences(text, item)).flatMap(fit),
      );
    default:
      if (holdsStructure(text, span)) return fit(span);
      return tile(span, sentences(text, span)).flatMap(fit);
  }
}

/** A list item up to this is one piece: its sentences belong together. */
const itemTokens = 100;

/** Code or a table inside an item or quote keeps all of it whole. */
function holdsStructure(text: string, { start, end }: Span): boolean {
  const part = text.slice(start, end);
  return /^[ \t>*+\-\d.)]*(?:`{3}|~{3})/mu.test(part) || /^[^\n]*\|[^\n]*\n[ \t>]*\|?[ \t]*:?-+:?[ \t]*\|/mu.test(part);
}

/** Parts that start where the given spans start; what stands before the first belongs to the first. */
function tile(span: Span, starts: readonly Span[]): Span[] {
  if (starts.length === 0) return [span];
  return starts.map((_, index) => ({
    start: index === 0 ? span.start : (starts[index]?.start ?? span.start),
    end: starts[index + 1]?.start ?? span.end,
  }));
}

/** What alone is over the maximum is cut at the last line end that fits, else at a blank, else anywhere. */
export function cutLong(text: string, { start, end }: Span, maxTokens: number, ruler: Ruler): Span[] {
  const parts: Span[] = [];
  for (let at = start; at < end;) {
    let to = Math.min(end, ruler.reach(at, maxTokens));
    if (to < end) {
      const line = text.lastIndexOf("\n", to - 1) + 1;
      // A blank goes with the word after it: a tokenizer joins them.
      const blank = text.lastIndexOf(" ", to - 1);
      if (line > at + (to - at) / 4) to = line;
      else if (blank > at + (to - at) / 4) to = blank;
      while (to - at > 1 && ruler.count({ start: at, end: to }) > maxTokens) to -= Math.ceil((to - at) / 32);
      to = wholeCharacter(text, to, at);
    }
    parts.push({ start: at, end: to });
    at = to;
  }
  return parts;
}

/** Groups of whole pieces, as the indexes at which they begin, the number of pieces last. */
export type Bounds = readonly number[];

/** What groups of pieces weigh, in tokens. */
export class Weights {
  readonly #before: number[] = [0];

  constructor(pieces: readonly Pick<Piece, "tokens">[]) {
    for (const { tokens } of pieces) this.#before.push((this.#before.at(-1) ?? 0) + tokens);
  }

  of(from: number, to: number): number {
    return (this.#before[to] ?? 0) - (this.#before[from] ?? 0);
  }
}

/** Groups filled up to the maximum, of about the same size; a heading is never the end of one. */
export function fillBounds(pieces: readonly Piece[], maxTokens: number, weights = new Weights(pieces)): number[] {
  const total = weights.of(0, pieces.length);
  const target = total / Math.max(1, Math.ceil(total / maxTokens));
  const bounds = [0];
  let from = 0;
  for (let at = 1; at < pieces.length; at++) {
    if (weights.of(from, at + 1) <= maxTokens && weights.of(from, at) < target) continue;
    const cut = withHeadings(pieces, from, at, weights, maxTokens);
    if (cut <= from) continue;
    bounds.push(cut);
    from = cut;
  }
  bounds.push(pieces.length);
  return bounds;
}

/** The place before the headings that stand just before `at`, as long as they fit in front of what follows. */
export function withHeadings(
  pieces: readonly Piece[],
  from: number,
  at: number,
  weights: Weights,
  maxTokens: number,
): number {
  let cut = at;
  while (cut - 1 > from && pieces[cut - 1]?.isHeading === true && weights.of(cut - 1, at + 1) <= maxTokens) cut--;
  return cut;
}

/**
 * Enforces the limits: a group under the minimum joins the smaller neighbor where the maximum allows, else takes pieces
 * from one. What stays small has neighbors too full to join and made of pieces too large to share.
 */
export function settle(bounds: Bounds, limits: SizeLimits, weights: Weights): number[] {
  const { minTokens, maxTokens } = limits;
  const settled = [...bounds];
  for (let group = 0; group < settled.length - 1;) {
    const [before, from, to, after] = [
      settled[group - 1],
      settled[group] ?? 0,
      settled[group + 1] ?? 0,
      settled[group + 2],
    ];
    if (weights.of(from, to) >= minTokens || settled.length === 2) {
      group++;
      continue;
    }
    const withBefore = before === undefined ? Infinity : weights.of(before, to);
    const withAfter = after === undefined ? Infinity : weights.of(from, after);
    if (Math.min(withBefore, withAfter) <= maxTokens) {
      settled.splice(withBefore < withAfter ? group : group + 1, 1);
      group = Math.max(0, group - 1);
      continue;
    }
    const shared = evenCut(before, to, limits, weights);
    if (shared !== undefined) settled[group] = shared;
    else {
      const next = evenCut(after === undefined ? undefined : from, after ?? 0, limits, weights);
      if (next !== undefined) settled[group + 1] = next;
    }
    group++;
  }
  return settled;
}

/** The cut nearest to the middle that leaves both sides within the limits. */
export function evenCut(
  from: number | undefined,
  to: number,
  { minTokens, maxTokens }: SizeLimits,
  weights: Weights,
): number | undefined {
  if (from === undefined) return undefined;
  let best: number | undefined;
  let distance = Infinity;
  for (let cut = from + 1; cut < to; cut++) {
    const [left, right] = [weights.of(from, cut), weights.of(cut, to)];
    if (Math.min(left, right) < minTokens || Math.max(left, right) > maxTokens) continue;
    if (Math.abs(left - right) < distance) {
      distance = Math.abs(left - right);
      best = cut;
    }
  }
  return best;
}

/** The span of each group. */
export function spansOf(pieces: readonly Piece[], bounds: Bounds): Span[] {
  return bounds.slice(0, -1).map((from, group) => ({
    start: pieces[from]?.start ?? 0,
    end: pieces[(bounds[group + 1] ?? from) - 1]?.end ?? 0,
  }));
}
