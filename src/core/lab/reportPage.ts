/**
 * The results of a comparison as one HTML file: tables, and the plots that are read rather than looked up.
 *
 * Nothing in it runs and nothing is fetched: no script, no font, no picture from elsewhere; its policy allows its own
 * style sheet alone. Everything that comes from pages, questions or names is escaped.
 */
import { costPlot, nuggetPlot, recallPlot } from "./reportPlots.ts";
import type { ReportPlot } from "./reportPlots.ts";
import { reportStyle } from "./reportStyle.ts";
import { headlineFigures } from "./results.ts";
import type { LabGroup, LabResults, LabRow } from "./results.ts";
import { escapeXml as escaped } from "./svgDocument.ts";
import { allOf, describeRun, noneNote, onePerStrategy, readingNote, readingOf, shownFigures } from "./tables.ts";

export interface ReportOptions {
  /** Lets the style sheet through the page's policy: letters and digits. Default: the id of the questions. */
  readonly nonce?: string | undefined;
}

export function renderReport(results: LabResults, { nonce = results.questions.id }: ReportOptions = {}): string {
  const { rows, notes, missing } = results;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  const body = rows.length === 0 ? "<p>No strategy could run.</p>" : sections(rows);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(`Strategies compared: ${results.corpus.name}`)}</title>
<style nonce="${escaped(nonce)}">${reportStyle}</style>
</head>
<body>
<main>
<h1>Strategies compared</h1>
<p>${escaped(describeRun(results))}</p>
${notes.map((note) => `<p class="note"><strong>Note.</strong> ${escaped(note)}</p>`).join("\n")}
${body}
${missing.length === 0 ? "" : `<h2>Left out</h2>\n<ul>${missing.map(({ strategy, reason }) => `<li><strong>${escaped(strategy)}</strong>: ${escaped(reason)}</li>`).join("")}</ul>`}
</main>
</body>
</html>
`;
}

function sections(rows: readonly LabRow[]): string {
  return [
    summary(rows),
    legend,
    figure("Evidence found in five hits", recallPlot(rows), mainTable(rows)),
    figure("Answers held at equal token budgets", nuggetPlot(rows), ""),
    figure("What an answer costs", costPlot(rows), costTable(rows)),
    `<h2>Are the differences real?</h2>\n<p>${escaped(readingNote(rows))}</p>\n${folded("Every comparison", comparisonTable(rows))}`,
    `<h2>By kind of question</h2>\n${groupTables(rows, "type")}`,
    `<h2>By style of question</h2>\n${groupTables(rows, "style")}`,
    ...(rows.some(({ none }) => (none.none.n ?? 0) > 0)
      ? [`<h2>Questions without an answer</h2>\n<p>${escaped(noneNote)}</p>\n${noneTable(rows)}`]
      : []),
    `<h2>Where units are cut</h2>\n<p>Shares of the units that begin or end inside something.</p>\n${boundaryTable(rows)}`,
    `<h2>Why things were missed</h2>\n<p>Each miss is put down to the first stage that could not have done better.</p>\n${folded("Counts", missTable(rows))}`,
  ].join("\n");
}

/** Who leads, and where the facts stand, in sentences. */
function summary(rows: readonly LabRow[]): string {
  const items = headlineFigures.map((figure) => {
    const leader = rows.reduce((best, row) => (valueOf(row, figure) > valueOf(best, figure) ? row : best));
    const facts = rows.find(({ key }) => key === "facts/hybrid") ?? rows.find(({ key }) => key === "facts/words");
    const against = facts?.comparisons.find((one) => one.figure === figure && one.against === "best");
    const stand =
      facts === undefined || facts.key === leader.key
        ? ""
        : ` The facts (${facts.mode}) have ${valueOf(facts, figure).toFixed(3)}: ${against === undefined ? "the same" : readingOf(against)}.`;
    return `<li><strong>${escaped(figure)}</strong>: ${escaped(leader.key)} leads with ${valueOf(leader, figure).toFixed(3)}.${escaped(stand)}</li>`;
  });
  return `<ul class="summary">${items.join("")}</ul>`;
}

function valueOf(row: LabRow, figure: (typeof headlineFigures)[number]): number {
  return allOf(row)?.figures[figure] ?? 0;
}

const legend =
  '<ul class="legend"><li class="facts">facts</li><li class="cut">cut by program</li><li class="written">written by a model</li><li class="whole">the whole page</li></ul>';

function figure(title: string, { svg, alternative }: ReportPlot, table: string): string {
  return `<h2>${escaped(title)}</h2>
