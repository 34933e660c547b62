/** Inline content as Markdown: emphasis, code, links, superscripts, footnotes, math. */
import { codeText } from "./code.ts";
import { cleanCharacters, codeSpan, escapeInline, escapeLineStart } from "./escape.ts";
import {
  codeBorder,
  emphasisClose,
  emphasisOpen,
  finish,
  lineFeed,
  strikeClose,
  strikeOpen,
  strongClose,
  strongOpen,
} from "./inlineMarks.ts";
import { mathOf, rawTex } from "./math.ts";
import { attribute, classMatches, elementsOf, fold, hasClass, isBlockTag, plainText } from "./tree.ts";
import type { ElementNode, TreeNode } from "./tree.ts";

export interface InlineContext {
  /** Where relative links start from. */
  readonly base: string;
  /** `plain`: no links and no emphasis, as in headings; code stays code. */
  readonly style: "rich" | "plain";
  /** Labels of footnotes the page defines, by the id they are linked with. */
  readonly footnotes: ReadonlyMap<string, string>;
  /** What stands for a `<br>`: a line feed in paragraphs, something else in table cells. */
  readonly lineBreak: "\n" | "; ";
  /** Whether a script of the page turns `\\(…\\)` in its text into formulas. */
  readonly hasRawTex: boolean;
}

/** One block of inline content, escaped for the start of a line. Empty when there is nothing to read. */
export function inlineBlock(nodes: readonly TreeNode[], context: InlineContext): string {
  const text = inlineText(nodes, context);
  return text
    .split("\n")
    .map((line) => escapeLineStart(line))
    .join("\n");
}

/** As `inlineBlock`, but not escaped for the start of a line: for headings, cells and after a marker. */
export function inlineText(nodes: readonly TreeNode[], context: InlineContext): string {
  const writer = new InlineWriter();
  writeAll(nodes, writer, context);
  return finish(writer.text());
}

class InlineWriter {
  readonly #parts: string[] = [];
  #last = "";
  readonly open = new Set<string>();

  get last(): string {
    return this.#last;
  }

  text(): string {
    return this.#parts.join("");
  }

  write(text: string): void {
    if (text === "") return;
    this.#parts.push(text);
    this.#last = text.charAt(text.length - 1);
  }
}

function writeAll(nodes: readonly TreeNode[], writer: InlineWriter, context: InlineContext): void {
  for (const node of nodes) {
    if (node.kind === "text") writeText(node.value, writer, context);
    else writeElement(node, writer, context);
  }
}

function writeText(value: string, writer: InlineWriter, context: InlineContext): void {
  const text = cleanCharacters(value).replace(/\s+/gu, " ");
  if (text === "") return;
  if (!context.hasRawTex) {
    writer.write(escapeInline(text, writer.last));
    return;
  }
  for (const piece of rawTex(text)) {
    if (piece.tex !== undefined) writer.write(piece.tex);
    else writer.write(escapeInline(piece.text, writer.last));
  }
}

function writeElement(node: ElementNode, writer: InlineWriter, context: InlineContext): void {
  const math = mathOf(node);
  if (math !== undefined) {
    if (math !== "" && writer.last === "$") writer.write(" ");
    writer.write(math);
    return;
  }
  switch (node.tag) {
    case "br":
      writer.write(lineFeed);
      return;
    case "code":
    case "tt":
    case "kbd":
    case "samp":
      writeCode(node, writer, context);
      return;
    case "b":
    case "strong":
      wrap(node, strongOpen, strongClose, writer, context);
      return;
    case "i":
    case "em":
    case "cite":
    case "dfn":
    case "var":
      wrap(node, emphasisOpen, emphasisClose, writer, context);
      return;
    case "del":
    case "s":
    case "strike":
      wrap(node, strikeOpen, strikeClose, writer, context);
      return;
    case "sup":
      writeSuperscript(node, writer, context);
      return;
    case "sub":
      writeSubscript(node, writer, context);
      return;
    case "a":
      writeLink(node, writer, context);
      return;
    case "img":
      writeText(altText(node), writer, context);
      return;
    case "q":
      writer.write("“");
      writeAll(node.children, writer, context);
      writer.write("”");
      return;
    case "abbr":
      writeAll(node.children, writer, context);
      writeAbbreviation(node, writer);
      return;
    case "rt":
      writer.write(" (");
      writeAll(node.children, writer, context);
      writer.write(")");
      return;
    case "rp":
    case "svg":
    case "script":
    case "input":
    case "select":
    case "textarea":
    case "noscript":
      return;
    default:
      if (isBlockTag(node.tag)) {
        writer.write(" ");
        writeAll(node.children, writer, context);
        writer.write(" ");
        return;
      }
      if (hasClass(node, "footnote-mark")) {
        writer.write(`[^${plainText(node)}]: `);
        return;
      }
      if (node.children.length === 0) {
        // An empty separator whose sign is drawn by the style sheet: `Gtk<span class="sep"></span>Widget`.
        if (hasClass(node, "sep", "separator")) writer.write(".");
        return;
      }
      if (isMonospaced(node)) writeCode(node, writer, context);
      else if (isKeptApart(node)) {
        if (/[\p{L}\p{N}]/u.test(writer.last)) writer.write(" ");
        writeAll(node.children, writer, context);
        writer.write(" ");
      } else writeAll(node.children, writer, context);
  }
}

