import type { Span } from "../types.ts";

/** Spans of sentences that tile the span; the blank space after a sentence belongs to it. No cut inside inline code. */
export function sentences(text: string, span: Span = { start: 0, end: text.length }): Span[] {
  const part = text.slice(span.start, span.end);
  const found: Span[] = [];
  let start = 0;
  const cut = (at: number): void => {
    if (at > start) found.push({ start: span.start + start, end: span.start + at });
    start = Math.max(start, at);
  };
  for (const match of part.matchAll(token)) {
    const end = match.index + match[0].length;
    if (match[0].startsWith("`") || end <= start) continue;
    if (/^[.…]/u.test(match[0]) && !/\n[ \t]*\n/u.test(match[0]) && isAbbreviated(part, match.index, end)) continue;
    cut(end);
  }
  cut(part.length);
  return found;
}

/** Inline code (passed over), a paragraph's end, a sentence's end with blank space, a CJK full stop. */
const token =
  /(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[^]){0,2000}?[^`]\1(?!`)|\n[ \t]*\n\s*|(?:\.{3}|[.!?…])["'”’)\]*_]{0,4}(?:\s+|$)|[。！？｡]["'”’」』）]{0,3}\s*/gu;

const abbreviation =
  /(?:^|[\s([])(?:e\.g|i\.e|vs|cf|etc|fig|figs|eq|no|nos|vol|sec|ch|approx|resp|al|mr|mrs|ms|dr|prof|st|inc|ltd|incl|esp|viz|[A-Za-z])$/iu;

/** A stop after an abbreviation or `...` ends a sentence only if a blank line or the text's end follows. */
function isAbbreviated(part: string, at: number, end: number): boolean {
  if (end >= part.length || part[at] === "!" || part[at] === "?") return false;
  // A small letter goes on with the sentence, whatever stands in front.
  return /[\p{Ll}]/u.test(part.charAt(end)) || abbreviation.test(part.slice(Math.max(0, at - 12), at));
}
