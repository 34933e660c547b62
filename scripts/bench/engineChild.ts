/**
 * One engine at one size in a process of its own, so that its memory is its own.
 *
 * Arguments: `build ENGINE COUNT FOLDER`, `ask ENGINE COUNT FOLDER QUESTIONS`, `empty`. Prints one JSON object.
 */
import { bacopaEngine } from "./bacopaEngine.ts";
import type { Engine, Question } from "./engine.ts";
import { minisearchEngine, oramaEngine, sqliteEngine } from "./otherEngines.ts";
import {
  factsPerPage,
  generatedDims,
  generatedPages,
  generatedQueries,
  generatedVector,
} from "../lib/generatedFacts.ts";
import { watchStalls } from "../lib/stalls.ts";
import { ownMs, p50, p95 } from "../lib/timing.ts";

const engines: Readonly<Record<string, () => Engine>> = {
  bacopa: () => bacopaEngine("hybrid", generatedDims),
  "bacopa, words": () => bacopaEngine("words", generatedDims),
  "orama, words": () => oramaEngine("words", generatedDims),
  orama: () => oramaEngine("hybrid", generatedDims),
  minisearch: minisearchEngine,
  sqlite: sqliteEngine,
};

const [action, name = "", count = "0", folder = "", questions = "0"] = process.argv.slice(2);
const engine = engines[name]?.();
const report =
  engine === undefined
    ? {}
    : action === "build"
      ? await build(engine, Number(count), folder)
      : await ask(engine, Number(count), folder, Number(questions));
console.log(JSON.stringify({ ...report, maxRssMb: process.resourceUsage().maxRSS / 1024 }));

async function build(built: Engine, facts: number, place: string): Promise<Record<string, number>> {
  const stalls = watchStalls();
  // What making the facts up costs is taken off: the same pages are made once more without an engine.
  const making = performance.now();
  for (const page of generatedPages(facts)) if (!isWordsOnly()) page.vectors();
  const madeMs = performance.now() - making;
  await stalls.take();
  const started = performance.now();
  const { bytes, saveMs } = await built.build(generatedPages(facts), place);
  const buildMs = performance.now() - started - madeMs - saveMs;
  return { buildMs, saveMs, bytes, stallMs: (await stalls.stop()).wallMs };
}

function isWordsOnly(): boolean {
  return name.endsWith("words") || name === "minisearch" || name === "sqlite";
}

async function ask(asked: Engine, facts: number, place: string, perKind: number): Promise<Record<string, number>> {
  const queries = Object.entries(generatedQueries(perKind)).flatMap(([kind, texts]) =>
    (texts as readonly string[]).map((text, i): { kind: string; question: Question } => ({
      kind,
      question: { text, vector: generatedVector(2e8 + i) },
    })),
  );
  const added = [...generatedPages(30, 3)][0];
  if (added === undefined) throw new Error(`no page of 30 facts beside pages of ${factsPerPage}`);
  const stalls = watchStalls();
  await stalls.take();
  const cpu = process.cpuUsage();
  const opening = performance.now();
  const open = await asked.open(place);
  const openMs = performance.now() - opening;
  const used = process.cpuUsage(cpu);
  const openStallMs = (await stalls.stop()).wallMs;
  const report: Record<string, number> = { openMs, openCpuMs: (used.user + used.system) / 1000, openStallMs };
  const times: Record<string, number[]> = {};
  for (const { kind, question } of queries) {
    const ms = await ownMs(() => open.search(question));
    if (report["firstMs"] === undefined) report["firstMs"] = ms;
    else (times[kind] ??= []).push(ms);
  }
  for (const [kind, all] of Object.entries(times)) {
    report[`${kind}P50`] = p50(all);
    report[`${kind}P95`] = p95(all);
  }
  report["maxRssBeforeAddMb"] = process.resourceUsage().maxRSS / 1024;
  report["addMs"] = await ownMs(() => open.add(added));
  await open.close();
  return { ...report, facts };
}
