import { codeBlocks } from "../util/markdown.ts";
import { inlineCodesOf } from "./markdown.ts";

/**
 * What a text states that a reader could act on wrongly: each list distinct, in order of appearance, in the form that is compared
 * (numbers without separators, versions without `v`, identifiers without call parentheses).
 */
export interface Specifics {
  readonly numbers: readonly string[];
  readonly versions: readonly string[];
  readonly flags: readonly string[];
  readonly identifiers: readonly string[];
}

/**
 * Finds the specifics of a Markdown text outside its code fences.
 *
 * Not specifics: formulas, list and heading numbers, footnote marks, addresses, years of a copyright, numbers of figures and chapters, ordinals.
 */
export function specifics(markdown: string): Specifics {
  const prose = withoutMarks(blank(markdown, codeBlocks(markdown)));
  const codes = inlineCodesOf(prose);
  const flags = new Set<string>();
  const versions = new Set<string>();
  const numbers = new Set<string>();
  const identifiers = new Set<string>();

  for (const [flag] of prose.matchAll(longFlag)) flags.add(flag.toLowerCase());
  const withoutFlags = prose.replace(longFlag, " ");
  for (const [version] of withoutFlags.matchAll(versionToken)) versions.add(withoutV(version));
  const counted = withoutFlags.replace(versionToken, " ").replace(ordinal, " ");
  for (const number of numbersIn(counted)) numbers.add(number);
  for (const [, word] of counted.matchAll(countedWord)) {
    const digits = word === undefined ? undefined : numberWords.get(word.toLowerCase());
    if (digits !== undefined) numbers.add(digits);
  }
  for (const code of codes) {
    for (const [flag] of code.matchAll(shortFlag)) flags.add(flag);
    const name = /^([@$.#:]*[\p{L}_][\p{L}\p{N}_$.:#@/\\-]*)(?:\(.*\))?$/u.exec(code)?.[1];
    if (name !== undefined && name.length > 1 && !code.startsWith("-")) identifiers.add(bareName(name));
  }
  for (const [name] of withoutFlags.matchAll(shapedName)) identifiers.add(bareName(name));
  return { numbers: [...numbers], versions: [...versions], flags: [...flags], identifiers: [...identifiers] };
}

/** Everything a text mentions, fences and all: what a statement may draw on. Wider than {@link Specifics} on purpose. */
export interface Mentions {
  readonly numbers: ReadonlySet<string>;
  readonly flags: ReadonlySet<string>;
  /** Lower-case words, identifiers whole and in parts. */
  readonly words: ReadonlySet<string>;
}

export function mentions(text: string): Mentions {
  const flat = flatten(text);
  const numbers = new Set<string>();
  for (const number of numbersIn(flat)) {
    numbers.add(number);
    const version = /^(\d+\.\d+)\.\d+/u.exec(number);
    // "3.38.0" also speaks of 3.38, as in "from 3.38 on".
    if (version?.[1] !== undefined) numbers.add(version[1]);
  }
  // "a,b" may be one number or a list of two.
  for (const [list] of flat.matchAll(/(?<!\d)\d+(?:,\d+)+/gu)) for (const piece of list.split(",")) numbers.add(piece);
  for (const [run] of flat.matchAll(/(?<![\d.,])\d+(?![\d]|[.,]\d)/gu)) numbers.add(run);
  for (const [version] of flat.matchAll(versionToken)) numbers.add(withoutV(version));
  const flags = new Set<string>();
  for (const [flag] of flat.matchAll(longFlag)) flags.add(flag.toLowerCase());
  for (const [flag] of flat.matchAll(shortFlag)) flags.add(flag);
  // A typesetter turned `--model` into a dash; who copies it needs the flag.
  for (const [, name] of flat.matchAll(typesetFlag)) flags.add(`--${name ?? ""}`.toLowerCase());
  for (const [, flag] of flat.matchAll(/--\[no-\]([\w-]+)/gu)) {
    if (flag !== undefined) flags.add(`--${flag}`.toLowerCase()).add(`--no-${flag}`.toLowerCase());
  }
  // `match` makes no object a word, which is most of the time here.
  const words = new Set(flat.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_]*/gu));
  for (const [word, digits] of numberWords) if (words.has(word)) numbers.add(digits);
  return { numbers, flags, words };
}

