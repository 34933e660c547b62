/**
 * The block tree of a span of Markdown: what the offline distiller cuts groups from.
 * Every block knows its offsets in the page, list items and quotes hold their own blocks.
 */
import type { Span } from "../types.ts";

export type BlockKind = "heading" | "paragraph" | "code" | "table" | "list" | "item" | "quote" | "rule";

export interface Block extends Span {
  readonly kind: BlockKind;
  /** 1 to 6 for a heading, else 0. */
  readonly level: number;
  /** Items of a list; blocks of an item or a quote; empty otherwise. */
  readonly children: readonly Block[];
}

/** A line of the page with the part that belongs to the container being read. */
interface Line {
  /** Offset of the line's first character in the page. */
  readonly start: number;
  /** Offset after the line's last character, without the line feed. */
  readonly end: number;
  /** The line without its containers' prefixes (list indentation, `>`). */
  readonly text: string;
}

const headingLine = /^ {0,3}(#{1,6})(?:\s|$)/u;
const fenceLine = /^( {0,3})(`{3,}|~{3,})(.*)$/u;
const itemLine = /^( {0,3})([-*+]|\d{1,9}[.)])(\s+|$)/u;
const ruleLine = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/u;
const quoteLine = /^ {0,3}> ?/u;
const tableRule = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/u;
const tableRow = /^ {0,3}\|.*\|\s*$/u;
const setextRule = /^ {0,3}(?:=+|-+)\s*$/u;

/** Containers deeper than this are read as paragraphs, so that hostile nesting stays linear. */
const maxDepth = 12;

/** The blocks of `[start, end)` of a page's text, in order. Blank lines are in none of them. */
export function blocksOf(text: string, span: Span): Block[] {
  const lines: Line[] = [];
  let at = span.start;
  while (at < span.end) {
    const feed = text.indexOf("\n", at);
    const end = feed < 0 || feed > span.end ? span.end : feed;
    lines.push({ start: at, end, text: text.slice(at, end) });
    at = end + 1;
  }
  return readBlocks(lines, 0);
}

function readBlocks(lines: readonly Line[], depth: number): Block[] {
  const blocks: Block[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index];
    if (line === undefined || line.text.trim() === "") {
      index += 1;
      continue;
    }
    const next = readBlock(lines, index, depth);
    blocks.push(next.block);
    index = next.after;
  }
  return blocks;
}

interface Read {
  readonly block: Block;
  /** Index of the first line after the block. */
  readonly after: number;
}

function readBlock(lines: readonly Line[], from: number, depth: number): Read {
  const text = lines[from]?.text ?? "";
  const heading = headingLine.exec(text);
  if (heading !== null) return made("heading", lines, from, from + 1, (heading[1] ?? "").length);
  const fence = fenceLine.exec(text);
  if (fence !== null) return made("code", lines, from, endOfFence(lines, from, fence[2] ?? "```"), 0);
  if (ruleLine.test(text)) return made("rule", lines, from, from + 1, 0);
  if (quoteLine.test(text)) return readQuote(lines, from, depth);
  if (itemLine.test(text)) return readList(lines, from, depth);
  if (/^(?: {4}|\t)/u.test(text)) return made("code", lines, from, endOfIndented(lines, from), 0);
  if (isTableHead(lines, from)) return made("table", lines, from, endOfTable(lines, from + 2), 0);
  // A section that was cut inside a long table begins with rows whose head is in an earlier one.
  if (from === 0 && depth === 0 && tableRow.test(text))
    return made("table", lines, from, endOfTable(lines, from + 1), 0);
  const after = endOfParagraph(lines, from);
  const last = lines[after - 1]?.text ?? "";
  if (after === from + 2 && setextRule.test(last))
    return made("heading", lines, from, after, last.trim().startsWith("=") ? 1 : 2);
  return made("paragraph", lines, from, after, 0);
}

function made(
  kind: BlockKind,
  lines: readonly Line[],
  from: number,
  after: number,
  level: number,
  children: readonly Block[] = [],
): Read {
  const first = lines[from];
  let last = after - 1;
  while (last > from && (lines[last]?.text ?? "").trim() === "") last -= 1;
  return {
    block: { kind, start: first?.start ?? 0, end: lines[last]?.end ?? 0, level, children },
    after,
  };
}

function endOfFence(lines: readonly Line[], from: number, fence: string): number {
  const mark = fence.charAt(0);
  for (let index = from + 1; index < lines.length; index += 1) {
    const text = (lines[index]?.text ?? "").trim();
    if (text.length >= fence.length && text === mark.repeat(text.length)) return index + 1;
  }
  return lines.length;
}

function endOfIndented(lines: readonly Line[], from: number): number {
  let after = from + 1;
  for (let index = from + 1; index < lines.length; index += 1) {
    const text = lines[index]?.text ?? "";
    if (/^(?: {4}|\t)/u.test(text)) after = index + 1;
    else if (text.trim() !== "") break;
  }
  return after;
}

function isTableHead(lines: readonly Line[], at: number): boolean {
  return tableRule.test(lines[at + 1]?.text ?? "") && (lines[at]?.text ?? "").includes("|");
}

function endOfTable(lines: readonly Line[], from: number): number {
  let index = from;
  while (index < lines.length && (lines[index]?.text ?? "").includes("|")) index += 1;
  return index;
}

function endOfParagraph(lines: readonly Line[], from: number): number {
  let index = from + 1;
  while (index < lines.length) {
    const text = lines[index]?.text ?? "";
    if (text.trim() === "") break;
    if (headingLine.test(text) || fenceLine.test(text) || quoteLine.test(text)) break;
    if (setextRule.test(text)) return index + 1;
    if (itemLine.test(text) || ruleLine.test(text)) break;
    if (text.includes("|") && tableRule.test(lines[index + 1]?.text ?? "")) break;
    index += 1;
  }
  return index;
}

function readQuote(lines: readonly Line[], from: number, depth: number): Read {
  let after = from;
  const inner: Line[] = [];
  while (after < lines.length) {
    const line = lines[after];
    if (line === undefined || !quoteLine.test(line.text)) break;
    inner.push({ ...line, text: line.text.replace(quoteLine, "") });
    after += 1;
  }
  return made("quote", lines, from, after, 0, depth < maxDepth ? readBlocks(inner, depth + 1) : []);
}

function readList(lines: readonly Line[], from: number, depth: number): Read {
  const items: Block[] = [];
  const ordered = /^\s*\d/u.test(lines[from]?.text ?? "");
  let index = from;
  while (index < lines.length) {
    const marker = itemLine.exec(lines[index]?.text ?? "");
    if (marker === null || /^\d/u.test(marker[2] ?? "") !== ordered || ruleLine.test(lines[index]?.text ?? "")) break;
    const item = readItem(lines, index, marker, depth);
    items.push(item.block);
    index = item.after;
    while (index < lines.length && (lines[index]?.text ?? "").trim() === "") index += 1;
  }
  return made("list", lines, from, index, 0, items);
}

function readItem(lines: readonly Line[], from: number, marker: RegExpExecArray, depth: number): Read {
  const bullet = (marker[1] ?? "").length + (marker[2] ?? "").length;
  const gap = (marker[3] ?? "").length;
  // More than four blanks after the marker start an indented code block inside the item.
  const indent = bullet + (gap === 0 || gap > 4 ? 1 : gap);
  const inner: Line[] = [];
  let after = from;
  let blank = false;
  while (after < lines.length) {
    const line = lines[after];
    if (line === undefined) break;
    const own = after === from || leadingBlanks(line.text) >= indent;
    if (line.text.trim() === "") blank = true;
    else if (!own && (blank || startsBlock(line.text))) break;
    else blank = false;
    inner.push({ ...line, text: own ? line.text.slice(indent) : line.text.trim() });
    after += 1;
  }
  while (after > from + 1 && (lines[after - 1]?.text ?? "").trim() === "") after -= 1;
  return made("item", lines, from, after, 0, depth < maxDepth ? readBlocks(inner, depth + 1) : []);
}

function leadingBlanks(text: string): number {
  return text.length - text.trimStart().length;
}

function startsBlock(text: string): boolean {
  return itemLine.test(text) || headingLine.test(text) || fenceLine.test(text) || quoteLine.test(text);
}
