/**
 * Finds evidence in texts whose markup differs: both are brought to a key of letters and digits alone.
 *
 * The key: NFKC, case-folded, Markdown link and image targets (`](...)`) removed, then everything that is neither a
 * letter nor a digit dropped. So Markdown marks, table bars and white space do not matter.
 */
import type { Span } from "../types.ts";

/** A text's key with the way back to the text. */
export interface MatchingText {
  readonly key: string;
  /** For each UTF-16 unit of `key`: offset of the character it came from. */
  readonly starts: Uint32Array;
  /** For each UTF-16 unit of `key`: offset behind the character it came from. */
  readonly ends: Uint32Array;
}

export function matchingKey(text: string): string {
  let key = "";
  forEachKeyPart(text, (part) => {
    key += part;
  });
  return key;
}

export function matchingText(text: string): MatchingText {
  const parts: string[] = [];
  // NFKC makes up to 18 characters of one; the arrays grow when a text is that unusual.
  let starts = new Uint32Array(text.length);
  let ends = new Uint32Array(text.length);
  let length = 0;
  forEachKeyPart(text, (part, start, end) => {
    if (length + part.length > starts.length) {
      starts = grown(starts, length + part.length);
      ends = grown(ends, length + part.length);
    }
    starts.fill(start, length, length + part.length);
    ends.fill(end, length, length + part.length);
    length += part.length;
    parts.push(part);
  });
  return { key: parts.join(""), starts: starts.subarray(0, length), ends: ends.subarray(0, length) };
}

/**
 * Every place of a key in a text, in order, overlapping ones too.
 *
 * @param snippetKey From `matchingKey`. An empty key is nowhere.
 */
export function placesOf(snippetKey: string, { key, starts, ends }: MatchingText): Span[] {
  const places: Span[] = [];
  if (snippetKey === "") return places;
  for (let at = key.indexOf(snippetKey); at !== -1; at = key.indexOf(snippetKey, at + 1)) {
    const start = starts[at];
    const end = ends[at + snippetKey.length - 1];
    if (start !== undefined && end !== undefined) places.push({ start, end });
  }
  return places;
}

/** Whether `outer` holds one of the places whole. */
export function coversPlace(outer: Span, places: readonly Span[]): boolean {
  return places.some(({ start, end }) => outer.start <= start && end <= outer.end);
}

/** A base character with the marks that belong to it, so that NFKC sees what it may compose. */
const composed = /[\p{L}\p{N}\p{S}\p{P}]\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[^]/gu;
const notInKey = /[^\p{L}\p{N}]+/gu;
const nonAscii = /[^\0-\x7f]/;

function forEachKeyPart(text: string, emit: (part: string, start: number, end: number) => void): void {
  let at = 0;
  let hasClosing = true;
  while (at < text.length) {
    const open = hasClosing ? text.indexOf("](", at) : -1;
    const close = open === -1 ? -1 : text.indexOf(")", open + 2);
    if (open !== -1 && close === -1) hasClosing = false;
    const upTo = close === -1 ? text.length : open;
    emitKeyParts(text, at, upTo, emit);
    at = close === -1 ? text.length : close + 1;
  }
}

function emitKeyParts(
  text: string,
  from: number,
  to: number,
  emit: (part: string, start: number, end: number) => void,
): void {
  const stretch = text.slice(from, to);
  if (!nonAscii.test(stretch)) {
    for (let index = 0; index < stretch.length; index++) {
      const code = stretch.charCodeAt(index);
      if (isAsciiUpper(code)) emit(String.fromCharCode(code + 32), from + index, from + index + 1);
      else if (isAsciiLowerOrDigit(code)) emit(stretch.charAt(index), from + index, from + index + 1);
    }
    return;
  }
  for (const match of stretch.matchAll(composed)) {
    const part = foldCase(match[0].normalize("NFKC")).replace(notInKey, "");
    if (part !== "") emit(part, from + match.index, from + match.index + match[0].length);
  }
}

/** Upper case first: `ß` becomes `ss` and a final sigma an ordinary one, as full case folding has it. */
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}

function isAsciiUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isAsciiLowerOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

function grown(array: Uint32Array, atLeast: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(atLeast, array.length * 2));
  larger.set(array);
  return larger;
}
