/** How much of a page's content is in its Markdown. */
import { isExtra, isGutter } from "./code.ts";
import { mathOf } from "./math.ts";
import { isBlockTag, wordPattern } from "./tree.ts";
import type { ElementNode } from "./tree.ts";

/**
 * Words of the content that the text holds, each as often as it occurs, 0..1. 1 for a page without words.
 * Line numbers of code and the second rendering of a formula are no words of the content.
 */
export function coverageOf(main: ElementNode, text: string): number {
  const kept = new Map<string, number>();
  for (const [word] of text.matchAll(wordPattern)) kept.set(word, (kept.get(word) ?? 0) + 1);
  const parts: string[] = [];
  collect(main, parts);
  let all = 0;
  let found = 0;
  for (const [word] of parts.join("").matchAll(wordPattern)) {
    all += 1;
    const left = kept.get(word) ?? 0;
    if (left === 0) continue;
    kept.set(word, left - 1);
    found += 1;
  }
  return all === 0 ? 1 : found / all;
}

function collect(node: ElementNode, parts: string[]): void {
  const breaks = isBlockTag(node.tag) || node.tag === "br";
  if (breaks) parts.push("\n");
  for (const child of node.children) {
    if (child.kind === "text") parts.push(child.value);
    else if (!isGutter(child) && !isExtra(child) && mathOf(child) === undefined) collect(child, parts);
  }
  if (breaks) parts.push("\n");
}
