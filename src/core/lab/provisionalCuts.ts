import type { CountTokens } from "../ports.ts";
import type { Section } from "../types.ts";

/** Stands in until the section stage has these. */
export function sectionFixed(text: string, countTokens: CountTokens): Section[] {
  return tiles(
    text,
    Array.from({ length: Math.ceil(text.length / 1000) }, (_, index) => (index + 1) * 1000),
    countTokens,
  );
}

export function sectionRecursive(text: string, countTokens: CountTokens, maxTokens = 512): Section[] {
  const ends: number[] = [];
  split(0, text.length, 0);
  return tiles(text, ends, countTokens);
  function split(start: number, end: number, level: number): void {
    const separator = ["\n\n", "\n", " "][level];
    if (countTokens(text.slice(start, end)) <= maxTokens || separator === undefined) {
      ends.push(end);
      return;
    }
    let pieceStart = start;
    let at = start;
    while (at < end) {
      const found = text.indexOf(separator, at);
      const next = found === -1 || found + separator.length > end ? end : found + separator.length;
      if (countTokens(text.slice(pieceStart, next)) > maxTokens) {
        if (at > pieceStart) ends.push(at);
        pieceStart = at;
        if (countTokens(text.slice(at, next)) > maxTokens) {
          split(at, next, level + 1);
          pieceStart = next;
        }
      }
      at = next;
    }
    if (pieceStart < end) ends.push(end);
  }
}

function tiles(text: string, ends: readonly number[], countTokens: CountTokens): Section[] {
  let start = 0;
  return ends.map((wanted, index) => {
    const end = Math.min(wanted, text.length);
    const section = { index, start, end, headingPath: [], tokens: countTokens(text.slice(start, end)) };
    start = end;
    return section;
  });
}
