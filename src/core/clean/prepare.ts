/** Sets right what generators mark up in ways of their own, before noise is looked for. */
import type { Removals } from "./removals.ts";
import {
  attribute,
  classMatches,
  closest,
  elementsOf,
  find,
  findAll,
  hasClass,
  made,
  plainText,
  remove,
  replace,
  setChildren,
  textNode,
} from "./tree.ts";
import type { ElementNode, TreeNode } from "./tree.ts";

export function prepare(root: ElementNode, removals: Removals): void {
  keepCodeTitles(root);
  dropSourceRows(root, removals);
  rebuildGridTables(root);
  raiseTitles(root);
  keepSampleFields(root);
  restoreLazyImages(root);
}

/** File names above code stay as a line of text, whatever box of buttons they stand in. */
function keepCodeTitles(root: ElementNode): void {
  const titles = findAll(
    root,
    (node) =>
      classMatches(
        node,
        /^(?:code-?block-?title|codeblocktitle|filename|code-block-caption|code-title|code-?header-title|rehype-code-title|file-?name|codetitle|nextra-filename)$/u,
      ) || isExpressiveTitle(node),
  );
  for (const title of titles) {
    const text = plainText(title);
    if (
      text === "" ||
      text.length > 200 ||
      closest(title, (node) => /^(?:p|li|td|dt|pre|h[1-6])$/u.test(node.tag)) !== undefined
    )
      continue;
    if (find(title, (node) => node.tag === "pre") !== undefined) continue;
    replace(title, [made("div", [textNode(text)], "code-title")]);
  }
}

function isExpressiveTitle(node: ElementNode): boolean {
  return hasClass(node, "title") && node.tag === "span" && node.parent?.tag === "figcaption";
}

/** JSDoc's "Source: file.js, line 12" rows of a details list. */
function dropSourceRows(root: ElementNode, removals: Removals): void {
  for (const term of findAll(root, (node) => node.tag === "dt" && hasClass(node, "tag-source"))) {
    const siblings = term.parent === undefined ? [] : elementsOf(term.parent);
    const definition = siblings[siblings.indexOf(term) + 1];
    if (definition?.tag === "dd") removals.take(definition, "source link");
    remove(term);
  }
}

/** Tables made of `<div>`: by ARIA roles, or by Javadoc's column classes. */
function rebuildGridTables(root: ElementNode): void {
  for (const box of findAll(
    root,
    (node) => node.tag === "div" && classMatches(node, /^(?:summary-table|details-table)$/u),
  )) {
    const cells = elementsOf(box).filter((cell) => classMatches(cell, /^col-/u));
    if (cells.length === 0 || cells.length !== elementsOf(box).length) continue;
    const columns = cells.filter((cell) => hasClass(cell, "table-header")).length;
    const opener = [...(cells[0]?.classes ?? [])].find((name) => name.startsWith("col-")) ?? "";
    const rows: ElementNode[] = [];
    let row: TreeNode[] = [];
    const flush = (): void => {
      if (row.length > 0) rows.push(made("tr", row));
      row = [];
    };
    for (const cell of cells) {
      // The head tells how many cells make a row; names of columns differ between head and rows.
      if (columns > 1 ? row.length === columns : hasClass(cell, opener)) flush();
      row.push(made(hasClass(cell, "table-header") ? "th" : "td", cell.children));
    }
    flush();
    replace(box, [made("table", [made("tbody", rows)])]);
  }
  for (const table of findAll(
    root,
    (node) => node.tag !== "table" && ["table", "grid"].includes(attribute(node, "role")),
  )) {
    const rows = findAll(table, (node) => attribute(node, "role") === "row" && node.tag !== "tr");
    if (rows.length === 0) continue;
    const built = rows.map((row) =>
      made(
        "tr",
        findAll(row, (node) => /^(?:cell|gridcell|columnheader|rowheader)$/u.test(attribute(node, "role"))).map(
          (cell) => made(attribute(cell, "role") === "columnheader" ? "th" : "td", cell.children),
        ),
      ),
    );
    setChildren(table, [made("table", [made("tbody", built)])]);
  }
}

/** `<noscript><img></noscript>` beside a placeholder: only the alt text matters, and the placeholder has it. */
function restoreLazyImages(root: ElementNode): void {
  for (const node of findAll(root, (inner) => inner.tag === "picture")) {
    const image = find(node, (inner) => inner.tag === "img");
    if (image !== undefined) replace(node, [image]);
  }
}

/** Doxygen writes the page's title as `<div class="title">` in a `headertitle` box. */
function raiseTitles(root: ElementNode): void {
  if (find(root, (node) => node.tag === "h1") !== undefined) return;
  const title = find(
    root,
    (node) => hasClass(node, "title") && node.parent !== undefined && hasClass(node.parent, "headertitle"),
  );
  if (title !== undefined) title.tag = "h1";
}

/** Code samples that can be edited in the page stand in a text field. */
function keepSampleFields(root: ElementNode): void {
  for (const field of findAll(root, (node) => node.tag === "textarea")) {
    const code = field.children.map((child) => (child.kind === "text" ? child.value : "")).join("");
    if (code.trim().includes("\n")) replace(field, [made("pre", [textNode(code)], attribute(field, "class"))]);
  }
}
