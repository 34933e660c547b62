/** The main job in one go: save pages, show their facts, answer questions. `npm start` runs it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Distiller, Library } from "../core/library.ts";
import type { SavedPage } from "../core/types.ts";
import { assetFolder } from "./assets.ts";
import { plural, printFact, printSave, printSearch } from "./print.ts";
import { createProgress } from "./progress.ts";

const sampleFolder = assetFolder("samples");

const sampleQuestions = [
  "does one bad message retry the whole batch?",
  "how long does Tamarind wait for a connection by default?",
  "why does mapRecords stop making progress?",
];

/** Saves the targets (the sample pages when there are none), prints their facts and asks three questions. */
export async function runDemo(
  library: Library,
  targets: readonly string[],
  distiller: Distiller,
  print: (text: string) => void,
  signal: AbortSignal,
): Promise<0 | 1> {
  const samples = targets.length === 0;
  const saved: SavedPage[] = [];
  let failed = false;
  for (const target of samples ? samplePages() : targets) {
    const progress = createProgress(target, process.stderr);
    const report = await library.save(target, { distiller, onEvent: progress.show }, signal);
    progress.end();
    print(printSave(report, target));
    if (report.state !== "done") failed = true;
    if (report.pageId !== null) saved.push(await library.page(report.pageId));
    if (signal.aborted) return 1;
  }
  for (const { page, brief, facts } of saved) {
    print(`\n${page.title}: ${plural(facts.length, "fact")}\n${[brief.covers, ...brief.caveats].join(" ")}`);
    for (const fact of facts) print(printFact(fact));
  }
  const questions = samples
    ? sampleQuestions
    : saved.flatMap(({ facts }) => facts.flatMap((fact) => fact.questions.slice(0, 1))).slice(0, 3);
  for (const question of questions) {
    const result = await library.search(question, { limit: 2 }, signal);
    print(`\nQuestion: ${question}\n${printSearch(result)}`);
  }
  return failed ? 1 : 0;
}

function samplePages(): string[] {
  return readdirSync(sampleFolder)
    .sort()
    .map((file) => join(sampleFolder, file));
}
