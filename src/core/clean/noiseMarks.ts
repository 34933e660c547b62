/** Marks beside the content: anchors of headings, source links, labels of code, text that is not shown. */
import type { NoiseContext } from "./noiseContext.ts";
import { attribute, classMatches, closest, find, hasClass, plainText } from "./tree.ts";
import type { ElementNode } from "./tree.ts";

const headingMarks = /^[\s#¶§🔗⚓∞†☍\u200B\u{1F517}]*$/u;
const permalinkClass =
  /^(?:header-?link|hash-?link|header-?anchor|heading-?anchor|anchor|anchor-?link|permalink|perma-?link|sl-anchor-link|autolink-?headings?|heading-?link|subheading-anchor|anchorjs-link|direct-link|doc-anchor|section-link|deep-?link|mark|bookmark)$/u;
const permalinkText =
  /^(?:\[?link to (?:this|section)\b.*|permalink\b.*|section titled\b.*|direct link to\b.*|link to .{0,60} copied.*|anchor(?: link)?(?: for.*)?|copy link.*|navigate to header|\(?#\)?)$/iu;
/** "<- previous", "Next →". */
const pagerText = /^(?:(?:<-+|[«←‹<]+)\s*(?:prev(?:ious)?|back)\b.*|next\b.*(?:-+>|[»→›>]+))$/iu;
const sourceText = /^(?:\[(?:src|source|edit|edit source|view source|show source)\]|view source|show source|source)$/iu;

/** Links that are marks, not content: anchors of headings, "[src]", "Skip to content". */
export function linkNoise(node: ElementNode): string | undefined {
  if (node.tag === "a") {
    const text = plainText(node);
    const href = attribute(node, "href");
    const isEmpty = headingMarks.test(text);
    if (
      isEmpty &&
      (href.includes("#") || classMatches(node, permalinkClass)) &&
      find(node, (inner) => inner.tag === "img" && attribute(inner, "alt") !== "") === undefined
    )
      return "heading anchor";
    if (text.length < 60 && pagerText.test(text)) return "pager";
    if (classMatches(node, permalinkClass) && permalinkText.test(text)) return "heading anchor";
    if (
      /^skip (?:to|over|past|navigation|links?)\b/iu.test(text) ||
      hasClass(node, "skip-link", "skip-to-content", "skiplink")
    )
      return "skip link";
    if (
      /^(?:↩|↩︎|⏎|↑|↵|\^|⤴)+\uFE0E?$/u.test(text) ||
      hasClass(node, "footnote-backref", "data-footnote-backref", "fn-backref", "footnote-back")
    )
      return "footnote back link";
    if (
      hasClass(node, "viewcode-link", "viewcode-back", "src", "srclink", "source-link", "view-source", "src-link") &&
      text.length < 30
    )
      return "source link";
    if (/^(?:#|javascript:.*)$/u.test(href) && isToggle(node, text)) return "button";
    if (/^\[[-−–+]\]$/u.test(text) || (/^more\.\.\.$/iu.test(text) && href.startsWith("#"))) return "button";
    if (sourceText.test(text) && (/^\[/u.test(text) || hasClass(node, "source", "view-source", "toggle")))
      return "source link";
    if (/^(?:button|btn)$/u.test(attribute(node, "role"))) return undefined;
    return undefined;
  }
  if (node.tag === "span" || node.tag === "small" || node.tag === "div" || node.tag === "sup") {
    if (classMatches(node, /^(?:viewcode-link|source_link|src-link|copy-path|edit-?section|mw-editsection)$/u))
      return "source link";
  }
  return undefined;
}

/** A link that leads nowhere and stands in a heading or beside one: "collapse", "show all". */
function isToggle(node: ElementNode, text: string): boolean {
  if (text.length > 24 || /^h[1-6]$/u.test(node.tag)) return false;
  if (classMatches(node, /toggle|collapse|expand|show-?all|inheritancetree/u)) return true;
  return (
    closest(node, (ancestor) => /^(?:h[1-6]|small)$/u.test(ancestor.tag)) !== undefined &&
    plainText(node.parent ?? node) === text &&
    node.parent?.tag === "small"
  );
}

/** The name of the language above a code block. */
function isCodeLabel(node: ElementNode): boolean {
  if (node.tag !== "span" && node.tag !== "div" && node.tag !== "p") return false;
  const parent = node.parent;
  if (parent === undefined || node.children.some((child) => child.kind === "element")) return false;
  if (!holdsCode(parent)) return false;
  const text = plainText(node).toLowerCase();
  if (!/^[\w+#.-]{1,20}$/u.test(text)) return false;
  return (
    hasClass(node, "lang", "language") || hasClass(parent, `language-${text}`, `lang-${text}`, `highlight-${text}`)
  );
}

/** Kept for each parent: asking its children at every child takes the square of their number. */
const withCode = new WeakMap<ElementNode, boolean>();

function holdsCode(parent: ElementNode): boolean {
  const known = withCode.get(parent);
  if (known !== undefined) return known;
  const found = parent.children.some((child) => child.kind === "element" && child.tag === "pre");
  withCode.set(parent, found);
  return found;
}

const screenReaderClass =
  /^(?:sr-only|visually-?hidden|screen-?reader-?text|screen-?reader-only|sl-sr-only|u-visually-hidden|visuallyhidden|a11y-hidden|assistive-text)$/u;

/**
 * Styles that put text where nobody sees it: outside of the window, or without a size. `display: none` is not among
 * them: tabs and sections that a reader unfolds wait like that.
 */
const unseenStyle =
  /(?:^|;)\s*(?:font-size\s*:\s*0(?:px|em|rem|pt|%)?\s*(?:;|!|$)|(?:left|right|top|text-indent)\s*:\s*-\d{3,}|clip\s*:\s*rect\(\s*0)/iu;

/** What a reader does not see and would not unfold. */
export function hiddenNoise(node: ElementNode, context: NoiseContext): string | undefined {
  const { words, solids } = context.measures(node);
  if (unseenStyle.test(attribute(node, "style").slice(0, 2_000))) return "hidden text";
  if (isCodeLabel(node)) return "code label";
  if (
    node.tag === "span" &&
    words <= 3 &&
    hasClass(node, "language", "language-name") &&
    node.parent !== undefined &&
    classMatches(node.parent, /header|title|toolbar/u)
  )
    return "code label";
  if (words <= 4 && solids === 0 && hasClass(node, "d-none") && !classMatches(node, /^d-\w+-/u)) return "hidden text";
  const isInTable = node.tag === "th" || node.tag === "caption" || node.parent?.tag === "th";
  if (
    classMatches(node, screenReaderClass) &&
    words <= 15 &&
    solids === 0 &&
    !/^h[1-6]$/u.test(node.tag) &&
    !isInTable &&
    find(node, (inner) => inner.tag === "math") === undefined
  )
    return "text for screen readers";
  if (attribute(node, "role") === "tabpanel") return undefined;
  if (attribute(node, "aria-hidden") === "true") {
    if (hasClass(node, "katex-html") || (solids === 0 && words <= 25 && !/^h[1-6]$/u.test(node.tag)))
      return "decoration";
    return undefined;
  }
  const isHidden =
    (node.attributes.has("hidden") && attribute(node, "hidden") !== "until-found") ||
    /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/iu.test(attribute(node, "style"));
  if (!isHidden) return undefined;
  // Hidden parts with code, tables or several sentences are folded content.
  if (
    solids > 0 ||
    words > 12 ||
    closest(node, (ancestor) => attribute(ancestor, "role") === "tabpanel" || ancestor.tag === "details") !== undefined
  )
    return undefined;
  return "hidden text";
}
