/** Cuts texts at a token budget, many times over, without counting the same words again. */
import type { CountTokens } from "../ports.ts";

/** A text with the tokens that each of its pieces adds. */
export interface MeasuredText {
  readonly text: string;
  readonly tokens: number;
  /** End offset of each piece, ascending. */
  readonly ends: readonly number[];
  /** Tokens up to and with each piece. */
  readonly totals: readonly number[];
}

/**
 * Measures a text piece by piece. A piece is a word with the white space before it, at most 40 characters.
 * The sum overcounts slightly (a tokenizer may join a bracket with the line break behind it), so it is scaled to the
 * count of the whole text.
 *
 * @param countPiece Counts one piece; a memory pays, since words repeat.
 */
export function measure(text: string, countTokens: CountTokens, countPiece = countTokens): MeasuredText {
  const ends: number[] = [];
  const counts: number[] = [];
  for (const match of text.matchAll(pieces)) {
    ends.push(match.index + match[0].length);
    counts.push(countPiece(match[0]));
  }
  const sum = counts.reduce((total, count) => total + count, 0);
  const tokens = countTokens(text);
  const scale = sum === 0 ? 1 : tokens / sum;
  let total = 0;
  const totals = counts.map((count) => (total += count) * scale);
  return { text, tokens, ends, totals };
}

/**
 * Joins texts in order with an empty line between, until the budget is reached; the last one is cut there.
 *
 * @param budget Tokens.
 */
export function cutToBudget(texts: Iterable<MeasuredText>, budget: number): string {
  const parts: string[] = [];
  let left = budget;
  for (const measured of texts) {
    if (left <= 0) break;
    parts.push(firstTokens(measured, left));
    left -= measured.tokens + separatorTokens;
  }
  return parts.join("\n\n");
}

function firstTokens({ text, tokens, ends, totals }: MeasuredText, limit: number): string {
  if (tokens <= limit) return text;
  // The last piece whose total is within the limit.
  let low = 0;
  let high = totals.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((totals[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return text.slice(0, ends[low - 1] ?? 0);
}

const pieces = /\s*\S{1,40}/gu;
/** An empty line is one o200k token. */
export const separatorTokens = 1;
