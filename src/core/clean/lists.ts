/** Lists and definition lists. */
import { append } from "../util/append.ts";
import { standsAlone } from "./block.ts";
import type { Block, Writers } from "./block.ts";
import { codeSpan } from "./escape.ts";
import { attribute, classMatches, closest, descendants, find, hasClass, plainText } from "./tree.ts";
import type { ElementNode } from "./tree.ts";

/**
 * A list. An item that holds code, a table or a heading is written without indentation: its first line keeps the
 * marker, the rest follows at the start of the line, so that code is the page's code to the blank.
 */
export function listBlocks(list: ElementNode, writers: Writers): Block[] {
  const isOrdered = list.tag === "ol";
  const startsAt = Number.parseInt(attribute(list, "start"), 10);
  let number = Number.isSafeInteger(startsAt) && startsAt >= 0 && startsAt < 1e9 ? startsAt : 1;
  const blocks: Block[] = [];
  let items: string[] = [];
  let isLoose = false;
  const flush = (): void => {
    if (items.length > 0) blocks.push({ kind: "list", text: items.join(isLoose ? "\n\n" : "\n") });
    items = [];
    isLoose = false;
  };
  for (const child of list.children) {
    if (child.kind === "text") {
      if (child.value.trim() !== "") items.push(`- ${writers.inline([child])}`);
      continue;
    }
    if (child.tag === "ol" || child.tag === "ul" || child.tag === "menu") {
      // A list right inside a list: invalid, common, and meant as a part of the item before.
      for (const block of listBlocks(child, writers)) {
        if (standsAlone(block)) {
          flush();
          blocks.push(block);
        } else items.push(indent(block.text, "  "));
      }
      continue;
    }
    if (child.tag !== "li") {
      const inner = writers.blocksOf([child]);
      if (inner.length === 0) continue;
      flush();
      append(blocks, inner);
      continue;
    }
    const value = Number.parseInt(attribute(child, "value"), 10);
    if (isOrdered && Number.isSafeInteger(value) && value >= 0 && value < 1e9) number = value;
    const isFootnote = find(child, (node) => hasClass(node, "footnote-mark")) !== undefined;
    const marker = isFootnote ? "" : isOrdered ? `${number}. ` : "- ";
    const content = hasClass(child, "tsd-signature") ? signatureItem(child) : writers.blocksOf(child.children);
    const task = taskMark(child);
    if (content.length === 0) continue;
    number += 1;
    if (content.some(standsAlone)) {
      flush();
      append(blocks, openItem(content, marker + task));
      continue;
    }
    const [first, ...rest] = content;
    if (first === undefined) continue;
    const pad = " ".repeat(marker.length);
    const isTight = rest.every((block) => block.kind === "list");
    const lines = [marker + task + indent(first.text, pad).slice(pad.length)];
    for (const block of rest) lines.push(indent(block.text, pad));
    items.push(lines.join(isTight ? "\n" : "\n\n"));
    if (!isTight) isLoose = true;
  }
  flush();
  return blocks;
}

function signatureItem(item: ElementNode): Block[] {
  const code = codeSpan(signatureText(item)).trim();
  return code === "" ? [] : [{ kind: "text", text: code }];
}

function openItem(content: readonly Block[], marker: string): Block[] {
  const [first, ...rest] = content;
  if (first === undefined) return [];
  if (standsAlone(first)) {
    return /\d/u.test(marker) && first.kind !== "heading"
      ? [{ kind: "list", text: marker.trim() }, ...content]
      : [...content];
  }
  const pad = " ".repeat(marker.length);
  return [{ kind: "list", text: marker + indent(first.text, pad).slice(pad.length) }, ...rest];
}

function taskMark(item: ElementNode): string {
  const box = find(item, (node) => node.tag === "input" && attribute(node, "type").toLowerCase() === "checkbox");
  if (box === undefined || closest(box, (node) => node.tag === "li") !== item) return "";
  return box.attributes.has("checked") ? "[x] " : "[ ] ";
}

function indent(text: string, pad: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? line : pad + line))
    .join("\n");
}

/** A definition list: every term is a bold line of its own, its definition follows as blocks. */
export function definitionBlocks(list: ElementNode, writers: Writers): Block[] {
  const blocks: Block[] = [];
  for (const child of list.children) {
    if (child.kind === "text") {
      if (child.value.trim() !== "") append(blocks, writers.blocksOf([child]));
    } else if (child.tag === "dt") append(blocks, termBlocks(child, list, writers));
    else if (child.tag === "dd") append(blocks, writers.blocksOf(child.children));
    else if (child.tag === "div" || child.tag === "dl" || child.tag === "span")
      append(blocks, definitionBlocks(child, writers));
    else append(blocks, writers.blocksOf([child]));
  }
  return blocks;
}

function termBlocks(term: ElementNode, list: ElementNode, writers: Writers): Block[] {
  if (isSignature(term, list)) {
    const code = codeSpan(signatureText(term)).trim();
    return code === "" ? [] : [{ kind: "text", text: `**${code}**` }];
  }
  const holdsBlocks = [...descendants(term)].some((node) => /^(?:h[1-6]|pre|table|ul|ol)$/u.test(node.tag));
  if (holdsBlocks) return writers.blocksOf(term.children);
  const text = boldLine(writers.withContext({ style: "plain", lineBreak: "\n" }).inline(term.children));
  return text === "" ? [] : [{ kind: "text", text }];
}

/** Bold, where bold can be written: not around text that ends in a blank or holds a line feed of its own. */
export function boldLine(text: string): string {
  return text
    .split(/\n+/u)
    .filter((line) => line.trim() !== "")
    .map((line) => `**${line.trim()}**`)
    .join("\n\n");
}

const signatureList =
  /^(?:py|c|cpp|js|rst|std|function|method|class|attribute|data|exception|classmethod|staticmethod|property|describe|option|cmdoption|envvar|macro|struct|type|member|var|module|decorator|coroutine|httpget|httppost|http)$/u;

function isSignature(term: ElementNode, list: ElementNode): boolean {
  if (hasClass(term, "sig", "sig-object")) return true;
  if (find(term, (node) => hasClass(node, "descname", "sig-name")) !== undefined) return true;
  return hasClass(list, "py", "cpp", "js") && classMatches(list, signatureList);
}

/** Text of a signature in one line. Multi-line parameter lists come as lists within. */
export function signatureText(node: ElementNode): string {
  // Parameters one a line end in a comma each, the last one too.
  const hasLines = find(node, (inner) => inner.tag === "dl") !== undefined;
  const text = plainText(node);
  return (hasLines ? text.replace(/,\s*\)/u, ")") : text)
    .replace(/([([{])\s+/gu, (_all, mark: string) => mark)
    .replace(/\s+([)\]},])/gu, (_all, mark: string) => mark);
}
