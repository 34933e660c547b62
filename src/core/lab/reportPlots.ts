/** The plots of the report as SVG text. The one owner of the plotting library. */
import { axisX, axisY, dot, gridX, gridY, line, link, plot, text } from "@observablehq/plot";
import type { PlotOptions } from "@observablehq/plot";
import type { LabRow } from "./results.ts";
import { SvgDocument } from "./svgDocument.ts";
import { allOf, onePerStrategy } from "./tables.ts";

export interface ReportPlot {
  readonly svg: string;
  /** What the plot shows, in words, with its extremes. */
  readonly alternative: string;
}

const width = 720;
const labelFont = 13;

/** Recall in five hits, a dot and its 95 % interval a row, best on top. */
export function recallPlot(rows: readonly LabRow[]): ReportPlot {
  const data = shown(rows)
    .flatMap((row) => {
      const all = allOf(row);
      const [low, high] = all?.intervals["recall@5"] ?? [];
      const value = all?.figures["recall@5"];
      if (value === undefined || low === undefined || high === undefined) return [];
      return [{ name: row.strategy, value, low, high, kind: kindOf(row) }];
    })
    .sort((a, b) => b.value - a.value);
  const svg = drawn({
    width,
    height: 70 + data.length * 26,
    marginBottom: 46,
    marginLeft: 170,
    marginRight: 60,
    x: { domain: [Math.max(0, Math.floor(Math.min(...data.map(({ low }) => low)) * 10 - 0.5) / 10), 1], label: null },
    y: { domain: data.map(({ name }) => name), label: null },
    marks: [
      gridX({ strokeOpacity: 0.18 }),
      axisX({ label: "recall@5 →", fontSize: labelFont, tickFormat: ".2f", ticks: 6 }),
      axisY({ tickSize: 0, fontSize: labelFont }),
      link(data, {
        x1: "low",
        x2: "high",
        y1: "name",
        y2: "name",
        stroke: "kind",
        strokeWidth: 3,
        strokeOpacity: 0.45,
      }),
      dot(data, { x: "value", y: "name", fill: "kind", r: 5 }),
      text(data, {
        x: 1,
        y: "name",
        text: ({ value }: { value: number }) => value.toFixed(3),
        textAnchor: "start",
        dx: 10,
        fontSize: labelFont,
      }),
    ],
  });
  const [best] = data;
  const worst = data.at(-1);
  return {
    svg,
    alternative: `Recall in five hits of ${data.length} strategies with 95 % intervals, best first. ${spanOf(best, worst)}`,
  };
}

/** Nuggets held in 500, 1,000 and 2,000 tokens: one line a strategy, named at its end. */
export function nuggetPlot(rows: readonly LabRow[]): ReportPlot {
  const budgets = [500, 1000, 2000] as const;
  const data = shown(rows).flatMap((row) => {
    const figures = allOf(row)?.figures;
    return budgets.flatMap((budget) =>
      figures === undefined
        ? []
        : [{ name: row.strategy, budget, value: figures[`nuggets@${budget}`], kind: kindOf(row) }],
    );
  });
  const ends = apart(
    data.filter(({ budget }) => budget === 2000).toSorted((a, b) => b.value - a.value),
    data,
  );
  const svg = drawn({
    width,
    height: 420,
    marginLeft: 56,
    marginRight: 170,
    marginTop: 30,
    marginBottom: 46,
    x: { type: "log", domain: [500, 2000] },
    y: { domain: domainOf(data.map(({ value }) => value)), nice: true },
    marks: [
      gridY({ strokeOpacity: 0.18 }),
      axisX({
        ticks: [500, 1000, 2000],
        tickFormat: (value: number) => `${value}`,
        label: "tokens returned (log) →",
        fontSize: labelFont,
      }),
      axisY({ label: "↑ share of nuggets held", fontSize: labelFont, tickFormat: ".3~f", ticks: 6 }),
      line(data, { x: "budget", y: "value", z: "name", stroke: "kind", strokeWidth: 2, strokeOpacity: 0.8 }),
      dot(data, { x: "budget", y: "value", fill: "kind", r: 3.5 }),
      link(ends, {
        x1: () => 2000,
        x2: () => 2110,
        y1: "value",
        y2: "at",
        stroke: "kind",
        strokeOpacity: 0.5,
        clip: false,
      }),
      text(ends, { x: () => 2110, y: "at", text: "name", textAnchor: "start", dx: 4, fontSize: labelFont }),
    ],
  });
  const first = data.filter(({ budget }) => budget === 500).toSorted((a, b) => b.value - a.value);
  return {
    svg,
    alternative: `Share of the answers' nuggets held in 500, 1,000 and 2,000 returned tokens, one line a strategy. In 500 tokens: ${spanOf(first[0], first.at(-1))}`,
  };
}

