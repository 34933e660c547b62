import { BacopaError } from "../errors.ts";
import type { CountTokens, LanguageModel, ModelReply, ModelUsage, Prompts } from "../ports.ts";
import type { Brief, FactDraft, Page, Section } from "../types.ts";
import { sha256Hex } from "../util/hash.ts";
import { createLimiter } from "../util/limiter.ts";
import { checkedBrief } from "./brief.ts";
import { factsSchema, parseReply } from "./reply.ts";
import type { ParsedReply, ReplyProblems } from "./reply.ts";
import { batchesOf, cutPart, halvesOf, partOf, requestText } from "./request.ts";
import type { Part } from "./request.ts";

/** Sections whose facts are complete, with those facts. A section without a draft held only noise. */
export interface DistilledBatch {
  /** What the whole run has used so far. */
  readonly usage: ModelUsage;
  readonly drafts: readonly FactDraft[];
  readonly sectionIndexes: readonly number[];
}

export interface DistillInput {
  readonly page: Page;
  /** The sections to distill, in page order; may be a part of the page's. */
  readonly sections: readonly Section[];
  readonly model: LanguageModel;
  readonly prompts: Prompts;
  readonly countTokens: CountTokens;
  /** Called as answers arrive, in any order, each section once. */
  readonly onBatch?: ((batch: DistilledBatch) => void) | undefined;
  /** Calls at the same time. Default 4. */
  readonly concurrency?: number | undefined;
}

export interface Distilled {
  /** In page order; the facts of a section in the order of the answer. */
  readonly drafts: FactDraft[];
  /** `undefined` when the call that was asked for it failed. */
  readonly brief?: Brief | undefined;
  readonly failed: { readonly sectionIndex: number; readonly error: BacopaError }[];
  readonly usage: ModelUsage & { readonly calls: number };
  /** First 12 hex digits of the SHA-256 of `facts.md`. */
  readonly promptHash: string;
  /** What was thrown away of the replies. */
  readonly problems: ReplyProblems;
}

/**
 * Has a model write the facts of a page's sections, in batches asked for in parallel.
 *
 * A batch that fails fails its sections, never the page. The brief comes with the first batch, so most pages need one call.
 * On abort this throws the signal's reason.
 */
export async function distillWithModel(input: DistillInput, signal: AbortSignal): Promise<Distilled> {
  const run = createRun(input, signal);
  const batches = batchesOf(input.sections.map(partOf), batchTokens(input.model));
  const outcomes = await Promise.allSettled(
    batches.map((batch, index) => run.distill(batch, index === 0, run.deliver)),
  );
  signal.throwIfAborted();
  const parts = outcomes.map((outcome) => {
    // Faults of the model are outcomes; anything else is a fault of ours and must not pass for one.
    if (outcome.status === "rejected") throw outcome.reason as Error;
    return outcome.value;
  });
  const merged = parts.reduce(merge, emptyOutcome);
  return {
    drafts: merged.drafts.toSorted((a, b) => a.sectionIndex - b.sectionIndex),
    brief: merged.brief && checkedBrief(merged.brief, input.page),
    failed: [...merged.failed]
      .map(([sectionIndex, error]) => ({ sectionIndex, error }))
      .toSorted((a, b) => a.sectionIndex - b.sectionIndex),
    usage: run.usage,
    promptHash: sha256Hex(input.prompts("facts"), 12),
    problems: run.problems,
  };
}

interface Outcome {
  readonly drafts: readonly FactDraft[];
  readonly done: readonly number[];
  readonly failed: ReadonlyMap<number, BacopaError>;
  readonly brief: Brief | undefined;
}

type Deliver = (outcome: Outcome) => void;

const emptyOutcome: Outcome = { drafts: [], done: [], failed: new Map(), brief: undefined };

function merge(a: Outcome, b: Outcome): Outcome {
  return {
    drafts: [...a.drafts, ...b.drafts],
    done: [...a.done, ...b.done],
    failed: new Map([...a.failed, ...b.failed]),
    brief: a.brief ?? b.brief,
  };
}

