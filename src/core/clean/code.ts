/** Takes the code out of a `<pre>` and whatever highlighters wrap around it: exactly as a reader would copy it. */
import { cleanCodeCharacters } from "./escape.ts";
import { attribute, classMatches, closest, descendants, elementsOf, find, hasClass, isElement } from "./tree.ts";
import type { ElementNode, TreeNode } from "./tree.ts";

export interface CodeBlock {
  readonly code: string;
  /** Info string of the fence; empty when the page does not say. */
  readonly language: string;
}

/** The code blocks of a `<pre>`: one, or one per variant when it holds several `<code>` of different languages. */
export function codeBlocksOf(pre: ElementNode): CodeBlock[] {
  const variants = elementsOf(pre).filter((child) => child.tag === "code" && languageOfClasses(child) !== "");
  const languages = new Set(variants.map(languageOfClasses));
  if (variants.length > 1 && languages.size === variants.length) {
    return variants.map((variant) => ({ code: codeText(variant), language: languageOfClasses(variant) }));
  }
  return [{ code: codeText(pre), language: languageOf(pre) }];
}

/** Text of code, line by line; line numbers, buttons and tooltips left out. */
export function codeText(root: ElementNode): string {
  const writer = new LineWriter();
  write(root, writer);
  return trimBlankEnds(cleanCodeCharacters(writer.text()));
}

/** Joins lines that are elements of their own (`<div class="line">`) whether or not line feeds stand between them. */
class LineWriter {
  readonly #parts: string[] = [];
  #atLineStart = true;
  #breakDue = false;

  text(): string {
    return this.#parts.join("");
  }

  write(text: string): void {
    if (text === "") return;
    if (this.#breakDue) {
      this.#breakDue = false;
      if (!text.startsWith("\n")) this.#parts.push("\n");
    }
    this.#parts.push(text);
    this.#atLineStart = text.endsWith("\n");
  }

  startLine(): void {
    if (this.#breakDue) {
      this.#breakDue = false;
      this.#parts.push("\n");
      this.#atLineStart = true;
    } else if (!this.#atLineStart) {
      this.#parts.push("\n");
      this.#atLineStart = true;
    }
  }

  endLine(): void {
    this.#breakDue = true;
  }
}

function write(node: ElementNode, writer: LineWriter): void {
  for (const child of node.children) {
    if (child.kind === "text") {
      writer.write(child.value);
      continue;
    }
    if (child.tag === "br") {
      writer.write("\n");
      continue;
    }
    if (child.tag === "img") {
      // A callout number or an emoji; decoration has no alt text.
      writer.write(attribute(child, "alt"));
      continue;
    }
    if (isGutter(child) || isExtra(child)) continue;
    if (isLine(child)) {
      writer.startLine();
      const only = onlyText(child);
      if (only !== undefined) {
        const line = only.replace(/\r?\n$/u, "");
        if (line !== "") writer.write(line);
      } else write(child, writer);
      writer.endLine();
      continue;
    }
    if (child.tag === "sup" && !/^\s*$/u.test(onlyText(child) ?? "x")) {
      writer.write(/^\d+$/u.test(onlyText(child)?.trim() ?? "") ? "^" : "");
    }
    write(child, writer);
  }
}

/** Text of an element whose descendants hold no other line; `undefined` when it has lines of its own. */
function onlyText(node: ElementNode): string | undefined {
  const parts: string[] = [];
  const stack: TreeNode[] = [node];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.kind === "text") parts.push(at.value);
    else {
      if (
        at !== node &&
        (at.tag === "br" || isLine(at) || isGutter(at) || isExtra(at) || at.tag === "sup" || at.tag === "img")
      )
        return undefined;
      for (let index = at.children.length - 1; index >= 0; index -= 1) {
        const child = at.children[index];
        if (child !== undefined) stack.push(child);
      }
    }
  }
  return parts.join("");
}

