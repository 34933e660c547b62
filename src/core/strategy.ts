/**
 * The strategies by name: every way to turn a page into index units, with its sizes.
 *
 * One name is written the same on the command line, in the settings, in a stored page and in the lab:
 * `recursive`, `recursive:256`, `recursive:512:64`, `fixed:1000c`, `semantic:400:min=100:t=0.6`.
 */
import type { FixedOptions } from "./section/fixed.ts";
import { maxTokens as longestSection, minTokens as shortestSection } from "./section/headings.ts";
import type { ParentDocumentOptions } from "./section/parentDocument.ts";
import type { SizeLimits } from "./section/pieces.ts";
import type { RecursiveOptions } from "./section/recursive.ts";
import type { SemanticOptions } from "./section/semantic.ts";
import type { SentenceOptions } from "./section/sentence.ts";

export const strategyKinds = [
  "fixed",
  "recursive",
  "sentence",
  "semantic",
  "headings",
  "parent-document",
  "late",
  "contextual",
  "propositions",
  "agentic",
  "facts",
] as const;
export type StrategyKind = (typeof strategyKinds)[number];

export type StrategySizes =
  | ({ readonly kind: "fixed" } & FixedOptions)
  | ({ readonly kind: "recursive" | "late" | "contextual" } & RecursiveOptions)
  | ({ readonly kind: "sentence" } & SentenceOptions)
  | ({ readonly kind: "semantic" } & SemanticOptions)
  | ({ readonly kind: "headings" | "agentic" } & SizeLimits)
  | ({ readonly kind: "parent-document" } & ParentDocumentOptions)
  | { readonly kind: "facts" | "propositions" };

/** A strategy with all its sizes. */
export interface SizedStrategy {
  /** As it was written. */
  readonly name: string;
  readonly kind: StrategyKind;
  readonly sizes: StrategySizes;
}

/** Strategies whose units a model writes, or cuts. */
export function needsModel(kind: StrategyKind): boolean {
  return kind === "contextual" || kind === "propositions" || kind === "agentic";
}

/** Strategies that put written units in the place of sections; the others search the sections as they are. */
export function writesFacts(kind: StrategyKind): boolean {
  return kind === "facts" || kind === "propositions";
}

/** What a page holds, in words: `12 facts`, `130 propositions`, `40 sections (recursive:256)`. */
export function unitsInWords(
  strategy: string,
  { facts, sections }: { readonly facts: number; readonly sections: number },
): string {
  const { kind } = strategyOf(strategy);
  const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
  if (kind === "facts") return counted(facts, "fact");
  // Beside the claims stands the code of their sections.
  return kind === "propositions" ? counted(facts, "proposition") : `${counted(sections, "section")} (${strategy})`;
}

/**
 * Sizes without a source are the lesson's rules of thumb or were measured on the evaluation corpus.
 *
 * - `fixed`: 1,000 characters, what most comparisons take for the naive cut.
 * - `recursive`, `late`, `contextual`: 512 tokens, which were ahead of semantic cuts (69 to 54 % right answers) in Vecta's
 *   benchmark (February 2026). No overlap: it showed no benefit with SPLADE and Mistral-8B on Natural Questions.
 * - `semantic`: the 95th percentile (see `Breakpoint`), between 100 and 512 tokens.
 * - `headings`: 200 to 3,000 tokens, the product's own.
 */
const defaults: { readonly [Kind in StrategyKind]: Extract<StrategySizes, { readonly kind: Kind | StrategyKind }> } = {
  fixed: { kind: "fixed", size: 1000, overlap: 0, unit: "characters" },
  recursive: { kind: "recursive", minTokens: 64, maxTokens: 512, overlap: 0 },
  sentence: { kind: "sentence", sentences: 8, overlap: 0, minTokens: 64, maxTokens: 512 },
  semantic: {
    kind: "semantic",
    minTokens: 100,
    maxTokens: 512,
    breakpoint: { kind: "percentile", value: 95 },
  },
  headings: { kind: "headings", minTokens: shortestSection, maxTokens: longestSection },
  "parent-document": { kind: "parent-document", parentTokens: 1024, childTokens: 128 },
  late: { kind: "late", minTokens: 64, maxTokens: 512, overlap: 0 },
  contextual: { kind: "contextual", minTokens: 64, maxTokens: 512, overlap: 0 },
  propositions: { kind: "propositions" },
  agentic: { kind: "agentic", minTokens: 100, maxTokens: 1024 },
  facts: { kind: "facts" },
};