/** One run's calls, with what they share: the limiter, the sums, and a failure that makes further calls pointless. */
function createRun(
  { page, sections, model, prompts, countTokens, onBatch, concurrency }: DistillInput,
  signal: AbortSignal,
) {
  const limit = createLimiter(concurrency ?? 4);
  const instructions = prompts("facts");
  const usage = { in: 0, out: 0, costUsd: 0, calls: 0 };
  const problems = { unknownSection: 0, duplicate: 0, malformed: 0, oversize: 0 };
  let hopeless: BacopaError | undefined;
  let refusals = 0;

  async function ask(parts: readonly Part[], wantsBrief: boolean, maxTokens: number): Promise<ModelReply> {
    const content = requestText(page, sections, parts, wantsBrief);
    return limit(async () => {
      if (hopeless !== undefined) throw hopeless;
      usage.calls++;
      try {
        const reply = await model.ask(
          { purpose: "facts", instructions, content, schema: factsSchema, maxTokens },
          signal,
        );
        usage.in += reply.usage.in;
        usage.out += reply.usage.out;
        usage.costUsd += reply.usage.costUsd;
        return reply;
      } catch (error) {
        // A key, a model's name or an empty account that is refused once is refused every time.
        if (BacopaError.is(error, "model-auth") || BacopaError.is(error, "model-rejected")) hopeless = error;
        throw error;
      }
    }, signal);
  }

  /** Asks, and once more when the answer cannot be used. `undefined`: the answer did not fit. */
  async function askTwice(
    parts: readonly Part[],
    wantsBrief: boolean,
    maxTokens: number,
  ): Promise<ParsedReply | undefined> {
    const indexes = parts.map(({ sectionIndex }) => sectionIndex);
    for (let attempt = 1; ; attempt++) {
      let reply: ModelReply;
      try {
        reply = await ask(parts, wantsBrief, maxTokens);
      } catch (error) {
        signal.throwIfAborted();
        if (attempt === 1 && BacopaError.is(error, "model-bad-reply")) continue;
        throw error;
      }
      signal.throwIfAborted();
      if (reply.stop === "cut-off") return undefined;
      const parsed = parseReply(reply.value, indexes);
      if (parsed !== undefined) {
        for (const problem of Object.keys(problems) as (keyof ReplyProblems)[])
          problems[problem] += parsed.problems[problem];
        return parsed;
      }
      if (attempt === 2) throw badReply(model.id);
    }
  }

  async function distill(parts: readonly Part[], wantsBrief: boolean, deliver: Deliver): Promise<Outcome> {
    let parsed: ParsedReply | undefined;
    try {
      parsed = await askTwice(parts, wantsBrief, answerLimit(parts, model.maxOutputTokens));
    } catch (error) {
      signal.throwIfAborted();
      if (!BacopaError.is(error)) throw error;
      const divisible =
        error.reason === "model-too-large" || (error.reason === "model-refused" && ++refusals <= maxRefusals);
      if (divisible && parts.length > 1) return split(parts, wantsBrief, deliver);
      return failure(parts, error);
    }
    if (parsed === undefined) {
      return parts.length > 1 ? split(parts, wantsBrief, deliver) : distillLong(parts, wantsBrief, deliver);
    }
    const outcome = outcomeOf(parsed, parts);
    if (outcome.done.length > 0) deliver(outcome);
    const done = new Set(outcome.done);
    const forgotten = parts.filter(({ sectionIndex }) => !done.has(sectionIndex));
    if (forgotten.length === 0) return outcome;
    return merge(outcome, await distillForgotten(forgotten, deliver));
  }

  /** A section that is in no fact and not called noise is asked for once more; silence then means noise. */
  async function distillForgotten(parts: readonly Part[], deliver: Deliver): Promise<Outcome> {
    let outcome: Outcome;
    try {
      const parsed = await askTwice(parts, false, answerLimit(parts, model.maxOutputTokens));
      if (parsed === undefined) throw cutOff(model.id);
      outcome = { ...outcomeOf(parsed, parts), done: parts.map(({ sectionIndex }) => sectionIndex) };
    } catch (error) {
      signal.throwIfAborted();
      if (!BacopaError.is(error)) throw error;
      return failure(parts, error);
    }
    deliver(outcome);
    return outcome;
  }

  async function split(parts: readonly Part[], wantsBrief: boolean, deliver: Deliver): Promise<Outcome> {
    const [first, second] = halvesOf(parts);
    const halves = await Promise.all([distill(first, wantsBrief, deliver), distill(second, false, deliver)]);
    return merge(...halves);
  }

  /** One section whose answer did not fit: the largest answer the model gives, then the section in two, then no more. */
  async function distillLong(parts: readonly Part[], wantsBrief: boolean, deliver: Deliver): Promise<Outcome> {
    const [part] = parts;
    if (part === undefined) return emptyOutcome;
    let outcome: Outcome;
    try {
      let parsed =
        answerLimit(parts, model.maxOutputTokens) < model.maxOutputTokens
          ? await askTwice(parts, wantsBrief, model.maxOutputTokens)
          : undefined;
      if (parsed === undefined) {
        const halves = cutPart(part, page.text, countTokens);
        if (halves === undefined) throw cutOff(model.id);
        const [first, second] = await Promise.all([
          askTwice([halves[0]], wantsBrief, model.maxOutputTokens),
          askTwice([halves[1]], false, model.maxOutputTokens),
        ]);
        if (first === undefined || second === undefined) throw cutOff(model.id);
        parsed = { ...first, drafts: [...first.drafts, ...second.drafts] };
      }
      outcome = {
        drafts: parsed.drafts.map(draftOf),
        done: [part.sectionIndex],
        failed: new Map(),
        brief: parsed.brief,
      };
    } catch (error) {
      signal.throwIfAborted();
      if (!BacopaError.is(error)) throw error;
      return failure(parts, error);
    }
    deliver(outcome);
    return outcome;
  }

  function deliver({ drafts, done }: Outcome): void {
    if (!signal.aborted) onBatch?.({ drafts, sectionIndexes: done, usage: { ...usage } });
  }

  return { distill, deliver, usage, problems };
}

