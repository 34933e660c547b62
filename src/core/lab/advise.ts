/**
 * Which strategy, size, overlap and guards to use for a corpus and its questions, with a reason each and a plan to check it.
 *
 * Measured results decide where there are any; the rules below only where there are none. A wish that is known to go wrong is
 * refused with a sentence.
 */
import { bestMeasured, enoughQuestions, familyOf, overlapHelps, sum } from "./adviceMeasured.ts";
import type { AnswerableType, Choice, MeasuredStrategy, QuestionMix, Reasoned } from "./adviceMeasured.ts";
import type { ChangeRate, CorpusProfile } from "./profile.ts";

/** What somebody has in mind. Sizes in tokens. */
export interface Wish {
  readonly strategy: string;
  readonly size?: number | undefined;
  readonly overlap?: number | undefined;
  readonly minTokens?: number | undefined;
  readonly maxTokens?: number | undefined;
}

export interface AdviceInput {
  readonly profile: CorpusProfile;
  readonly mix: QuestionMix;
  readonly changes: ChangeRate;
  /** Answers must quote the page's own wording. */
  readonly quotesWording: boolean;
  /** Whether a model may write facts or contexts. */
  readonly hasModel: boolean;
  readonly measured: readonly MeasuredStrategy[];
  readonly wish?: Wish | undefined;
}

export interface Advice {
  /** `measured`: the figures decided the strategy. */
  readonly basis: "measured" | "rules";
  readonly strategy: Reasoned<string>;
  /** Tokens a unit. */
  readonly size: Reasoned<number>;
  /** Tokens shared with the unit before. */
  readonly overlap: Reasoned<number>;
  readonly guards: Reasoned<{ readonly minTokens: number; readonly maxTokens: number }>;
  /** Steps, in order. */
  readonly evaluation: readonly string[];
  /** Why the wish was refused, a sentence each; empty when it stands or there was none. */
  readonly refusals: readonly string[];
  /** What to keep in mind, a sentence each. */
  readonly warnings: readonly string[];
}

/** Largest overlap without a measurement behind it, share of the size (lesson: "Refuse overlap above 20%"). */
const maxOverlapShare = 0.2;
/**
 * Sizes by kind of question, tokens: single details are found best in 256 to 512, causes, comparisons and questions over several
 * places in 512 to 1,024 (NVIDIA, "Finding the Best Chunking Strategy for Accurate AI Responses", June 2025).
 */
const sizeFor: Readonly<Record<AnswerableType, number>> = { factoid: 384, analytical: 768, multihop: 768 };
/** Quality falls sharply around this much context, tokens (lesson, "context cliff"). Hits × size should stay below. */
const contextCliff = 2_500;
/** A corpus above this is dear to rewrite: at 2 USD a million tokens read and 10 written, its facts cost about 200 USD. */
const modelBudgetTokens = 10_000_000;
export function advise(input: AdviceInput): Advice {
  const measured = bestMeasured({ ...input, changesByMinutes: input.changes === "minutes" });
  const warnings: string[] = [];
  const rules = byRules(input);
  const chosen = measured ?? rules;
  const refusals = input.wish === undefined ? [] : refusalsOf(input.wish, input);
  const wished = input.wish !== undefined && refusals.length === 0 ? input.wish : undefined;
  const strategy = wished === undefined ? chosen.value : wished.strategy;

  const asked = sizeByMix(input.mix);
  const measuredSize = measured === undefined ? undefined : Math.round(measured.tokens);
  const size: Reasoned<number> =
    wished?.size !== undefined
      ? { value: wished.size, reason: "The size you asked for." }
      : wished === undefined && measuredSize !== undefined
        ? { value: measuredSize, reason: `The mean size of what "${strategy}" returned when it was measured.` }
        : { value: sizeOf(strategy, asked, input.profile), reason: sizeReason(strategy, input.mix) };
  const overlap: Reasoned<number> =
    wished?.overlap !== undefined && wished.overlap > 0
      ? { value: wished.overlap, reason: overlapReason(wished, size.value, input.measured) }
      : {
          value: 0,
          reason: "Overlap brought nothing in the studies and makes the index larger; measure before you add any.",
        };
  const guards = guardsOf(wished, size.value);

  if (size.value * 5 > contextCliff && strategy !== "facts") {
    const hits = Math.max(1, Math.floor(contextCliff / size.value));
    warnings.push(
      `Five units of ${size.value} tokens are more than ${thousands(contextCliff)} tokens: return ${hits} at most.`,
    );
  }
  if (strategy === "semantic") {
    warnings.push(`Semantic units need a floor: below ${guards.value.minTokens} tokens a unit joins its neighbor.`);
  }
  if (input.measured.length > 0 && measured === undefined) warnings.push(tooFew(input.measured));
  if (wished !== undefined && measured !== undefined && wished.strategy !== measured.value) {
    warnings.push(`Measured on these pages, "${measured.value}" did better: ${measured.reason}`);
  }
  return {
    basis: measured !== undefined && wished === undefined ? "measured" : "rules",
    strategy: {
      value: strategy,
      reason: wished === undefined ? chosen.reason : "The strategy you asked for; nothing speaks against it.",
    },
    size,
    overlap,
    guards,
    evaluation: evaluationPlan(input, strategy),
    refusals,
    warnings,
  };
}

