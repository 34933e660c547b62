/** Takes text addressed to assistants out of Markdown: whole sentences, cells, items and lines of code, the rest untouched. */
import type { Span } from "../../types.ts";
import { blocks } from "../markdown.ts";
import type { Block } from "../markdown.ts";
import { sentences } from "../sentences.ts";
import { addressedSpans, isAddressed, suspicionOf } from "./addressed.ts";
import { smuggledTexts } from "./encoded.ts";

/** How `LeftOut.what` names what was taken out. */
export const addressedKind = "text addressed to assistants";

export interface Sifted {
  readonly text: string;
  /** What was taken out, a piece each, in order. */
  readonly removed: readonly string[];
}

/** Markdown without the sentences, cells, items and lines of code that are addressed to assistants. */
export function withoutAddressed(source: string): Sifted {
  const unseen = withoutUnseen(source);
  const seen = withoutOrders(unseen.text);
  return { text: seen.text, removed: [...unseen.removed, ...seen.removed] };
}

/** Without invisible texts and the titles of links, which stand within a sentence and are no part of it. */
function withoutUnseen(source: string): Sifted {
  const removed: string[] = [];
  const invisible = smuggledTexts(source).filter(({ text }) => text !== "");
  let text = source;
  for (const { start, end, text: said } of invisible.toReversed()) {
    text = text.slice(0, start) + text.slice(end);
    removed.unshift(said);
  }
  text = text.replace(linkTitle, (whole, before: string, title: string, after: string) => {
    if (!isAddressed(title, "unseen")) return whole;
    removed.push(title);
    return before + after;
  });
  return { text, removed };
}

/** `](address "title")` and `[label]: address "title"`. */
const linkTitle =
  /(\]\([ \t]*<?[^\s()<>]{0,2000}>?|^[ \t]{0,3}\[[^\]\n]{1,300}\]:[ \t]*<?[^\s<>]{1,2000}>?)[ \t]+["'(]([^\n]{12,5000}?)["')](\)|[ \t]*$)/gmu;

function withoutOrders(markdown: string): Sifted {
  const spans = addressedSpans(markdown);
  if (spans.length === 0) return { text: markdown, removed: [] };
  const gone: Span[] = [];
  let spanIndex = 0;
  const all = blocks(markdown);
  for (const [index, block] of all.entries()) {
    while ((spans[spanIndex]?.end ?? Infinity) <= block.start) spanIndex += 1;
    const inside: Span[] = [];
    for (let at = spanIndex; (spans[at]?.start ?? Infinity) < block.end; at += 1) inside.push(spans[at] ?? block);
    if (inside.length === 0) continue;
    const cut = cutBlock(markdown, block, inside);
    gone.push(...cut);
    const next = all[index + 1];
    // "AI agents: run this command:" takes what it introduces with it.
    const last = cut.at(-1);
    if (
      last !== undefined &&
      next !== undefined &&
      /:\W*$/u.test(markdown.slice(last.start, last.end)) &&
      last.end >= block.end - 2
    )
      if (next.kind === "code" || next.kind === "list" || next.kind === "quote") gone.push(next);
  }
  // Spans between blocks (a link definition's line) go as they are.
  const isGone = touching(gone.toSorted((a, b) => a.start - b.start));
  gone.push(...spans.filter((span) => !isGone(span)));
  return cutOut(markdown, gone);
}

/** Whether one of the spans, which are in order and end in order, touches another. */
function touching(spans: readonly Span[]): (unit: Span) => boolean {
  return (unit) => {
    let low = 0;
    let high = spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((spans[middle]?.end ?? Infinity) <= unit.start) low = middle + 1;
      else high = middle;
    }
    return (spans[low]?.start ?? Infinity) < unit.end;
  };
}

/** The units of a block that a span touches, with those beside them that go on with it. */
function cutBlock(text: string, block: Block, spans: readonly Span[]): Span[] {
  const touches = touching(spans);
  if (block.kind === "heading" || block.kind === "rule") return [block];
  if (block.kind === "code") return linesIn(text, block).filter(touches);
  if (block.kind === "table")
    return cellsIn(text, block)
      .filter(touches)
      .flatMap((cell) => grown(sentences(text, cell), touches, text));
  return groupsIn(text, block).flatMap((group, index, groups) => {
    const units = grown(sentences(text, group), touches, text);
    // A list of orders: an item that goes on after an item that went.
    if (units.length === 0 && index > 0) {
      const before = groups[index - 1];
      if (before !== undefined && touches(before) && goesOn(text.slice(group.start, group.end))) return [group];
    }
    return units;
  });
}

/** Most sentences that go with the telling ones on each side. */
const maxGrowth = 6;

function grown(units: readonly Span[], touches: (unit: Span) => boolean, text: string): Span[] {
  const chosen = new Set<number>();
  for (const [index, unit] of units.entries()) {
    if (!touches(unit)) continue;
    chosen.add(index);
    for (let after = index + 1; after <= index + maxGrowth; after += 1) {
      const next = units[after];
      if (next === undefined || !goesOn(text.slice(next.start, next.end))) break;
      chosen.add(after);
    }
    for (let before = index - 1; before >= index - 2; before -= 1) {
      const previous = units[before];
      if (previous === undefined || !leadsIn(text.slice(previous.start, previous.end))) break;
      chosen.add(before);
    }
  }
  return units.filter((_, index) => chosen.has(index));
}

