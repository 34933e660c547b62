import { BacopaError } from "../errors.ts";
import type { LanguageModel, ModelReply, ModelRequest, ModelUsage } from "../ports.ts";
import { createLimiter } from "./limiter.ts";

export interface BatchWork<Item, Answer> {
  readonly model: LanguageModel;
  /** For logs and progress. */
  readonly purpose: string;
  readonly instructions: string;
  /**
   * Shared by all requests, see `ModelRequest.context`. The first request then goes alone: a cache can be read once its
   * writer has begun to answer.
   */
  readonly context?: string | undefined;
  readonly schema: ModelRequest["schema"];
  readonly items: readonly Item[];
  /** Size of an item in the request, tokens. */
  readonly tokensOf: (item: Item) => number;
  /** Most tokens of items in one request. An item above it goes alone. */
  readonly batchTokens: number;
  /** Most items in one request. Default no limit. */
  readonly batchItems?: number | undefined;
  /** Upper bound for the answer to these items, tokens; the model's own bound holds as well. */
  readonly answerTokens: (items: readonly Item[]) => number;
  readonly content: (items: readonly Item[]) => string;
  /**
   * Checks a reply, which is unknown input. Items that the reply says nothing usable about are missing from the map.
   * `undefined`: nothing of it can be used.
   */
  readonly parse: (value: unknown, items: readonly Item[]) => ReadonlyMap<Item, Answer> | undefined;
  /** Called after each request that ended, with the number of items answered or given up so far. */
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Requests at the same time. Default 4. */
  readonly concurrency?: number | undefined;
}

export interface BatchResult<Item, Answer> {
  readonly answers: ReadonlyMap<Item, Answer>;
  readonly failed: ReadonlyMap<Item, BacopaError>;
  readonly usage: ModelUsage & { readonly calls: number };
}

/**
 * Asks a model about many items, several in a request and several requests at once.
 *
 * A reply that cannot be used is asked for once more; a batch whose answer does not fit is split; items that a reply forgot are
 * asked for once more. What then has no answer has failed by itself: a batch never fails the others, unless the key or the model's
 * name is refused, which no further request can change. On abort this throws the signal's reason.
 */
export async function askInBatches<Item, Answer>(
  work: BatchWork<Item, Answer>,
  signal: AbortSignal,
): Promise<BatchResult<Item, Answer>> {
  const { model, items, content, parse } = work;
  const limit = createLimiter(work.concurrency ?? 4);
  const usage = { in: 0, out: 0, costUsd: 0, calls: 0 };
  const answers = new Map<Item, Answer>();
  const failed = new Map<Item, BacopaError>();
  let hopeless: BacopaError | undefined;

  async function ask(batch: readonly Item[]): Promise<ModelReply> {
    return limit(async () => {
      if (hopeless !== undefined) throw hopeless;
      usage.calls++;
      try {
        const { purpose, instructions, context, schema } = work;
        const maxTokens = Math.min(work.answerTokens(batch), model.maxOutputTokens);
        const request = { purpose, instructions, context, content: content(batch), schema, maxTokens };
        const reply = await model.ask(request, signal);
        usage.in += reply.usage.in;
        usage.out += reply.usage.out;
        usage.costUsd += reply.usage.costUsd;
        return reply;
      } catch (error) {
        if (BacopaError.is(error, "model-auth") || BacopaError.is(error, "model-rejected")) hopeless = error;
        throw error;
      }
    }, signal);
  }

  /** `undefined`: the answer did not fit. */
  async function askTwice(batch: readonly Item[]): Promise<ReadonlyMap<Item, Answer> | undefined> {
    for (let attempt = 1; ; attempt++) {
      let reply: ModelReply;
      try {
        reply = await ask(batch);
      } catch (error) {
        signal.throwIfAborted();
        if (attempt === 1 && BacopaError.is(error, "model-bad-reply")) continue;
        throw error;
      }
      signal.throwIfAborted();
      if (reply.stop === "cut-off") return undefined;
      const parsed = parse(reply.value, batch);
      if (parsed !== undefined) return parsed;
      if (attempt === 2) throw unusable(model.id);
    }
  }

  async function answer(batch: readonly Item[], isLast: boolean): Promise<void> {
    try {
      const parsed = await askTwice(batch);
      if (parsed === undefined) {
        if (batch.length === 1) throw unusable(model.id);
        await halves(batch, isLast);
        return;
      }
      for (const [item, value] of parsed) answers.set(item, value);
      const forgotten = batch.filter((item) => !parsed.has(item));
      if (forgotten.length > 0 && isLast) for (const item of forgotten) failed.set(item, unusable(model.id));
      else if (forgotten.length > 0) await answer(forgotten, true);
    } catch (error) {
      signal.throwIfAborted();
      if (!BacopaError.is(error)) throw error;
      if (error.reason === "model-too-large" && batch.length > 1) await halves(batch, isLast);
      else for (const item of batch) failed.set(item, error);
    }
    work.onProgress?.(answers.size + failed.size);
  }

  async function halves(batch: readonly Item[], isLast: boolean): Promise<void> {
    const middle = Math.ceil(batch.length / 2);
    await Promise.all([answer(batch.slice(0, middle), isLast), answer(batch.slice(middle), isLast)]);
  }

  const batches = batchesOf(work, items);
  const first = work.context === undefined ? [] : batches.splice(0, 1);
  const outcomes = [
    ...(await Promise.allSettled(first.map((batch) => answer(batch, false)))),
    ...(await Promise.allSettled(batches.map((batch) => answer(batch, false)))),
  ];
  signal.throwIfAborted();
  // Faults of the model are outcomes; anything else is a fault of ours and must not pass for one.
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason as Error;
  return { answers, failed, usage };
}

function batchesOf<Item, Answer>(
  { tokensOf, batchTokens, batchItems = Infinity }: BatchWork<Item, Answer>,
  items: readonly Item[],
): Item[][] {
  const batches: Item[][] = [];
  let tokens = 0;
  for (const item of items) {
    const size = tokensOf(item);
    const open = batches.at(-1);
    if (open !== undefined && tokens + size <= batchTokens && open.length < batchItems) {
      open.push(item);
      tokens += size;
    } else {
      batches.push([item]);
      tokens = size;
    }
  }
  return batches;
}

function unusable(model: string): BacopaError {
  return new BacopaError("model-bad-reply", {
    message: `${model} gave no usable answer to a part of the request`,
    userMessage:
      "The language model gave an answer Bacopa could not use for some items. Run it again, or choose another model.",
    hint: "Run it again; what was answered is kept.",
    retryable: true,
  });
}
