/** How many words an element holds, and how many of them are in links: what tells content from navigation. */
import { countWords } from "./tree.ts";
import type { ElementNode } from "./tree.ts";

export interface Measure {
  readonly words: number;
  /** Words inside `<a href>`. */
  readonly linkWords: number;
  /** Links, and those of them that lead to a place on the same page. */
  readonly links: number;
  readonly anchorLinks: number;
  /** Code blocks and tables. */
  readonly solids: number;
  readonly codes: number;
  readonly hasTitle: boolean;
  readonly hasMain: boolean;
}

const nothing: Measure = {
  words: 0,
  linkWords: 0,
  links: 0,
  anchorLinks: 0,
  solids: 0,
  codes: 0,
  hasTitle: false,
  hasMain: false,
};

export type Measures = (node: ElementNode) => Measure;

/** Measures a tree once, from the leaves up. Elements made later measure as nothing. */
export function measure(root: ElementNode): Measures {
  const known = new WeakMap<ElementNode, Measure>();
  const visit = (node: ElementNode): Measure => {
    let words = 0;
    let linkWords = 0;
    let links = 0;
    let anchorLinks = 0;
    let solids = node.tag === "pre" || node.tag === "table" ? 1 : 0;
    let codes = node.tag === "pre" ? 1 : 0;
    let hasTitle = node.tag === "h1";
    let hasMain = isMain(node);
    for (const child of node.children) {
      if (child.kind === "text") {
        words += countWords(child.value);
        continue;
      }
      const inner = visit(child);
      words += inner.words;
      linkWords += inner.linkWords;
      links += inner.links;
      anchorLinks += inner.anchorLinks;
      solids += inner.solids;
      codes += inner.codes;
      hasTitle ||= inner.hasTitle;
      hasMain ||= inner.hasMain;
    }
    const href = node.tag === "a" ? node.attributes.get("href") : undefined;
    if (href !== undefined) {
      linkWords = words;
      links += 1;
      if (href.startsWith("#") && href.length > 1) anchorLinks += 1;
    }
    const result = { words, linkWords, links, anchorLinks, solids, codes, hasTitle, hasMain };
    known.set(node, result);
    return result;
  };
  visit(root);
  return (node) => known.get(node) ?? nothing;
}

export function isMain(node: ElementNode): boolean {
  return (
    node.tag === "main" ||
    node.tag === "article" ||
    node.attributes.get("role") === "main" ||
    node.attributes.get("itemprop") === "articleBody"
  );
}

/** Words outside of links. */
export function proseWords(measured: Measure): number {
  return measured.words - measured.linkWords;
}
