import type { Page, Section, Span } from "../types.ts";
import { sha256Hex } from "../util/hash.ts";
import { mentions, mentionsName, superscripts } from "./specifics.ts";
import type { Mentions } from "./specifics.ts";
import { createFindCode, holdsWhole } from "./verbatim.ts";
import type { FindCode } from "./verbatim.ts";

/** A page prepared for checking: what its text and its sections say. Built once a page, each section once. */
export interface Source {
  readonly findCode: FindCode;
  /** Whether the phrase stands in the section, else anywhere on the page; case, white space and Markdown marks do not matter. */
  holdsPhrase(phrase: string, section: Span): boolean;
  /** What the section says, with the page's particulars and the heading path. */
  sectionMentions(section: Section): Mentions;
  /** Whether every part of the name is a word of the section, else of the page. */
  holdsName(name: string, section: Section): boolean;
  /** Hash of the section's text, hex. */
  sectionHash(section: Span): string;
}

/** Facts of one page are checked several times while they arrive; a page never changes. */
const sources = new WeakMap<Page, Source>();

export function sourceOf(page: Page): Source {
  const known = sources.get(page);
  if (known !== undefined) return known;
  const source = createSource(page);
  sources.set(page, source);
  return source;
}

function createSource(page: Page): Source {
  const particulars = [page.title, page.site, page.version, page.description, page.url].join("\n");
  const sectionTexts = new Map<string, string>();
  const sectionBags = new Map<string, Mentions>();
  const hashes = new Map<string, string>();
  const phrases = new Map<string, boolean>();
  let findCode: FindCode | undefined;
  let pagePhrases: string | undefined;
  let pageBag: Mentions | undefined;

  function sectionText({ start, end }: Span): string {
    return remember(sectionTexts, `${start}:${end}`, () => phraseKey(page.text.slice(start, end)));
  }

  function sectionMentions(section: Section): Mentions {
    return remember(sectionBags, `${section.start}:${section.end}`, () =>
      mentions([particulars, ...section.headingPath, page.text.slice(section.start, section.end)].join("\n")),
    );
  }

  return {
    findCode(code) {
      findCode ??= createFindCode(page.text);
      return findCode(code);
    },
    holdsPhrase(phrase, section) {
      const key = phraseKey(phrase);
      // A phrase of marks alone, such as a tag, is looked for as it stands.
      if (key === "") return phrase.trim() !== "" && page.text.includes(phrase.trim());
      if (holdsWhole(sectionText(section), key)) return true;
      pagePhrases ??= phraseKey(`${particulars}\n${page.text}`);
      const whole = pagePhrases;
      return remember(phrases, key, () => holdsWhole(whole, key));
    },
    sectionMentions,
    holdsName(name, section) {
      if (mentionsName(sectionMentions(section), name)) return true;
      pageBag ??= mentions(`${particulars}\n${page.text}`);
      return mentionsName(pageBag, name);
    },
    sectionHash({ start, end }) {
      return remember(hashes, `${start}:${end}`, () => sha256Hex(page.text.slice(start, end)));
    },
  };
}

function remember<Value>(memory: Map<string, Value>, key: string, make: () => Value): Value {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const value = make();
  memory.set(key, value);
  return value;
}

/**
 * A text as phrases are compared: lower case, white space folded, without emphasis and code marks, escapes, link targets and tags;
 * kinds of quotes and dashes are one.
 */
export function phraseKey(text: string): string {
  return superscripts(text)
    .normalize("NFKC")
    .replace(/\\(?=[!-/:-@[-`{-~])/gu, "")
    .replace(/\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+"[^"]*")?\)/gu, "]")
    .replace(/<\/?(?:br|wbr|sup|sub|kbd|span|b|i|em|strong)\b[^<>\n]*>/giu, "")
    .replace(/[`*[\]]|(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])/gu, "")
    .replace(/[\u2018\u2019\u201B]/gu, "'")
    .replace(/[\u201C\u201D]/gu, '"')
    .replace(/[\u2010-\u2015\u2212]/gu, "-")
    .replace(/\s*\|\s*|\s+/gu, " ")
    .trim()
    .toLowerCase();
}
