/** What a comparison with a model costs, in words. */
import { costOf, pricesOf } from "../adapters/models/anthropicModels.ts";
import type { CachedModel } from "../adapters/models/answerCache.ts";
import type { LabPage } from "../core/lab/labPage.ts";
import { estimateModelWork } from "../core/lab/modelWork.ts";
import type { Strategy, StrategyTools } from "../core/lab/strategies.ts";

/** Before the first call: what the model-written strategies will cost at most. Nothing when no model is needed. */
export function costSentence(
  strategies: readonly Strategy[],
  pages: readonly LabPage[],
  tools: StrategyTools,
  maxCost: number,
): string[] {
  const work = estimateModelWork(strategies, pages, tools);
  if (work.strategies.length === 0 || tools.model === undefined) return [];
  const prices = pricesOf(tools.model.id.replace(/^[^:]*:/u, ""));
  const cost = costOf({ input_tokens: work.in, output_tokens: work.out }, prices);
  const price = prices === undefined ? "at a price that is not known here" : `about $${cost.toFixed(2)}`;
  return [
    `${work.strategies.join(", ")}: a model reads about ${work.in} tokens and writes about ${work.out}, ${price} where nothing is kept from before. No call begins once $${maxCost.toFixed(2)} is spent (--max-cost).`,
  ];
}

/** Afterwards: what this run paid. Nothing when no model was asked. */
export function spentSentence(model: CachedModel): string[] {
  const { calls, costUsd, fromCache } = model.spent();
  if (calls + fromCache === 0) return [];
  return [`The model was asked ${calls} times for $${costUsd.toFixed(4)}; ${fromCache} answers were kept from before.`];
}
