/** Finds the element that holds the page's content. */
import { proseWords } from "./measure.ts";
import type { Measures } from "./measure.ts";
import { attribute, closest, descendants, find, hasClass, plainText } from "./tree.ts";
import type { ElementNode } from "./tree.ts";

/** From the surest sign of content to the weakest. */
const signs: readonly ((node: ElementNode) => boolean)[] = [
  (node) => node.tag === "main" || attribute(node, "role") === "main",
  (node) => attribute(node, "itemprop") === "articleBody",
  (node) => node.tag === "article",
  (node) =>
    hasClass(
      node,
      "markdown-body",
      "theme-doc-markdown",
      "md-content",
      "vp-doc",
      "markdown-section",
      "rst-content",
      "td-content",
    ),
  (node) =>
    /^(?:content|main|main-content|maincontent|page-content|bodycontent|mw-content-text|doc-content|docs-content|article|documentation|contents)$/iu.test(
      attribute(node, "id"),
    ),
  (node) =>
    hasClass(
      node,
      "content",
      "main-content",
      "page-content",
      "documentation",
      "document",
      "doc-content",
      "docs-content",
      "article",
      "post-content",
      "entry-content",
      "contents",
      "body",
      "contentcontainer",
      "page",
    ),
];

/**
 * The share of the page's prose that the content must hold; with less the next wider candidate is taken. A name like
 * "content" says less than `<main>`, so it must hold nearly all that is left when the noise is gone.
 */
const enoughByElement = 0.7;
const enoughByName = 0.985;
const elementSigns = 3;

/**
 * The content of a page whose noise is gone: the first element by the signs that holds most of the prose,
 * the body when there is none.
 */
export function findMain(body: ElementNode, measures: Measures): ElementNode {
  const total = proseWords(measures(body)) + 0.2 * measures(body).linkWords;
  const weight = (node: ElementNode): number => proseWords(measures(node)) + 0.2 * measures(node).linkWords;
  const found: ElementNode[][] = signs.map(() => []);
  for (const node of descendants(body)) {
    signs.forEach((sign, index) => {
      if (sign(node)) found[index]?.push(node);
    });
  }
  for (const [index, candidates] of found.entries()) {
    const enough = index < elementSigns ? enoughByElement : enoughByName;
    if (candidates.length === 0) continue;
    const [best] = [...candidates].sort((left, right) => weight(right) - weight(left));
    if (best === undefined) continue;
    if (weight(best) >= enough * total) return narrow(best, measures);
    // Several of a kind: what holds them all.
    const around = commonAncestor(candidates);
    if (around !== undefined && around !== body && weight(around) >= enough * total) return around;
  }
  return body;
}

/** An `<article>` that holds nearly all of `<main>` leaves out what stands beside it. */
function narrow(main: ElementNode, measures: Measures): ElementNode {
  const all = proseWords(measures(main));
  for (const node of descendants(main)) {
    const isInner = node.tag === "article" || attribute(node, "itemprop") === "articleBody";
    if (!isInner) continue;
    const inner = measures(node);
    if (proseWords(inner) >= 0.95 * all && (inner.hasTitle || !measures(main).hasTitle)) return node;
  }
  return main;
}

function commonAncestor(nodes: readonly ElementNode[]): ElementNode | undefined {
  const [first, ...rest] = nodes;
  if (first === undefined) return undefined;
  return closest(first, (ancestor) => rest.every((node) => closest(node, (other) => other === ancestor) !== undefined));
}

/** How much of the content's words what stands around the title may add. */
const maxAround = 0.3;

/** Widens the content to hold the page's title and what is said beside it, e.g. the NAME of a manual page. */
export function withHeading(main: ElementNode, heading: ElementNode | undefined, measures: Measures): ElementNode {
  if (heading === undefined || closest(heading, (node) => node === main) !== undefined) return main;
  const text = plainText(heading);
  if (find(main, (node) => /^h[1-3]$/u.test(node.tag) && plainText(node) === text) !== undefined) return main;
  const around = commonAncestor([main, heading]);
  if (around === undefined || around.tag === "html") return main;
  return measures(around).words <= (1 + maxAround) * measures(main).words ? around : main;
}
