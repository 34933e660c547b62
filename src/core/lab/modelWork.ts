/** How much a model will have to read and write, told before it is asked. */
import type { LabPage } from "./labPage.ts";
import type { Strategy, StrategyTools } from "./strategies.ts";

export interface ModelWork {
  /** Names of the strategies that a model writes. */
  readonly strategies: readonly string[];
  /** Tokens; both are estimates from the pages' length, on the high side. */
  readonly in: number;
  readonly out: number;
}

/**
 * Tokens read and written per token of page. Contextual retrieval reads the page with every batch of chunks and writes
 * up to 100 tokens for each 512; propositions and groups of statements repeat the page in other words.
 */
const sharesOf: Readonly<Record<string, { readonly in: number; readonly out: number }>> = {
  contextual: { in: 2.5, out: 0.25 },
  propositions: { in: 1.3, out: 1.3 },
  agentic: { in: 2.6, out: 1.6 },
};
const otherShares = { in: 1.5, out: 1.3 };

export function estimateModelWork(
  strategies: readonly Strategy[],
  pages: readonly LabPage[],
  tools: StrategyTools,
): ModelWork {
  const written = strategies.filter((strategy) => needsModel(strategy, tools));
  // About four characters a token; counting for real would read every page once more.
  const tokens = pages.reduce((sum, { saved }) => sum + saved.page.text.length / 4, 0);
  const sum = (side: "in" | "out"): number =>
    Math.round(
      written.reduce(
        (total, { name }) => total + tokens * (sharesOf[name.split(/\W/u)[0] ?? ""] ?? otherShares)[side],
        0,
      ),
    );
  return { strategies: written.map(({ name }) => name), in: sum("in"), out: sum("out") };
}

/** Whether it runs with these tools, and would not without the model. */
function needsModel({ lacks }: Strategy, tools: StrategyTools): boolean {
  return lacks !== undefined && lacks(tools) === undefined && lacks({ ...tools, model: undefined }) !== undefined;
}
