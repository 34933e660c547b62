/** Symbols and keywords of a group: names verbatim from the page. */
import { append } from "../util/append.ts";
import { codeBlocks } from "../util/markdown.ts";
import type { Group } from "./offlinePacking.ts";
import type { Subject } from "./offlineNames.ts";
import { looksLikeName, plain, withoutQualifiers } from "./offlineText.ts";

/** At most this many of each: enough for a long option list, few enough not to blur the ranking. */
const maxSymbols = 12;
const maxKeywords = 16;

const inlineCode = /(?<!`)(`+)(?!`)([^`]+)\1(?!`)/gu;
const emphasized = /(?:\*\*|__)([^*_\n]{2,60})(?:\*\*|__)/gu;

/** API names a group is about: those of its term, of signature headings, of code in its first sentences. */
export function symbolsOf(text: string, subject: Subject, group: Group): string[] {
  const found: string[] = [];
  for (const term of subject.terms) {
    if (term.includes("`") || looksLikeName(plain(term))) found.push(...namesIn(term));
  }
  const nearest = subject.headings.at(-1);
  if (nearest !== undefined && looksLikeName(nearest)) found.push(...namesIn(nearest));
  if (found.length === 0) {
    for (const block of group.blocks) {
      if (block.kind === "code") continue;
      const source = text.slice(block.start, block.end);
      if (block.kind === "table") append(found, firstCells(source).flatMap(namesIn));
      else if (block.kind === "list")
        append(
          found,
          block.children.flatMap((item) => codeIn(text.slice(item.start, item.end)).slice(0, 1)),
        );
      else found.push(...codeIn(source).slice(0, 3));
    }
  }
  return distinct(found.filter(looksLikeSymbol)).slice(0, maxSymbols);
}

/** Names in a signature: `asyncio.wait_for(aw, timeout)` gives the dotted name alone. */
export function namesIn(signature: string): string[] {
  const bare = withoutQualifiers(signature.replace(/`/gu, "").replace(/\\/gu, ""));
  if (!/[\s(]/u.test(bare)) return [bare];
  const names: string[] = [];
  for (const part of bare.split(/,\s+(?=--?\w|[\w.$]+\s*$)|\s+\/\s+|\s+or\s+/u)) {
    const name =
      /(?:^|[\s*&])((?:--?|[@$#%:.]{1,2})?[A-Za-z_][\w$]*(?:(?:\.|::|#|->|-|:)[A-Za-z_][\w$-]*)*[!?]?)\s*(?=\(|$|=|<|\[|:|\s)/u.exec(
        part,
      );
    const call = /((?:[A-Za-z_$][\w$]*(?:\.|::|#|:|->))*[A-Za-z_$][\w$]*[!?]?)\s*\(/u.exec(part);
    const picked = call?.[1] ?? name?.[1];
    if (picked !== undefined) names.push(picked);
  }
  return names;
}

function codeIn(markdown: string): string[] {
  return [...markdown.matchAll(inlineCode)].map((match) => (match[2] ?? "").trim().replace(/\(.*$/su, ""));
}

function firstCells(table: string): string[] {
  return table
    .split("\n")
    .slice(2)
    .map((line) => plain(line.replace(/^\s*\|/u, "").split(/(?<!\\)\|/u)[0] ?? ""));
}

/** Something a compiler or shell would read, rather than an English word: has a mark, a digit or inner capitals. */
export function looksLikeSymbol(name: string): boolean {
  if (name.length < 2 || name.length > 80 || /\s/u.test(name)) return false;
  if (/^(?:true|false|null|none|undefined|nil)$/iu.test(name) || /^[\d.,%-]+$/u.test(name)) return false;
  return /^[@$.#-]{0,2}[A-Za-z_][\w$]*(?:(?:\.|::|#|->|-|:|\/)[\w$*-]+)*[!?]?$/u.test(name);
}

/** Words of the group worth matching exactly, most telling first. */
export function keywordsOf(text: string, group: Group, symbols: readonly string[]): string[] {
  const source = text.slice(group.start, group.end);
  const prose = outsideCode(source);
  const code = [...prose.matchAll(inlineCode)]
    .map((match) => (match[2] ?? "").trim())
    .filter((name) => name.length <= 60);
  const strong = [...prose.matchAll(emphasized)].map((match) => plain(match[1] ?? ""));
  const errors =
    source.match(/\b[A-Z]\w*(?:Error|Exception|Warning)\b|\bE[A-Z]{3,}\b|\b[A-Z][A-Z0-9]+_[A-Z0-9_]+\b/gu) ?? [];
  const flags = source.match(/(?<![\w-])--[a-z][\w-]+/gu) ?? [];
  const candidates = [...symbols, ...code, ...strong, ...errors, ...flags].map((word) => word.replace(/\s+/gu, " "));
  return distinct(
    candidates.filter(
      (word) => word.length > 1 && !word.endsWith(":") && (source.includes(word) || text.includes(word)),
    ),
  ).slice(0, maxKeywords);
}

function outsideCode(source: string): string {
  let prose = "";
  let at = 0;
  for (const { start, end } of codeBlocks(source)) {
    prose += `${source.slice(at, start)} `;
    at = end;
  }
  return prose + source.slice(at);
}

function distinct(words: readonly string[]): string[] {
  return [...new Set(words)];
}
