/**
 * Tables as GFM: every cell kept, spans filled so that each row stands alone, blocks within a cell in one line.
 * Tables that only lay a page out are dissolved; tables whose cells hold several lines of code become lists of rows.
 */
import { append } from "../util/append.ts";
import { joinBlocks } from "./block.ts";
import type { Block, Writers } from "./block.ts";
import { codeOfTable, codeText } from "./code.ts";
import { codeFence, codeSpan } from "./escape.ts";
import { boldLine, signatureText } from "./lists.ts";
import { attribute, classMatches, descendants, elementsOf, find, hasClass, plainText } from "./tree.ts";
import type { ElementNode, TreeNode } from "./tree.ts";

/** Columns a `colspan` may fill: hostile pages state millions. */
const maxSpan = 200;
/**
 * Characters of one table that copies of spanning cells and empty cells at the ends of rows may take. Both grow with
 * the product of two numbers that cost a page nothing to state: 1,000 rows of one cell came to 1 GB.
 */
const maxFilledLength = 2_000_000;
/** What a cell takes in a row besides its content: `| ` and a blank. */
const cellFrameLength = 3;

export interface Row {
  readonly cells: readonly ElementNode[];
  readonly isHeader: boolean;
  readonly element: ElementNode | undefined;
}

export function tableBlocks(table: ElementNode, writers: Writers): Block[] {
  const code = codeOfTable(table);
  if (code !== undefined) return [{ kind: "code", text: codeFence(code.code, code.language) }];
  if (hasClass(table, "memname", "memproto")) return [{ kind: "text", text: codeSpan(signatureText(table)).trim() }];
  const caption = captionBlocks(table, writers);
  const rows = rowsOf(table);
  if (rows.length === 0)
    return [
      ...caption,
      ...writers.blocksOf(table.children.filter((child) => child.kind === "text" || child.tag !== "caption")),
    ];
  if (isLayout(table, rows)) return [...caption, ...unwrap(rows, writers)];
  return [...caption, ...looseContent(table, writers), ...gridBlocks(rows, writers)];
}

/** Content that stands in a table outside its cells (invalid, but the parser can leave some). */
function looseContent(table: ElementNode, writers: Writers): Block[] {
  const inside = new Set(["caption", "thead", "tbody", "tfoot", "tr", "colgroup", "col"]);
  const loose = table.children.filter((child) =>
    child.kind === "text" ? child.value.trim() !== "" : !inside.has(child.tag),
  );
  return writers.blocksOf(loose);
}

function captionBlocks(table: ElementNode, writers: Writers): Block[] {
  const caption = elementsOf(table).find((child) => child.tag === "caption");
  if (caption === undefined) return [];
  const text = boldLine(writers.withContext({ style: "plain", lineBreak: "; " }).inline(caption.children));
  return text === "" ? [] : [{ kind: "text", text }];
}

/** Rows of a table, without those of tables inside its cells. */
function rowsOf(table: ElementNode): Row[] {
  const rows: Row[] = [];
  const collect = (parent: ElementNode, isHead: boolean): void => {
    for (const child of elementsOf(parent)) {
      if (child.tag === "thead") collect(child, true);
      else if (child.tag === "tbody" || child.tag === "tfoot") collect(child, false);
      else if (child.tag === "tr") {
        const cells = elementsOf(child).filter((cell) => cell.tag === "td" || cell.tag === "th");
        if (cells.length > 0) rows.push({ cells, isHeader: isHead, element: child });
      }
    }
  };
  collect(table, false);
  return rows;
}

