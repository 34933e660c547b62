import type { CountTokens } from "../ports.ts";
import type { Section, Span } from "../types.ts";
import { outlineOf, sectionsOf } from "./outline.ts";
import { Ruler, wholeCharacter } from "./ruler.ts";

export interface FixedOptions {
  /** Length of a window, in `unit`. */
  readonly size: number;
  /** Shared with the window before, in `unit`; less than half of `size`. */
  readonly overlap: number;
  readonly unit: "characters" | "tokens";
}

/** A last window shorter than this share of the size divides what is left evenly with the one before it. */
const shortRest = 0.6;

/**
 * Windows of one length: the plainest way to cut, and the eval's baseline. A window of tokens counts exactly that many by
 * itself, or as many as whole characters allow; the last two may be shorter, but none is shorter than half of the size.
 */
export function sectionFixed(text: string, options: FixedOptions, countTokens: CountTokens): Section[] {
  const scale = options.unit === "tokens" ? tokenScale(text, countTokens) : characterScale(text);
  const { size, overlap } = options;
  const spans: Span[] = [];
  for (let start = 0, last = 0; start < text.length;) {
    let end = scale.forward(start, size);
    const left = scale.length({ start, end: text.length });
    if (end < text.length && left < size + size * shortRest - overlap) {
      end = scale.forward(start, Math.min(size, Math.ceil((left + overlap) / 2)));
    }
    // A character of many tokens can leave no room beside the overlap.
    last = end = Math.max(end, wholeCharacter(text, last + 1, last));
    spans.push({ start, end });
    if (end >= text.length) break;
    start = Math.max(start + 1, wholeCharacter(text, scale.back(end, overlap), start));
  }
  return sectionsOf(text, spans, outlineOf(text), countTokens);
}

interface Scale {
  length(span: Span): number;
  forward(start: number, length: number): number;
  back(end: number, length: number): number;
}

function characterScale(text: string): Scale {
  return {
    length: ({ start, end }) => end - start,
    forward: (start, length) => wholeCharacter(text, Math.min(text.length, start + length), start),
    back: (end, length) => end - length,
  };
}

/** Characters around the measured end that are tried one by one. */
const tried = 24;
/** Characters before the end that are counted again at each try, from the begin of a word on, where no tokens merge. */
const recounted = 120;

function tokenScale(text: string, countTokens: CountTokens): Scale {
  const ruler = new Ruler(text, countTokens);
  /** The measured end where the measure was right, else one near before it that fits. */
  function shrunk(start: number, end: number, length: number): number {
    let best = end;
    while (best - start > 1 && countTokens(text.slice(start, best)) > length) best -= Math.ceil((best - start) / 32);
    return best;
  }

  return {
    length: (span) => ruler.tokens(span),
    forward(start, length) {
      if (ruler.tokens({ start, end: text.length }) < length / 2) return text.length;
      const near = ruler.reach(start, length);
      const from = Math.max(start, near - tried);
      const word = from - recounted <= start ? -1 : text.slice(from - recounted, from).search(/(?<=[a-z]) (?=[a-z])/u);
      const anchor = word === -1 ? start : from - recounted + word;
      const before = countTokens(text.slice(start, anchor));
      let best = shrunk(start, from, length);
      for (let end = from + 1; end <= Math.min(text.length, near + tried); end++) {
        if (before + countTokens(text.slice(anchor, end)) <= length) best = end;
      }
      return wholeCharacter(text, Math.max(best, start + 1), start);
    },
    back: (end, length) => ruler.reachBack(end, length),
  };
}