<figure><div class="plot" role="img" aria-label="${escaped(alternative)}">${svg}</div><figcaption>${escaped(alternative)}</figcaption></figure>
${table}`;
}

function folded(title: string, table: string): string {
  return `<details><summary>${escaped(title)}</summary>${table}</details>`;
}

function mainTable(rows: readonly LabRow[]): string {
  return table(
    "All questions with an answer",
    ["strategy", "ranked by", "units", "tokens a unit", ...shownFigures, "tokens/answer"],
    rows.map((row) => [
      row.strategy,
      row.mode,
      `${row.units}`,
      row.meanTokens.toFixed(0),
      ...figureCells(allOf(row)),
      whole(allOf(row)?.reading.perAnswer),
    ]),
    2,
  );
}

function costTable(rows: readonly LabRow[]): string {
  return table(
    "What each strategy costs. Tokens/answer: tokens read until all nuggets are held, per question answered, giving up after 2,000",
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
        whole(reading?.perFirstNugget),
        whole(reading?.perAnswer),
        share(reading?.answered),
      ];
    }),
    1,
  );
}

function comparisonTable(rows: readonly LabRow[]): string {
  return table(
    "Paired differences with 95 % intervals",
    ["strategy", "ranked by", "figure", "against", "difference", "low", "high", "p", "reading"],
    rows.flatMap((row) =>
      row.comparisons.map((one) => [
        row.strategy,
        row.mode,
        one.figure,
        one.against === "best" ? `best: ${one.other}` : one.other,
        ...[one.difference, one.low, one.high, one.p].map((value) => value.toFixed(3)),
        readingOf(one),
      ]),
    ),
    4,
  );
}

function groupTables(rows: readonly LabRow[], by: "type" | "style"): string {
  const names = [
    ...new Set(rows.flatMap(({ groups }) => groups.filter((group) => group.by === by).map(({ name }) => name))),
  ];
  return names
    .sort()
    .map((name) => {
      const found = rows.map((row) => ({ row, group: row.groups.find((one) => one.by === by && one.name === name) }));
      const n = found[0]?.group?.n ?? 0;
      return folded(
        `${name}, ${n} questions`,
        table(
          `${name}, ${n} questions`,
          ["strategy", "ranked by", ...shownFigures, "tokens/answer"],
          found.map(({ row, group }) => [
            row.strategy,
            row.mode,
            ...figureCells(group),
            whole(group?.reading.perAnswer),
          ]),
          2,
        ),
      );
    })
    .join("\n");
}

function noneTable(rows: readonly LabRow[]): string {
  return table(
    "Wrongly confident",
    ["strategy", "ranked by", "questions", "bar at the weakest tenth", "bar at the median", "separation"],
    rows.map(({ strategy, mode, none }) => [
      strategy,
      mode,
      `${none.none.n ?? 0}`,
      share(none.wronglyConfident.atTenth),
      share(none.wronglyConfident.atMedian),
      share(none.separation),
    ]),
    2,
  );
}

function boundaryTable(rows: readonly LabRow[]): string {
  return table(
    "Shares of units that begin or end inside something",
    ["strategy", "units with a place", "anything", "a sentence", "a code block", "a table"],
    onePerStrategy(rows).map(
      ({ strategy, boundaries: { units, broken, insideSentence, insideFence, insideTable } }) => [
        strategy,
        `${units}`,
        ...[broken, insideSentence, insideFence, insideTable].map((count) => (units === 0 ? "" : share(count / units))),
      ],
    ),
    1,
  );
}

const causes = ["cleaning", "cutting", "page", "place", "budget"] as const;

function missTable(rows: readonly LabRow[]): string {
  return table(
    "Misses by cause",
    ["strategy", "ranked by", "missed", ...causes],
    rows.flatMap(({ strategy, mode, misses }) => [
      [strategy, mode, "evidence in 10 hits", ...causes.map((cause) => `${misses.evidence[cause]}`)],
      [strategy, mode, "nuggets in 500 tokens", ...causes.map((cause) => `${misses.nuggets[cause]}`)],
    ]),
    3,
  );
}

/** Wide tables scroll within a region of their own, which the keyboard reaches. @param names Leading columns of text. */
function table(caption: string, head: readonly string[], rows: readonly (readonly string[])[], names: number): string {
  const side = (column: number): string => (column < names ? ' class="name"' : "");
  const headCells = head.map((title, column) => `<th scope="col"${side(column)}>${escaped(title)}</th>`).join("");
  const lines = rows.map((cells) => {
    const isFacts = cells[0] === "facts" ? ' class="facts"' : "";
    const inner = cells
      .map((cell, column) =>
        column === 0
          ? `<th scope="row" class="name">${escaped(cell)}</th>`
          : `<td${side(column)}>${escaped(cell)}</td>`,
      )
      .join("");
    return `<tr${isFacts}>${inner}</tr>`;
  });
  return `<div class="scroll" role="region" tabindex="0" aria-label="${escaped(caption)}"><table><caption>${escaped(caption)}</caption><thead><tr>${headCells}</tr></thead><tbody>${lines.join("")}</tbody></table></div>`;
}

function figureCells(group: LabGroup | undefined): string[] {
  return shownFigures.map((name) => share(group?.figures[name]));
}

function share(value: number | null | undefined): string {
  return value === undefined || value === null ? "" : value.toFixed(3);
}

function whole(value: number | null | undefined): string {
  return value === undefined || value === null ? "–" : `${value}`;
}