/** Why a wish cannot be followed; one sentence for each reason. */
export function refusalsOf(wish: Wish, { measured }: Pick<AdviceInput, "measured">): string[] {
  const refusals: string[] = [];
  const { strategy, size, overlap = 0, minTokens, maxTokens } = wish;
  const cuts = strategy !== "facts" && strategy !== "propositions";
  if (cuts && (minTokens === undefined || maxTokens === undefined)) {
    refusals.push(
      `"${strategy}" is refused without a smallest and a largest size: units of 5 and of 5,000 tokens both break retrieval. Give both.`,
    );
  }
  if (minTokens !== undefined && maxTokens !== undefined && minTokens >= maxTokens) {
    refusals.push(`The smallest size (${minTokens}) must be below the largest (${maxTokens}).`);
  }
  if (size !== undefined && overlap > maxOverlapShare * size && !overlapHelps(overlap / size, measured)) {
    refusals.push(
      `An overlap of ${overlap} of ${size} tokens is above 20 % and no measurement here shows that it helps. Measure the strategy with and without it first, or use 0.`,
    );
  }
  if (size === undefined && overlap > 0) {
    refusals.push("An overlap means nothing without a size. Give the size as well.");
  }
  if (strategy === "semantic" && (minTokens === undefined || minTokens < 1)) {
    refusals.push(
      "Semantic cutting is refused without a floor: it makes fragments of 40 tokens that hurt retrieval. Give a smallest size, 100 tokens or more.",
    );
  }
  return refusals;
}

/** What the seeds say where nothing was measured. */
function byRules({ profile, changes, quotesWording, hasModel, mix }: AdviceInput): Choice {
  const cut = profile.headingsPerThousand >= 0.5 ? "headings" : "recursive";
  const tokens = sizeByMix(mix);
  const structure =
    cut === "headings"
      ? "The pages have headings to cut at."
      : "The pages have few headings, so paragraphs and sentences decide where to cut.";
  if (changes === "minutes") {
    return {
      value: cut,
      tokens,
      reason: `The text changes every few minutes, faster than facts can be written. ${structure}`,
    };
  }
  if (quotesWording) {
    const value = mix.factoid > mix.analytical + mix.multihop ? "parent-document" : cut;
    const how =
      value === "parent-document" ? "Small units find the place, and the text around it is returned." : structure;
    return { value, tokens, reason: `Answers must quote the page's own wording, which facts rewrite. ${how}` };
  }
  if (hasModel && profile.tokens > modelBudgetTokens) {
    return {
      value: cut,
      tokens,
      reason: `${thousands(profile.tokens)} tokens are much to have a model rewrite; the offline distiller's facts are worth measuring against this. ${structure}`,
    };
  }
  const who = hasModel
    ? "A model is there to write them."
    : "Without a model the offline distiller cuts them from the page's own words.";
  return {
    value: "facts",
    tokens,
    reason: `Facts make sense without the page and put the most answers into few tokens. ${who}`,
  };
}

