import type { CountTokens } from "../ports.ts";
import type { Span } from "../types.ts";

/** Characters of a stretch that is counted once; shorter stretches count the blanks between them less exactly. */
const stretchLength = 80;
/** A stretch without a blank is cut here. */
const longestStretch = 256;

/**
 * Measures spans of one text in tokens after counting it once, stretch by stretch. A tokenizer merges nothing over a line
 * end or over the blank before a word, so sums are a token off at most here and there: what must be exact is counted again.
 */
export class Ruler {
  readonly #text: string;
  readonly #countTokens: CountTokens;
  /** Where stretches begin, the text's end last. */
  readonly #starts: number[] = [];
  /** Tokens before each of them. */
  readonly #before: number[] = [];

  constructor(text: string, countTokens: CountTokens) {
    this.#text = text;
    this.#countTokens = countTokens;
    let tokens = 0;
    for (let at = 0; at < text.length;) {
      const end = stretchEnd(text, at);
      this.#starts.push(at);
      this.#before.push(tokens);
      tokens += countTokens(text.slice(at, end));
      at = end;
    }
    this.#starts.push(text.length);
    this.#before.push(tokens);
  }

  tokens({ start, end }: Span): number {
    return Math.max(0, this.#at(end) - this.#at(start));
  }

  /** Exactly, by counting again. */
  count({ start, end }: Span): number {
    return this.#countTokens(this.#text.slice(start, end));
  }

  /** The greatest offset with at most `tokens` tokens between `start` and it, at least one character on. */
  reach(start: number, tokens: number): number {
    const wanted = this.#at(start) + tokens;
    const text = this.#text;
    const stretch = lastAtMost(this.#before, wanted);
    const from = this.#starts[stretch] ?? text.length;
    const to = this.#starts[stretch + 1] ?? text.length;
    const left = wanted - (this.#before[stretch] ?? 0);
    // Within the stretch: the longest beginning that fits.
    let low = from;
    for (let high = to; low < high;) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#countTokens(text.slice(from, middle)) <= left) low = middle;
      else high = middle - 1;
    }
    return wholeCharacter(text, Math.max(low, start + 1), start);
  }

  /** The least offset with at most `tokens` tokens between it and `end`, at the begin of a word where there is one near. */
  reachBack(end: number, tokens: number): number {
    const text = this.#text;
    if (tokens <= 0) return end;
    const wanted = this.#at(end) - tokens;
    if (wanted <= 0) return 0;
    let at = this.reach(0, Math.ceil(wanted));
    const word = /(?<=\s)\S/u.exec(text.slice(at - 1, Math.min(end, at + stretchLength)));
    if (word !== null) at += word.index - 1;
    while (at < end && this.count({ start: at, end }) > tokens) at += Math.ceil((end - at) / 32);
    at = Math.min(at, end);
    return wholeCharacter(text, at, at - 1);
  }

  #at(offset: number): number {
    const stretch = lastAtMost(this.#starts, offset);
    const from = this.#starts[stretch] ?? 0;
    const before = this.#before[stretch] ?? 0;
    return offset === from ? before : before + this.#countTokens(this.#text.slice(from, offset));
  }
}

/** The offset, or the one before if it lies inside a surrogate pair; the one behind where that would not be past `after`. */
export function wholeCharacter(text: string, at: number, after: number): number {
  if (at <= 0 || at >= text.length || (text.codePointAt(at - 1) ?? 0) <= 0xffff) return at;
  return at - 1 > after ? at - 1 : at + 1;
}

function stretchEnd(text: string, start: number): number {
  const line = text.indexOf("\n", start);
  const lineEnd = line === -1 ? text.length : line + 1;
  if (lineEnd - start <= stretchLength) return lineEnd;
  const blank = text.indexOf(" ", start + stretchLength);
  const end = blank === -1 ? lineEnd : Math.min(blank, lineEnd);
  return end - start <= longestStretch ? end : wholeCharacter(text, start + longestStretch, start);
}

/** Index of the last entry at most `value`; `sorted` rises and begins at 0. */
function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0;
  for (let high = sorted.length - 1; low < high;) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
