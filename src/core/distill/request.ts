import type { CountTokens } from "../ports.ts";
import type { Page, Section, Span } from "../types.ts";
import { fenceWord, oneLine, pageHead } from "../util/pageRequest.ts";

/** A section, or a piece of one that was too long to answer for at once. */
export interface Part extends Span {
  readonly sectionIndex: number;
  readonly headingPath: readonly string[];
  readonly tokens: number;
}

export function partOf(section: Section): Part {
  const { index, start, end, headingPath, tokens } = section;
  return { sectionIndex: index, start, end, headingPath, tokens };
}

/**
 * Parts in page order, in batches of at most `maxTokens`; a larger part is a batch of its own.
 *
 * @param maxTokens 8,000 keeps most pages in one call and the answer (about twice as long) within what models give.
 */
export function batchesOf(parts: readonly Part[], maxTokens = 8_000): Part[][] {
  const batches: Part[][] = [];
  let open: Part[] = [];
  let tokens = 0;
  for (const part of parts) {
    if (open.length > 0 && tokens + part.tokens > maxTokens) {
      batches.push(open);
      open = [];
      tokens = 0;
    }
    open.push(part);
    tokens += part.tokens;
  }
  if (open.length > 0) batches.push(open);
  return batches;
}

/** Two batches of about the same size, in order. `parts` holds two or more. */
export function halvesOf(parts: readonly Part[]): [Part[], Part[]] {
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  let first = 1;
  let before = parts[0]?.tokens ?? 0;
  while (first < parts.length - 1 && before + (parts[first]?.tokens ?? 0) / 2 < total / 2) {
    before += parts[first]?.tokens ?? 0;
    first++;
  }
  return [parts.slice(0, first), parts.slice(first)];
}

/**
 * Cuts a part near its middle: at a blank line outside a code fence, else at a line outside one, else at any line.
 * `undefined` when the text is one line.
 */
export function cutPart(part: Part, text: string, countTokens: CountTokens): [Part, Part] | undefined {
  const middle = (part.start + part.end) / 2;
  let fence: string | undefined;
  let best: { at: number; cost: number } | undefined;
  let at = part.start;
  for (const line of text.slice(part.start, part.end).split("\n")) {
    const mark = /^\s*(?:`{3,}|~{3,})/u.exec(line)?.[0].trim();
    // How far a cut may drift from the middle to be at a better place: a fence weighs most.
    const cost =
      Math.abs(at - middle) + (fence === undefined ? 0 : part.end - part.start) + (line.trim() === "" ? 0 : 2_000);
    if (at > part.start && at < part.end && (best === undefined || cost < best.cost)) best = { at, cost };
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    at += line.length + 1;
  }
  if (best === undefined) return undefined;
  const piece = (start: number, end: number): Part => ({
    ...part,
    start,
    end,
    tokens: countTokens(text.slice(start, end)),
  });
  return [piece(part.start, best.at), piece(best.at, part.end)];
}

/** The longest outline shown, characters. It only says what else the page holds. */
const maxOutline = 2_000;

/**
 * The changing part of a request: the page's particulars, its outline, and the sections as data.
 * The fences around the sections carry a word made from the page's own text, so a page cannot close them.
 */
export function requestText(
  page: Page,
  sections: readonly Section[],
  parts: readonly Part[],
  wantsBrief: boolean,
): string {
  const word = fenceWord(page);
  return [
    pageHead(page, word),
    outline(sections, parts, word),
    wantsBrief ? "Write the brief: yes" : "Write the brief: no",
    ...parts.map((part) => sectionBlock(page, part, word)),
    `Write the facts of ${parts.length === 1 ? "this section" : `these ${parts.length} sections`} now: ${[
      ...new Set(parts.map(({ sectionIndex }) => sectionIndex)),
    ].join(", ")}.`,
  ]
    .filter((block) => block !== "")
    .join("\n\n");
}

/** One section's text between its fences. */
export function sectionBlock(page: Page, part: Part, word: string): string {
  const path = part.headingPath.length === 0 ? "" : ` path=${JSON.stringify(part.headingPath.join(" > "))}`;
  const text = page.text.slice(part.start, part.end).trim();
  return `<section-${word} number="${part.sectionIndex}"${path}>\n${text}\n</section-${word}>`;
}

/** Headings of the page's other sections; nothing when the request holds them all. */
function outline(sections: readonly Section[], parts: readonly Part[], word: string): string {
  const given = new Set(parts.map(({ sectionIndex }) => sectionIndex));
  const others = sections
    .filter(({ index }) => !given.has(index))
    .flatMap(({ headingPath }) => headingPath.at(-1) ?? []);
  if (others.length === 0) return "";
  const list = [...new Set(others)].join(" · ");
  const shown = oneLine(list.length > maxOutline ? `${list.slice(0, maxOutline)} …` : list);
  return `Other sections of this page, not shown:\n<outline-${word}>\n${shown}\n</outline-${word}>`;
}
