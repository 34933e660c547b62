/** Text that hides as something else: in invisible characters, as a code, spelled backwards. */
import type { Span } from "../../types.ts";

/** A stretch of the source and the text it stands for. */
export interface Decoded extends Span {
  readonly text: string;
}

/** Texts written with invisible characters. Documentation has no use for such; flags in emoji are passed over. */
export function smuggledTexts(source: string): Decoded[] {
  if (!/[\u{E0020}-\u{E007E}]|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]|[\u200B-\u200D\u2060-\u2064]/u.test(source))
    return [];
  const found: Decoded[] = [];
  for (const match of source.matchAll(/[\u{E0000}-\u{E007F}]{4,}/gu)) {
    // A flag of a region is a black flag followed by at most six letters and an end mark.
    if (source.slice(Math.max(0, match.index - 2), match.index) === "\u{1F3F4}" && match[0].length <= 14) continue;
    const text = Array.from(match[0])
      .map((character) => asciiOf((character.codePointAt(0) ?? 0) - 0xe0000))
      .join("");
    found.push({ start: match.index, end: match.index + match[0].length, text });
  }
  for (const match of source.matchAll(/(?:[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]){8,}/gu)) {
    const bytes = Array.from(match[0]).map((character) => {
      const codePoint = character.codePointAt(0) ?? 0;
      return codePoint >= 0xe0100 ? codePoint - 0xe0100 + 16 : codePoint - 0xfe00;
    });
    found.push({ start: match.index, end: match.index + match[0].length, text: textOfBytes(bytes) ?? "" });
  }
  for (const match of source.matchAll(/[\u200B-\u200D\u2060-\u2064]{32,}/gu)) {
    found.push({ start: match.index, end: match.index + match[0].length, text: textOfBits(match[0]) });
  }
  return found;
}

function asciiOf(code: number): string {
  return code >= 32 && code < 127 ? String.fromCharCode(code) : "";
}

/** Two zero-width characters as bits, the first one either of them. */
function textOfBits(run: string): string {
  const [zero = "", one = ""] = Array.from(new Set(run)).toSorted();
  for (const [low, high] of [
    [zero, one],
    [one, zero],
  ]) {
    const bits = Array.from(run).filter((character) => character === low || character === high);
    const bytes: number[] = [];
    for (let at = 0; at + 8 <= bits.length; at += 8)
      bytes.push(bits.slice(at, at + 8).reduce((byte, bit) => byte * 2 + (bit === high ? 1 : 0), 0));
    const text = textOfBytes(bytes);
    if (text !== undefined) return text;
  }
  return "";
}

/** Most codes looked into and most characters of one: a page of data must not take seconds. */
const maxCodes = 300;
const maxCode = 20_000;

/** What base64, hexadecimal, percent and escape sequences of a text stand for, where that is text. */
export function decodedTexts(source: string): Decoded[] {
  const found: Decoded[] = [];
  const add = (match: RegExpMatchArray, text: string | undefined): void => {
    const start = match.index ?? 0;
    if (text !== undefined && /\p{L}{2}/u.test(text)) found.push({ start, end: start + match[0].length, text });
  };
  for (const { pattern, decode } of codes) {
    let count = 0;
    for (const match of source.matchAll(pattern)) {
      if ((count += 1) > maxCodes) break;
      add(match, decode(match[0].slice(0, maxCode)));
    }
  }
  return found;
}

const codes: readonly { readonly pattern: RegExp; readonly decode: (code: string) => string | undefined }[] = [
  // Twenty-four characters are eighteen bytes: no order is shorter. A line may be wrapped.
  {
    pattern: /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{24,}(?:\r?\n[ \t>]*[A-Za-z0-9+/_-]{24,}){0,200}={0,2}/gu,
    decode: (code) => textOfBytes(bytesOfBase64(code)),
  },
  {
    pattern: /(?<![0-9a-z])(?:(?:0x|\\x|%)?[0-9a-f]{2}[\s:,]?){18,}(?![0-9a-z])/giu,
    decode: (code) =>
      textOfBytes(
        [...code.replace(/0x|\\x|%/giu, "").matchAll(/[0-9a-f]{2}/giu)].map(([hex]) => Number.parseInt(hex, 16)),
      ),
  },
  {
    pattern: /(?:\\u(?:\{[0-9a-f]{1,6}\}|[0-9a-f]{4})){8,}/giu,
    decode: (code) =>
      [...code.matchAll(/[0-9a-f]{2,6}/giu)]
        .map(([hex]) => Number.parseInt(hex, 16))
        .map((codePoint) => (codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : ""))
        .join(""),
  },
  {
    pattern: /(?:%[0-9a-f]{2}[\w.+,;:'~-]{0,40}){3,400}/giu,
    decode: (code) => textOfPercent(code),
  },
];

function textOfPercent(code: string): string | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const hex = code.charAt(at) === "%" ? Number.parseInt(code.slice(at + 1, at + 3), 16) : Number.NaN;
    if (Number.isNaN(hex)) bytes.push(code.charCodeAt(at) & 0x7f);
    else {
      bytes.push(hex);
      at += 2;
    }
  }
  return textOfBytes(bytes)?.replace(/\+/gu, " ");
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function bytesOfBase64(code: string): number[] {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const character of code.replace(/-/gu, "+").replace(/_/gu, "/")) {
    const digit = base64Digits.indexOf(character);
    if (digit < 0) continue;
    bits = ((bits << 6) | digit) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push((bits >> count) & 0xff);
    }
  }
  return bytes;
}

/** UTF-8 or UTF-16 that reads as text; `undefined` for data. */
function textOfBytes(bytes: readonly number[]): string | undefined {
  if (bytes.length < 6) return undefined;
  const zeros = bytes.filter((byte) => byte === 0).length;
  const label = zeros > bytes.length / 3 ? (bytes[0] === 0 ? "utf-16be" : "utf-16le") : "utf-8";
  const text = new TextDecoder(label).decode(Uint8Array.from(bytes));
  const odd = text.match(/[\uFFFD\u0000-\u0008\u000E-\u001F]/gu)?.length ?? 0;
  return odd > text.length / 20 ? undefined : text;
}

/** Rotates letters by thirteen places. */
export function rot13(text: string): string {
  return text.replace(/[a-z]/giu, (found) => {
    const code = found.charCodeAt(0);
    const first = code >= 97 ? 97 : 65;
    return String.fromCharCode(((code - first + 13) % 26) + first);
  });
}
