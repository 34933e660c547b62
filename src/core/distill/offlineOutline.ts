/** All headings of a page, to tell what stands above any place of it. */
import { blocks } from "../util/markdown.ts";
import { plain } from "./offlineText.ts";

export interface OutlineEntry {
  /** Offset of the heading's line. */
  readonly start: number;
  /** 1 to 6. */
  readonly level: number;
  /** Without Markdown marks. */
  readonly text: string;
  /** The heading it stands under. */
  readonly parent: OutlineEntry | undefined;
}

/** Headings outside of lists and quotes, in page order. */
export function outlineOf(text: string): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  for (const { kind, start, end, depth = 0 } of blocks(text)) {
    const heading = kind === "heading" ? plain(text.slice(start, end)) : "";
    if (heading === "") continue;
    let parent = entries.at(-1);
    while (parent !== undefined && parent.level >= depth) parent = parent.parent;
    entries.push({ start, level: depth, text: heading, parent });
  }
  return entries;
}

/** The headings that are open before an offset, outermost first. */
export function openAt(outline: readonly OutlineEntry[], offset: number): OutlineEntry[] {
  let low = 0;
  let high = outline.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((outline[middle]?.start ?? Infinity) < offset) low = middle + 1;
    else high = middle;
  }
  const open: OutlineEntry[] = [];
  for (let entry = outline[low - 1]; entry !== undefined; entry = entry.parent) open.unshift(entry);
  return open;
}
