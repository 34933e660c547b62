/**
 * Has a model score facts against the section they were written from. The rubric is `prompts/judge.md`.
 *
 * The model's word is not enough: each fault comes with a quote, and a quote that stands neither in the fact nor in the
 * section is thrown away and counted.
 */
import type { BacopaError } from "../errors.ts";
import type { LanguageModel, ModelUsage, Prompts } from "../ports.ts";
import type { FactId } from "../types.ts";
import { askInBatches } from "../util/askInBatches.ts";
import { fenceWordFor } from "../util/fenceWord.ts";
import { sha256Hex } from "../util/hash.ts";
import { criteria, judgedText, sectionTextOf } from "./judgeCase.ts";
import type { Criterion, JudgeCase, JudgedCase, Verdict } from "./judgeCase.ts";
import { judgeSchema, parseJudgeReply } from "./judgeReply.ts";
import { mean } from "./metrics.ts";

export interface JudgeInput {
  readonly cases: readonly JudgeCase[];
  readonly model: LanguageModel;
  readonly prompts: Prompts;
  readonly onProgress?: ((done: number) => void) | undefined;
}

export interface Judged {
  /** In the order of the input; cases without a verdict are left out. */
  readonly cases: readonly JudgedCase[];
  readonly failed: readonly { readonly case: JudgeCase; readonly error: BacopaError }[];
  readonly usage: ModelUsage & { readonly calls: number };
  /** First 12 hex digits of the SHA-256 of `judge.md`: figures of two rubrics do not compare. */
  readonly promptHash: string;
}

/** Sections are judged a few at a time: more than that and a model begins to skim. Tokens of sections and facts. */
const batchTokens = 6_000;
/** A verdict with its quotes, tokens; generous, since thinking may count. */
const verdictTokens = 500;

/** On abort this throws the signal's reason. A case that fails does not fail the others. */
export async function judge({ cases, model, prompts, onProgress }: JudgeInput, signal: AbortSignal): Promise<Judged> {
  const instructions = prompts("judge");
  const { answers, failed, usage } = await askInBatches<JudgeCase, JudgedCase>(
    {
      model,
      purpose: "judge",
      instructions,
      schema: judgeSchema,
      items: cases,
      tokensOf: (one) => one.section.tokens + one.facts.reduce((sum, { tokens }) => sum + tokens, 0),
      batchTokens,
      answerTokens: (batch) => 2_000 + verdictTokens * batch.reduce((sum, { facts }) => sum + facts.length + 1, 0),
      content: (batch) => requestText(batch),
      parse: parseJudgeReply,
      onProgress,
    },
    signal,
  );
  return {
    cases: cases.flatMap((one) => answers.get(one) ?? []),
    failed: [...failed].map(([one, error]) => ({ case: one, error })),
    usage,
    promptHash: sha256Hex(instructions, 12),
  };
}

export interface CriterionSummary {
  readonly criterion: Criterion;
  readonly n: number;
  /** 1 to 5. */
  readonly mean: number;
  /** Share with the score 5. */
  readonly faultless: number;
}

/** One figure a criterion; a criterion without a verdict is left out. */
export function summarizeVerdicts(cases: readonly JudgedCase[]): CriterionSummary[] {
  return criteria.flatMap((criterion) => {
    const scores = verdictsOf(cases, criterion).map(({ score }) => score);
    const average = mean(scores);
    if (average === undefined) return [];
    return {
      criterion,
      n: scores.length,
      mean: average,
      faultless: scores.filter((score) => score === 5).length / scores.length,
    };
  });
}

export interface WorstFact {
  readonly factId: FactId;
  readonly pageId: string;
  readonly topic: string;
  /** Sum of its three scores and its section's `kept`, 4 to 20. */
  readonly total: number;
  /** Criterion and its quotes, those below 5. */
  readonly faults: readonly { readonly criterion: Criterion; readonly verdict: Verdict }[];
}

/** The facts with the lowest sums, worst first, those without a fault left out; ties in page order. */
export function worstFacts(cases: readonly JudgedCase[], count = 10): WorstFact[] {
  const all = cases.flatMap(({ pageId, kept, facts }) =>
    facts.map((fact): WorstFact => {
      const verdicts: readonly (readonly [Criterion, Verdict])[] = [
        ["supported", fact.supported],
        ["selfContained", fact.selfContained],
        ["noiseFree", fact.noiseFree],
        ["kept", kept],
      ];
      return {
        factId: fact.factId,
        pageId,
        topic: fact.topic,
        total: verdicts.reduce((sum, [, { score }]) => sum + score, 0),
        faults: verdicts.flatMap(([criterion, verdict]) => (verdict.score < 5 ? { criterion, verdict } : [])),
      };
    }),
  );
  return all
    .filter(({ faults }) => faults.length > 0)
    .toSorted((a, b) => a.total - b.total)
    .slice(0, count);
}

export function verdictsOf(cases: readonly JudgedCase[], criterion: Criterion): Verdict[] {
  return criterion === "kept"
    ? cases.map(({ kept }) => kept)
    : cases.flatMap(({ facts }) => facts.map((fact) => fact[criterion]));
}

function requestText(cases: readonly JudgeCase[]): string {
  const word = fenceWordFor(
    cases.flatMap((one) => [one.page.title, one.page.url, sectionTextOf(one), ...one.facts.map(judgedText)]),
  );
  const blocks = cases.map((one, index) => {
    const { page, section, facts } = one;
    const path = section.headingPath.length === 0 ? "" : ` path=${JSON.stringify(section.headingPath.join(" > "))}`;
    return [
      `# Case ${index + 1}`,
      `<section-${word} page=${JSON.stringify(page.title)} address=${JSON.stringify(page.url)}${path}>\n${sectionTextOf(one)}\n</section-${word}>`,
      ...facts.map((fact, at) => `<fact-${word} number="${at + 1}">\n${judgedText(fact)}\n</fact-${word}>`),
    ].join("\n\n");
  });
  return [...blocks, `Judge ${cases.length === 1 ? "this case" : `these ${cases.length} cases`} now.`].join("\n\n");
}