/**
 * Tokens of answer for each token of section, o200k. Facts a capable model wrote for 22 pages took 1.8 times their bodies' tokens as
 * JSON, and newer Claude models count about a third more tokens than o200k.
 */
const answerTokensPerToken = 2.4;

/** A batch whose answer is likely to fit: 8,000 tokens, less for a model that gives short answers. */
function batchTokens({ maxOutputTokens }: LanguageModel): number {
  return Math.min(8_000, Math.floor(maxOutputTokens / answerTokensPerToken));
}

/** Upper bound for an answer, tokens: a quarter more than is likely, and room for the brief. */
export function answerLimit(parts: readonly Pick<Part, "tokens">[], maxOutputTokens: number): number {
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  return Math.min(Math.ceil(tokens * answerTokensPerToken * 1.25) + 2_000, maxOutputTokens);
}

/** A refused batch is split to find the section at fault; a model that refuses this often refuses the page. */
const maxRefusals = 8;

function outcomeOf({ drafts, noise, brief }: ParsedReply, parts: readonly Part[]): Outcome {
  const answered = new Set([...noise, ...drafts.map(({ sectionIndex }) => sectionIndex)]);
  const done = parts.map(({ sectionIndex }) => sectionIndex).filter((index) => answered.has(index));
  return { drafts: drafts.map(draftOf), done, failed: new Map(), brief };
}

function failure(parts: readonly Part[], error: BacopaError): Outcome {
  return { ...emptyOutcome, failed: new Map(parts.map(({ sectionIndex }) => [sectionIndex, error])) };
}

/** `replaces` belongs to repairs alone. */
function draftOf({ sectionIndex, topic, statement, questions, keywords, symbols, body }: FactDraft): FactDraft {
  return { sectionIndex, topic, statement, questions, keywords, symbols, body };
}

function badReply(model: string): BacopaError {
  return new BacopaError("model-bad-reply", {
    message: `${model} gave two replies without usable facts`,
    userMessage:
      "The language model gave an answer Bacopa could not use. Save the page again, or choose another model.",
    hint: "The sections can be searched as they are; saving the page again retries them.",
    retryable: true,
  });
}

function cutOff(model: string): BacopaError {
  return new BacopaError("model-bad-reply", {
    message: `${model} cut its answer off at its limit, also for half of the section`,
    userMessage:
      "A section is too long for the language model to rewrite. Choose a model that gives longer answers; the section stays searchable as it is.",
    hint: "The section can be searched as it is; do not retry with the same model.",
  });
}
