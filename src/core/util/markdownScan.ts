/** The line scanner below `blocks`: works on lines whose list and quote marks are already cut off. */
import type { Span } from "../types.ts";

/** A line without its line end; `pad`: blanks that a cut tab leaves in front. */
export interface Line extends Span {
  readonly pad?: number;
}

export interface ScannedBlock extends Span {
  kind: "heading" | "code" | "table" | "list" | "quote" | "paragraph" | "rule" | "html" | "definition";
  depth: number;
  /** Markdown of a heading. */
  title: string;
  language: string;
  /** Of a fence: all that follows its opening marks. */
  info: string;
  fenced: boolean;
  /** Lines of code, indentation of the fence removed. */
  code: Line[];
  /** Items of a list. */
  items: Span[];
  /** Lines inside each item of a list, or inside a quote, marks removed. */
  inner: Line[][];
}

export function linesOf(text: string, { start, end }: Span): Line[] {
  const lines: Line[] = [];
  for (let at = start; at < end;) {
    const found = text.indexOf("\n", at);
    const stop = found < 0 || found > end ? end : found;
    lines.push({ start: at, end: stop });
    at = stop + 1;
  }
  return lines;
}

const fenceStart = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)$/u;
const atxHeading = /^ {0,3}(#{1,6})(?=[ \t]|$)/u;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/u;
const setext = /^ {0,3}(=+|-+)[ \t]*$/u;
const marker = /^( {0,3})([-*+]|\d{1,9}[.)])(?:([ \t]+)(?=\S)|[ \t]*$)/u;
const quoteMark = /^ {0,3}>[ ]?/u;
const delimiterRow = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/u;
const htmlStart =
  /^ {0,3}<(?:!--|[?!]|\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|pre|script|search|section|style|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|track|ul)(?:[\s/>]|$))/iu;
const reference = /^ {0,3}\[[^\]]+\]:/u;

/** Columns of blank space in front of a line. */
function indentOf(line: string): number {
  let column = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === " ") column++;
    else if (line[at] === "\t") column += 4 - (column % 4);
    else break;
  }
  return column;
}

/** The line without up to `columns` of blank space. */
function dedent(text: string, line: Line, columns: number): Line {
  let at = line.start;
  let passed = line.pad ?? 0;
  if (passed >= columns) return { ...line, pad: passed - columns };
  let column = passed;
  while (at < line.end && passed < columns) {
    const character = text[at];
    if (character === " ") passed++;
    else if (character === "\t") passed += 4 - (column % 4);
    else break;
    column = passed;
    at++;
  }
  return { start: at, end: line.end, pad: Math.max(0, passed - columns) };
}

/** A heading's text without the number signs that may close it. */
function withoutClosing(title: string): string {
  const text = title.trim();
  let end = text.length;
  while (text.charAt(end - 1) === "#") end--;
  return end === text.length || (end > 0 && !/[ \t]/u.test(text.charAt(end - 1))) ? text : text.slice(0, end).trim();
}

/** Markdown of a row's cells. A pipe is part of a cell when escaped. */
export function lineCells(line: string): string[] {
  const row = line.trim().replace(/^\|/u, "");
  const cells = row.split(/(?<!\\)\|/u).map((cell) => cell.trim());
  if (cells.length > 1 && cells.at(-1) === "") cells.pop();
  return cells;
}

