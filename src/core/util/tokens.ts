import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import type { CountTokens } from "../ports.ts";

/** Text that looks like a special token (`<|endoftext|>`) is counted as ordinary text, not refused. */
const asPlainText = { disallowedSpecial: new Set<string>() };

/**
 * The tokenizer merges pairs in quadratic time within one unbroken run: 200,000 equal signs took 41 s.
 * Runs longer than this are cut and counted by pieces, which can overcount by one token a piece.
 */
const maxRunLength = 256;
const pieces = new RegExp(`[^]{1,${maxRunLength}}`, "gu");

/** Counts o200k tokens; the one owner of the tokenizer. Any text is fine, also `<|endoftext|>`. */
export const countTokens: CountTokens = (text) => {
  let total = 0;
  let counted = 0;
  for (const { start, end } of longRuns(text)) {
    total += countO200k(text.slice(counted, start), asPlainText);
    for (const [piece] of text.slice(start, end).matchAll(pieces)) total += countO200k(piece, asPlainText);
    counted = end;
  }
  return total + countO200k(counted === 0 ? text : text.slice(counted), asPlainText);
};

/** Runs of blanks, or of anything else, of `maxRunLength` characters or more. One pass: a regular expression took 90 ms for 400 kB. */
function* longRuns(text: string): Generator<{ readonly start: number; readonly end: number }> {
  let start = 0;
  let isBlank = isBlankAt(text, 0);
  for (let at = 1; at <= text.length; at++) {
    if (at < text.length && isBlankAt(text, at) === isBlank) continue;
    if (at - start >= maxRunLength) yield { start, end: at };
    start = at;
    isBlank = !isBlank;
  }
}

/** The blanks of ASCII: the others are rare enough to count as letters here. */
function isBlankAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 9 && code <= 13);
}
