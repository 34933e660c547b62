/** All headings of a page, to tell what stands above any place of it. */
import { plain } from "./offlineText.ts";

export interface OutlineEntry {
  /** Offset of the heading's line. */
  readonly start: number;
  /** 1 to 6. */
  readonly level: number;
  /** Without Markdown marks. */
  readonly text: string;
}

/** Headings written with number signs outside code fences, in page order. */
export function outlineOf(text: string): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  let fence: string | undefined;
  let at = 0;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
    } else {
      const heading = /^ {0,3}(#{1,6})\s+(\S.*)$/u.exec(line);
      if (heading !== null)
        entries.push({ start: at, level: (heading[1] ?? "").length, text: plain(heading[2] ?? "") });
    }
    at += line.length + 1;
  }
  return entries;
}

/** The headings that are open before an offset, outermost first. */
export function openAt(outline: readonly OutlineEntry[], offset: number): OutlineEntry[] {
  const open: OutlineEntry[] = [];
  for (const entry of outline) {
    if (entry.start >= offset) break;
    while ((open.at(-1)?.level ?? 0) >= entry.level) open.pop();
    open.push(entry);
  }
  return open;
}
