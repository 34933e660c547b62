/**
 * Removes what frames a page: navigation, tables of contents, pagers, buttons, notices. Each removal is told with
 * its reason. What holds much of the page's prose or its code is never removed for a name alone.
 */
import { controlOf } from "./noiseControls.ts";
import type { NoiseContext, WalkContext } from "./noiseContext.ts";
import { frameOf } from "./noiseFrame.ts";
import { hiddenNoise, linkNoise } from "./noiseMarks.ts";
import { phraseNoise } from "./noisePhrases.ts";
import { attribute, elementsOf, isBlockTag, plainText } from "./tree.ts";
import type { ElementNode } from "./tree.ts";

export function removeNoise(body: ElementNode, context: NoiseContext): void {
  const toTitle = new Set<ElementNode>();
  for (let at = context.titleHeading; at !== undefined; at = at.parent) toTitle.add(at);
  visit(body, { ...context, toTitle, place: { isBeforeTitle: toTitle.size > 0 } }, false);
}

function visit(node: ElementNode, context: WalkContext, isInMain: boolean): void {
  // Children are filtered once: taking thousands of them out one by one would be quadratic.
  const gone = new Set<ElementNode>();
  for (const child of elementsOf(node)) {
    if (child === context.titleHeading) context.place.isBeforeTitle = false;
    const what = noiseOf(child, context, isInMain);
    if (what === undefined) {
      visit(
        child,
        context,
        isInMain || child.tag === "main" || child.tag === "article" || attribute(child, "role") === "main",
      );
      continue;
    }
    context.removals.note(what, plainText(child));
    gone.add(child);
  }
  if (gone.size > 0) node.children = node.children.filter((child) => child.kind === "text" || !gone.has(child));
}

/** What kind of noise an element is; `undefined` for content. */
function noiseOf(node: ElementNode, context: WalkContext, isInMain: boolean): string | undefined {
  if (node.tag === "pre" || node.tag === "math" || context.toTitle.has(node)) return undefined;
  return (
    controlOf(node, context) ??
    linkNoise(node) ??
    hiddenNoise(node, context) ??
    phraseNoise(node, context) ??
    (context.place.isBeforeTitle ? noiseBeforeTitle(node, context) : undefined) ??
    frameOf(node, context, isInMain)
  );
}

/** Links and pictures above the title lead elsewhere or decorate. */
function noiseBeforeTitle(node: ElementNode, context: WalkContext): string | undefined {
  if (node.tag === "img" || node.tag === "picture") return "decoration";
  const { words, linkWords, links, codes } = context.measures(node);
  if (codes > 0 || links === 0 || words === 0) return undefined;
  // A link within a sentence is a part of it.
  if (!isBlockTag(node.tag) && node.parent !== undefined && !context.toTitle.has(node.parent)) return undefined;
  const density = linkWords / words;
  return density >= 0.99 || (density >= 0.8 && links >= 3) ? "navigation" : undefined;
}
