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
  /** Without the indentation and marks of the lists and quotes around it. */
  readonly content: string;
}

/** Every fence, also inside lists and quotes, in order. */
export function codeBlocks(text: string): CodeBlock[] {
  const found: CodeBlock[] = [];
  const visit = (lines: readonly Line[], depth: number): void => {
    for (const block of scan(text, lines)) {
      if (block.kind === "code" && block.fenced) {
        found.push({ language: block.language, content: contentOf(text, block), start: block.start, end: block.end });
      }
      if (depth < maxNesting) for (const inner of block.inner) visit(inner, depth + 1);
    }
  };
  visit(linesOf(text, { start: 0, end: text.length }), 0);
  return found;
}

/** Deeper lists and quotes are not looked into: each level reads its lines again. */
const maxNesting = 24;

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