const lineTags = new Set(["div", "p", "li", "tr", "section", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"]);
const lineClasses = [
  "line",
  "code-line",
  "token-line",
  "view-line",
  "cl",
  "ec-line",
  "highlight-line",
  "codeline",
  "code__line",
];

function isLine(node: ElementNode): boolean {
  if (lineTags.has(node.tag)) return true;
  if (node.tag !== "span" && node.tag !== "code") return false;
  const isNamed =
    hasClass(node, ...lineClasses) ||
    node.attributes.has("data-line") ||
    /display\s*:\s*(?:block|flex)/iu.test(attribute(node, "style"));
  if (!isNamed && !(node.tag === "code" && node.parent?.tag === "pre" && isOneOfSeveralCodes(node))) return false;
  // Between lines of Shiki and others stand real line feeds; those count.
  const siblings = node.parent?.children ?? [];
  const index = siblings.indexOf(node);
  const next = siblings[index + 1];
  const previous = siblings[index - 1];
  const feeds = (sibling: TreeNode | undefined): boolean => sibling?.kind === "text" && sibling.value.includes("\n");
  if (feeds(next) || feeds(previous)) return false;
  if (endsWithFeed(node)) return false;
  return true;
}

/** One `<code>` a line: nothing else stands in the `<pre>`. */
function isOneOfSeveralCodes(node: ElementNode): boolean {
  const siblings = node.parent?.children ?? [];
  return (
    siblings.length > 1 &&
    siblings.every((sibling) => (sibling.kind === "text" ? sibling.value.trim() === "" : sibling.tag === "code"))
  );
}

function endsWithFeed(node: ElementNode): boolean {
  let last: TreeNode | undefined = node;
  while (last?.kind === "element" && last.tag !== "br") last = last.children.at(-1);
  return last?.kind === "element" || (last?.kind === "text" && last.value.endsWith("\n"));
}

const gutterClass =
  /^(?:linenos?|linenodiv|line-?numbers?|line-?numbers?-rows|linenumbers?|lnt?|lnlinks|line-number|gutter|rouge-gutter|hljs-ln-numbers|blob-num|code-?gutter|codegutter|source-line-numbers|ec-gutter|react-syntax-highlighter-line-number|lineno|prompt-gutter|src-line-numbers)$/u;

/** Line numbers beside the code. */
export function isGutter(node: ElementNode): boolean {
  if (!classMatches(node, gutterClass) && !node.attributes.has("data-line-numbers-gutter")) return false;
  const text = onlyPlain(node);
  return /^[\s\d|.:]*$/u.test(text);
}

function onlyPlain(node: ElementNode): string {
  const parts: string[] = [];
  for (const child of node.children) if (child.kind === "text") parts.push(child.value);
  for (const inner of descendants(node))
    for (const child of inner.children) if (child.kind === "text") parts.push(child.value);
  return parts.join("");
}

const extraClass =
  /^(?:copy(?:-?(?:btn|button|code|code-button|to-clipboard(?:-button)?))?|btn-copy|copybtn|clipboard-copy|code-copy|copy-icon|sr-only|visually-hidden|screen-reader-text|twoslash-popup-container|twoslash-popup-info|tooltip|popover|lang-label|code-lang)$/u;

/** Things in a code block that are no code: buttons, tooltips, text for screen readers. */
export function isExtra(node: ElementNode): boolean {
  switch (node.tag) {
    case "button":
    case "svg":
    case "script":
    case "input":
    case "select":
      return true;
    default:
      return (
        classMatches(node, extraClass) || attribute(node, "role") === "button" || attribute(node, "role") === "tooltip"
      );
  }
}

function trimBlankEnds(code: string): string {
  return code.replace(/^(?:[ \t]*\n)+/u, "").trimEnd();
}

/** Languages that pages name by a bare class (`<pre class="python">`). */
const bareLanguages = new Set(
  (
    "bash sh shell zsh fish console powershell batch cmd c cpp c++ csharp cs css d dart diff docker dockerfile elixir erlang " +
    "fsharp go golang graphql groovy haskell hcl html http ini java javascript js json json5 jsonc jsx julia kotlin kt latex " +
    "less lua makefile markdown md mjs cjs mdx nginx nix objc objectivec ocaml perl php plsql prolog proto protobuf python py " +
    "pycon r ruby rb rust rs sass scala scheme scss sql swift tcl terraform tex toml ts tsx typescript vb vim vue xml yaml yml zig"
  ).split(" "),
);
const noLanguage = new Set([
  "default",
  "none",
  "text",
  "txt",
  "plain",
  "plaintext",
  "nohighlight",
  "no-highlight",
  "undefined",
  "auto",
  "notranslate",
  "source",
  "code",
  "raw",
  "",
]);

function languageOf(pre: ElementNode): string {
  const code = find(pre, (node) => node.tag === "code");
  const places: ElementNode[] = [];
  if (code !== undefined) places.push(code);
  places.push(pre);
  let ancestor = pre.parent;
  for (let level = 0; level < 4 && ancestor !== undefined; level += 1, ancestor = ancestor.parent) {
    if (hasTwoBlocks(ancestor)) break;
    if (level > 0 && ["section", "main", "article", "body", "li", "dd", "details"].includes(ancestor.tag)) break;
    places.push(ancestor);
  }
  for (const place of places) {
    const language = languageOfClasses(place);
    if (language !== "") return language;
  }
  return "";
}

/** Stops at the second: a page of ten thousand blocks asks this of the same parent for each of them. */
function hasTwoBlocks(node: ElementNode): boolean {
  let blocks = 0;
  for (const child of node.children) if (isElement(child, "pre") && ++blocks === 2) return true;
  return false;
}

function languageOfClasses(node: ElementNode): string {
  for (const name of ["data-lang", "data-language", "data-code-language", "syntax"]) {
    const language = valid(attribute(node, name));
    if (language !== "") return language;
  }
  const classes = attribute(node, "class");
  if (classes === "" || classes.length > 4096) return "";
  const brush = /(?:^|\s)brush:\s*([\w+#-]+)/iu.exec(classes)?.[1];
  if (brush !== undefined) return valid(brush);
  for (const name of classes.split(/\s+/u)) {
    const prefixed =
      /^(?:language|lang|highlight-source|highlight-text|highlight|src|brush|listingblock-lang)[-:_]([\w+#.-]+)$/iu.exec(
        name,
      )?.[1];
    if (prefixed !== undefined) {
      const language = valid(prefixed);
      if (language !== "" && !/^(?:body|wrapper|block|container|copy|tools|lines?|numbers)$/u.test(language))
        return language;
    }
  }
  const isCode =
    node.tag === "code" || node.tag === "pre" || hasClass(node, "sourcecode", "highlight", "src", "programlisting");
  if (!isCode) return "";
  for (const name of node.classes) if (bareLanguages.has(name)) return name;
  return "";
}

function valid(language: string): string {
  const name = language
    .trim()
    .toLowerCase()
    .replace(/^source-/u, "");
  if (name === "python3" || name === "ipython3" || name === "ipython") return "python";
  return /^[\w+#.-]{1,30}$/u.test(name) && !noLanguage.has(name) ? name : "";
}

/** A table that is code with line numbers beside it (Pygments `linenos=table`, Rouge, GitHub, highlight.js). */
export function codeOfTable(table: ElementNode): CodeBlock | undefined {
  const rows: ElementNode[] = [];
  for (const node of descendants(table, (inner) => inner.tag !== "table")) if (node.tag === "tr") rows.push(node);
  if (rows.length === 0) return undefined;
  const isNamed =
    classMatches(
      table,
      /^(?:highlighttable|rouge-table|lntable|hljs-ln|code-?table|codehilitetable|js-file-line-container|processedcode|source_code|crayon-table)$/u,
    ) || closest(table, (node) => node.tag === "pre") !== undefined;
  const codes: ElementNode[] = [];
  for (const row of rows) {
    const cells = elementsOf(row).filter((cell) => cell.tag === "td" || cell.tag === "th");
    const last = cells.at(-1);
    if (last === undefined || cells.length > 2) return undefined;
    const first = cells.length === 2 ? cells[0] : undefined;
    if (first !== undefined && !/^[\s\d]*$/u.test(onlyPlain(first))) return undefined;
    if (first === undefined && !isNamed) return undefined;
    codes.push(last);
  }
  if (rows.length === 1) {
    const [cell] = codes;
    const first = elementsOf(rows[0] ?? table)[0];
    if (cell === undefined) return undefined;
    const pre = find(cell, (node) => node.tag === "pre");
    const numbers = first === undefined || first === cell ? "" : onlyPlain(first);
    if (pre === undefined || (!isNamed && !/^[\s\d]*\d[\s\d]*$/u.test(numbers)))
      return isNamed ? { code: codeText(cell), language: languageOf(cell) } : undefined;
    return { code: codeText(pre), language: languageOf(pre) || languageOf(table) };
  }
  if (!isNamed && !rows.every((row) => classMatches(elementsOf(row)[0] ?? row, gutterClass))) return undefined;
  const lines = codes.map((cell) => codeText1(cell));
  return { code: trimBlankEnds(cleanCodeCharacters(lines.join("\n"))), language: languageOf(table) };
}

/** One line of code, its indentation kept. */
function codeText1(cell: ElementNode): string {
  const writer = new LineWriter();
  write(cell, writer);
  return writer.text().replace(/\n$/u, "");
}
