/** How well a way to cut respects the text: what share of its units begins or ends in the middle of something. */
import type { Span } from "../types.ts";
import { blocks, listItems } from "../util/markdown.ts";
import type { Block } from "../util/markdown.ts";
import { sentences } from "../util/sentences.ts";

/** Units by what their edges cut; a unit can count in several. */
export interface Boundaries {
  /** Units with a place in their page. Others (their text alone is known) are left out. */
  readonly units: number;
  /** Units that begin or end inside a sentence of prose. */
  readonly insideSentence: number;
  /** Inside a code block. */
  readonly insideFence: number;
  /** Inside a table, also between two of its rows: the later part has lost the head. */
  readonly insideTable: number;
  /** Units with any of these. */
  readonly broken: number;
}

type Inside = "insideSentence" | "insideFence" | "insideTable";

export const noBoundaries: Boundaries = { units: 0, insideSentence: 0, insideFence: 0, insideTable: 0, broken: 0 };

/**
 * @param text The page's cleaned text.
 * @param spans One a unit. White space at a unit's edges counts as outside of it.
 */
export function boundariesOf(text: string, spans: readonly Span[]): Boundaries {
  const page = blocks(text);
  const starts = new Map<Block, ReadonlySet<number>>();
  const startsOf = (block: Block): ReadonlySet<number> => {
    let known = starts.get(block);
    if (known === undefined) starts.set(block, (known = sentenceStarts(text, block)));
    return known;
  };
  const count = { units: 0, insideSentence: 0, insideFence: 0, insideTable: 0, broken: 0 };
  for (const span of spans) {
    const start = span.start + leadingBlanks(text, span);
    if (start >= span.end) continue;
    // A unit ends where the next text begins.
    const end = span.end + leadingBlanks(text, { start: span.end, end: text.length });
    const cut = new Set([start, end].map((at) => insideOf(page, at, startsOf)).filter((one) => one !== undefined));
    count.units++;
    for (const kind of cut) count[kind]++;
    if (cut.size > 0) count.broken++;
  }
  return count;
}

export function sumOfBoundaries(parts: readonly Boundaries[]): Boundaries {
  const sum = (figure: keyof Boundaries): number => parts.reduce((total, part) => total + part[figure], 0);
  return {
    units: sum("units"),
    insideSentence: sum("insideSentence"),
    insideFence: sum("insideFence"),
    insideTable: sum("insideTable"),
    broken: sum("broken"),
  };
}

function insideOf(
  page: readonly Block[],
  at: number,
  startsOf: (block: Block) => ReadonlySet<number>,
): Inside | undefined {
  const block = blockAround(page, at);
  if (block === undefined) return undefined;
  if (block.kind === "code") return "insideFence";
  if (block.kind === "table") return "insideTable";
  return startsOf(block).has(at) ? undefined : "insideSentence";
}

/** The block that begins before `at` and ends behind it. */
function blockAround(page: readonly Block[], at: number): Block | undefined {
  let low = 0;
  let high = page.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((page[middle]?.end ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  const block = page[low];
  return block !== undefined && block.start < at ? block : undefined;
}

/** Where a sentence or a list item begins, blanks in front skipped. */
function sentenceStarts(text: string, block: Block): ReadonlySet<number> {
  const parts: readonly Span[] = block.kind === "list" ? listItems(text, block) : [block];
  // An item's further lines may be items of an inner list, or a term's definitions: each line that opens with a mark.
  const marks = [...text.slice(block.start, block.end).matchAll(/^[ \t]*(?=(?:[-*+]|\d{1,9}[.)]|:)[ \t])/gmu)];
  return new Set([
    ...parts.flatMap((part) => sentences(text, part)).map((span) => span.start + leadingBlanks(text, span)),
    ...parts.map((part) => part.start + leadingBlanks(text, part)),
    ...marks.map((mark) => block.start + mark.index + mark[0].length),
  ]);
}

function leadingBlanks(text: string, { start, end }: Span): number {
  let at = start;
  while (at < end && /\s/u.test(text.charAt(at))) at++;
  return at - start;
}
