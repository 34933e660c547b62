import { codeBlocks } from "../util/markdown.ts";

/**
 * Finds code in a page's text.
 *
 * @returns The page's own lines for that code: with blank lines and indentation as the page has them, without the indentation of
 *   the list or quote it stands in. `undefined` when the page does not hold those lines one after the other.
 */
export type FindCode = (code: string) => string | undefined;

/**
 * Lines are compared without white space, so code that a model indented anew is found, and the page's version takes its place.
 * Linear in the text; each look-up costs about the length of the code.
 */
export function createFindCode(text: string): FindCode {
  const { lines, fenced } = linesOf(text);
  const filled: { readonly key: string; readonly line: number }[] = [];
  const places = new Map<string, number[]>();
  lines.forEach((content, line) => {
    const key = keyOf(content);
    if (key === "") return;
    const known = places.get(key);
    if (known === undefined) places.set(key, [filled.length]);
    else known.push(filled.length);
    filled.push({ key, line });
  });

  function cut(first: number, last: number): string {
    const taken = lines.slice(first, last + 1);
    const indent = fenced.has(first) ? 0 : commonIndent(taken);
    return taken.map((line) => line.slice(indent).trimEnd()).join("\n");
  }

  return (code) => {
    const wanted = code
      .split("\n")
      .map(keyOf)
      .filter((key) => key !== "");
    const [head] = wanted;
    if (head === undefined) return undefined;
    for (const place of rarest(wanted, places)) {
      if (place < 0 || !wanted.every((key, offset) => filled[place + offset]?.key === key)) continue;
      const first = filled[place]?.line;
      const last = filled[place + wanted.length - 1]?.line;
      if (first === undefined || last === undefined) continue;
      return cut(first, last);
    }
    // A command that the page gives within a sentence or a table cell.
    const line = code.trim();
    return wanted.length === 1 && line.length > 2 && holdsWhole(text, line) ? line : undefined;
  };
}

/** Places where the code could begin, judged by that of its lines which the page holds least often. */
function rarest(wanted: readonly string[], places: ReadonlyMap<string, readonly number[]>): number[] {
  let best: { readonly offset: number; readonly at: readonly number[] } | undefined;
  for (const [offset, key] of wanted.entries()) {
    const at = places.get(key);
    if (at === undefined) return [];
    if (best === undefined || at.length < best.at.length) best = { offset, at };
    if (best.at.length === 1) break;
  }
  return best === undefined ? [] : best.at.map((place) => place - best.offset);
}

function keyOf(line: string): string {
  return line.replace(/[\s\u200B]+/gu, "");
}

/** A text's lines, those of code blocks without the indentation of their fence, and which these are. */
function linesOf(text: string): { lines: string[]; fenced: Set<number> } {
  const lines = text.split("\n");
  const fenced = new Set<number>();
  let line = 0;
  let at = 0;
  for (const fence of codeBlocks(text)) {
    for (; at < fence.start; at++) if (text.charCodeAt(at) === 10) line++;
    const code = fence.content.split("\n");
    code.forEach((content, offset) => {
      if (line + 1 + offset >= lines.length) return;
      lines[line + 1 + offset] = content;
      fenced.add(line + 1 + offset);
    });
  }
  return { lines, fenced };
}

function commonIndent(lines: readonly string[]): number {
  let common = Infinity;
  for (const line of lines) {
    const blanks = line.length - line.trimStart().length;
    if (blanks < line.length) common = Math.min(common, blanks);
  }
  return common;
}

/** Whether the text holds the phrase, and not as a piece of a longer number: `30` is not in `300`, nor in `1.30`. */
export function holdsWhole(text: string, phrase: string): boolean {
  const digitFirst = /^\p{N}/u.test(phrase);
  const digitLast = /\p{N}$/u.test(phrase);
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const before = digitFirst && /\d[.,]?$/u.test(text.slice(Math.max(0, at - 2), at));
    const after = digitLast && /^[.,]?\d/u.test(text.slice(at + phrase.length, at + phrase.length + 2));
    if (!before && !after) return true;
  }
  return false;
}
