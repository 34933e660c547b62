import type { Span } from "../types.ts";

/** A fenced code block. The span covers the fence lines, without the last line break. */
export interface Fence extends Span {
  /** After the opening marks: language and more, may be empty. */
  readonly info: string;
  /** Columns the opening fence is indented by; as much is taken off each line. */
  readonly indent: number;
  /** Lines between the fences, joined by LF, without the fence's own indentation. */
  readonly code: string;
}

/** The fenced code blocks of a Markdown text, in order. A fence that is never closed reaches to the end. */
export function fencesOf(markdown: string): Fence[] {
  const fences: Fence[] = [];
  let open: { start: number; indent: number; marks: string; info: string; lines: string[] } | undefined;
  let at = 0;
  const close = (end: number) => {
    if (open === undefined) return;
    const { start, indent, info, lines } = open;
    fences.push({ start, end, indent, info, code: lines.join("\n") });
    open = undefined;
  };
  for (const line of markdown.split("\n")) {
    const fence = /^([ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?[ \t]*)(`{3,}|~{3,})(.*)$/u.exec(line);
    const [, lead = "", marks = "", rest = ""] = fence ?? [];
    if (open === undefined) {
      if (fence !== null && !(marks.startsWith("`") && rest.includes("`"))) {
        open = { start: at + lead.length, indent: lead.length, marks, info: rest.trim(), lines: [] };
      }
    } else if (marks !== "" && marks.startsWith(open.marks) && rest.trim() === "" && /^[ \t>]*$/u.test(lead)) {
      close(at + line.length);
    } else {
      open.lines.push(withoutIndent(line, open.indent));
    }
    at += line.length + 1;
  }
  close(markdown.length);
  return fences;
}

/** Takes up to `columns` of blanks and quote marks off the start of a line. */
function withoutIndent(line: string, columns: number): string {
  let cut = 0;
  while (cut < columns && cut < line.length && /[ \t>]/u.test(line[cut] ?? "")) cut++;
  return line.slice(cut);
}

/** Contents of inline code, in order, without the padding blank of double backticks. */
export function inlineCodesOf(markdown: string): string[] {
  const codes: string[] = [];
  for (const [, marks, code] of markdown.matchAll(inlineCode)) {
    if (code === undefined || marks === undefined) continue;
    codes.push(marks.length > 1 ? code.trim() : code);
  }
  return codes;
}

const inlineCode = /(?<!`)(`{1,3})(?!`)([^\n]*?[^`\n])\1(?!`)/gu;

/** A text's sentences outside its code fences, without list and heading marks. A table row is one sentence. */
export function sentencesOf(markdown: string): string[] {
  const sentences: string[] = [];
  let at = 0;
  const add = (prose: string) => {
    for (const line of prose.split("\n")) {
      const content = line.replace(/^[\s>]*(?:[-*+]|\d+[.)]|#{1,6})?\s+/u, "").trim();
      if (content === "" || /^[|:\s-]+$/u.test(content)) continue;
      if (content.startsWith("|")) sentences.push(content);
      else sentences.push(...sentencesOfLine(content));
    }
  };
  for (const fence of fencesOf(markdown)) {
    add(markdown.slice(at, fence.start));
    at = fence.end;
  }
  add(markdown.slice(at));
  return sentences;
}

function sentencesOfLine(line: string): string[] {
  // Points inside inline code end no sentence; a stand-in of the same length keeps the places.
  const masked = line.replace(inlineCode, (code) => "`".repeat(code.length));
  const sentences: string[] = [];
  let start = 0;
  for (const end of masked.matchAll(/[.!?]["')*]*\s+(?=[\p{Lu}\p{N}`*"(])/gu)) {
    const next = end.index + end[0].length;
    sentences.push(line.slice(start, next).trim());
    start = next;
  }
  sentences.push(line.slice(start));
  return sentences;
}
