/** Footnotes: finds what the page defines, so that references become `[^1]` and definitions `[^1]: …`. */
import {
  attribute,
  classMatches,
  closest,
  elementsOf,
  findAll,
  hasClass,
  made,
  plainText,
  remove,
  setChildren,
  textNode,
} from "./tree.ts";
import type { ElementNode } from "./tree.ts";

/**
 * Marks the definitions of footnotes and tells their labels by the ids that references link to.
 * A definition keeps its place and starts with a mark that is written as `[^label]:`.
 */
export function markFootnotes(root: ElementNode): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const notes = findAll(root, isDefinition);
  notes.forEach((note) => {
    const term = termOf(note);
    const ids = [
      note,
      ...(term === undefined ? [] : [term]),
      ...findAll(term ?? note, (node) => node.attributes.has("id")),
      ...findAll(note, (node) => node.attributes.has("id") || node.attributes.has("name")),
    ]
      .flatMap((node) => [attribute(node, "id"), attribute(node, "name")])
      .filter((id) => id !== "");
    const marker =
      term ??
      findAll(
        note,
        (node) =>
          hasClass(node, "label", "fn-bracket", "fn-backref") ||
          (node.tag === "sup" && plainText(node).length < 8) ||
          (node.tag === "a" && /^\[?\d{1,3}\]?$/u.test(plainText(node))),
      )[0];
    const shown = marker === undefined ? "" : plainText(marker).replace(/[[\]().\s]/gu, "");
    const label = /^[\w*†‡-]{1,20}$/u.test(shown) ? shown : orderOf(note);
    if (label === "") return;
    if (marker !== undefined && shown === label)
      remove(closest(marker, (node) => node.tag === "dt" || hasClass(node, "label")) ?? marker);
    for (const id of ids) labels.set(id, label);
    const mark = made("span", [textNode(label)], "footnote-mark");
    const target = elementsOf(note)[0]?.tag === "p" ? (elementsOf(note)[0] ?? note) : note;
    setChildren(target, [mark, ...target.children]);
  });
  return labels;
}

function isDefinition(node: ElementNode): boolean {
  if (node.tag === "li") {
    const list = node.parent;
    const box =
      list === undefined
        ? undefined
        : closest(
            list,
            (ancestor) =>
              hasClass(ancestor, "footnotes", "footnote", "footnote-list", "footnotes-list") ||
              attribute(ancestor, "role") === "doc-endnotes" ||
              ancestor.attributes.has("data-footnotes"),
          );
    return box !== undefined && attribute(node, "id") !== "";
  }
  if (node.tag === "dd")
    return (
      node.parent !== undefined &&
      node.parent.tag === "dl" &&
      hasClass(node.parent, "footnote") &&
      termOf(node) !== undefined
    );
  if (node.tag === "aside" || node.tag === "div" || node.tag === "p") {
    if (!hasClass(node, "footnote", "footnote-definition")) return false;
    if (classMatches(node, /footnotes/u)) return false;
    return (
      elementsOf(node).every((child) => child.tag !== "ol") &&
      plainText(node).length > 3 &&
      !/^sup|^a$/u.test(node.parent?.tag ?? "")
    );
  }
  return false;
}

/** The label of a definition in a list of terms (docutils before 0.18). */
function termOf(note: ElementNode): ElementNode | undefined {
  if (note.tag !== "dd" || note.parent === undefined) return undefined;
  const siblings = elementsOf(note.parent);
  const before = siblings[siblings.indexOf(note) - 1];
  return before?.tag === "dt" ? before : undefined;
}

/** The number an ordered list would show. */
function orderOf(note: ElementNode): string {
  const list = note.parent;
  if (note.tag !== "li" || list === undefined) return "";
  const start = Number.parseInt(attribute(list, "start"), 10);
  return String(
    elementsOf(list)
      .filter((child) => child.tag === "li")
      .indexOf(note) + (Number.isSafeInteger(start) ? start : 1),
  );
}
