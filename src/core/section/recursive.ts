import type { CountTokens } from "../ports.ts";
import type { Section, Span } from "../types.ts";

/** Where to cut, best first: after a paragraph, a line, a sentence, a word, any character. */
const separators: readonly RegExp[] = [
  /(?<=\n[ \t]*\n)(?=\S)/u,
  /(?<=\n)/u,
  /(?<=[.!?][ \t])/u,
  /(?<=[ \t])/u,
  /(?:)/u,
];

export interface RecursiveOptions {
  /** Default 512. */
  readonly maxTokens?: number;
}

/** Pieces filled up to `maxTokens`, each cut as coarsely as its size allows. They tile the text and know no code or tables. */
export function sectionRecursive(
  text: string,
  { maxTokens = 512 }: RecursiveOptions,
  countTokens: CountTokens,
): Section[] {
  const sections: Section[] = [];
  for (const part of cut(text, { start: 0, end: text.length }, 0)) {
    const last = sections.at(-1);
    if (last !== undefined && last.tokens + part.tokens <= maxTokens) {
      sections[sections.length - 1] = { ...last, end: part.end, tokens: last.tokens + part.tokens };
    } else sections.push({ index: sections.length, ...part, headingPath: [] });
  }
  return sections;

  function cut(whole: string, span: Span, level: number): (Span & { readonly tokens: number })[] {
    const part = whole.slice(span.start, span.end);
    const tokens = countTokens(part);
    const separator = separators[level];
    if (part === "") return [];
    if (tokens <= maxTokens || separator === undefined) return [{ ...span, tokens }];
    let start = span.start;
    return part.split(separator).flatMap((piece) => {
      const inner = { start, end: start + piece.length };
      start = inner.end;
      return cut(whole, inner, level + 1);
    });
  }
}