/** Badges stand beside their word by style alone: `name<span class="badge">deprecated</span>`. */
function isKeptApart(node: ElementNode): boolean {
  return node.tag !== "span"
    ? node.tag === "button" || node.tag === "label"
    : classMatches(node, /^(?:\w+-)?(?:badge|label|tag|chip|pill)s?(?:-\w+)*$|^stab$|^signature-attributes$/u);
}

function isMonospaced(node: ElementNode): boolean {
  if (node.tag !== "span") return false;
  return (
    hasClass(node, "code", "monospace", "literal", "codeinline", "inline-code") &&
    !node.children.some((child) => child.kind === "element" && child.tag === "code")
  );
}

/** Words of an `<abbr title>` once, where the page says what the letters mean. */
function writeAbbreviation(node: ElementNode, writer: InlineWriter): void {
  const title = fold(attribute(node, "title"));
  const shown = plainText(node);
  if (title === "" || shown === "" || title.length > 120 || title.toLowerCase() === shown.toLowerCase()) return;
  if (!/^\p{Lu}[\p{Lu}\p{N}.+/-]{1,11}$/u.test(shown)) return;
  writer.write(escapeInline(` (${cleanCharacters(title)})`, writer.last));
}

function wrap(node: ElementNode, open: string, close: string, writer: InlineWriter, context: InlineContext): void {
  if (context.style === "plain" || writer.open.has(open)) {
    writeAll(node.children, writer, context);
    return;
  }
  writer.open.add(open);
  writer.write(open);
  writeAll(node.children, writer, context);
  writer.write(close);
  writer.open.delete(open);
}

function writeCode(node: ElementNode, writer: InlineWriter, context: InlineContext): void {
  const links = elementsOf(node).filter((child) => child.tag === "a");
  const [link] = links;
  if (
    link !== undefined &&
    links.length === 1 &&
    node.children.every((child) => child === link || (child.kind === "text" && child.value.trim() === ""))
  ) {
    // `<code><a>name</a></code>`: the link goes around the code.
    const target = linkTarget(attribute(link, "href"), context.base);
    if (target !== undefined && context.style === "rich") {
      writer.write(`[${codeBorder}${codeSpan(codeText(link))}${codeBorder}](${target})`);
      return;
    }
  }
  const raw = codeText(node);
  if (raw === "") {
    // Only blanks, or decoration.
    if (/\s/u.test(plainText(node))) writer.write(" ");
    return;
  }
  const shown = cleanCharacters(fullText(node));
  // `<b>each</b><code>_.each(list)</code>` are set apart by style.
  if (/^\s/u.test(shown) || writer.last === strongClose) writer.write(" ");
  writer.write(`${codeBorder}${codeSpan(raw.replace(/\s+/gu, " "))}${codeBorder}`);
  if (/\s$/u.test(shown)) writer.write(" ");
}

function fullText(node: ElementNode): string {
  return node.children.map((child) => (child.kind === "text" ? child.value : fullText(child))).join("");
}

function writeSuperscript(node: ElementNode, writer: InlineWriter, context: InlineContext): void {
  const text = plainText(node);
  if (text === "") return;
  const label = footnoteLabel(node, context);
  if (label !== undefined) {
    writer.write(label);
    return;
  }
  if (/^(?:tm|sm)$/iu.test(text)) {
    writer.write(text.toLowerCase() === "tm" ? "™" : "℠");
    return;
  }
  const isPower = /[\p{L}\p{N})\]}]$/u.test(writer.last.replaceAll(codeBorder, "`")) || writer.last === codeBorder;
  // 1<sup>st</sup>, 2<sup>e</sup>: an ordinal is no power. A lone letter after a letter is one (x^n).
  const isOrdinal =
    /^(?:st|nd|rd|th|er|re|ème|eme|ª|º|o|a|®|©|™|[*†‡§]+)$/iu.test(text) &&
    !(text.length === 1 && /[a-z]/iu.test(text) && !/\d/u.test(writer.last));
  if (!isPower || isOrdinal || /^[[(]/u.test(text)) {
    writeAll(node.children, writer, context);
    return;
  }
  const isSimple = /^[-+−]?[\p{L}\p{N}.]+$/u.test(text);
  writer.write(isSimple ? "^" : "^(");
  writeAll(node.children, writer, { ...context, style: "plain" });
  if (!isSimple) writer.write(")");
}

function writeSubscript(node: ElementNode, writer: InlineWriter, context: InlineContext): void {
  const text = plainText(node);
  if (text === "") return;
  const isIndex = /[\p{L}\p{N})\]}]$/u.test(writer.last) || writer.last === codeBorder;
  if (!isIndex || text.includes(" ")) {
    writer.write(isIndex ? " " : "");
    writeAll(node.children, writer, context);
    return;
  }
  const isSimple = /^[\p{L}\p{N}]+$/u.test(text);
  writer.write(isSimple ? "_" : "_(");
  writeAll(node.children, writer, { ...context, style: "plain" });
  if (!isSimple) writer.write(")");
}

