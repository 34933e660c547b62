/** The figures of a comparison as Markdown tables: what the command line prints. */
import type { Change } from "./baseline.ts";
import { markdownTable } from "./markdownTable.ts";
import { headlineFigures } from "./results.ts";
import type { HeadlineFigure, LabComparison, LabFigures, LabGroup, LabResults, LabRow, LabSpread } from "./results.ts";

export const shownFigures = [
  "recall@1",
  "recall@3",
  "recall@5",
  "recall@10",
  "recall@20",
  "failed@20",
  "mrr@10",
  "ndcg@10",
  "nuggets@500",
  "nuggets@1000",
  "nuggets@2000",
] as const satisfies readonly (keyof LabFigures)[];

/** All tables with their headings. */
export function resultTables(results: LabResults): string {
  const { rows, missing, notes } = results;
  const parts = [
    `# ${describeRun(results)}`,
    ...notes.map((note) => `Note: ${note}`),
    mainTable(rows),
    "## What it costs",
    costTable(rows),
    "## Are the differences real?",
    readingNote(rows),
    comparisonTable(rows),
    "## Per type",
    groupTables(rows, "type"),
    "## Per style",
    groupTables(rows, "style"),
    ...(rows.some(({ none }) => (none.none.n ?? 0) > 0)
      ? ["## Questions without an answer", noneNote, noneTable(rows)]
      : []),
    "## Where units are cut",
    boundaryTable(rows),
    "## Why things were missed",
    missTable(rows),
    ...(missing.length > 0
      ? ["## Left out", missing.map(({ strategy, reason }) => `- ${strategy}: ${reason}`).join("\n")]
      : []),
  ];
  return parts.join("\n\n");
}

export function describeRun({ corpus, questions, embedder, model, returned }: LabResults): string {
  const pages =
    corpus.distractors > 0 ? `${corpus.pages} pages (${corpus.distractors} distractors)` : `${corpus.pages} pages`;
  const meaning = embedder === null ? "by words alone" : `embedder ${embedder.id}`;
  const written = model === null ? "" : `, model ${model}`;
  return `${corpus.name}: ${pages}, ${questions.answerable} questions with an answer, ${questions.none} without (${questions.id}), ${meaning}${written}, returned: ${returned}`;
}

export function mainTable(rows: readonly LabRow[]): string {
  return markdownTable(
    ["strategy", "mode", "units", "tokens/unit", ...shownFigures, "tokens/answer"],
    rows.map((row) => {
      const all = allOf(row);
      return [
        row.strategy,
        row.mode,
        `${row.units}`,
        row.meanTokens.toFixed(0),
        ...figureCells(all),
        whole(all?.reading.perAnswer ?? null),
      ];
    }),
    ["left", "left"],
  );
}

export function costTable(rows: readonly LabRow[]): string {
  return markdownTable(
    [
      "strategy",
      "units",
      "tokens",
      "index kB",
      "index ms",
      "model calls",
      "dollars",
      "tokens/first nugget",
      "tokens/answer",
      "answered",
    ],
    onePerStrategy(rows).map((row) => {
      const reading = allOf(row)?.reading;
      return [
        row.strategy,
        `${row.units}`,
        (row.units * row.meanTokens).toFixed(0),
        (row.indexBytes / 1024).toFixed(0),
        `${row.indexMs}`,
        `${row.usage.calls}`,
        row.usage.costUsd.toFixed(4),
        whole(reading?.perFirstNugget ?? null),
        whole(reading?.perAnswer ?? null),
        share(reading?.answered),
      ];
    }),
  );
}

/** One table a type or style; `full@5` and `full@10` tell whether a question of several snippets is answered whole. */
export function groupTables(rows: readonly LabRow[], by: "type" | "style"): string {
  const names = [
    ...new Set(rows.flatMap(({ groups }) => groups.filter((group) => group.by === by).map(({ name }) => name))),
  ];
  return names
    .sort()
    .map((name) => {
      const found = rows.map((row) => ({
        row,
        group: row.groups.find((group) => group.by === by && group.name === name),
      }));
      const table = markdownTable(
        ["strategy", "mode", ...shownFigures, "full@5", "full@10", "tokens/answer"],
        found.map(({ row, group }) => [
          row.strategy,
          row.mode,
          ...figureCells(group),
          share(group?.figures["full@5"]),
          share(group?.figures["full@10"]),
          whole(group?.reading.perAnswer ?? null),
        ]),
        ["left", "left"],
      );
      return `${by} ${name}, n = ${found[0]?.group?.n ?? 0}\n\n${table}`;
    })
    .join("\n\n");
}

