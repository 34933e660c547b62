import type { CountTokens } from "../ports.ts";
import type { Section } from "../types.ts";

export interface FixedOptions {
  /** Length of a window, in `unit`. */
  readonly size: number;
  /** Shared with the window before, in characters; less than half of `size`. */
  readonly overlap: number;
  readonly unit: "characters" | "tokens";
}

/** Windows of one length, the eval's baseline. A window of tokens is as many characters as the page has for them on average. */
export function sectionFixed(text: string, options: FixedOptions, countTokens: CountTokens): Section[] {
  const ratio = options.unit === "tokens" ? text.length / Math.max(1, countTokens(text)) : 1;
  const size = Math.max(2, Math.floor(options.size * ratio));
  const overlap = Math.min(Math.floor(options.overlap * ratio), Math.floor((size - 1) / 2));
  const sections: Section[] = [];
  for (let start = 0; start < text.length;) {
    const end = whole(text, Math.min(text.length, start + size));
    sections.push({ index: sections.length, start, end, headingPath: [], tokens: countTokens(text.slice(start, end)) });
    if (end === text.length) break;
    const next = whole(text, end - overlap);
    start = next > start ? next : end;
  }
  return sections;
}

/** The offset, or the one before if it lies inside a surrogate pair. */
function whole(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff && at < text.length ? at - 1 : at;
}
