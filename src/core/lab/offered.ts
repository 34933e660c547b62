/** Which strategies a comparison can name. */
import { factAblations, parseStrategyName, strategies } from "./strategies.ts";
import type { Strategy } from "./strategies.ts";
import { wholePage } from "./wholePage.ts";

/** What runs when no strategy is named: every way to cut, the facts, and the whole page. */
export const offeredStrategies: readonly Strategy[] = [...strategies, wholePage];

/** Facts with a part of what is searched left out. */
export const offeredAblations: readonly Strategy[] = factAblations;

/**
 * @param names Comma-separated, sizes behind a colon: `recursive:512:64,facts`; `undefined`: all that are offered.
 * @param ablations Whether facts with parts left out come too.
 * @throws RangeError with one sentence that says what is wrong with a name.
 */
export function strategiesNamed(names: string | undefined, ablations: boolean): readonly Strategy[] {
  const list = names?.split(",").flatMap((name) => name.trim() || []);
  if (list?.length === 0) throw new RangeError("--strategies needs at least one name.");
  const chosen = [...new Set(list)].map(strategyNamed);
  const asked = list === undefined ? offeredStrategies : chosen;
  return ablations
    ? [...asked, ...offeredAblations.filter(({ name }) => !asked.some((one) => one.name === name))]
    : asked;
}

function strategyNamed(name: string): Strategy {
  if (name === wholePage.name) return wholePage;
  const strategy = parseStrategyName(name);
  if (typeof strategy === "string") {
    // Whole pages are a baseline of the lab, nothing to save with, so the strategies do not name them.
    throw new RangeError(strategy.replace(/, facts\.$/u, `, facts, ${wholePage.name}.`));
  }
  return strategy;
}
