import type { CountTokens } from "../ports.ts";
import type { Fact, FactDraft, FactOrigin, Page, Section } from "../types.ts";
import { isUnfoundedOrder } from "../util/addressed/unfounded.ts";
import { withoutAddressed } from "../util/addressed/removal.ts";
import { factText } from "../util/factText.ts";
import { sha256Hex } from "../util/hash.ts";
import { codeBlocks } from "../util/markdown.ts";
import { inlineCodesOf, sentencesOf } from "./markdown.ts";
import { missingOf } from "./missing.ts";
import { sourceOf } from "./source.ts";
import type { Source } from "./source.ts";
import { mentionsFlag, mentionsNumber, specifics } from "./specifics.ts";
import type { Mentions } from "./specifics.ts";

export interface VerifyInput {
  readonly drafts: readonly FactDraft[];
  readonly page: Page;
  /** All sections of the page, or at least those of the drafts. */
  readonly sections: readonly Section[];
  readonly origin: FactOrigin;
  readonly countTokens: CountTokens;
}

export interface VerifyResult {
  /** In the order of the drafts. Code and keywords that the page does not hold are already gone. */
  readonly facts: Fact[];
  readonly dropped: {
    /** Code blocks that are not in the page. */
    readonly code: number;
    /** Keywords and symbols that are not in the page. */
    readonly keywords: number;
    /** Sentences with a specific that is not in the source; they stay and are listed in `Fact.unverified`. */
    readonly unverified: number;
  };
  /** Drafts that state something their source does not, for one try at repair. */
  readonly repairs: { readonly draft: FactDraft; readonly unsupported: string[] }[];
  /** What a section with facts says and none of its facts does. */
  readonly missing: { readonly sectionIndex: number; readonly specifics: string[] }[];
}

/**
 * Checks facts against their page, by program alone.
 *
 * A code block must be in the page, line by line; a copy that differs in white space is put right, any other is removed. A keyword or
 * symbol must be in the page. A number, version or flag that a fact states must be in its section (or the page's title, heading path or
 * particulars), an identifier anywhere in the page, since a fact may name what another section introduces. In return, every specific of
 * a section must be in some fact of it. What a model addressed to assistants goes, unless the section documents it. Linear in the text.
 */
export function verify({ drafts, page, sections, origin, countTokens }: VerifyInput): VerifyResult {
  const source = sourceOf(page);
  const byIndex = new Map(sections.map((section) => [section.index, section]));
  const ids = new Set<string>();
  const facts: Fact[] = [];
  const repairs: VerifyResult["repairs"] = [];
  const dropped = { code: 0, keywords: 0, unverified: 0 };

  for (const given of drafts) {
    const section = byIndex.get(given.sectionIndex);
    if (section === undefined) continue;
    // What is cut from the page was looked through when the page was cleaned.
    const draft = origin.extractive ? given : withoutOrders(given, page.text.slice(section.start, section.end));
    if (draft === undefined) continue;
    const { body, removed } = checkCode(draft.body.trim(), source);
    const keywords = draft.keywords.filter((keyword) => source.holdsPhrase(keyword, section));
    const symbols = draft.symbols.filter((symbol) => holdsSymbol(symbol, section, source));
    const own = page.text.slice(section.start, section.end);
    const { unsupported, sentences } = checkStatements({ ...draft, body }, own, section, source);
    dropped.code += removed.length;
    dropped.keywords += given.keywords.length - keywords.length + (given.symbols.length - symbols.length);
    dropped.unverified += sentences.length;
    if (unsupported.length + removed.length > 0)
      repairs.push({ draft: given, unsupported: [...removed, ...unsupported] });
    facts.push({
      id: idOf(page, `${source.sectionHash(section)}\n${draft.statement}\n${body}`, ids),
      pageId: page.id,
      sectionIndex: section.index,
      source: {
        start: draft.span?.start ?? section.start,
        end: draft.span?.end ?? section.end,
        headingPath: draft.headingPath ?? section.headingPath,
      },
      topic: draft.topic,
      statement: draft.statement,
      questions: draft.questions,
      keywords,
      symbols,
      body,
      tokens: countTokens(
        factText({ topic: draft.topic, statement: draft.statement, body, extractive: origin.extractive }),
      ),
      unverified: sentences,
      origin,
    });
  }
  return { facts, dropped, repairs, missing: missingOf(facts, byIndex, page.text) };
}

/** A model that obeyed a page, or makes orders up, must not hand them on: a fact without them, or none where it is one. */
function withoutOrders(draft: FactDraft, section: string): FactDraft | undefined {
  const isOrder = (text: string): boolean => isUnfoundedOrder(text, section);
  if (isOrder(`${draft.topic}\n\n${draft.statement}`)) return undefined;
  const without = (list: readonly string[]): readonly string[] =>
    isOrder(list.join("\n\n")) ? list.filter((entry) => !isOrder(entry)) : list;
  return {
    ...draft,
    questions: without(draft.questions),
    keywords: without(draft.keywords),
    symbols: without(draft.symbols),
    body: isOrder(draft.body) ? withoutAddressed(draft.body).text : draft.body,
  };
}