/** What an answer costs against how much is found: up and to the left is better. */
export function costPlot(rows: readonly LabRow[]): ReportPlot {
  const data = shown(rows).flatMap((row) => {
    const all = allOf(row);
    const cost = all?.reading.perAnswer;
    return all === undefined || cost === undefined || cost === null
      ? []
      : [{ name: row.strategy, cost, value: all.figures["mrr@10"], kind: kindOf(row) }];
  });
  const costs = data.map(({ cost }) => cost);
  const labels = apart(
    data.toSorted((a, b) => b.value - a.value),
    data,
  );
  const svg = drawn({
    width,
    height: 420,
    marginLeft: 56,
    marginRight: 170,
    marginTop: 30,
    marginBottom: 46,
    x: { domain: [Math.min(...costs) * 0.9, Math.max(...costs) * 1.05] },
    y: { domain: domainOf(data.map(({ value }) => value)), nice: true },
    marks: [
      gridX({ strokeOpacity: 0.18 }),
      gridY({ strokeOpacity: 0.18 }),
      axisX({ label: "tokens read per correct answer →", fontSize: labelFont, ticks: 6 }),
      axisY({ label: "↑ MRR@10", fontSize: labelFont, tickFormat: ".3~f", ticks: 6 }),
      link(labels, {
        x1: "cost",
        y1: "value",
        x2: () => Math.max(...costs) * 1.05,
        y2: "at",
        stroke: "kind",
        strokeOpacity: 0.3,
      }),
      dot(data, { x: "cost", y: "value", fill: "kind", r: 6 }),
      text(labels, {
        x: () => Math.max(...costs) * 1.05,
        y: "at",
        text: "name",
        textAnchor: "start",
        dx: 4,
        fontSize: labelFont,
      }),
    ],
  });
  const cheapest = data.toSorted((a, b) => a.cost - b.cost)[0];
  return {
    svg,
    alternative: `Tokens read per correct answer against MRR@10, one dot a strategy; up and to the left is better. ${cheapest === undefined ? "" : `Cheapest: ${cheapest.name} with ${cheapest.cost} tokens and MRR@10 ${cheapest.value.toFixed(3)}.`}`,
  };
}

interface Named {
  readonly name: string;
  readonly value: number;
}

/** Labels at their values, moved down where they would lie on each other. `sorted`: best first. */
function apart<Item extends Named>(sorted: readonly Item[], all: readonly Named[]): (Item & { readonly at: number })[] {
  const [low, high] = domainOf(all.map(({ value }) => value));
  // A label is 16 of the 350 pixels high.
  const step = ((high - low) * 17) / 350;
  let last = Infinity;
  const placed = sorted.map((item) => ({ ...item, at: (last = Math.min(item.value, last - step)) }));
  // Those pushed below the plot move up again, with what is above them.
  let floor = low;
  return placed
    .toReversed()
    .map((item) => {
      const at = Math.max(item.at, floor);
      floor = at + step;
      return { ...item, at };
    })
    .toReversed();
}

function domainOf(values: readonly number[]): [number, number] {
  const low = Math.floor(Math.min(...values) * 20) / 20;
  const high = Math.ceil(Math.max(...values) * 20) / 20;
  return [low, high > low ? high : low + 0.05];
}

/** Each strategy as the product would search it; ablations are in the tables. */
function shown(rows: readonly LabRow[]): LabRow[] {
  return onePerStrategy(rows).filter(({ strategy }) => !/^facts[-+]/u.test(strategy));
}

type Kind = "facts" | "cut" | "written" | "whole";

function kindOf({ strategy, usage }: LabRow): Kind {
  if (strategy === "facts") return "facts";
  if (strategy === "whole-page") return "whole";
  return usage.calls > 0 ? "written" : "cut";
}

/** Colors are those of the page's style sheet, so that they follow the theme. */
const colors: Readonly<Record<Kind, string>> = {
  facts: "var(--facts)",
  cut: "var(--cut)",
  written: "var(--written)",
  whole: "var(--whole)",
};

function drawn(options: Readonly<Record<string, unknown>>): string {
  const color = { domain: Object.keys(colors), range: Object.values(colors), legend: false };
  const all: unknown = { ...options, color, document: new SvgDocument() };
  const made = plot(all as PlotOptions) as unknown as Drawn;
  // The figure around it has the text alternative.
  made.setAttribute("aria-hidden", "true");
  made.setAttribute("focusable", "false");
  return made.outerHTML;
}

/** What our document makes of it, where the library's types speak of a browser's. */
interface Drawn {
  readonly outerHTML: string;
  setAttribute(name: string, value: string): void;
}

function spanOf(best: Named | undefined, worst: Named | undefined): string {
  if (best === undefined || worst === undefined) return "Nothing was measured.";
  return `Highest: ${best.name} with ${best.value.toFixed(3)}; lowest: ${worst.name} with ${worst.value.toFixed(3)}.`;
}
