/** Agentic cuts: a model reads a page piece by piece and decides where sections end. The program enforces the sizes. */
import type { BacopaError } from "../errors.ts";
import type { CountTokens, LanguageModel, ModelUsage, Prompts } from "../ports.ts";
import type { Page, Section } from "../types.ts";
import { askInBatches } from "../util/askInBatches.ts";
import { fenceWord, isRecord, pageHead } from "../util/pageRequest.ts";
import { outlineOf, sectionsOf } from "./outline.ts";
import { Weights, fillBounds, piecesOf, settle, spansOf, summed, withHeadings } from "./pieces.ts";
import type { Piece, SizeLimits } from "./pieces.ts";

export interface AgenticWork {
  readonly page: Page;
  readonly pieces: readonly Piece[];
  readonly limits: SizeLimits;
  readonly model: LanguageModel;
  readonly prompts: Prompts;
  readonly countTokens: CountTokens;
  readonly onProgress?: ((done: number) => void) | undefined;
}

export interface AgenticCut {
  /** `undefined` where the model answered for no stretch of the page. */
  readonly sections: Section[] | undefined;
  /** The first failure; the stretch it is about was cut by size alone. */
  readonly error: BacopaError | undefined;
  readonly usage: ModelUsage & { readonly calls: number };
}

/** Blocks up to this are one piece: a model groups paragraphs better than crumbs. Tokens. */
const wholeTokens = 160;
/** Tokens of pieces that one request holds, about; it ends before a heading where one comes soon. */
const stretchTokens = 6_000;
/** Most tokens of numbers in an answer for each piece. */
const answerTokens = 8;

export function agenticPieces(text: string, { maxTokens }: SizeLimits, countTokens: CountTokens): Piece[] {
  return piecesOf(text, { maxTokens, wholeTokens: Math.min(wholeTokens, Math.floor(maxTokens / 4)) }, countTokens);
}

/** Pieces `[from, to)` of a page. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** On abort this throws the signal's reason. */
export async function cutByModel(work: AgenticWork, signal: AbortSignal): Promise<AgenticCut> {
  const { page, pieces, model, prompts, countTokens, onProgress } = work;
  const limits = summed(work.limits);
  const weights = new Weights(pieces);
  const word = fenceWord(page);
  const stretches = stretchesOf(pieces, weights);
  const { answers, failed, usage } = await askInBatches<Stretch, readonly number[]>(
    {
      model,
      purpose: "agentic",
      instructions: prompts("agentic"),
      schema: endsSchema,
      items: stretches,
      tokensOf: ({ from, to }) => weights.of(from, to),
      batchTokens: 1,
      answerTokens: (batch) => 1_000 + answerTokens * batch.reduce((sum, { from, to }) => sum + to - from, 0),
      content: (batch) =>
        [
          pageHead(page, word),
          ...batch.flatMap(({ from, to }) =>
            pieces.slice(from, to).map(({ start, end }, at) => {
              return `<piece-${word} number="${from + at}">\n${page.text.slice(start, end).trim()}\n</piece-${word}>`;
            }),
          ),
          `A group holds ${work.limits.minTokens} to ${work.limits.maxTokens} tokens. Give the ends of the groups now.`,
        ].join("\n\n"),
      parse: (value, batch) => parseEnds(value, batch),
      onProgress,
    },
    signal,
  );
  const [error] = failed.values();
  if (answers.size === 0) return { sections: undefined, error, usage };
  const bounds = [0];
  for (const stretch of stretches) {
    const ends = [...(answers.get(stretch) ?? []), stretch.to - 1];
    for (const end of ends) {
      const from = bounds.at(-1) ?? 0;
      const to = end + 1 < pieces.length ? withHeadings(pieces, from, end + 1, weights, limits.maxTokens) : end + 1;
      // A group that is too long is cut by size.
      const inner = weights.of(from, to) <= limits.maxTokens ? [] : innerBounds(pieces, from, to, limits);
      if (to > from) bounds.push(...inner, to);
    }
  }
  const spans = spansOf(pieces, settle(bounds, limits, weights));
  return { sections: sectionsOf(page.text, spans, outlineOf(page.text), countTokens), error, usage };
}

function innerBounds(pieces: readonly Piece[], from: number, to: number, { maxTokens }: SizeLimits): number[] {
  return fillBounds(pieces.slice(from, to), maxTokens)
    .slice(1, -1)
    .map((bound) => from + bound);
}

/** Runs of pieces that fit a request, each ending before a heading where one stands in its last third. */
function stretchesOf(pieces: readonly Piece[], weights: Weights): Stretch[] {
  const stretches: Stretch[] = [];
  for (let from = 0; from < pieces.length;) {
    let to = from + 1;
    while (to < pieces.length && weights.of(from, to + 1) <= stretchTokens) to++;
    if (to < pieces.length) {
      for (let cut = to; weights.of(from, cut) > (stretchTokens * 2) / 3; cut--) {
        if (pieces[cut]?.isHeading !== true) continue;
        to = cut;
        break;
      }
    }
    stretches.push({ from, to });
    from = to;
  }
  return stretches;
}

const endsSchema = {
  name: "end_groups",
  description: "Where each group of pieces ends.",
  schema: {
    type: "object",
    properties: {
      ends: { type: "array", items: { type: "integer" }, description: "The number of the last piece of each group." },
    },
    required: ["ends"],
    additionalProperties: false,
  },
} as const;

/** Numbers that were not given are dropped; an answer without one of those that were cannot be used. */
function parseEnds(value: unknown, batch: readonly Stretch[]): ReadonlyMap<Stretch, readonly number[]> | undefined {
  const given = isRecord(value) ? value["ends"] : undefined;
  const [stretch] = batch;
  if (!Array.isArray(given) || stretch === undefined) return undefined;
  const ends = new Set<number>();
  for (const end of given as readonly unknown[]) {
    if (typeof end === "number" && Number.isSafeInteger(end) && end >= stretch.from && end < stretch.to) ends.add(end);
  }
  return ends.size === 0 ? undefined : new Map([[stretch, [...ends].sort((a, b) => a - b)]]);
}
