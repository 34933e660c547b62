/** Every miss of a comparison, one a line, for who looks into a figure. */
import type { StrategyResult } from "../../src/core/lab/evaluate.ts";

export function failureList(results: readonly StrategyResult[]): string {
  return results
    .flatMap(({ strategy, modes }) =>
      modes.flatMap(({ mode, evidenceFailures, nuggetFailures }) =>
        [
          { what: "evidence", failures: evidenceFailures },
          { what: "nugget", failures: nuggetFailures },
        ].flatMap(({ what, failures }) =>
          failures.map(
            ({ questionId, page, cause, missed }) =>
              `${strategy}/${mode} ${questionId} ${page} ${what} ${cause}: ${missed.slice(0, 100)}`,
          ),
        ),
      ),
    )
    .join("\n");
}
