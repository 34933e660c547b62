import type { Embedder } from "../ports.ts";
import type { Span } from "../types.ts";

/** Tokens that two windows of a long page share, at most; as in "long late chunking" (Günther et al. 2024, algorithm 2). */
const windowOverlap = 256;
/** Share of a window that its overlap may take: a short-sighted embedder still gets on. */
const greatestShare = 1 / 4;

/**
 * Late chunking (Günther et al., "Late Chunking: Contextual Chunk Embeddings", 2024): the whole page goes through the
 * embedder, then each section's vector is the mean of its own tokens' vectors, which have seen the text around them. A
 * page that is too long goes in windows that overlap; a token counts in the window in which it has more text around it.
 *
 * @param sections In page order.
 * @returns One unit vector a section; `undefined` where it holds no token the embedder knows. `undefined` as a whole where
 *   the embedder gives no vectors of tokens.
 */
export async function lateVectors(
  text: string,
  sections: readonly Span[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<(Float32Array | undefined)[] | undefined> {
  if (embedder.embedTokens === undefined) return undefined;
  const sums = sections.map(() => new Float32Array(embedder.dims));
  /** Tokens before it have been counted. */
  let counted = 0;
  for (let from = 0; from < text.length;) {
    const { spans, vectors } = await embedder.embedTokens(text.slice(from), signal);
    const last = spans.at(-1);
    if (last === undefined) break;
    const isEnd = text.slice(from + last.end).trim() === "";
    const shared = isEnd ? 0 : Math.min(windowOverlap, Math.floor(spans.length * greatestShare));
    const next = from + (spans[spans.length - shared]?.start ?? last.end);
    // The tokens of the overlap's second half have more text behind them in the next window.
    const until = isEnd ? text.length : from + (spans[spans.length - Math.ceil(shared / 2)]?.start ?? last.end);
    let first = 0;
    spans.forEach(({ start, end }, token) => {
      if (from + start < counted || from + start >= until) return;
      while ((sections[first]?.end ?? Infinity) <= from + start) first++;
      for (let at = first; at < sections.length; at++) {
        const section = sections[at];
        const sum = sums[at];
        if (section === undefined || sum === undefined || section.start >= from + end) break;
        for (let i = 0; i < embedder.dims; i++) sum[i] = (sum[i] ?? 0) + (vectors[token * embedder.dims + i] ?? 0);
      }
    });
    counted = until;
    if (isEnd || next <= from) break;
    from = next;
  }
  return sums.map(unit);
}

function unit(sum: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const value of sum) squares += value * value;
  const length = Math.sqrt(squares);
  return length === 0 ? undefined : sum.map((value) => value / length);
}