function isLayout(table: ElementNode, rows: readonly Row[]): boolean {
  const role = attribute(table, "role");
  if (role === "presentation" || role === "none") return true;
  const cells = rows.flatMap((row) => row.cells);
  if (cells.length === 1) return true;
  if (table.parent !== undefined && hasClass(table.parent, "admonitionblock", "admonition", "colist")) return true;
  const hasHead = cells.some((cell) => cell.tag === "th");
  const isNarrow = rows.every((row) => row.cells.length === 1);
  if (isNarrow && !hasHead) return true;
  if (classMatches(table, /^(?:memberdecls|layout|directory)$/u)) return true;
  // A heading in a cell: the table lays out parts of the page. In a head row it may be a mere style.
  const headings = cells.filter(
    (cell) => cell.tag === "td" && find(cell, (node) => /^h[1-6]$/u.test(node.tag)) !== undefined,
  );
  if (headings.length > 0 && (headings.length * 2 >= rows.length || rows.length <= 2)) return true;
  if (hasHead) return false;
  // Without any head: a single row of long content with blocks of its own is a layout.
  return (
    rows.length === 1 &&
    cells.some(
      (cell) =>
        find(cell, (node) => /^(?:p|ul|ol|dl|pre|table|div)$/u.test(node.tag)) !== undefined &&
        plainText(cell).length > 200,
    )
  );
}

function unwrap(rows: readonly Row[], writers: Writers): Block[] {
  const blocks: Block[] = [];
  for (const row of rows) {
    const cells = row.cells.map((cell) => writers.blocksOf(cell.children)).filter((cell) => cell.length > 0);
    // Doxygen's member tables: type and name of one row are one declaration.
    if (row.cells.some((cell) => classMatches(cell, /^mem(?:item|templitem)(?:left|right)$/u))) {
      const declaration = row.cells
        .map((cell) => signatureText(cell))
        .filter((text) => text !== "")
        .join(" ");
      if (declaration !== "") blocks.push({ kind: "text", text: codeSpan(declaration).trim() });
      continue;
    }
    const isShort =
      cells.length > 1 &&
      cells.every((cell) => cell.length === 1 && cell[0]?.kind === "text" && cell[0].text.length < 200);
    if (isShort) blocks.push({ kind: "text", text: cells.map(joinBlocks).join(" ") });
    else append(blocks, cells.flat());
  }
  return blocks;
}

interface Grid {
  readonly head: readonly string[];
  readonly body: readonly (readonly string[])[];
}

function gridBlocks(rows: readonly Row[], writers: Writers): Block[] {
  const hasLongCode = rows.some((row) => row.cells.some(needsBlocks));
  if (hasLongCode) return rowLists(rows, writers);
  const grid = fillGrid(
    rows,
    (cell) => cellText(cell, writers),
    "",
    (text) => text.length,
  );
  const headRows = headRowCount(rows);
  const width = grid.reduce((widest, row) => Math.max(widest, row.length), 1);
  if (grid.every((row) => row.every((cell) => cell === ""))) return [];
  const { head, body } = split(grid, headRows, width);
  const blocks: Block[] = [];
  const missing = body.reduce((total, row) => total + width - row.length, 0);
  // Markdown lets a row end early; a person reads it better filled up.
  const isFilled = missing * cellFrameLength <= maxFilledLength;
  const line = (cells: readonly string[]): string =>
    `| ${(isFilled ? Array.from({ length: width }, (_unused, column) => cells[column] ?? "") : cells).join(" | ")} |`;
  const lines = [line(head), `|${" --- |".repeat(width)}`, ...body.map(line)];
  blocks.push({ kind: "table", text: lines.join("\n") });
  return blocks;
}

function split(grid: readonly (readonly string[])[], headRows: number, width: number): Grid {
  const heads = grid.slice(0, headRows);
  const head = Array.from({ length: width }, (_unused, column) => {
    const values = heads.map((row) => row[column] ?? "").filter((value) => value !== "");
    return values.filter((value, index) => values.indexOf(value) === index).join(" / ");
  });
  return { head, body: grid.slice(headRows).filter((row) => row.some((cell) => cell !== "")) };
}

