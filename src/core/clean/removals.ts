/** Keeps account of what cleaning takes out of a page. */
import type { LeftOut } from "../types.ts";
import { isAddressed } from "../util/addressed/addressed.ts";
import { addressedKind } from "../util/addressed/removal.ts";
import { countWords, plainText, remove } from "./tree.ts";
import type { ElementNode } from "./tree.ts";

const maxEntries = 40;
const maxExcerpt = 80;
/** The shortest orders to assistants have three words. */
const minOrderWords = 3;

export interface Removals {
  /** Takes an element out of the tree and notes it. */
  take(node: ElementNode, what: string): void;
  note(what: string, text: string): void;
  list(): LeftOut[];
}

export function createRemovals(): Removals {
  const byWhat = new Map<string, { excerpts: string[]; words: number }>();
  const entries: LeftOut[] = [];
  const note = (what: string, text: string): void => {
    const words = countWords(text);
    if (words === 0) return;
    // What went for another reason is told as what it is.
    if (what !== addressedKind && words >= minOrderWords && isAddressed(text)) {
      note(addressedKind, text);
      return;
    }
    const excerpt = cut(text);
    const known = byWhat.get(what) ?? { excerpts: [], words: 0 };
    byWhat.set(what, known);
    known.words += words;
    if (!known.excerpts.includes(excerpt)) known.excerpts.push(excerpt);
    const same = entries.findIndex((entry) => entry.what === what && entry.excerpt === excerpt);
    const before = entries[same];
    if (before !== undefined) entries[same] = { ...before, words: before.words + words };
    else if (entries.length < 4 * maxEntries) entries.push({ what, excerpt, words });
    else {
      const last = entries.findLastIndex((entry) => entry.what === what);
      const grown = entries[last];
      if (grown !== undefined) entries[last] = { ...grown, words: grown.words + words };
      else entries.push({ what, excerpt, words });
    }
  };
  return {
    take(node, what) {
      note(what, plainText(node));
      remove(node);
    },
    note,
    list() {
      if (entries.length <= maxEntries) return entries;
      // One entry a kind, the largest kinds first; then the single entries that still fit.
      return [...byWhat]
        .map(([what, { excerpts, words }]) => ({ what, excerpt: cut(excerpts.join(" · ")), words }))
        .sort((left, right) => right.words - left.words)
        .slice(0, maxEntries);
    },
  };
}

function cut(text: string): string {
  const folded = text.replace(/\s+/gu, " ").trim();
  return folded.length <= maxExcerpt
    ? folded
    : `${folded
        .slice(0, maxExcerpt - 1)
        .replace(/[\uD800-\uDBFF]$/u, "")
        .trimEnd()}…`;
}
