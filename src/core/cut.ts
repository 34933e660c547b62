/**
 * Cuts a page by a strategy. What counts tokens runs behind `Stages`, so that a host can keep it off its main loop; what
 * needs the embedder runs here.
 */
import { BacopaError } from "./errors.ts";
import type { CountTokens, Embedder } from "./ports.ts";
import { agenticPieces } from "./section/agentic.ts";
import { sectionFixed } from "./section/fixed.ts";
import { sectionByHeadings } from "./section/headings.ts";
import { sectionParentDocument } from "./section/parentDocument.ts";
import type { Piece } from "./section/pieces.ts";
import { sectionRecursive } from "./section/recursive.ts";
import { sectionSemantic, semanticPieces, semanticTexts } from "./section/semantic.ts";
import { sectionSentences } from "./section/sentence.ts";
import type { SizedStrategy } from "./strategy.ts";
import { needsModel, strategyOf } from "./strategy.ts";
import type { Section } from "./types.ts";

/** Plain data, since it crosses threads. */
export interface CutWork {
  readonly text: string;
  /** Name of the strategy, sizes included. */
  readonly strategy: string;
  /** What was embedded of the page, where the strategy cuts by meaning: `pieces` gave the texts. */
  readonly meaning?: { readonly pieces: readonly Piece[]; readonly vectors: readonly (Float32Array | undefined)[] };
}

/** The parts of cutting that count tokens. */
export interface CutStages {
  /** The sections of a page. By meaning, `meaning` must be given. */
  section(work: CutWork, signal: AbortSignal): Promise<Section[]>;
  /** The parts that an embedder or a model groups into sections. */
  pieces(work: CutWork, signal: AbortSignal): Promise<Piece[]>;
}

/** The sections of a page; agentic ones as they are before a model has read them. @throws BacopaError `embedder-missing`. */
export async function cutPage(
  text: string,
  strategy: SizedStrategy,
  { stages, embedder }: { readonly stages: CutStages; readonly embedder: Embedder | undefined },
  signal: AbortSignal,
): Promise<Section[]> {
  const work: CutWork = { text, strategy: strategy.name };
  if (strategy.kind !== "semantic") return stages.section(work, signal);
  if (embedder === undefined) throw noEmbedder(strategy, embedder);
  const pieces = await stages.pieces(work, signal);
  const vectors = await embedder.embed(semanticTexts(text, pieces), "passage", signal);
  return stages.section({ ...work, meaning: { pieces, vectors } }, signal);
}

/** One sentence where the strategy needs an embedder or a model that is not there. */
export function lackOf(
  { kind }: SizedStrategy,
  { embedder, hasModel }: { readonly embedder: Embedder | undefined; readonly hasModel: boolean },
): string | undefined {
  if (needsModel(kind) && !hasModel) return `The strategy ${kind} needs a language model.`;
  if (kind === "semantic" && embedder === undefined)
    return "The strategy semantic cuts by meaning and needs an embedder.";
  if (kind === "late" && embedder?.embedTokens === undefined)
    return "The strategy late needs an embedder that gives the vectors of tokens.";
  return undefined;
}

export function noEmbedder(strategy: SizedStrategy, embedder: Embedder | undefined): BacopaError {
  const lack = lackOf(strategy, { embedder, hasModel: true }) ?? `The strategy ${strategy.kind} needs an embedder.`;
  return new BacopaError("embedder-missing", {
    message: `${strategy.name} with ${embedder?.id ?? "no embedder"}`,
    userMessage: `${lack} Choose one, or take a strategy that needs none, such as recursive.`,
  });
}

/** `CutStages` in this thread. */
export function createCutStages(loadTokenizer: () => Promise<CountTokens>): CutStages {
  return {
    section: async (work) => sectionsOf(work, await loadTokenizer()),
    pieces: async ({ text, strategy }) => {
      const { sizes } = strategyOf(strategy);
      if (sizes.kind === "semantic") return semanticPieces(text, sizes, await loadTokenizer());
      return sizes.kind === "agentic" ? agenticPieces(text, sizes, await loadTokenizer()) : [];
    },
  };
}

function sectionsOf({ text, strategy, meaning }: CutWork, countTokens: CountTokens): Section[] {
  const { sizes } = strategyOf(strategy);
  switch (sizes.kind) {
    case "fixed":
      return sectionFixed(text, sizes, countTokens);
    case "recursive":
    case "late":
    case "contextual":
      return sectionRecursive(text, sizes, countTokens);
    case "sentence":
      return sectionSentences(text, sizes, countTokens);
    case "semantic":
      return sectionSemantic(text, meaning?.pieces ?? [], meaning?.vectors ?? [], sizes, countTokens);
    case "parent-document":
      return sectionParentDocument(text, sizes, countTokens);
    case "headings":
    case "agentic":
      return sectionByHeadings(text, countTokens, sizes);
    case "propositions":
    case "facts":
      return sectionByHeadings(text, countTokens);
  }
}
