/** Blocks of CommonMark and GFM text, found by one pass over its lines. */
import type { Span } from "../types.ts";
import { lineCells, linesOf, scan } from "./markdownScan.ts";
import type { Line, ScannedBlock } from "./markdownScan.ts";

export type BlockKind = "heading" | "code" | "table" | "list" | "quote" | "paragraph" | "rule" | "html" | "definition";

/** A top-level block; `end` is before the last line's line end. */
export interface Block extends Span {
  /** `definition`: a link or footnote definition, or a term with `: text` lines below it. */
  readonly kind: BlockKind;
  /** Of a heading, 1..6. */
  readonly depth?: number;
  /** Of a heading, plain text. */
  readonly title?: string;
  /** Of a fence: first word after the marks, may be empty. */
  readonly language?: string;
  /** Of code: the text inside the fence. */
  readonly content?: string;
}

/** Top-level blocks in order. Blank lines belong to none. A span must start at a line's start. */
export function blocks(text: string, span: Span = { start: 0, end: text.length }): Block[] {
  return scan(text, linesOf(text, span)).map((block) => {
    const { kind, start, end } = block;
    if (kind === "heading") return { kind, start, end, depth: block.depth, title: plainText(block.title) };
    if (kind === "code") return { kind, start, end, language: block.language, content: contentOf(text, block) };
    return { kind, start, end };
  });
}

export interface CodeBlock extends Span {
  readonly language: string;
  /** All that follows the opening marks: language, title, lines to mark. */
  readonly info: string;
  /** Without the indentation and marks of the lists and quotes around it. */
  readonly content: string;
}

/** Every fence, also inside lists and quotes, in order. */
export function codeBlocks(text: string): CodeBlock[] {
  const found: CodeBlock[] = [];
  if (!text.includes("```") && !text.includes("~~~")) return found;
  const visit = (lines: readonly Line[], depth: number): void => {
    for (const block of scan(text, lines)) {
      if (block.kind === "code" && block.fenced) {
        const { language, info, start, end } = block;
        found.push({ language, info, content: contentOf(text, block), start, end });
      }
      if (depth < maxNesting) for (const inner of block.inner) visit(inner, depth + 1);
    }
  };
  visit(linesOf(text, { start: 0, end: text.length }), 0);
  return found;
}

/** Deeper lists and quotes are not looked into: each level reads its lines again. */
const maxNesting = 24;

/** A block of the tree, where lists hold items, and items and quotes hold blocks of their own. */
export interface TreeBlock extends Span {
  readonly kind: "heading" | "paragraph" | "code" | "table" | "list" | "item" | "quote" | "rule";
  /** 1 to 6 for a heading, else 0. */
  readonly level: number;
  /** Items of a list; blocks of an item or a quote; empty otherwise. */
  readonly children: readonly TreeBlock[];
}

/**
 * The blocks of `[start, end)` of a page's text as a tree, in order. Blank lines are in none of them. HTML and definitions are
 * paragraphs here. A span that was cut inside a long table begins with rows, which are a table too.
 */
export function blockTree(text: string, span: Span): TreeBlock[] {
  const blocks = treeOf(text, linesOf(text, span), 0);
  const [first, ...rest] = blocks;
  const isRows = first?.kind === "paragraph" && /^ {0,3}\|.*\|[ \t]*(?:\n|$)/u.test(text.slice(first.start, first.end));
  return isRows ? [{ ...first, kind: "table" }, ...rest] : blocks;
}

/** Items and quotes deeper than this are not looked into. */
const maxTreeDepth = 12;

/** @param from Where the list item or quote around the lines begins: a block in it begins with its line, marks and all. */
function treeOf(text: string, lines: readonly Line[], depth: number, from = 0): TreeBlock[] {
  const inside = (inner: readonly Line[] | undefined, outer: number): TreeBlock[] =>
    inner === undefined || depth >= maxTreeDepth ? [] : treeOf(text, inner, depth + 1, outer);
  return scan(text, lines).map((block): TreeBlock => {
    const { kind, end } = block;
    const start = depth === 0 ? block.start : Math.max(from, text.lastIndexOf("\n", block.start - 1) + 1);
    switch (kind) {
      case "list": {
        const children = block.items.map((item, index): TreeBlock => ({
          kind: "item",
          start: index === 0 ? start : item.start,
          end: item.end,
          level: 0,
          children: inside(block.inner[index], index === 0 ? start : item.start),
        }));
        return { kind, start, end, level: 0, children };
      }
      case "quote":
        return { kind, start, end, level: 0, children: inside(block.inner[0], start) };
      case "html":
      case "definition":
        return { kind: "paragraph", start, end, level: 0, children: [] };
      default:
        return { kind, start, end, level: block.depth, children: [] };
    }
  });
}

