/** Reads HTML as a browser would, into a tree of bounded depth. */
import { defaultTreeAdapter as adapter, parse } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import { element, isBlockTag, maxDepth, textNode } from "./tree.ts";
import type { ElementNode } from "./tree.ts";

export interface ParsedHtml {
  readonly html: ElementNode;
  readonly head: ElementNode;
  readonly body: ElementNode;
}

export function parseHtml(content: string): ParsedHtml {
  const document = parse(boundTags(content), { scriptingEnabled: false });
  const html = convert(document);
  const named = (tag: string): ElementNode | undefined =>
    html.children.find((child): child is ElementNode => child.kind === "element" && child.tag === tag);
  return {
    html,
    head: named("head") ?? element("head", new Map()),
    body: named("body") ?? named("frameset") ?? element("body", new Map()),
  };
}

/** Elements that hold nothing a reader sees. Math in scripts is kept: see `math.ts`. */
const invisible = new Set([
  "style",
  "template",
  "iframe",
  "object",
  "embed",
  "audio",
  "video",
  "canvas",
  "link",
  "noframes",
  "base",
]);

/** Converts without recursion. Elements deeper than `maxDepth` dissolve into their ancestor at that depth. */
function convert(document: DefaultTreeAdapterTypes.Document): ElementNode {
  const root = element("html", new Map());
  interface Task {
    readonly source: DefaultTreeAdapterTypes.ChildNode;
    readonly target: ElementNode;
    readonly depth: number;
  }
  const tasks: Task[] = [];
  const pushChildren = (children: readonly DefaultTreeAdapterTypes.ChildNode[], target: ElementNode, depth: number) => {
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const source = children[index];
      if (source !== undefined) tasks.push({ source, target, depth });
    }
  };
  const html = document.childNodes.find((node) => node.nodeName === "html");
  if (html === undefined || !adapter.isElementNode(html)) return root;
  const top = element("html", attributesOf(html));
  pushChildren(html.childNodes, top, 1);
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { source, target, depth } = task;
    if (adapter.isTextNode(source)) {
      appendText(target, source.value);
      continue;
    }
    if (!adapter.isElementNode(source) || isInvisible(source)) continue;
    if (depth >= maxDepth) {
      if (isBlockTag(source.tagName)) appendText(target, " ");
      pushChildren(source.childNodes, target, depth);
      continue;
    }
    const node = element(source.tagName.toLowerCase(), attributesOf(source), [], target);
    target.children.push(node);
    pushChildren(source.childNodes, node, depth + 1);
  }
  return top;
}

function isInvisible(source: DefaultTreeAdapterTypes.Element): boolean {
  if (source.tagName === "script")
    return !source.attrs.some((entry) => entry.name === "type" && /^math\/(?:tex|asciimath)/iu.test(entry.value));
  return invisible.has(source.tagName);
}

function appendText(target: ElementNode, value: string): void {
  const last = target.children.at(-1);
  if (last?.kind === "text") last.value += value;
  else target.children.push(textNode(value));
}

function attributesOf(source: DefaultTreeAdapterTypes.Element): ReadonlyMap<string, string> {
  return new Map(source.attrs.map((entry) => [entry.name.toLowerCase(), entry.value]));
}

/** Elements without an end tag: they do not nest. */
const voidTags = new Set(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split(" "),
);
const rawTags = new Set("script style textarea title xmp iframe noembed noframes".split(" "));

/**
 * Drops tags nested deeper than `2 * maxDepth`, by a scan that only has to be right about hostile pages. The parser
 * looks through all open elements at every tag, so its time grows with the square of the depth: 100,000 nested
 * elements took it 58 s. Tags with very many attributes lose the last of them.
 */
function boundTags(content: string): string {
  const limit = 2 * maxDepth;
  const open: string[] = [];
  const openByName = new Map<string, number>();
  const kept: string[] = [];
  let keptTo = 0;
  const close = (): void => {
    const name = open.pop();
    if (name !== undefined) openByName.set(name, (openByName.get(name) ?? 1) - 1);
  };
  // `<div/>` opens an element in HTML; only in SVG and MathML does it not.
  const isForeign = (): boolean => (openByName.get("svg") ?? 0) + (openByName.get("math") ?? 0) > 0;
  for (let at = content.indexOf("<"); at >= 0; at = content.indexOf("<", at)) {
    if (content.startsWith("<!--", at)) {
      const end = content.indexOf("-->", at + 4);
      if (end < 0) break;
      at = end + 3;
      continue;
    }
    nameAt.lastIndex = at;
    const match = nameAt.exec(content);
    if (match === null) {
      at += 1;
      continue;
    }
    const name = (match[2] ?? "").toLowerCase();
    const end = endOfTag(content, at + match[0].length);
    if (end < 0) {
      // The parser drops a tag that does not end, but reads its attributes first.
      kept.push(content.slice(keptTo, at));
      keptTo = content.length;
      break;
    }
    const deep = open.length >= limit;
    if (match[1] === "/") {
      if ((openByName.get(name) ?? 0) > 0) {
        let closed = "";
        while (closed !== name) {
          closed = open.at(-1) ?? name;
          close();
        }
      }
    } else if (!voidTags.has(name) && !(content[end - 2] === "/" && isForeign())) {
      open.push(name);
      openByName.set(name, (openByName.get(name) ?? 0) + 1);
    }
    if (deep || open.length > limit) {
      kept.push(content.slice(keptTo, at), " ");
      keptTo = end;
    } else if (end - at > maxTagLength) {
      kept.push(content.slice(keptTo, at), boundAttributes(content.slice(at, end)));
      keptTo = end;
    }
    at = end;
    if (match[1] !== "/" && rawTags.has(name) && !deep) {
      const rawEnd = new RegExp(`</${name}`, "giu");
      rawEnd.lastIndex = at;
      const found = rawEnd.exec(content);
      if (found === null) break;
      at = found.index;
    }
  }
  if (keptTo === 0) return content;
  kept.push(content.slice(keptTo));
  return kept.join("");
}

/** A tag up to this long is left alone; it has room for a few thousand attributes at most. */
const maxTagLength = 10_000;
const maxAttributes = 300;

/** A tag without the attributes that are too many: the parser compares each with all before it (100,000 took it 37 s). */
function boundAttributes(tag: string): string {
  let count = 0;
  for (const { index } of tag.matchAll(attributeAt)) {
    count += 1;
    if (count > maxAttributes) return `${tag.slice(0, index)}>`;
  }
  return tag;
}

const attributeAt = /[\s/"'][^\s=>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?/gu;

const nameAt = /<(\/?)([a-zA-Z][^\s/>]*)/uy;

/** Offset after the `>` that ends a tag, quotes respected; -1 when the page ends first. */
function endOfTag(content: string, from: number): number {
  let quote = "";
  for (let at = from; at < content.length; at += 1) {
    const character = content.charAt(at);
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === ">") return at + 1;
    else if ((character === '"' || character === "'") && content.charAt(at - 1) === "=") quote = character;
  }
  return -1;
}