/** Tokens; below it a unit holds no thought, above it no embedder reads it and no reader wants it. */
const smallest = 16;
const largest = 8192;

/** @returns A sentence for the person who wrote the name where it cannot be used. */
export function parseStrategy(name: string): SizedStrategy | string {
  const [first = "", ...parameters] = name.trim().toLowerCase().split(":");
  const kind = strategyKinds.find((one) => one === first);
  if (kind === undefined) return `There is no strategy "${first}"; there are ${strategyKinds.join(", ")}.`;
  const given = readParameters(parameters, kind);
  if (typeof given === "string") return given;
  const sizes = sized(defaults[kind], given);
  const problem = typeof sizes === "string" ? sizes : faultOf(sizes);
  return problem === undefined && typeof sizes !== "string"
    ? { name: [kind, ...parameters].join(":"), kind, sizes }
    : `${problem ?? ""} (in "${name.trim()}")`;
}

/** A name known to be good: a stored page's or one of this code. An unknown one is taken for `facts`. */
export function strategyOf(name: string): SizedStrategy {
  const parsed = parseStrategy(name);
  return typeof parsed === "string" ? { name: "facts", kind: "facts", sizes: { kind: "facts" } } : parsed;
}

interface Given {
  readonly size?: number | undefined;
  readonly unit?: "characters" | "tokens" | undefined;
  readonly second?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly percentile?: number | undefined;
  readonly similarity?: number | undefined;
}

/** What each kind takes; the usage is what a wrong parameter is answered with. */
const usages: Readonly<
  Record<StrategyKind, { readonly usage: string; readonly positions: number; readonly keys: string }>
> = {
  fixed: { usage: "fixed:SIZE[:OVERLAP], in tokens, or in characters with a c (fixed:1000c)", positions: 2, keys: "" },
  recursive: { usage: "recursive:MAX[:OVERLAP][:min=N], in tokens", positions: 2, keys: "min" },
  sentence: { usage: "sentence:SENTENCES[:OVERLAP][:min=TOKENS][:max=TOKENS]", positions: 2, keys: "min max" },
  semantic: {
    usage: "semantic:MAX[:min=N][:p=PERCENTILE or :t=SIMILARITY], in tokens",
    positions: 1,
    keys: "min p t",
  },
  headings: { usage: "headings:MAX[:min=N], in tokens", positions: 1, keys: "min" },
  "parent-document": { usage: "parent-document:PARENT[:CHILD], in tokens", positions: 2, keys: "" },
  late: { usage: "late:MAX[:OVERLAP][:min=N], in tokens", positions: 2, keys: "min" },
  contextual: { usage: "contextual:MAX[:OVERLAP][:min=N], in tokens", positions: 2, keys: "min" },
  propositions: { usage: "propositions, without sizes: a statement is as long as its claim", positions: 0, keys: "" },
  agentic: { usage: "agentic:MAX[:min=N], in tokens", positions: 1, keys: "min" },
  facts: { usage: "facts, without sizes: a fact is as long as its section", positions: 0, keys: "" },
};

function readParameters(parameters: readonly string[], kind: StrategyKind): Given | string {
  const { usage, positions, keys } = usages[kind];
  const wrong = (parameter: string): string => `"${parameter}" is no size of this strategy: write ${usage}.`;
  let given: Given = {};
  let position = 0;
  for (const parameter of parameters) {
    const keyed = /^(min|max|p|t)=(\d+(?:\.\d+)?)$/u.exec(parameter);
    const plain = /^(\d+)(c?)$/u.exec(parameter);
    if (keyed !== null) {
      const [, key = "", number = ""] = keyed;
      if (!keys.split(" ").includes(key)) return wrong(parameter);
      const value = Number(number);
      if (key === "p") given = { ...given, percentile: value };
      else if (key === "t") given = { ...given, similarity: value };
      else given = { ...given, [key]: value };
    } else if (plain !== null && position < positions) {
      const [, digits = "", mark = ""] = plain;
      if (mark === "c" && kind !== "fixed") return wrong(parameter);
      const unit = mark === "c" ? "characters" : "tokens";
      if (position === 1 && kind === "fixed" && unit !== given.unit)
        return `The overlap is in the unit of the size: write ${usage}.`;
      given = position === 0 ? { ...given, size: Number(digits), unit } : { ...given, second: Number(digits) };
      position++;
    } else return wrong(parameter);
  }
  return given;
}

