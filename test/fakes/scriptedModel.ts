import { BacopaError } from "../../src/core/errors.ts";
import type { LanguageModel, ModelReply, ModelRequest } from "../../src/core/ports.ts";

/** What the model does with a request: a value is the answer, `cut-off` an answer that did not fit, an error is thrown. */
export type ScriptedAnswer = SettledAnswer | Promise<SettledAnswer>;
type SettledAnswer = { readonly value: unknown } | "cut-off" | BacopaError;

export interface ScriptedModel extends LanguageModel {
  /** Every request, in order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** The most calls that ran at the same time. */
  readonly mostAtOnce: () => number;
}

/** A model that answers by a function of the request and its number, from 0. Usage is 100 tokens in, 10 out, 0.01 USD a call. */
export function scriptedModel(
  answer: (request: ModelRequest, call: number) => ScriptedAnswer,
  options: { readonly maxOutputTokens?: number } = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  let running = 0;
  let most = 0;
  return {
    id: "scripted:one",
    maxOutputTokens: options.maxOutputTokens ?? 32_000,
    requests,
    mostAtOnce: () => most,
    async ask(request, signal): Promise<ModelReply> {
      signal.throwIfAborted();
      const call = requests.push(request) - 1;
      most = Math.max(most, ++running);
      try {
        const result = await abortable(Promise.resolve(answer(request, call)), signal);
        if (result instanceof BacopaError) throw result;
        const usage = { in: 100, out: 10, costUsd: 0.01 };
        if (result === "cut-off") return { stop: "cut-off", value: undefined, usage };
        return { stop: "done", value: result.value, usage };
      } finally {
        running--;
      }
    },
  };
}

/** The numbers of the sections a facts request holds, in order. */
export function sectionsOf(request: ModelRequest): number[] {
  return [...request.content.matchAll(/<section-\w+ number="(\d+)"/gu)].map(([, number]) => Number(number));
}

/** A fact as the model sends it, without a number or name that a check could find fault with. */
export function replyFact(section: number, over: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const subject = `subject ${"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[section % 26]}`;
  return {
    section,
    topic: `Marmot ${subject}`,
    statement: `Marmot does ${subject}.`,
    questions: [`What does Marmot do about ${subject}?`],
    keywords: ["subject"],
    symbols: [],
    body: `Marmot does ${subject}.`,
    ...over,
  };
}

export function reply(facts: readonly unknown[], noise: readonly number[] = [], covers = ""): { value: unknown } {
  return { value: { facts, noise, brief: { covers, caveats: [] } } };
}

async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = () => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason as Error);
    signal.addEventListener("abort", leave, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
