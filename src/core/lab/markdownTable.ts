/** Tables that read well on a terminal and in a README. */

export type Align = "left" | "right";

/** A Markdown table, columns padded to one width. The first column is left-aligned, the others right unless said. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  align: readonly Align[] = [],
): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const alignOf = (column: number): Align => align[column] ?? (column === 0 ? "left" : "right");
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => padded(cells[column] ?? "", width, alignOf(column))).join(" | ")} |`;
  const rule = `| ${widths.map((width, column) => (alignOf(column) === "left" ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

function padded(text: string, width: number, align: Align): string {
  return align === "left" ? text.padEnd(width) : text.padStart(width);
}