export function scan(text: string, lines: readonly Line[]): ScannedBlock[] {
  const found: ScannedBlock[] = [];
  const at = (index: number): string => {
    const line = lines[index];
    return line === undefined ? "" : " ".repeat(line.pad ?? 0) + text.slice(line.start, line.end);
  };
  /** Adds the block of the lines `from` to `to` (excluded). */
  const add = (kind: ScannedBlock["kind"], from: number, to: number, more: Partial<ScannedBlock> = {}): number => {
    const start = lines[from]?.start ?? 0;
    const end = lines[to - 1]?.end ?? start;
    found.push({
      kind,
      start,
      end,
      depth: 0,
      title: "",
      language: "",
      info: "",
      fenced: false,
      code: [],
      items: [],
      inner: [],
      ...more,
    });
    return to;
  };
  const isTable = (index: number): boolean => {
    const next = at(index + 1);
    return (
      next.includes("-") &&
      at(index).includes("|") &&
      delimiterRow.test(next) &&
      lineCells(next).length === lineCells(at(index)).length
    );
  };
  const interrupts = (line: string): boolean =>
    fenceStart.test(line) ||
    atxHeading.test(line) ||
    rule.test(line) ||
    quoteMark.test(line) ||
    htmlStart.test(line) ||
    /^ {0,3}(?:[-*+]|1[.)])[ \t]+\S/u.test(line);

  const fence = (from: number, match: RegExpExecArray): number => {
    const marks = match[1] ?? "```";
    const indent = indentOf(at(from));
    const close = new RegExp(`^ {0,3}${marks.charAt(0)}{${marks.length},}[ \\t]*$`, "u");
    let to = from + 1;
    while (to < lines.length && !close.test(at(to))) to++;
    const code = lines.slice(from + 1, to).map((line) => dedent(text, line, indent));
    const language = /^[^\s{,]*/u.exec(match[2] ?? "")?.[0] ?? "";
    return add("code", from, Math.min(to + 1, lines.length), {
      language,
      info: (match[2] ?? "").trim(),
      fenced: true,
      code,
    });
  };

  const list = (from: number): number => {
    const kindOf = (match: RegExpExecArray): string => (match[2] ?? "").slice(-1);
    const kind = kindOf(marker.exec(at(from)) ?? ([] as unknown as RegExpExecArray));
    const items: { from: number; to: number; lines: Line[] }[] = [];
    let index = from;
    let last = from;
    while (index < lines.length) {
      const match = rule.test(at(index)) ? null : marker.exec(at(index));
      if (match === null || kindOf(match) !== kind) break;
      const width = (match[1] ?? "").length + (match[2] ?? "").length;
      const gap = indentOf((match[3] ?? " ").replace(/\t/gu, "    "));
      const content = width + (gap > 4 ? 1 : gap);
      const line = lines[index];
      if (line === undefined) break;
      const first: Line = {
        start: Math.min(line.end, line.start + Math.max(0, width - (line.pad ?? 0))),
        end: line.end,
      };
      const inner: Line[] = [dedent(text, first, content - width)];
      const item = { from: index, to: index + 1, lines: inner };
      items.push(item);
      let open = fenceStart.exec(text.slice(inner[0]?.start, line.end))?.[1];
      let lazy = open === undefined;
      for (index++; index < lines.length; index++) {
        const here = at(index);
        const current = lines[index];
        if (current === undefined) break;
        if (here.trim() === "") {
          inner.push(current);
          lazy = false;
          continue;
        }
        if (indentOf(here) >= content) {
          const cut = dedent(text, current, content);
          inner.push(cut);
          const cutText = " ".repeat(cut.pad ?? 0) + text.slice(cut.start, cut.end);
          const marks = fenceStart.exec(cutText)?.[1];
          if (open === undefined) open = marks;
          else if (new RegExp(`^ {0,3}${open.charAt(0)}{${open.length},}[ \\t]*$`, "u").test(cutText)) open = undefined;
          lazy = open === undefined;
        } else if (lazy && !interrupts(here) && marker.exec(here) === null) inner.push(current);
        else break;
        item.to = index + 1;
      }
      last = item.to;
    }
    return add("list", from, last, {
      items: items.map((item) => ({ start: lines[item.from]?.start ?? 0, end: lines[item.to - 1]?.end ?? 0 })),
      inner: items.map((item) => item.lines),
    });
  };

  const quote = (from: number): number => {
    let to = from;
    const inner: Line[] = [];
    while (to < lines.length) {
      const mark = quoteMark.exec(at(to))?.[0];
      const line = lines[to];
      if (line === undefined) break;
      if (mark !== undefined) inner.push({ start: line.start + mark.length - (line.pad ?? 0), end: line.end });
      else if (at(to).trim() !== "" && !interrupts(at(to)) && (inner.at(-1)?.end ?? 0) > (inner.at(-1)?.start ?? 0))
        inner.push(line);
      else break;
      to++;
    }
    return add("quote", from, to, { inner: [inner] });
  };

  const html = (from: number): number => {
    const first = at(from);
    const raw = /^ {0,3}<(pre|script|style|textarea)[\s>]/iu.exec(first)?.[1];
    const close = first.trimStart().startsWith("<!--")
      ? "-->"
      : raw === undefined
        ? undefined
        : `</${raw.toLowerCase()}>`;
    let to = from;
    if (close === undefined) while (to < lines.length && at(to).trim() !== "") to++;
    else {
      while (to < lines.length && !at(to).toLowerCase().includes(close)) to++;
      to = Math.min(to + 1, lines.length);
    }
    return add("html", from, to);
  };

  const paragraph = (from: number): number => {
    let to = from + 1;
    let definition = reference.test(at(from));
    for (; to < lines.length; to++) {
      const line = at(to);
      const under = setext.exec(line);
      if (under !== null && !definition) {
        const title = lines
          .slice(from, to)
          .map(({ start, end }) => text.slice(start, end).trim())
          .join(" ");
        return add("heading", from, to + 1, { depth: under[1]?.startsWith("=") === true ? 1 : 2, title });
      }
      if (line.trim() === "" || interrupts(line) || isTable(to)) break;
      if (/^ {0,3}:[ \t]/u.test(line)) definition = true;
    }
    return add(definition ? "definition" : "paragraph", from, to);
  };

  for (let index = 0; index < lines.length;) {
    const line = at(index);
    if (line.trim() === "") {
      index++;
      continue;
    }
    const fenceMatch = fenceStart.exec(line);
    const heading = atxHeading.exec(line);
    if (indentOf(line) >= 4) {
      let to = index + 1;
      while (to < lines.length && (at(to).trim() === "" || indentOf(at(to)) >= 4)) to++;
      while (at(to - 1).trim() === "") to--;
      index = add("code", index, to, { code: lines.slice(index, to).map((inner) => dedent(text, inner, 4)) });
    } else if (fenceMatch !== null) index = fence(index, fenceMatch);
    else if (heading !== null) {
      const title = withoutClosing(line.slice(heading[0].length));
      index = add("heading", index, index + 1, { depth: (heading[1] ?? "").length, title });
    } else if (rule.test(line)) index = add("rule", index, index + 1);
    else if (quoteMark.test(line)) index = quote(index);
    else if (marker.test(line)) index = list(index);
    else if (htmlStart.test(line)) index = html(index);
    else if (isTable(index)) {
      let to = index + 2;
      while (to < lines.length && at(to).trim() !== "" && !interrupts(at(to))) to++;
      index = add("table", index, to);
    } else index = paragraph(index);
  }
  return found;
}