function sized(sizes: StrategySizes, given: Given): StrategySizes | string {
  const { size, second, min, max } = given;
  /** Where only the maximum is given, a minimum that it no longer allows comes down with it. */
  const limits = (own: SizeLimits, most = size): SizeLimits => {
    const maxTokens = most ?? own.maxTokens;
    return { maxTokens, minTokens: min ?? Math.min(own.minTokens, Math.floor(maxTokens / 4)) };
  };
  switch (sizes.kind) {
    case "fixed":
      return { ...sizes, size: size ?? sizes.size, unit: given.unit ?? sizes.unit, overlap: second ?? sizes.overlap };
    case "recursive":
    case "late":
    case "contextual":
      return { ...sizes, ...limits(sizes), overlap: second ?? sizes.overlap };
    case "sentence":
      return {
        ...sizes,
        ...limits(sizes, max ?? sizes.maxTokens),
        sentences: size ?? sizes.sentences,
        overlap: second ?? sizes.overlap,
      };
    case "semantic": {
      const { percentile, similarity } = given;
      if (percentile !== undefined && similarity !== undefined)
        return "A percentile and a similarity exclude each other: give p= or t=.";
      if ((percentile ?? 50) > 100 || (similarity ?? 0) > 1)
        return "A percentile is 0 to 100 and a similarity is 0 to 1.";
      const breakpoint =
        percentile !== undefined
          ? { kind: "percentile" as const, value: percentile }
          : similarity !== undefined
            ? { kind: "similarity" as const, value: similarity }
            : sizes.breakpoint;
      return { ...sizes, ...limits(sizes), breakpoint };
    }
    case "headings":
    case "agentic":
      return { ...sizes, ...limits(sizes) };
    case "parent-document":
      return { ...sizes, parentTokens: size ?? sizes.parentTokens, childTokens: second ?? sizes.childTokens };
    case "propositions":
    case "facts":
      return sizes;
  }
}

/** Why the sizes do not go together; `undefined` where they do. */
function faultOf(sizes: StrategySizes): string | undefined {
  switch (sizes.kind) {
    case "fixed": {
      const scale = sizes.unit === "characters" ? 4 : 1;
      return boundsFault(sizes.size / scale) ?? overlapFault(sizes.overlap, sizes.size);
    }
    case "recursive":
    case "late":
    case "contextual":
      return limitsFault(sizes) ?? overlapFault(sizes.overlap, sizes.maxTokens) ?? roomFault(sizes);
    case "sentence":
      if (sizes.sentences < 1 || sizes.sentences > 200) return "A window holds 1 to 200 sentences.";
      return limitsFault(sizes) ?? overlapFault(sizes.overlap, sizes.sentences);
    case "semantic":
      if (sizes.minTokens < smallest) return floorFault;
      return limitsFault(sizes);
    case "headings":
    case "agentic":
      return limitsFault(sizes);
    case "parent-document":
      if (sizes.parentTokens < 512) return "A parent holds 512 tokens or more: it is what is read.";
      if (sizes.childTokens * 2 > sizes.parentTokens) return "A child is at most half as long as its parent.";
      return boundsFault(sizes.parentTokens) ?? boundsFault(sizes.childTokens);
    case "propositions":
    case "facts":
      return undefined;
  }
}

const floorFault = `Semantic cuts need a minimum of ${smallest} tokens or more: without a floor they leave fragments that hurt retrieval.`;

function limitsFault({ minTokens, maxTokens }: SizeLimits): string | undefined {
  if (minTokens < 1) return "The minimum is 1 token or more: without one, fragments get into the index.";
  if (minTokens * 2 > maxTokens) return `The minimum (${minTokens}) is at most half of the maximum (${maxTokens}).`;
  return boundsFault(maxTokens);
}

function boundsFault(tokens: number): string | undefined {
  return tokens < smallest || tokens > largest
    ? `A size is between ${smallest} and ${largest} tokens (four characters count as one).`
    : undefined;
}

function overlapFault(overlap: number, size: number): string | undefined {
  return overlap * 2 >= size && overlap > 0
    ? `The overlap (${overlap}) is less than half of the size (${size}).`
    : undefined;
}

function roomFault({ minTokens, maxTokens, overlap }: RecursiveOptions): string | undefined {
  return minTokens * 2 > maxTokens - overlap
    ? `The minimum (${minTokens}) is at most half of what the overlap leaves of the maximum (${maxTokens - overlap}).`
    : undefined;
}
