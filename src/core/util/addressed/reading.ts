/**
 * A text as a model reads it: letters alone count, however they are dressed. Case, full-width and mathematical forms,
 * accents, zero-width characters, Markdown emphasis, inline tags and character references are undone; each character
 * knows where it came from.
 */
import { latinOf } from "./lookalikes.ts";

export interface Reading {
  readonly text: string;
  /** Offset in the source of each UTF-16 unit of `text`, and of the source's end. */
  readonly at: Uint32Array;
  /** `text` with Cyrillic, Greek and other letters that look Latin as Latin ones; same length. `undefined` without such letters. */
  readonly latin: string | undefined;
}

export function readingOf(source: string): Reading {
  const writer = createWriter(source.length);
  for (let at = 0; at < source.length; at += 1) {
    const unit = source.charCodeAt(at);
    if (unit === 60) {
      const length = tagLength(source, at);
      if (length > 0) {
        if (isBreakingTag(source, at)) writer.put(32, 32, at);
        at += length - 1;
        continue;
      }
    }
    if (unit === 38) {
      const reference = referenceAt(source, at);
      if (reference !== undefined) {
        writer.putFolded(reference.codePoint, at);
        at += reference.length - 1;
        continue;
      }
    }
    if (unit < 128) {
      // Emphasis and escapes stand within words as well as around them.
      if (unit === 42 || unit === 92) continue;
      const lower = unit >= 65 && unit <= 90 ? unit + 32 : unit;
      writer.put(lower, lower, at);
      continue;
    }
    const codePoint = source.codePointAt(at) ?? unit;
    writer.putFolded(codePoint, at);
    if (codePoint > 0xffff) at += 1;
  }
  return writer.end(source.length);
}

interface Writer {
  put(unit: number, latin: number, at: number): void;
  putFolded(codePoint: number, at: number): void;
  end(at: number): Reading;
}

function createWriter(size: number): Writer {
  let units = new Uint16Array(size + 16);
  let offsets = new Uint32Array(size + 17);
  let latin: Uint16Array | undefined;
  let length = 0;
  const grow = (): void => {
    const more = new Uint16Array(units.length * 2);
    more.set(units);
    units = more;
    const further = new Uint32Array(offsets.length * 2);
    further.set(offsets);
    offsets = further;
    if (latin === undefined) return;
    const wider = new Uint16Array(units.length);
    wider.set(latin);
    latin = wider;
  };
  const put = (unit: number, latinUnit: number, at: number): void => {
    if (length + 2 >= units.length) grow();
    if (latinUnit !== unit) latin ??= units.slice();
    units[length] = unit;
    if (latin !== undefined) latin[length] = latinUnit;
    offsets[length] = at;
    length += 1;
  };
  return {
    put,
    putFolded(codePoint, at) {
      const folded = foldedOf(codePoint);
      const look = latinOf(codePoint);
      for (let index = 0; index < folded.length; index += 1) {
        const unit = folded.charCodeAt(index);
        put(unit, look === undefined || folded.length > 1 ? unit : look.charCodeAt(0), at);
      }
    },
    end(at) {
      offsets[length] = at;
      return {
        text: stringOf(units, length),
        at: offsets.subarray(0, length + 1),
        latin: latin === undefined ? undefined : stringOf(latin, length),
      };
    },
  };
}

const decoder = new TextDecoder("utf-16le", { ignoreBOM: true });

function stringOf(units: Uint16Array, length: number): string {
  return decoder.decode(units.subarray(0, length));
}

const folds = new Map<number, string>();
/** Characters of one text are few; a text made to hold all of Unicode must not fill the memory. */
const maxFolds = 20_000;

function foldedOf(codePoint: number): string {
  const known = folds.get(codePoint);
  if (known !== undefined) return known;
  const folded = fold(codePoint);
  if (folds.size < maxFolds) folds.set(codePoint, folded);
  return folded;
}

/** What shows nothing: format characters, joiners, fillers, variation selectors, marks set over any letter. */
const silent = /^\p{Cf}$/u;
/** Those of it that Unicode does not count as format characters: first and last code points. */
const silentRows: readonly (readonly [number, number])[] = [
  [0x0300, 0x036f],
  [0x0483, 0x0489],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
  [0xffa0, 0xffa0],
  [0xe0100, 0xe01ef],
];

const plainForms: Readonly<Record<string, string>> = {
  "‘": "'", "’": "'", "‚": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‹": '"', "›": '"',
  "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-",
  ß: "ss", ø: "o", Ø: "o", ł: "l", Ł: "l", đ: "d", Đ: "d", ı: "i", æ: "ae", Æ: "ae", œ: "oe", Œ: "oe",
}; // prettier-ignore

function fold(codePoint: number): string {
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return " ";
  const character = String.fromCodePoint(codePoint);
  if (silent.test(character) || silentRows.some(([first, last]) => codePoint >= first && codePoint <= last)) return "";
  // Letters in circles, squares and flags are not decomposed by Unicode.
  for (const [first, last] of letterRows) if (codePoint >= first && codePoint <= last) return letter(codePoint - first);
  const plain = plainForms[character];
  if (plain !== undefined) return plain;
  const apart = character.normalize("NFKD");
  if (/^\p{Script=Latin}/u.test(apart)) return apart.replace(/\p{M}+/gu, "").toLowerCase();
  return character.normalize("NFKC").toLowerCase();
}

/** Negative circled, negative squared, squared letters and regional indicators, A to Z each. */
const letterRows: readonly (readonly [number, number])[] = [
  [0x1f150, 0x1f169],
  [0x1f170, 0x1f189],
  [0x1f130, 0x1f149],
  [0x1f1e6, 0x1f1ff],
];

function letter(index: number): string {
  return String.fromCharCode(97 + index);
}

const inlineTag =
  /<\/?(?:b|i|em|strong|span|u|s|sub|sup|small|big|mark|wbr|font|a|abbr|bdi|bdo|ins|del|kbd|code|tt|var|samp|cite|q|dfn|br|p|div|td|th|tr|li|ul|ol|details|summary)(?:[\s/][^<>]{0,300})?>/iuy;

/** Length of a tag of formatting, 0 for anything else. */
function tagLength(source: string, at: number): number {
  inlineTag.lastIndex = at;
  return inlineTag.exec(source)?.[0].length ?? 0;
}

function isBreakingTag(source: string, at: number): boolean {
  return /^<\/?(?:br|p|div|td|th|tr|li|ul|ol|details|summary)\b/iu.test(source.slice(at, at + 12));
}

const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|nbsp|zwnj|zwj|shy|apos));/iuy;
const named: Readonly<Record<string, number>> = {
  lt: 60, gt: 62, amp: 38, quot: 34, nbsp: 32, zwnj: 0x200c, zwj: 0x200d, shy: 0xad, apos: 39,
}; // prettier-ignore

function referenceAt(source: string, at: number): { codePoint: number; length: number } | undefined {
  reference.lastIndex = at;
  const match = reference.exec(source);
  if (match === null) return undefined;
  const codePoint =
    match[3] === undefined
      ? Number.parseInt(match[1] ?? match[2] ?? "", match[1] === undefined ? 16 : 10)
      : named[match[3].toLowerCase()];
  if (codePoint === undefined || !(codePoint > 0 && codePoint <= 0x10ffff)) return undefined;
  return { codePoint, length: match[0].length };
}