export function comparisonTable(rows: readonly LabRow[]): string {
  return markdownTable(
    ["strategy", "mode", "figure", "value [95 %]", "against", "difference [95 %]", "p", "reading"],
    rows.flatMap((row) =>
      headlineFigures.flatMap((figure) => {
        const against = row.comparisons.filter((comparison) => comparison.figure === figure);
        const value = withInterval(allOf(row), figure);
        if (against.length === 0) return [[row.strategy, row.mode, figure, value, "", "", "", "leads"]];
        return against.map((comparison) => [
          row.strategy,
          row.mode,
          figure,
          value,
          comparison.against === "best" ? `best: ${comparison.other}` : comparison.other,
          `${signed(comparison.difference)} [${signed(comparison.low)}, ${signed(comparison.high)}]`,
          comparison.p.toFixed(3),
          readingOf(comparison),
        ]);
      }),
    ),
    ["left", "left", "left", "right", "left", "right", "right", "left"],
  );
}

/** What a difference with its interval says, in words. */
export function readingOf({ difference, low, high, other }: LabComparison): string {
  if (low > 0) return `better than ${other}`;
  if (high < 0) return `worse than ${other}`;
  return difference === 0 && low === 0 && high === 0 ? "the same" : "no difference shown";
}

/** How many of these comparisons chance alone would call different. */
export function readingNote(rows: readonly LabRow[]): string {
  const count = rows.reduce((sum, { comparisons }) => sum + comparisons.length, 0);
  const n = rows[0]?.groups[0]?.n ?? 0;
  return `Paired bootstrap over ${n} questions, 2,000 draws, fixed seed. An interval that holds 0 shows no difference; that is not a proof of sameness. Of ${count} comparisons chance alone would call about ${Math.round(count / 20)} different: trust small p, or a gain that holds on other questions too.`;
}

export const noneNote =
  "Wrongly confident: the share of questions without an answer whose best hit scores at least as well as the weakest tenth (or the median) of the best hits of questions with one. Separation: the chance that a question with an answer scores higher; 0.5 is none.";

export function noneTable(rows: readonly LabRow[]): string {
  return markdownTable(
    [
      "strategy",
      "mode",
      "n",
      "wrongly confident, bar at tenth",
      "bar at median",
      "separation",
      "best score p10/p50/p90, with answer",
      "without",
      "nothing found",
    ],
    rows.map(({ strategy, mode, none }) => [
      strategy,
      mode,
      `${none.none.n ?? 0}`,
      share(none.wronglyConfident.atTenth),
      share(none.wronglyConfident.atMedian),
      share(none.separation),
      spread(none.answerable),
      spread(none.none),
      `${none.none.empty ?? 0} of ${none.none.n ?? 0}`,
    ]),
    ["left", "left"],
  );
}

export function boundaryTable(rows: readonly LabRow[]): string {
  return markdownTable(
    ["strategy", "units with a place", "begin or end inside something", "a sentence", "a fence", "a table"],
    onePerStrategy(rows).map(({ strategy, boundaries }) => [
      strategy,
      `${boundaries.units}`,
      ...[boundaries.broken, boundaries.insideSentence, boundaries.insideFence, boundaries.insideTable].map((count) =>
        boundaries.units === 0 ? "" : share(count / boundaries.units),
      ),
    ]),
  );
}

const causes = ["cleaning", "cutting", "page", "place", "budget"] as const;

export function missTable(rows: readonly LabRow[]): string {
  return markdownTable(
    ["strategy", "mode", "missed", ...causes],
    rows.flatMap(({ strategy, mode, misses }) => [
      [strategy, mode, "evidence in 10 hits", ...causes.map((cause) => `${misses.evidence[cause]}`)],
      [strategy, mode, "nuggets in 500 tokens", ...causes.map((cause) => `${misses.nuggets[cause]}`)],
    ]),
    ["left", "left", "left"],
  );
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

export function allOf(row: LabRow): LabGroup | undefined {
  return row.groups.find(({ by }) => by === "all");
}

/** The first row of each strategy ranked as the product ranks: what does not depend on the ranking is told once. */
export function onePerStrategy(rows: readonly LabRow[]): LabRow[] {
  const byStrategy = new Map<string, LabRow>();
  for (const row of rows) {
    if (!byStrategy.has(row.strategy) || row.mode === "hybrid") byStrategy.set(row.strategy, row);
  }
  return [...byStrategy.values()];
}

function figureCells(group: LabGroup | undefined): string[] {
  return shownFigures.map((figure) => share(group?.figures[figure]));
}

function withInterval(group: LabGroup | undefined, figure: HeadlineFigure): string {
  const interval = group?.intervals[figure];
  return interval === undefined
    ? share(group?.figures[figure])
    : `${share(group?.figures[figure])} [${share(interval[0])}, ${share(interval[1])}]`;
}

function share(value: number | null | undefined): string {
  return value === undefined || value === null ? "" : value.toFixed(3);
}

function signed(value: number): string {
  return `${value > 0 ? "+" : ""}${value.toFixed(3)}`;
}

function whole(value: number | null): string {
  return value === null ? "" : `${value}`;
}

function spread({ low, median, high }: LabSpread): string {
  return [low, median, high].map((value) => value?.toFixed(1) ?? "-").join(" / ");
}