function sizeByMix(mix: QuestionMix): number {
  const types = ["factoid", "analytical", "multihop"] as const;
  const total = sum(types.map((type) => mix[type])) || 1;
  const exact = sum(types.map((type) => (mix[type] / total) * sizeFor[type]));
  return Math.round(exact / 64) * 64;
}

/** What offline facts hold; those a model writes hold 100 to 400 tokens. */
const factTokens = 270;

function sizeOf(strategy: string, asked: number, profile: CorpusProfile): number {
  if (strategy === "facts") return factTokens;
  if (strategy === "headings") return Math.round(Math.min(3_000, Math.max(200, profile.medianSectionTokens)));
  return asked;
}

function sizeReason(strategy: string, mix: QuestionMix): string {
  if (strategy === "facts") return "Facts follow their subject; this is about their mean, not a size to cut at.";
  if (strategy === "headings")
    return "The median of the heading sections; they follow the page and are clamped, not cut to a size.";
  const details = mix.factoid >= mix.analytical + mix.multihop;
  return details
    ? "Most questions ask for one detail, which units of 256 to 512 tokens find best."
    : "Many questions need causes or several places, which units of 512 to 1,024 tokens hold better.";
}

function guardsOf(wish: Wish | undefined, size: number): Advice["guards"] {
  if (wish?.minTokens !== undefined && wish.maxTokens !== undefined) {
    return { value: { minTokens: wish.minTokens, maxTokens: wish.maxTokens }, reason: "The guards you asked for." };
  }
  const minTokens = Math.max(50, Math.round(size / 4));
  const maxTokens = Math.min(3_000, Math.max(2 * size, minTokens + 1));
  return {
    value: { minTokens, maxTokens },
    reason: "A smaller unit joins its neighbor, a larger one is cut again: both ends of the range break retrieval.",
  };
}

function overlapReason({ overlap = 0 }: Wish, size: number, measured: readonly MeasuredStrategy[]): string {
  return overlap > maxOverlapShare * size && overlapHelps(overlap / size, measured)
    ? "Above 20 %, and the measurement here shows a gain over the same strategy without overlap."
    : "At most 20 % of the size; measure it against 0 before you keep it, since it makes the index larger.";
}

function evaluationPlan({ mix, measured }: AdviceInput, strategy: string): string[] {
  const shares = (["factoid", "analytical", "multihop"] as const).filter((type) => mix[type] > 0).join(", ");
  const rivals = ["recursive", "headings", "facts"].filter((name) => name !== familyOf(strategy)).join(", ");
  return [
    `Write 50 questions or more from your own pages, stratified by type (${shares}), or have a model write them.`,
    `Measure "${strategy}" beside ${rivals} on them.`,
    "Compare recall@5 per type and the nuggets within equal token budgets; a difference whose 95 % interval holds 0 is noise.",
    measured.length === 0
      ? "Ask for advice again: measured figures then replace the rules."
      : "Measure again when the pages or the questions change.",
  ];
}

function tooFew(measured: readonly MeasuredStrategy[]): string {
  const most = Math.max(0, ...measured.map(({ questions }) => questions.length));
  return most < enoughQuestions
    ? `The results rest on ${most} questions; ${enoughQuestions} are the least to decide by, so the rules decided.`
    : "No measured strategy fits what you asked for, so the rules decided.";
}

/** `12,500`, the same on every machine. */
function thousands(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/gu, ",");
}