/** Top-level items of a list. */
export function listItems(text: string, block: Span): Span[] {
  return scan(text, linesOf(text, block)).flatMap((inner) => (inner.kind === "list" ? inner.items : []));
}

export interface TableRow {
  readonly span: Span;
  /** Markdown of the cells, trimmed. */
  readonly cells: readonly string[];
}

/** Rows of a table, the header first; the delimiter row is left out. */
export function tableRows(text: string, block: Span): TableRow[] {
  return linesOf(text, block)
    .filter((_, index) => index !== 1)
    .map((span) => ({ span, cells: lineCells(text.slice(span.start, span.end)) }));
}

function contentOf(text: string, block: ScannedBlock): string {
  return block.code.map(({ start, end, pad }) => " ".repeat(pad ?? 0) + text.slice(start, end)).join("\n");
}

const codeSpan = /(?<![`\\])(`+)(?!`)([^]*?[^`])\1(?!`)/gu;
/** Longer runs between backticks are no inline code but an unpaired mark. */
const maxParagraph = 20_000;

/** Contents of the inline code of a text outside of fences. */
export function inlineCode(text: string): string[] {
  const found: string[] = [];
  for (const paragraph of withoutFences(text).split(/\n[ \t]*\n/u)) {
    if (paragraph.length > maxParagraph && !paragraph.includes("`")) continue;
    for (const match of paragraph.matchAll(codeSpan)) found.push(codeText(match[2] ?? ""));
  }
  return found;
}

function withoutFences(text: string): string {
  let rest = "";
  let at = 0;
  for (const { start, end } of codeBlocks(text)) {
    rest += `${text.slice(at, start)}\n\n`;
    at = end;
  }
  return rest + text.slice(at);
}

function codeText(content: string): string {
  const line = content.replace(/\n/gu, " ");
  return /^ .*[^ ].* $/u.test(line) ? line.slice(1, -1) : line;
}

/** The words of a Markdown text: marks gone, text of links and code kept, escapes resolved. */
export function plainText(markdown: string): string {
  if (!/[`*_~[\]\\<>&#|!+\-=:]|\d[.)]/u.test(markdown)) return markdown.trim();
  let out = "";
  let at = 0;
  for (const { start, end, content } of codeBlocks(markdown)) {
    out += prose(markdown.slice(at, start)) + content;
    at = end;
  }
  return (out + prose(markdown.slice(at))).trim();
}

function prose(markdown: string): string {
  const held: string[] = [];
  const hold = (text: string): string => `\uE000${held.push(text) - 1}\uE001`;
  return markdown
    .replace(/[\uE000\uE001]/gu, "")
    .replace(codeSpan, (_, __, content: string) => hold(codeText(content)))
    .replace(/\\([!-/:-@[-`{-~])/gu, (_, character: string) => hold(character))
    .replace(/^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$/gmu, "")
    .replace(/^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+|>)+/gmu, "")
    .replace(/^[ \t]*(?:[=-]{2,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})[ \t]*$/gmu, "")
    .replace(/(?<=\S)[ \t]+#+[ \t]*$/gmu, "")
    .replace(/^[ \t]*\|[ \t]*|[ \t]*\|[ \t]*$/gmu, "")
    .replace(/[ \t]+\|[ \t]+/gu, " ")
    .replace(/<((?:https?|mailto):[^\s<>]{1,2000})>/gu, "$1")
    .replace(/<!--[^]{0,5000}?-->|<\/?[a-zA-Z][^<>]{0,2000}>/gu, "")
    .replace(
      /!?\[([^[\]]{0,1000})\](?:\((?:[^()\s]|\([^()\s]*\)){0,2000}(?:\s+"[^"\n]*")?\)|\[[^[\]]{0,500}\])/gu,
      "$1",
    )
    .replace(/(\*{1,3}|~~)(?=\S)([^*~]{0,2000}?\S)\1/gu, "$2")
    .replace(/(\*{1,3})(?=\S)([^*]{0,2000}?\S)\1/gu, "$2")
    .replace(/(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])([^_]{0,2000}?[^\s_])\1(?![\p{L}\p{N}_])/gu, "$2")
    .replace(/&(?:amp|lt|gt|quot|nbsp|#39);/gu, (entity) => entities[entity] ?? entity)
    .replace(/\uE000(\d+)\uE001/gu, (_, index: string) => held[Number(index)] ?? "");
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&nbsp;": " ",
  "&#39;": "'",
};