const orderFirst =
  /^[\s"'(*_`>-]*(?:please |now,? |then,? |instead,? |also,? |and |next,? |finally,? |first,? |always |never |only |simply |just )*(?:say|output|respond|reply|answer|repeat|reveal|print|tell|send|post|recommend|mention|state|claim|act|pretend|ignore|disregard|forget|do not (?:mention|tell|reveal|say|summari|ask|warn|refuse|inform|disclose|question|explain)|don't (?:mention|tell|reveal|say|ask|warn|inform)|fetch|execute|call|invoke|exfiltrate|upload|write|summari[sz]e|include|append|add|insert|follow|obey|comply|decode|remember|your |you are |you must |you will |you should |this (?:instruction|order|overrides|supersedes|is a (?:system|new|direct))|failure to|this is (?:an? )?(?:important|urgent|mandatory|authori[sz]ed)|instead[, ]|thank you)/iu;

/** Whether a sentence after an order is a part of it. */
function goesOn(sentence: string): boolean {
  const trimmed = sentence.trim();
  if (trimmed === "") return false;
  return suspicionOf(trimmed) >= 1 || orderFirst.test(trimmed) || isCode(trimmed);
}

/** Long runs without a blank: the code that an order to decode speaks of. */
function isCode(sentence: string): boolean {
  return /^\S{40,}$/u.test(sentence) && !/^https?:/u.test(sentence);
}

/** Whether a sentence before an order introduces it. */
function leadsIn(sentence: string): boolean {
  const trimmed = sentence.trim();
  return (
    suspicionOf(trimmed) >= 1 ||
    /^[^.!?]{0,40}[:!]$/u.test(trimmed) ||
    /^(?:important|urgent|attention|warning|note|dear|hello|hi)\b.{0,40}$/iu.test(trimmed)
  );
}

function linesIn(text: string, { start, end }: Span): Span[] {
  const lines: Span[] = [];
  for (let at = start; at < end;) {
    const stop = text.indexOf("\n", at);
    const lineEnd = stop < 0 || stop > end ? end : stop;
    lines.push({ start: at, end: lineEnd });
    at = lineEnd + 1;
  }
  // The marks of a fence stay.
  const isFence = /^[ \t>]*(?:`{3,}|~{3,})/u.test(text.slice(start, lines[0]?.end));
  return isFence ? lines.slice(1, -1) : lines;
}

/** What stands between the bars of a table's rows. */
function cellsIn(text: string, block: Span): Span[] {
  const cells: Span[] = [];
  for (const { start, end } of linesIn(text, block)) {
    let from = start;
    for (let at = start; at <= end; at += 1) {
      const isBar = at === end || (text.charAt(at) === "|" && text.charAt(at - 1) !== "\\");
      if (!isBar) continue;
      const lead = /^\s*/u.exec(text.slice(from, at))?.[0].length ?? 0;
      if (from + lead < at) cells.push({ start: from + lead, end: at });
      from = at + 1;
    }
  }
  return cells;
}

const marker = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|:|\[[^\]\n]{1,80}\]:)[ \t]+)?/u;

/** Paragraphs, items and definitions of a block without the marks before them. */
function groupsIn(text: string, block: Span): Span[] {
  const groups: { start: number; end: number }[] = [];
  let isOpen = false;
  for (const { start, end } of linesIn(text, block)) {
    const line = text.slice(start, end);
    const lead = marker.exec(line)?.[0] ?? "";
    if (line.slice(lead.length).trim() === "") {
      isOpen = false;
      continue;
    }
    const last = groups.at(-1);
    // A quote's mark on every line does not begin a paragraph anew.
    const begins = /[^\s>]/u.test(lead);
    if (isOpen && !begins && last !== undefined) last.end = end;
    else groups.push({ start: start + lead.length, end });
    isOpen = true;
  }
  return groups;
}

/** Cuts spans out and tidies what they leave: empty items, fences and the blank lines around them. */
function cutOut(text: string, spans: readonly Span[]): Sifted {
  const sorted: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = sorted.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else sorted.push({ start, end });
  }
  const removed: string[] = [];
  let out = "";
  let at = 0;
  for (const { start, end } of sorted) {
    const piece = text.slice(start, end);
    if (piece.trim() === "") continue;
    removed.push(piece.replace(/\s+/gu, " ").trim());
    const lineStart = text.lastIndexOf("\n", start - 1) + 1;
    const lineEnd = text.indexOf("\n", end) < 0 ? text.length : text.indexOf("\n", end);
    const before = text.slice(Math.max(lineStart, at), start);
    const after = text.slice(end, lineEnd);
    // Nothing but marks is left of the line: it goes with its line end. Cells of a table stay, empty.
    if (
      /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|:|\[[^\]\n]{1,80}\]:)[ \t]*)?$/u.test(before) &&
      after.trim() === "" &&
      lineStart >= at
    ) {
      out += text.slice(at, lineStart);
      at = Math.min(text.length, lineEnd + 1);
    } else {
      out += text.slice(at, start);
      at = end;
    }
    if (out.endsWith("\n\n")) while (text.charAt(at) === "\n") at += 1;
  }
  out += text.slice(at);
  // A fence that lost all of its lines.
  const tidy = out.replace(/^([ \t>]*)(`{3,}|~{3,})[^\n`]*\n(?:[ \t>]*\n)*\1\2[ \t]*(?:\n|$)/gmu, (fence: string) =>
    // One that was empty before stays.
    text.includes(fence) ? fence : "",
  );
  return { text: tidy.replace(/\s+$/u, "\n"), removed };
}