/** Rows that are the head: those in `<thead>`, else leading rows of nothing but `<th>`. */
function headRowCount(rows: readonly Row[]): number {
  let count = 0;
  while (rows[count]?.isHeader === true) count += 1;
  if (count > 0) return count;
  while (count < rows.length && isAllHead(rows[count])) count += 1;
  // A table of nothing but `<th>` in one column of rows has no head.
  if (count === rows.length && count > 1) return 1;
  if (count > 1 && !(rows[0]?.cells ?? []).some((cell) => spanOf(cell, "colspan") > 1 || spanOf(cell, "rowspan") > 1))
    return 1;
  return count;
}

function isAllHead(row: Row | undefined): boolean {
  return (
    row !== undefined &&
    row.cells.length > 1 &&
    row.cells.every((cell) => cell.tag === "th" || plainText(cell) === "") &&
    row.cells.some((cell) => cell.tag === "th")
  );
}

function spanOf(cell: ElementNode, name: "colspan" | "rowspan"): number {
  const value = Number.parseInt(attribute(cell, name), 10);
  if (name === "rowspan" && value === 0) return maxSpan * 50;
  return Number.isSafeInteger(value) && value > 1 ? Math.min(value, name === "rowspan" ? 65_534 : maxSpan) : 1;
}

/** Lays cells out on a grid; a cell that spans stands in each place it covers, as long as that is not too much in all. */
export function fillGrid<Value>(
  rows: readonly Row[],
  read: (cell: ElementNode) => Value,
  blank: Value,
  lengthOf: (value: Value) => number,
): Value[][] {
  const grid: Value[][] = [];
  /** Per column: how many more rows a cell from above covers, and its value. */
  const above: ({ rows: number; readonly value: Value } | undefined)[] = [];
  let filled = 0;
  const copy = (line: Value[], value: Value): boolean => {
    filled += lengthOf(value) + cellFrameLength;
    if (filled > maxFilledLength) return false;
    line.push(value);
    return true;
  };
  for (const row of rows) {
    const line: Value[] = [];
    let column = 0;
    const takeAbove = (): void => {
      for (let cover = above[column]; cover !== undefined && cover.rows > 0; cover = above[column]) {
        if (!copy(line, cover.value)) return;
        cover.rows -= 1;
        column += 1;
      }
    };
    // One cell across the whole table is a line of its own: repeating it says nothing.
    const isFullWidth = row.cells.length === 1 && rows.length > 1;
    for (const cell of row.cells) {
      takeAbove();
      const value = read(cell);
      const across = spanOf(cell, "colspan");
      const down = spanOf(cell, "rowspan");
      for (let step = 0; step < across; step += 1) {
        if (step > 0 && (above[column]?.rows ?? 0) > 0) break;
        const shown = step > 0 && isFullWidth && line.length === step ? blank : value;
        if (step === 0) line.push(shown);
        else if (!copy(line, shown)) break;
        above[column] = down > 1 ? { rows: down - 1, value: shown } : undefined;
        column += 1;
      }
    }
    takeAbove();
    grid.push(line);
  }
  return grid;
}

/** Whether a cell holds what one line cannot: several lines of code, or a table. */
function needsBlocks(cell: ElementNode): boolean {
  for (const node of descendants(cell)) {
    if (node.tag === "pre" && codeText(node).includes("\n")) return true;
    if (
      node.tag === "table" &&
      rowsOf(node).length > 0 &&
      (codeOfTable(node)?.code.includes("\n") ?? rowsOf(node).length > 1)
    )
      return true;
  }
  return false;
}

/** Content of a cell in one line. */
function cellText(cell: ElementNode, writers: Writers): string {
  const inner = writers.withContext({ lineBreak: "; ", ...(cell.tag === "th" ? { style: "plain" as const } : {}) });
  return escapePipes(oneLine(cell.children, inner));
}

