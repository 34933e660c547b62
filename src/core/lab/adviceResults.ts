/** Results of a comparison as the adviser takes them. */
import { parseStrategy } from "../strategy.ts";
import type { MeasuredStrategy } from "./adviceMeasured.ts";
import type { LabResults, LabRow } from "./results.ts";

/**
 * What can be chosen among the rows: strategies by name, each as a library would rank it. Ablations and baselines that nobody can save
 * with are left out.
 */
export function measuredOf({ rows, questions }: LabResults): MeasuredStrategy[] {
  const byStrategy = new Map<string, LabRow>();
  for (const row of rows) {
    if (row.mode === "hybrid" || (row.mode === "words" && !byStrategy.has(row.strategy)))
      byStrategy.set(row.strategy, row);
  }
  return [...byStrategy.values()].flatMap((row): MeasuredStrategy | [] => {
    const sized = parseStrategy(row.strategy.replace(/\+title$/u, ""));
    // Results of an older version hold no values.
    const recall = (row as Partial<LabRow>).values?.["recall@5"];
    const nuggets = (row as Partial<LabRow>).values?.["nuggets@1000"];
    if (typeof sized === "string" || recall === undefined || nuggets === undefined) return [];
    const { sizes } = sized;
    const size = "maxTokens" in sizes ? sizes.maxTokens : "size" in sizes ? sizes.size : undefined;
    const overlap = "overlap" in sizes ? sizes.overlap : 0;
    return {
      name: row.strategy,
      units: row.units,
      tokens: row.meanTokens,
      modelCalls: row.usage.calls,
      costUsd: row.usage.costUsd,
      overlapShare: size === undefined ? 0 : overlap / size,
      questions: questions.asked.map(({ id, type }, at) => ({
        id,
        type,
        recallAt5: recall[at] ?? 0,
        nuggetsAt1000: nuggets[at] ?? 0,
      })),
    };
  });
}
