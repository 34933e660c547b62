/** Formulas as TeX, once: KaTeX, MathJax 2 and 3, Sphinx, MathML. */
import { cleanCharacters } from "./escape.ts";
import { attribute, classMatches, elementsOf, find, findAll, fold, hasClass, plainText, rawText } from "./tree.ts";
import type { ElementNode, TreeNode } from "./tree.ts";

/** Markdown of an element that is a formula; `undefined` for others. Empty for a rendering whose source stands elsewhere. */
export function mathOf(node: ElementNode): string | undefined {
  switch (node.tag) {
    case "math":
      return mathMl(node);
    case "script": {
      const type = attribute(node, "type");
      if (!type.startsWith("math/")) return undefined;
      return delimited(rawText(node), type.includes("display"));
    }
    case "mjx-container": {
      const math = find(node, (inner) => inner.tag === "math");
      return math === undefined
        ? delimited(attribute(node, "aria-label"), attribute(node, "display") === "true")
        : mathMl(math);
    }
    case "span":
    case "div":
    case "p":
      break;
    default:
      return undefined;
  }
  if (node.classes.size === 0) return undefined;
  if (hasClass(node, "katex-display", "katex")) {
    const isDisplay = hasClass(node, "katex-display");
    const source = find(node, (inner) => inner.tag === "annotation" && /tex/iu.test(attribute(inner, "encoding")));
    if (source !== undefined) return delimited(rawText(source), isDisplay);
    const math = find(node, (inner) => inner.tag === "math");
    return math === undefined ? undefined : mathMl(math);
  }
  // The rendering of MathJax 2; its source is in a script beside it.
  if (classMatches(node, /^mathjax(?:_preview|_display|_svg|_chtml)?$/u) && !hasClass(node, "mathjax_process")) {
    const near = node.parent === undefined ? [] : elementsOf(node.parent);
    if (near.some((sibling) => sibling.tag === "script")) return "";
    const math = find(node, (inner) => inner.tag === "math");
    return math === undefined ? undefined : mathMl(math);
  }
  if (hasClass(node, "math", "arithmatex")) {
    const scripts = findAll(node, (inner) => inner.tag === "script");
    const [script] = scripts;
    if (script !== undefined) return mathOf(script);
    const inner = find(node, (child) => child !== node && mathOf(child) !== undefined);
    if (inner !== undefined) return undefined;
    const text = fold(rawText(node));
    const framed =
      /^(?:\\\((?<inline>[^]*)\\\)|\\\[(?<display>[^]*)\\\]|\$\$(?<dollars>[^]*)\$\$|\$(?<dollar>[^]*)\$)$/u.exec(
        text,
      )?.groups;
    if (framed !== undefined) {
      const display = framed["display"] ?? framed["dollars"];
      return delimited(display ?? framed["inline"] ?? framed["dollar"] ?? "", display !== undefined);
    }
  }
  return undefined;
}

function delimited(source: string, isDisplay: boolean): string {
  const tex = cleanCharacters(source)
    .replace(/^\s*%\s*\n/u, "")
    .replace(/\s+/gu, " ")
    // `a<b` would be read as a tag; a blank changes nothing in TeX.
    .replace(/<(?=[a-zA-Z/!?])/gu, "< ")
    .trim();
  if (tex === "") return "";
  return isDisplay ? `$$${tex}$$` : `$${tex}$`;
}

function mathMl(math: ElementNode): string {
  const isDisplay = attribute(math, "display") === "block";
  const source = find(math, (inner) => inner.tag === "annotation" && /tex/iu.test(attribute(inner, "encoding")));
  if (source !== undefined) return delimited(rawText(source), isDisplay);
  const alt = attribute(math, "alttext");
  if (alt !== "") return delimited(alt.replace(/^\{\\displaystyle\s*([^]*)\}$/u, "$1"), isDisplay);
  return delimited(linear(math), isDisplay);
}

/** MathML without TeX, written in one line. */
function linear(node: TreeNode): string {
  if (node.kind === "text") return fold(node.value);
  const parts = elementsOf(node).map(linear);
  const [first = "", second = "", third = ""] = parts;
  switch (node.tag) {
    case "msup":
    case "mover":
      return `${first}^{${second}}`;
    case "msub":
    case "munder":
      return `${first}_{${second}}`;
    case "msubsup":
    case "munderover":
      return `${first}_{${second}}^{${third}}`;
    case "mfrac":
      return `\\frac{${first}}{${second}}`;
    case "msqrt":
      return `\\sqrt{${parts.join(" ")}}`;
    case "mtr":
      return parts.join(" & ");
    case "mtable":
      return parts.join(" \\\\ ");
    case "annotation":
    case "annotation-xml":
      return "";
    default:
      return node.children.some((child) => child.kind === "element")
        ? parts.filter((part) => part !== "").join(" ")
        : plainText(node);
  }
}

/** Cuts text at TeX that a page leaves to a script: `\(…\)`, `\[…\]`. */
export function rawTex(text: string): { readonly text: string; readonly tex?: string }[] {
  if (!text.includes("\\(") && !text.includes("\\[")) return [{ text }];
  const pieces: { text: string; tex?: string }[] = [];
  let from = 0;
  const pattern = /\\\((.{1,1000}?)\\\)|\\\[(.{1,2000}?)\\\]/gu;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    if (found.index > from) pieces.push({ text: text.slice(from, found.index) });
    pieces.push({
      text: found[0],
      tex: found[1] !== undefined ? delimited(found[1], false) : delimited(found[2] ?? "", true),
    });
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}
