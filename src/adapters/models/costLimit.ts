/** Stops asking a model once a sum of money is spent. */
import { BacopaError } from "../../core/errors.ts";
import type { LanguageModel } from "../../core/ports.ts";

/**
 * @param limitUsd No call begins once this much is spent; calls that run at that moment still end, and are paid for.
 * @throws BacopaError `model-rejected` from `ask` when the limit is reached.
 */
export function limitCost(model: LanguageModel, limitUsd: number): LanguageModel {
  let spent = 0;
  return {
    id: model.id,
    maxOutputTokens: model.maxOutputTokens,
    async ask(request, signal) {
      if (spent >= limitUsd) {
        throw new BacopaError("model-rejected", {
          message: `The cost limit of $${limitUsd} is reached`,
          userMessage: `The limit of $${limitUsd.toFixed(2)} is reached ($${spent.toFixed(2)} spent). What the model has answered is kept; raise --max-cost to go on from there.`,
        });
      }
      const reply = await model.ask(request, signal);
      spent += reply.usage.costUsd;
      return reply;
    },
  };
}
