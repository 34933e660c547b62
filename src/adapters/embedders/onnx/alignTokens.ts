import type { Span } from "../../../core/types.ts";

/** How a vocabulary writes its tokens. */
export interface TokenStyle {
  /** Each character stands for one byte of UTF-8, as in GPT-2's vocabulary. */
  readonly isByteLevel: boolean;
  /** What a token that goes on with a word begins with, e.g. `##`. */
  readonly continuation: string | undefined;
  /** What the last token of a word ends with, e.g. `</w>`. */
  readonly wordEnd: string | undefined;
  readonly unknown: string;
}

export interface PlacedTokens {
  /** Numbers of tokens; more than one where a character was split into its bytes. */
  readonly tokens: readonly number[];
  readonly span: Span;
}

/**
 * Finds the place of each token in its text. Tokenizers change a text before they cut it (lower case, accents, blanks),
 * so both sides are compared in one plain form, letter by letter from left to right. A token that stands for nothing
 * visible has no place and is left out; an unknown one takes what lies between its neighbors.
 */
export function alignTokens(text: string, tokens: readonly string[], style: TokenStyle): PlacedTokens[] {
  const { plain, from, to } = plainForm(text);
  const placed: PlacedTokens[] = [];
  let unknown: number[] = [];
  let at = 0;
  const put = (numbers: readonly number[], start: number, end: number): void => {
    const span = { start: from[start] ?? 0, end: to[end - 1] ?? 0 };
    at = end;
    const last = placed.at(-1);
    // Two tokens of one character: a ligature taken apart.
    if (last !== undefined && span.start < last.span.end) {
      placed[placed.length - 1] = {
        tokens: [...last.tokens, ...numbers],
        span: { start: last.span.start, end: span.end },
      };
    } else placed.push({ tokens: numbers, span });
  };
  for (const { numbers, surface } of piecesOf(tokens, style)) {
    if (surface === undefined) {
      unknown.push(...numbers);
      continue;
    }
    if (surface === "") continue;
    const found = plain.indexOf(surface, unknown.length > 0 ? at + 1 : at);
    if (found < 0 || found - at > farthest) {
      unknown.push(...numbers);
      continue;
    }
    if (unknown.length > 0 && found > at) put(unknown, at, found);
    unknown = [];
    put(numbers, found, found + surface.length);
  }
  if (unknown.length > 0 && at < plain.length) put(unknown, at, plain.length);
  return placed;
}

/** A token is never looked for farther on, plain characters: past that it was changed beyond recognition. */
const farthest = 100;

interface Piece {
  readonly numbers: readonly number[];
  /** In plain form; `undefined` when unknown. */
  readonly surface: string | undefined;
}

/** Tokens as text; those that hold only a part of a character together. */
function piecesOf(tokens: readonly string[], { isByteLevel, continuation, wordEnd, unknown }: TokenStyle): Piece[] {
  const pieces: Piece[] = [];
  let numbers: number[] = [];
  let bytes: number[] = [];
  const close = (surface: string | undefined): void => {
    pieces.push({ numbers, surface: surface === undefined ? undefined : plainForm(surface).plain });
    numbers = [];
    bytes = [];
  };
  tokens.forEach((token, number) => {
    const own = isByteLevel ? bytesOf(token) : byteFallback(token);
    // Bytes that made no character before something else follows.
    if (own === undefined && bytes.length > 0) close(undefined);
    numbers.push(number);
    if (token === unknown) close(undefined);
    else if (own !== undefined) {
      bytes.push(...own);
      const text = decoded(bytes);
      if (text !== undefined) close(text);
    } else {
      let text = token;
      if (continuation !== undefined && text.startsWith(continuation) && text.length > continuation.length)
        text = text.slice(continuation.length);
      if (wordEnd !== undefined && text.endsWith(wordEnd)) text = text.slice(0, -wordEnd.length);
      close(text.replaceAll("\u2581", " "));
    }
  });
  if (numbers.length > 0) close(undefined);
  return pieces;
}

/** Small letters without marks and blanks, and which part of the text each came from. */
function plainForm(text: string): { plain: string; from: number[]; to: number[] } {
  let plain = "";
  const from: number[] = [];
  const to: number[] = [];
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    for (const part of character
      .normalize("NFKD")
      .toLowerCase()
      .replace(/[\p{Mn}\s]/gu, "")
      .split("")) {
      plain += part;
      from.push(at);
      to.push(end);
    }
    at = end;
  }
  return { plain, from, to };
}

/** `<0x0A>`: a byte that the vocabulary has no other token for. */
function byteFallback(token: string): number[] | undefined {
  const hex = /^<0x([0-9A-F]{2})>$/.exec(token)?.[1];
  return hex === undefined ? undefined : [parseInt(hex, 16)];
}

/** `undefined` for a token that is not written in bytes: one that was added whole. */
function bytesOf(token: string): number[] | undefined {
  const bytes: number[] = [];
  for (const character of token) {
    const byte = byteOfCharacter.get(character);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  return bytes;
}

/** GPT-2 writes visible Latin-1 characters as they are and the other bytes as characters from U+0100 on. */
const byteOfCharacter: ReadonlyMap<string, number> = (() => {
  const map = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte++) {
    const isVisible = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    map.set(String.fromCodePoint(isVisible ? byte : next++), byte);
  }
  return map;
})();

function decoded(bytes: readonly number[]): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}