/** `[^1]` for a reference to a footnote of this page. */
function footnoteLabel(node: ElementNode, context: InlineContext): string | undefined {
  if (context.footnotes.size === 0) return undefined;
  const anchors = node.tag === "a" ? [node] : elementsOf(node).filter((child) => child.tag === "a");
  for (const anchor of anchors) {
    const label = context.footnotes.get(attribute(anchor, "href").replace(/^[^#]*#/u, ""));
    if (label !== undefined) return `[^${label}]`;
  }
  return undefined;
}

function writeLink(node: ElementNode, writer: InlineWriter, context: InlineContext): void {
  const label = footnoteLabel(node, context);
  if (label !== undefined) {
    writer.write(label);
    return;
  }
  const target =
    context.style === "plain" || writer.open.has("link")
      ? undefined
      : linkTarget(attribute(node, "href"), context.base);
  if (target === undefined) {
    writeAll(node.children, writer, context);
    return;
  }
  const inner = new InlineWriter();
  for (const mark of writer.open) inner.open.add(mark);
  inner.open.add("link");
  writeAll(node.children, inner, context);
  const text = inner.text();
  const shown = fold(plainText(node));
  if (text.replace(/[\uFDD0-\uFDD7]/gu, "").trim() === "") {
    writer.write(text);
    return;
  }
  if (shown === attribute(node, "href").trim() || shown === target) {
    // A URL that is its own text: a bare URL is a link already.
    writer.write(/^https?:/u.test(shown) && !/[<>\s]/u.test(shown) ? shown : text);
    return;
  }
  const lead = /^\s+/u.exec(text)?.[0] ?? "";
  const trail = /\s+$/u.exec(text)?.[0] ?? "";
  writer.write(lead === "" ? "" : " ");
  const core = text.slice(lead.length, text.length - trail.length).replaceAll(lineFeed, " ");
  writer.write(`[${balanceBrackets(core)}](${target})`);
  writer.write(trail === "" ? "" : " ");
}

/** Brackets in a link's text need a backslash unless they pair up. */
function balanceBrackets(text: string): string {
  if (!/[[\]]/u.test(text)) return text;
  let depth = 0;
  for (const character of text.replace(/\\[[\]]/gu, "")) {
    if (character === "[") depth += 1;
    else if (character === "]" && --depth < 0) break;
  }
  return depth === 0 ? text : text.replace(/(?<!\\)[[\]]/gu, (mark) => `\\${mark}`);
}

/** Absolute http(s) address of a link; `undefined` for anchors of the same page, mail, scripts and data. */
export function linkTarget(href: string, base: string): string | undefined {
  const trimmed = href.trim();
  if (trimmed === "" || trimmed.startsWith("#") || trimmed.length > 2000) return undefined;
  if (!URL.canParse(trimmed, base)) return undefined;
  const url = new URL(trimmed, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  if (url.hash !== "" && URL.canParse(base)) {
    const page = new URL(base);
    if (page.origin === url.origin && page.pathname === url.pathname && page.search === url.search) return undefined;
  }
  url.username = "";
  url.password = "";
  return url.href.replace(/[()\s<>\\|`*_\uFDD0-\uFDEF]/gu, (mark) =>
    mark === "_" ? mark : `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** What an image says in words. File names and words like "image" say nothing. */
export function altText(node: ElementNode): string {
  const alt = fold(attribute(node, "alt"));
  if (/^(?:image|img|picture|figure|photo|screenshot|logo|icon|diagram|\*|-|\.)?$/iu.test(alt)) return "";
  if (/^[\w./-]+\.(?:png|jpe?g|gif|svg|webp|avif)$/iu.test(alt) || /^https?:\/\//u.test(alt)) return "";
  return alt;
}