export function mentionsNumber({ numbers }: Mentions, number: string): boolean {
  if (numbers.has(number)) return true;
  const thousands = /^(\d+)000$/u.exec(number)?.[1];
  return thousands !== undefined && numbers.has(`${thousands}k`);
}

export function mentionsFlag({ flags }: Mentions, flag: string): boolean {
  return flags.has(flag) || flags.has(flag.toLowerCase());
}

/** A name is mentioned when each of its parts is a word of the text: `Worker.postMessage` by `worker.postMessage(value)`. */
export function mentionsName({ words }: Mentions, name: string): boolean {
  const parts = name.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
  return parts.every((part) => words.has(part) || (part.startsWith("_") && endsAWord(words, part)));
}

/** `_MX` speaks of `refused_MX`. */
function endsAWord(words: ReadonlySet<string>, ending: string): boolean {
  for (const word of words) if (word.endsWith(ending)) return true;
  return false;
}

/** Numbers in the form that is compared: `1,000`, `1 000` and `1_000` as `1000`, `.5` as `0.5`, `2^16` and `2**16` as `2^16`. */
export function* numbersIn(text: string): Generator<string> {
  for (const [raw, ...groups] of text.matchAll(numberToken)) {
    const [power, grouped] = groups;
    if (power !== undefined) yield power.replace(/\s*(?:\*\*|\^)\s*/u, "^");
    else if (grouped !== undefined) yield grouped.replace(/[,_'\u2019\u00A0\u202F\u2009 ]/gu, "");
    else yield raw.startsWith(".") ? `0${raw}` : raw;
  }
}

/**
 * Either a power, or digits in groups of three, or plain digits with points, or a fraction without its zero. Digits that belong to
 * a word (`utf8`, `sha256`) are no number; a unit may follow (`30s`).
 */
const numberToken =
  /(?<![\p{L}\p{N}_])(?:(\d+\s*(?:\*\*|\^)\s*\d+)|(\d{1,3}(?:[,_'\u2019\u00A0\u202F\u2009 ]\d{3})+(?![\d])(?:\.\d+)?)|\d+(?:\.\d+)*k?|(?<![\d.])\.\d+)/gu;

/** `v2`, `2.14.1`, `v0.99.9k`, `3.0.0-rc.1`. */
const versionToken =
  /(?<![\p{L}\p{N}_.])(?:v\d+(?:\.\d+)*|\d+(?:\.\d+){2,})[a-z]?(?:-(?:alpha|beta|rc|pre|dev|next|canary)[\w.]*)?(?![\p{L}\p{N}_]|\.\d)/gu;
const ordinal = /\b\d+(?:st|nd|rd|th)\b/gu;
const longFlag = /(?<![\p{L}\p{N}_-])--[\p{L}][\p{L}\p{N}_-]*/gu;
const typesetFlag = /(?<![^\s`"'([|,=*])[—–]([\p{L}][\p{L}\p{N}_-]*)/gu;
const shortFlag = /(?<![^\s`"'([|,=])-[A-Za-z0-9](?![\p{L}\p{N}_-])/gu;

/** Names that show by their form, also outside code: snake_case, camelCase, `a.b()`, `a::b`, `$name`, dotted lower-case paths. */
const shapedName =
  /(?<![\p{L}\p{N}_$/.@-])(?:\$?[\p{L}][\p{L}\p{N}]*(?:_[\p{L}\p{N}]+)+|_+[\p{L}][\p{L}\p{N}_]*|\p{Ll}+\p{Lu}[\p{L}\p{N}]*|[\p{L}_][\p{L}\p{N}_]*(?:(?:\.|::)[\p{L}_][\p{L}\p{N}_]*)*\(\)|[\p{L}_][\p{L}\p{N}_]*(?:::[\p{L}_][\p{L}\p{N}_]*)+)(?![\p{L}\p{N}_])/gu;

const numberWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    zero: "0",
    one: "1",
    once: "1",
    single: "1",
    two: "2",
    twice: "2",
    both: "2",
    three: "3",
    four: "4",
    five: "5",
    six: "6",
    seven: "7",
    eight: "8",
    nine: "9",
    ten: "10",
    eleven: "11",
    twelve: "12",
    fifteen: "15",
    sixteen: "16",
    twenty: "20",
    thirty: "30",
    sixty: "60",
    hundred: "100",
    thousand: "1000",
    million: "1000000",
  }),
);

/** A number in words counts as a specific where it measures something. */
const countedWord =
  /\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|sixteen|twenty|thirty|sixty)\s+(?:times|(?:milli)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|bits?|bytes?|characters?|digits?|retries|attempts)\b/giu;

function bareName(name: string): string {
  return name
    .replace(/^\$/u, "")
    .replace(/\(\)$/u, "")
    .replace(/[.:,;]+$/u, "");
}

function withoutV(version: string): string {
  return version.replace(/^v/u, "");
}

/** Superscripts as `^`, emphasis marks and backslash escapes away; addresses stay, since a fact may name a part of one. */
function flatten(text: string): string {
  return superscripts(text)
    .replace(/(?<![\p{L}\p{N}_\\`])(__?)(?=[^\s_])([^_\n]*[^\s_\\])\1(?![\p{L}\p{N}_])/gu, "$2")
    .replace(/\\(?=[!-/:-@[-`{-~])/gu, "")
    .replace(/\*\*|~~/gu, (mark, at: number, all: string) =>
      // `2**16` is a power, `**bold**` is not.
      /\d/u.test(all[at - 1] ?? "") && /\d/u.test(all[at + mark.length] ?? "") ? mark : "",
    );
}

/** `2<sup>16</sup>` and `2¹⁶` as `2^16`: without the mark they would read 216. */
export function superscripts(text: string): string {
  return text
    .replace(/(\d)<sup>\s*(-?\d+)\s*<\/sup>/giu, "$1^$2")
    .replace(/(\d)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/gu, (_, digit: string, power: string) => `${digit}^${power.normalize("NFKC")}`);
}

/** Takes out numbers and names that are marks of the document rather than its content. */
function withoutMarks(text: string): string {
  return (
    flatten(text)
      .replace(/<!--[^]*?-->/gu, " ")
      .replace(/\$\$[^]*?\$\$|\$(?=[^$\s])[^$\n]*[^$\s\\]\$/gu, " ")
      .replace(/\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+"[^"]*")?\)/gu, "] ")
      .replace(/\[\^[^\]]+\]:?/gu, " ")
      // "[7.6]" and "[7.6 Retry rules]" point to another part of the document.
      .replace(/\[\d+(?:\.\d+)*(?:\]|\s+(?=\p{Lu}))/gu, " ")
      .replace(/<?\bhttps?:\/\/[^\s<>)`]+>?/gu, " ")
      .replace(/<\/?[a-z][^<>]*>/giu, " ")
      .replace(/^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+/gmu, "")
      .replace(/^([ \t]*#{1,6}[ \t]+)\d+(?:\.\d+)*\.?[ \t\u00A0]/gmu, "$1")
      .replace(/(?:©|\(c\)|copyright)[^\n]*/giu, " ")
      .replace(
        /\b(?:figure|fig\.|table|chapter|section|part|step|page|appendix|listing|example)[ \u00A0]\d+(?:[.-]\d+)*/giu,
        " ",
      )
  );
}

/** The text with the given spans blanked out. */
function blank(text: string, spans: readonly { readonly start: number; readonly end: number }[]): string {
  let result = "";
  let at = 0;
  for (const { start, end } of spans) {
    result += `${text.slice(at, start)}\n`;
    at = end;
  }
  return result + text.slice(at);
}
