/** The tree of a page's content as Markdown. */
import { append } from "../util/append.ts";
import { joinBlocks, standsAlone } from "./block.ts";
import type { Block, Writers } from "./block.ts";
import { codeBlocksOf, codeText } from "./code.ts";
import { codeFence, codeSpan } from "./escape.ts";
import { inlineBlock, inlineText } from "./inline.ts";
import type { InlineContext } from "./inline.ts";
import { boldLine, definitionBlocks, listBlocks, signatureText } from "./lists.ts";
import { mathOf } from "./math.ts";
import { tableBlocks } from "./tables.ts";
import { attribute, classMatches, elementsOf, find, hasClass, isBlockTag, plainText } from "./tree.ts";
import type { ElementNode, TreeNode } from "./tree.ts";

/** Markdown of nodes; lines end in LF, no blank lines at the ends. */
export function markdownOf(nodes: readonly TreeNode[], context: InlineContext): string {
  const writers = createWriters(context, new WeakMap());
  return joinBlocks(writers.blocksOf(nodes).filter((block) => block.text.trim() !== ""));
}

function createWriters(context: InlineContext, blockiness: WeakMap<ElementNode, boolean>): Writers {
  const writers: Writers = {
    context,
    blocksOf: (nodes) => blocksOf(nodes, writers),
    inline: (nodes) => {
      const text = inlineText(nodes, context);
      return context.lineBreak === "\n" ? text : text.replace(/\n+/gu, "\n");
    },
    withContext: (change) => createWriters({ ...context, ...change }, blockiness),
    isBlock: (node) => isBlock(node, blockiness),
  };
  return writers;
}

/** Whether an element holds or is a block. Inline tags and custom elements are what their content is. */
function isBlock(node: ElementNode, known: WeakMap<ElementNode, boolean>): boolean {
  const seen = known.get(node);
  if (seen !== undefined) return seen;
  const answer =
    isBlockTag(node.tag) ||
    (node.tag !== "math" &&
      node.tag !== "svg" &&
      node.children.some((child) => child.kind === "element" && isBlock(child, known)));
  known.set(node, answer);
  return answer;
}

function blocksOf(nodes: readonly TreeNode[], writers: Writers): Block[] {
  const blocks: Block[] = [];
  let run: TreeNode[] = [];
  const flush = (): void => {
    if (run.length > 0) append(blocks, paragraph(run, writers));
    run = [];
  };
  for (const node of nodes) {
    if (node.kind === "text" || !writers.isBlock(node)) {
      run.push(node);
      continue;
    }
    flush();
    for (const block of elementBlocks(node, writers)) blocks.push(block);
  }
  flush();
  return blocks;
}

function paragraph(nodes: readonly TreeNode[], writers: Writers): Block[] {
  const solid = nodes.filter((node) => node.kind === "element" || node.value.trim() !== "");
  const [only] = solid;
  if (only?.kind === "element" && solid.length === 1 && ["code", "tt", "samp", "kbd"].includes(only.tag)) {
    const code = codeText(only);
    if (find(only, (node) => node.tag === "br") !== undefined && code.includes("\n"))
      return [{ kind: "code", text: codeFence(code, "") }];
  }
  const text = inlineBlock(nodes, writers.context);
  return text === "" ? [] : text.split(/\n{2,}/u).map((part) => ({ kind: "text", text: part }));
}

function elementBlocks(node: ElementNode, writers: Writers): Block[] {
  const math = mathOf(node);
  if (math !== undefined) return math === "" ? [] : [{ kind: "text", text: math }];
  switch (node.tag) {
    case "pre":
    case "listing":
    case "xmp":
    case "plaintext":
      return codeBlocksOf(node)
        .filter((block) => block.code !== "")
        .map((block) => ({ kind: "code", text: codeFence(block.code, block.language) }));
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      return headingBlocks(node, writers);
    case "ul":
    case "ol":
    case "menu":
    case "dir":
      return listBlocks(node, writers);
    case "li":
      return listBlocks({ ...node, tag: "ul", children: [node], attributes: new Map() }, writers);
    case "dl":
      return definitionBlocks(node, writers);
    case "dt":
      return definitionBlocks({ ...node, tag: "dl", children: [node] }, writers);
    case "table":
      return tableBlocks(node, writers);
    case "blockquote":
      if (admonitionOf(node) === undefined) return quoteBlocks(writers.blocksOf(node.children));
      break;
    case "hr":
      return [];
    case "summary":
    case "legend":
      return labelBlocks(node, writers);
    case "figcaption":
    case "caption":
      return writers.blocksOf(node.children);
    default:
      break;
  }
  const label = admonitionOf(node);
  if (label !== undefined) return admonitionBlocks(node, label, writers);
  if (hasClass(node, "variant-label", "code-title", "rubric")) return labelBlocks(node, writers);
  if (isSignatureBlock(node)) return signatureBlocks(node);
  return writers.blocksOf(node.children);
}

