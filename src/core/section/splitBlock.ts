import type { CountTokens } from "../ports.ts";
import type { Span } from "../types.ts";
import { blockTree, codeBlocks, tableRows } from "../util/markdown.ts";
import type { TreeBlock } from "../util/markdown.ts";
import { sentences } from "../util/sentences.ts";

export interface CountedSpan extends Span {
  readonly tokens: number;
}

/**
 * Cuts one block that is too long at list items, table rows, the blocks inside an item or quote, sentences, words. The parts
 * tile the span. Code and a table row stay whole, whatever their size.
 *
 * @param span The block with the blank lines around it.
 */
export function splitBlock(text: string, span: Span, limit: number, countTokens: CountTokens): CountedSpan[] {
  const block = blockTree(text, span)[0];
  const whole = counted(text, span, countTokens);
  return block === undefined
    ? splitProse(text, whole, limit, countTokens)
    : cut(text, block, whole, limit, countTokens);
}

function cut(
  text: string,
  block: TreeBlock,
  span: CountedSpan,
  limit: number,
  countTokens: CountTokens,
): CountedSpan[] {
  if (span.tokens <= limit) return [span];
  switch (block.kind) {
    case "code":
    case "heading":
    case "rule":
      return [span];
    case "table": {
      const rows = tableRows(text, block).slice(1);
      return tile(
        text,
        span,
        rows.map((row) => row.span),
        countTokens,
      );
    }
    case "list":
    case "item":
    case "quote": {
      if (block.children.length > 0) {
        return tile(text, span, block.children, countTokens).flatMap((part, index) => {
          const child = block.children[index];
          return child === undefined ? [part] : cut(text, child, part, limit, countTokens);
        });
      }
      // Too deep to be looked into: what holds code stays whole.
      return codeBlocks(text.slice(span.start, span.end)).length > 0
        ? [span]
        : splitProse(text, span, limit, countTokens);
    }
    case "paragraph":
      return splitProse(text, span, limit, countTokens);
  }
}

function splitProse(text: string, span: CountedSpan, limit: number, countTokens: CountTokens): CountedSpan[] {
  return tile(text, span, sentences(text, span), countTokens).flatMap((sentence) =>
    sentence.tokens <= limit ? [sentence] : splitWords(text, sentence, countTokens),
  );
}

/** A sentence of thousands of tokens is no sentence: minified text, a word list. */
function splitWords(text: string, span: Span, countTokens: CountTokens): CountedSpan[] {
  const parts: Span[] = [];
  for (let at = span.start; at < span.end;) {
    let end = Math.min(span.end, at + windowLength);
    if (end < span.end) {
      const blank = text.lastIndexOf(" ", end);
      if (blank > at) end = blank + 1;
      else if (isLowSurrogate(text, end)) end -= 1;
    }
    parts.push({ start: at, end });
    at = end;
  }
  return parts.map((part) => counted(text, part, countTokens));
}

/** Characters; below the limit of tokens for any script (a character is seldom more than two tokens). */
const windowLength = 1000;

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Parts that start where the given spans start; what stands before the first belongs to the first. */
function tile(text: string, span: Span, starts: readonly Span[], countTokens: CountTokens): CountedSpan[] {
  if (starts.length === 0) return [counted(text, span, countTokens)];
  return starts.map((_, index) =>
    counted(
      text,
      {
        start: index === 0 ? span.start : (starts[index]?.start ?? span.start),
        end: starts[index + 1]?.start ?? span.end,
      },
      countTokens,
    ),
  );
}

function counted(text: string, { start, end }: Span, countTokens: CountTokens): CountedSpan {
  return { start, end, tokens: countTokens(text.slice(start, end)) };
}
