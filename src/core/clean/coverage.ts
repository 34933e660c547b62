/** How much of a page's content is in its Markdown. */
import { rawText, wordPattern } from "./tree.ts";
import type { ElementNode } from "./tree.ts";

/** Words of the content that the text holds, each as often as it occurs, 0..1. 1 for a page without words. */
export function coverageOf(main: ElementNode, text: string): number {
  const kept = new Map<string, number>();
  for (const [word] of text.matchAll(wordPattern)) kept.set(word, (kept.get(word) ?? 0) + 1);
  let all = 0;
  let found = 0;
  for (const [word] of rawText(main).matchAll(wordPattern)) {
    all += 1;
    const left = kept.get(word) ?? 0;
    if (left === 0) continue;
    kept.set(word, left - 1);
    found += 1;
  }
  return all === 0 ? 1 : found / all;
}