function oneLine(nodes: readonly TreeNode[], writers: Writers): string {
  const parts: string[] = [];
  let run: TreeNode[] = [];
  const flush = (): void => {
    const text = writers.inline(run).replace(/\n+/gu, "\uFDD8");
    run = [];
    if (text !== "") append(parts, text.split("\uFDD8"));
  };
  for (const node of nodes) {
    if (node.kind === "text" || !writers.isBlock(node)) {
      run.push(node);
      continue;
    }
    flush();
    const text = blockInLine(node, writers);
    if (text !== "") parts.push(text);
  }
  flush();
  return joinParts(parts);
}

function blockInLine(node: ElementNode, writers: Writers): string {
  switch (node.tag) {
    case "pre":
      return codeText(node)
        .split("\n")
        .map((line) => codeSpan(line).trim())
        .join(" ");
    case "hr":
      return "";
    case "ol": {
      let number = 0;
      return joinParts(
        elementsOf(node).map((item) => {
          const text = oneLine(item.children, writers);
          number += 1;
          return text === "" ? "" : `${number}. ${text}`;
        }),
      );
    }
    case "table":
      return joinParts(
        rowsOf(node).map((row) =>
          row.cells
            .map((cell) => oneLine(cell.children, writers))
            .filter((text) => text !== "")
            .join(", "),
        ),
      );
    case "dl":
      return joinParts(pairTerms(node, writers));
    default:
      return oneLine(node.children, writers);
  }
}

function pairTerms(list: ElementNode, writers: Writers): string[] {
  const parts: string[] = [];
  let term = "";
  for (const child of elementsOf(list)) {
    const text = oneLine(child.children, writers);
    if (child.tag === "dt") {
      if (term !== "") parts.push(term);
      term = text;
    } else {
      parts.push(term === "" || text === "" ? term + text : `${term}: ${text}`);
      term = "";
    }
  }
  if (term !== "") parts.push(term);
  return parts;
}

/** Parts of a cell, kept apart: after a mark by a blank, else by a semicolon ("2<br>3" is "2; 3"). */
function joinParts(parts: readonly string[]): string {
  let joined = "";
  for (const part of parts) {
    if (part === "") continue;
    if (joined === "") joined = part;
    else joined += (/[\p{P}]$/u.test(joined) && !/[`)\]}"'”’*]$/u.test(joined) ? " " : "; ") + part;
  }
  return joined;
}

function escapePipes(text: string): string {
  return text.replace(/(?<!\\)((?:\\\\)*)\|/gu, "$1\\|");
}

/** A table as one group of blocks a row: `**Head:** cell`. */
function rowLists(rows: readonly Row[], writers: Writers): Block[] {
  const headRows = headRowCount(rows);
  const lengths = new Map<ElementNode | undefined, number>(
    rows.flatMap((row) => row.cells.map((cell) => [cell, plainText(cell).length])),
  );
  const heads = fillGrid(
    rows.slice(0, headRows),
    (cell) => writers.withContext({ style: "plain", lineBreak: "; " }).inline(cell.children),
    "",
    (text) => text.length,
  );
  const grid = fillGrid<ElementNode | undefined>(
    rows.slice(headRows),
    (cell) => cell,
    undefined,
    (cell) => lengths.get(cell) ?? 0,
  );
  const blocks: Block[] = [];
  let previous: readonly (ElementNode | undefined)[] = [];
  for (const row of grid) {
    row.forEach((cell, column) => {
      if (cell === undefined || (column > 0 && row[column - 1] === cell)) return;
      const content = writers.blocksOf(cell.children);
      const [first, ...rest] = content;
      if (first === undefined) return;
      // What a cell from above covers is not written out again when it is long.
      if (previous[column] === cell && content.some((block) => block.kind === "code")) return;
      const head = [...new Set(heads.map((line) => line[column] ?? "").filter((text) => text !== ""))].join(" / ");
      if (head === "") append(blocks, content);
      else if (first.kind === "text" && content.length === 1)
        blocks.push({ kind: "text", text: `**${head}:** ${first.text}` });
      else blocks.push({ kind: "text", text: `**${head}:**` }, first, ...rest);
    });
    previous = row;
  }
  return blocks;
}
