import type { Measured } from "./compare.ts";
import type { LibraryFigures } from "./library.ts";
import { markdownTable } from "../../src/core/lab/markdownTable.ts";
import { milliseconds } from "../lib/timing.ts";

export interface ReadmeFigures {
  readonly engines: readonly Measured[];
  readonly library: ReadonlyMap<number, LibraryFigures>;
  readonly scans: ReadonlyMap<string, readonly number[]> | undefined;
  readonly sizes: readonly number[];
  readonly machine: string;
}

/** What a reader of the README wants to know of a run: questions, starting, size and memory, beside the engines of others. */
export function readmeTable({ engines, library, scans, sizes, machine }: ReadmeFigures): string {
  const names = [...new Set(engines.map(({ engine }) => engine))];
  const cell = (engine: string, facts: number, name: string): string => {
    const found = engines.find((one) => one.engine === engine && one.facts === facts);
    if (found === undefined) return "";
    if (found.note !== undefined) return "–";
    const value = found.figures[name];
    return value === undefined ? "" : milliseconds(value);
  };
  const columns = sizes.flatMap((facts) => {
    const size = facts.toLocaleString("en");
    return [`question, ${size} facts`, `open`, `add 30 facts`];
  });
  const engineRows = names.map((engine) => [
    engine.startsWith("bacopa") ? `**${engine}**` : engine,
    ...sizes.flatMap((facts) => [
      `${cell(engine, facts, "questionP50")} / ${cell(engine, facts, "questionP95")}`.replace(/^ \/ $/u, ""),
      cell(
        engine,
        facts,
        engines.some((one) => one.engine === engine && one.figures["openCpuMs"] !== undefined) ? "openCpuMs" : "openMs",
      ),
      cell(engine, facts, "addMs"),
    ]),
  ]);
  const figure =
    (name: string) =>
    (facts: number): string =>
      milliseconds(library.get(facts)?.[name] ?? NaN);
  const pair =
    (first: string, second: string) =>
    (facts: number): string =>
      `${figure(first)(facts)} / ${figure(second)(facts)}`;
  const libraryRows: [string, (facts: number) => string][] = [
    ["a search, whole call with its facts, p50 / p95", pair("searchP50", "searchP95")],
    ["opening and the first search by words", figure("openOwnMs")],
    ["saving a page of 30 facts", figure("addOwnMs")],
    ["a hover's look-up, p50 / p95", pair("hoverP50", "hoverP95")],
    ["list of all pages", figure("pagesOwnMs")],
    ["most processor time between two turns of the main loop while opening", figure("openStallCpuMs")],
    ["the same while all pages are indexed anew", figure("stallCpuMs")],
    ["peak memory of the process, MB", (facts) => (library.get(facts)?.["rssMb"] ?? NaN).toFixed(0)],
  ];
  const parts = [
    `${machine}; milliseconds, the smaller of wall and processor time, p50 / p95; vectors of 384 dimensions.`,
    markdownTable(["index alone", ...columns], engineRows),
    markdownTable(
      ["library", ...sizes.map((facts) => `${facts.toLocaleString("en")} facts`)],
      libraryRows.map(([title, value]) => [title, ...sizes.map(value)]),
    ),
  ];
  if (scans !== undefined) {
    parts.push(
      markdownTable(
        ["one query against all vectors", ...sizes.map((facts) => facts.toLocaleString("en"))],
        [...scans].map(([name, values]) => [name, ...values.map(milliseconds)]),
      ),
    );
  }
  return parts.join("\n\n");
}