function headingBlocks(node: ElementNode, writers: Writers): Block[] {
  const holdsBlocks = find(node, (inner) => /^(?:pre|table|ul|ol|dl)$/u.test(inner.tag)) !== undefined;
  const text = writers
    .withContext({ style: "plain", lineBreak: "; " })
    .inline(node.children)
    .replace(/\s*\n\s*/gu, " ");
  if (text === "") return [];
  const level = Number(node.tag.slice(1));
  const closed = text.replace(/(\s)(#+)$/u, "$1\\$2");
  const heading: Block = { kind: "heading", text: `${"#".repeat(level)} ${closed}` };
  if (!holdsBlocks) return [heading];
  return writers.blocksOf(node.children);
}

function labelBlocks(node: ElementNode, writers: Writers): Block[] {
  if (find(node, (inner) => /^(?:h[1-6]|pre|table)$/u.test(inner.tag)) !== undefined)
    return writers.blocksOf(node.children);
  const text = boldLine(writers.withContext({ style: "plain", lineBreak: "; " }).inline(node.children));
  return text === "" ? [] : [{ kind: "text", text }];
}

/** Quotes blocks. Code, tables and headings stay outside of the marks. */
function quoteBlocks(blocks: readonly Block[]): Block[] {
  const quoted: Block[] = [];
  let run: Block[] = [];
  const flush = (): void => {
    if (run.length === 0) return;
    const lines = joinBlocks(run).split("\n");
    quoted.push({ kind: "quote", text: lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n") });
    run = [];
  };
  for (const block of blocks) {
    if (standsAlone(block)) {
      flush();
      quoted.push(block);
    } else run.push(block);
  }
  flush();
  return quoted;
}

const kinds =
  "note|tip|warning|caution|important|danger|info|information|hint|attention|error|seealso|success|notice|example|question|todo|abstract|failure|bug|quote|details|best-practice|secondary|primary|aside|check|alert";
const kindClass = new RegExp(
  `^(?:admonition-|alert-|alert--|callout-|markdown-alert-|starlight-aside--|theme-admonition-|notecard-|custom-block-|md-)?(${kinds})$`,
  "u",
);
const containerClass =
  /^(?:admonition|admonitionblock|alert|callout|notecard|custom-block|starlight-aside|theme-admonition|markdown-alert|notice|note-box|nextra-callout|hint|admonition-block|message|infobox|box-note)$/u;
const bareKind = /^(?:note|tip|warning|caution|important|danger)$/u;
const titleClass = /(?:^|-|_)(?:admonition-?title|title|heading|admonitionheading|alert-?heading|label|caption)$/u;

/** Label of a box that sets a note apart; `undefined` when the element is none. */
function admonitionOf(node: ElementNode): string | undefined {
  if (node.classes.size === 0 || !["div", "aside", "section", "blockquote", "p", "details"].includes(node.tag))
    return undefined;
  const isContainer = classMatches(node, containerClass);
  const kind = [...node.classes].map((name) => kindClass.exec(name)?.[1]).find((name) => name !== undefined);
  if (
    !isContainer &&
    !(
      kind !== undefined &&
      (node.tag === "aside" || (bareKind.test(kind) && node.tag !== "p" && node.tag !== "details"))
    )
  )
    return undefined;
  if (hasClass(node, "versionadded", "versionchanged", "deprecated")) return undefined;
  if (find(node, (inner) => inner.tag === "h1") !== undefined) return undefined;
  if (node.tag === "details") return undefined;
  return kind === undefined || /^(?:alert|details|aside|notice|primary|secondary)$/u.test(kind)
    ? "Note"
    : capitalized(kind === "information" ? "info" : kind);
}

function capitalized(word: string): string {
  return word === "seealso" ? "See also" : word.charAt(0).toUpperCase() + word.slice(1);
}

function admonitionBlocks(node: ElementNode, label: string, writers: Writers): Block[] {
  const title = admonitionTitle(node);
  const shown =
    title === undefined ? "" : writers.withContext({ style: "plain", lineBreak: "; " }).inline(title.children);
  const rest = title === undefined ? writers.blocksOf(node.children) : writers.blocksOf(without(node, title).children);
  const name = shown.replace(/^[^\p{L}\p{N}`]+/u, "") || label;
  // An icon written as a character says nothing.
  const told = rest.findIndex((block) => /[\p{L}\p{N}]/u.test(block.text));
  const [first, ...more] = told < 0 ? [] : rest.slice(told);
  if (first === undefined) return shown === "" ? [] : quoteBlocks([{ kind: "text", text: `**${shown}**` }]);
  // "Note" in bold at its start: the box has said it already.
  if (title === undefined && first.kind === "text" && new RegExp(`^\\**\\s*(?:${kinds})\\b`, "iu").test(first.text))
    return quoteBlocks(rest);
  const mark = `**${name.replace(/:$/u, "")}:**`;
  if (first.kind === "text") return quoteBlocks([{ kind: "text", text: `${mark} ${first.text}` }, ...more]);
  return quoteBlocks([{ kind: "text", text: mark }, first, ...more]);
}

function admonitionTitle(node: ElementNode): ElementNode | undefined {
  // The title comes first, wrapped in up to six boxes (Asciidoctor puts it into a table).
  let at = node;
  for (let level = 0; level < 6; level += 1) {
    const first = elementsOf(at).find((child) => plainText(child) !== "");
    if (first === undefined) return undefined;
    if (isAdmonitionTitle(first)) return first;
    at = first;
  }
  return undefined;
}

function isAdmonitionTitle(node: ElementNode): boolean {
  const text = plainText(node);
  if (text.length >= 200 || node.tag === "pre" || node.tag === "table") return false;
  return isKindWord(node) || classMatches(node, titleClass) || (/^h[2-6]$/u.test(node.tag) && text.length < 80);
}

/** `<p>Note</p>` at the start of the box. */
function isKindWord(node: ElementNode): boolean {
  return /^(?:p|div|span|strong)$/u.test(node.tag) && new RegExp(`^(?:${kinds})$`, "iu").test(plainText(node));
}

/** A copy of a node without one of its descendants. */
function without(node: ElementNode, omitted: ElementNode): ElementNode {
  return {
    ...node,
    children: node.children
      .filter((child) => child !== omitted)
      .map((child) => (child.kind === "element" ? without(child, omitted) : child)),
  };
}

const signatureClass =
  /^(?:member-signature|tsd-signature|signature|symbol|method-signature|declaration|code-header|memproto|type-signature)$/u;

/** A declaration that is set in a monospaced font by style alone. */
function isSignatureBlock(node: ElementNode): boolean {
  if (node.tag !== "div" && node.tag !== "p" && node.tag !== "li" && node.tag !== "section") return false;
  if (!classMatches(node, signatureClass)) return false;
  if (hasClass(node, "symbol") && !hasClass(node, "monospace")) return false;
  return (
    find(node, (inner) => /^(?:pre|ul|ol|dl|h[1-6])$/u.test(inner.tag)) === undefined && plainText(node).length < 3000
  );
}

function signatureBlocks(node: ElementNode): Block[] {
  const isOneLine = find(node, (inner) => inner.tag === "br") === undefined;
  const text = isOneLine ? signatureText(node) : codeText(node);
  if (text === "") return [];
  if (!text.includes("\n")) return [{ kind: "text", text: codeSpan(text).trim() }];
  return [{ kind: "code", text: codeFence(text, attribute(node, "data-lang")) }];
}