/** Ten hex digits of the section's text and what the fact says, so a fact keeps its id as long as both stay the same. */
function idOf(page: Page, content: string, taken: Set<string>): string {
  let id = `${page.id}.${sha256Hex(content, 10)}`;
  for (let copy = 2; taken.has(id); copy++) id = `${page.id}.${sha256Hex(`${content}\n${copy}`, 10)}`;
  taken.add(id);
  return id;
}

/** Taking a block out can leave marks that open another; a body that is not settled after this many rounds loses its fences. */
const codeRounds = 8;

/** Checks the code of a body until a further check would change nothing. */
function checkCode(body: string, source: Source): { body: string; removed: string[] } {
  const removed: string[] = [];
  let current = body;
  for (let round = 0; round < codeRounds; round++) {
    const checked = checkCodeOnce(current, source);
    removed.push(...checked.removed);
    if (checked.body === current) return { body: current, removed };
    current = checked.body;
  }
  return { body: current.replace(/^[^\n]*(?:`{3}|~{3})[^\n]*$/gmu, "").trim(), removed };
}

/** Puts the page's own lines into each code block of a body, and takes out blocks that the page does not hold. */
function checkCodeOnce(body: string, source: Source): { body: string; removed: string[] } {
  const removed: string[] = [];
  let checked = "";
  let at = 0;
  for (const fence of codeBlocks(body)) {
    checked += body.slice(at, fence.start);
    // What follows a block that was taken off the start begins the body, without its indentation.
    if (checked.trim() === "") checked = "";
    at = fence.end;
    if (fence.content.trim() === "") continue;
    const code = source.findCode(fence.content);
    if (code === undefined) {
      removed.push(`code block that begins ${firstLine(fence.content)}`);
      checked = checked.trimEnd();
      continue;
    }
    const longest = Math.max(2, ...[...code.matchAll(/`+/gu)].map(([run]) => run.length));
    const marks = "`".repeat(longest + 1);
    // Inside a list or quote every line of the block keeps its place there.
    const indent = checked.slice(checked.lastIndexOf("\n") + 1).replace(/[^>\s]/gu, " ");
    checked += [`${marks}${fence.info.replaceAll("`", "")}`, ...code.split("\n"), marks].join(`\n${indent}`);
  }
  checked += body.slice(at);
  return { body: checked.trim(), removed };
}

function firstLine(code: string): string {
  const line = code.trim().split("\n", 1)[0]?.trim() ?? "";
  return `\`${line.slice(0, 80)}\``;
}

/** A symbol is in the page as it stands, or each of its parts is: `MessageBatch.ackAll()` where `ackAll()` of a `MessageBatch` is told. */
function holdsSymbol(symbol: string, section: Section, source: Source): boolean {
  if (source.holdsPhrase(symbol, section)) return true;
  if (/^-/u.test(symbol) || /\s/u.test(symbol)) return false;
  return /[\p{L}]/u.test(symbol) && source.holdsName(symbol.replace(/\([^()]*\)$/u, ""), section);
}

/**
 * What topic, statement and body say that the source does not, and the sentences that say it. Questions state nothing: a reader may
 * ask about a 404 that the page calls "not found".
 */
function checkStatements(
  draft: Pick<FactDraft, "topic" | "statement" | "body">,
  text: string,
  section: Section,
  source: Source,
): { unsupported: string[]; sentences: string[] } {
  const near = source.sectionMentions(section);
  const unsupported = new Set<string>();
  const sentences: string[] = [];
  for (const sentence of [draft.topic, ...sentencesOf(draft.statement), ...sentencesOf(draft.body)]) {
    // A sentence of the section itself needs no closer look.
    if (text.includes(sentence)) continue;
    const found = unsupportedIn(sentence, section, near, source);
    if (found.length === 0) continue;
    for (const item of found) unsupported.add(item);
    sentences.push(sentence);
  }
  return { unsupported: [...unsupported], sentences };
}

function unsupportedIn(sentence: string, section: Section, near: Mentions, source: Source): string[] {
  const stated = specifics(sentence);
  const found = [
    ...stated.numbers.filter((number) => !mentionsNumber(near, number)),
    ...stated.versions.filter((version) => !mentionsNumber(near, version)),
    ...stated.flags.filter((flag) => !mentionsFlag(near, flag)),
    ...stated.identifiers.filter((name) => !source.holdsName(name, section)),
  ];
  for (const code of inlineCodesOf(sentence)) if (!holdsCode(code, section, source)) found.push(`\`${code}\``);
  return found;
}

/**
 * Whether inline code stands in the section, or is put together from what does: `marmot run --wait` of a page that tells of `--wait`
 * under the heading "marmot run". Every word of it must be there, those with digits as they are; `…` stands for what is left out.
 */
function holdsCode(code: string, section: Section, source: Source): boolean {
  // A single name or flag is looked up as such.
  if (/^-{0,2}[\p{L}\p{N}_$.:@#/-]+(?:\(\))?$/u.test(code) || source.holdsPhrase(code, section)) return true;
  const words = code.split(/\s+|\.{3}|…/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.every(
    (word) => source.holdsPhrase(word, section) || (!/\p{N}/u.test(word) && source.holdsName(word, section)),
  );
}
