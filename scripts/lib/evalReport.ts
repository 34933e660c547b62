/** The tables that `npm run eval` prints. */
import { pairedBootstrap } from "../../src/core/lab/bootstrap.ts";
import type { Interval } from "../../src/core/lab/bootstrap.ts";
import type { Change } from "../../src/core/lab/baseline.ts";
import type { ModeResult, StrategyResult } from "../../src/core/lab/evaluate.ts";
import type { Failure, FailureCause } from "../../src/core/lab/failures.ts";
import type { Spread, Summary } from "../../src/core/lab/report.ts";
import { intervalOf, summarize, valuesOf } from "../../src/core/lab/report.ts";
import type { FigureName, QuestionScore } from "../../src/core/lab/score.ts";
import { markdownTable } from "./markdownTable.ts";

/** The figures a run stands or falls by. */
export const headlineFigures = ["recall@5", "mrr@10", "nuggets@500"] as const satisfies readonly FigureName[];

const shownFigures = [
  "recall@1",
  "recall@5",
  "recall@10",
  "mrr@10",
  "ndcg@10",
  "nuggets@500",
  "nuggets@1000",
  "nuggets@2000",
] as const satisfies readonly FigureName[];

interface Row {
  readonly result: StrategyResult;
  readonly mode: ModeResult;
}

export function mainTable(results: readonly StrategyResult[]): string {
  return markdownTable(
    ["strategy", "mode", "units", "tokens/unit", "n", ...shownFigures],
    rowsOf(results).map(({ result, mode }) => {
      const [all] = summarize(mode.scores, "type");
      const figures = shownFigures.map((figure) => share(all?.figures[figure]));
      return [
        result.strategy,
        mode.mode,
        `${result.units}`,
        result.meanTokens.toFixed(0),
        `${all?.n ?? 0}`,
        ...figures,
      ];
    }),
    ["left", "left"],
  );
}

/** One table a type or style; `full@5` and `full@10` tell whether a question of several snippets is answered whole. */
export function groupTables(results: readonly StrategyResult[], by: "type" | "style"): string {
  const rows = rowsOf(results).map((row) => ({ ...row, summaries: summarize(row.mode.scores, by) }));
  const groups = [...new Set(rows.flatMap(({ summaries }) => summaries.slice(1).map(({ group }) => group)))].sort();
  return groups
    .map((group) => {
      const found = rows.map((row) => ({ ...row, summary: row.summaries.find((one) => one.group === group) }));
      const table = markdownTable(
        ["strategy", "mode", ...shownFigures, "full@5", "full@10"],
        found.map(({ result, mode, summary }) => [result.strategy, mode.mode, ...groupCells(summary)]),
        ["left", "left"],
      );
      return `${by} ${group}, n = ${found[0]?.summary?.n ?? 0}\n\n${table}`;
    })
    .join("\n\n");
}

function groupCells(summary: Summary | undefined): string[] {
  return [...shownFigures, "full@5" as const, "full@10" as const].map((figure) => share(summary?.figures[figure]));
}

/** Headline figures with 95 % intervals, and the paired difference of facts to each other strategy. */
export function intervalTable(results: readonly StrategyResult[]): string {
  const facts = new Map(results.find(({ strategy }) => strategy === "facts")?.modes.map((mode) => [mode.mode, mode]));
  return markdownTable(
    ["strategy", "mode", ...headlineFigures, ...headlineFigures.map((figure) => `facts - this, ${figure}`)],
    rowsOf(results).map(({ result, mode }) => [
      result.strategy,
      mode.mode,
      ...headlineFigures.map((figure) => interval(intervalOf(mode.scores, figure))),
      ...headlineFigures.map((figure) => {
        const own = facts.get(mode.mode);
        return own === undefined || own === mode ? "" : interval(difference(own.scores, mode.scores, figure));
      }),
    ]),
    ["left", "left"],
  );
}

export function noneTable(results: readonly StrategyResult[]): string {
  return markdownTable(
    ["strategy", "best score p10/p50/p90, answerable", "nothing found", "same, none", "nothing found", "separation"],
    results.flatMap(({ strategy, modes }) => {
      const none = modes[0]?.none;
      if (none === undefined || none.none.n === 0) return [];
      return [
        [
          strategy,
          spread(none.answerable),
          empties(none.answerable),
          spread(none.none),
          empties(none.none),
          share(none.separation),
        ],
      ];
    }),
  );
}

const causes: readonly FailureCause[] = ["cleaning", "cutting", "page", "place", "budget"];

export function failureTable(results: readonly StrategyResult[]): string {
  const counts = (failures: readonly Failure[]): string[] =>
    causes.map((cause) => `${failures.filter((failure) => failure.cause === cause).length}`);
  return markdownTable(
    ["strategy", "mode", "missed", ...causes],
    rowsOf(results).flatMap(({ result, mode }) => [
      [result.strategy, mode.mode, "evidence in 10", ...counts(mode.evidenceFailures)],
      [result.strategy, mode.mode, "nuggets in 500", ...counts(mode.nuggetFailures)],
    ]),
    ["left", "left", "left"],
  );
}

export function failureList(results: readonly StrategyResult[]): string {
  return rowsOf(results)
    .flatMap(({ result, mode }) =>
      [
        { what: "evidence", failures: mode.evidenceFailures },
        { what: "nugget", failures: mode.nuggetFailures },
      ].flatMap(({ what, failures }) =>
        failures.map(
          ({ questionId, page, cause, missed }) =>
            `${result.strategy}/${mode.mode} ${questionId} ${page} ${what} ${cause}: ${missed.slice(0, 100)}`,
        ),
      ),
    )
    .join("\n");
}

export function changeTable(changes: readonly Change[]): string {
  return markdownTable(
    ["figure", "before", "now", "change"],
    changes.map(({ key, figure, before, now, relative }) => [
      `${key} ${figure}`,
      share(before),
      share(now),
      `${relative >= 0 ? "+" : ""}${(relative * 100).toFixed(1)} %`,
    ]),
  );
}

function rowsOf(results: readonly StrategyResult[]): Row[] {
  return results.flatMap((result) => result.modes.map((mode) => ({ result, mode })));
}

function difference(
  a: readonly QuestionScore[],
  b: readonly QuestionScore[],
  figure: FigureName,
): Interval | undefined {
  return pairedBootstrap(valuesOf(a, figure), valuesOf(b, figure));
}

function share(value: number | undefined): string {
  return value === undefined ? "" : value.toFixed(3);
}

function interval(value: Interval | undefined): string {
  return value === undefined ? "" : `${value.mean.toFixed(3)} [${value.low.toFixed(3)}, ${value.high.toFixed(3)}]`;
}

function spread({ low, median, high }: Spread): string {
  return [low, median, high].map((value) => value?.toFixed(1) ?? "-").join(" / ");
}

function empties({ n, empty }: Spread): string {
  return `${empty} of ${n}`;
}
