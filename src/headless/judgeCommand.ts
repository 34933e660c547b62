/** `bacopa judge`: has a model score saved facts against their sections. */
import { createFilePrompts } from "../adapters/filePrompts.ts";
import { BacopaError } from "../core/errors.ts";
import { randomFrom } from "../core/lab/bootstrap.ts";
import { judge, summarizeVerdicts, worstFacts } from "../core/lab/judge.ts";
import type { Judged, WorstFact } from "../core/lab/judge.ts";
import type { Criterion, JudgeCase } from "../core/lab/judgeCase.ts";
import type { Library } from "../core/library.ts";
import type { LanguageModel } from "../core/ports.ts";
import { assetFolder } from "./assets.ts";

export interface JudgeCommand {
  /** Pages to judge; all of the library when empty. */
  readonly pageIds: readonly string[];
  /** Sections looked at, drawn over all pages. Default 50; every section has all its facts judged. */
  readonly sample: number | undefined;
  readonly seed: number | undefined;
  readonly model: LanguageModel;
  readonly json: boolean;
  readonly print: (line: string) => void;
  readonly note: (line: string) => void;
}

/** Enough to see a change of a fifth of a point, and cheap: about 100,000 tokens. */
const defaultSample = 50;

export async function runJudge(library: Library, command: JudgeCommand, signal: AbortSignal): Promise<0 | 1> {
  const { model, json, print, note } = command;
  const cases = await casesOf(library, command);
  note(
    `${model.id} judges ${cases.length} sections with ${cases.reduce((sum, { facts }) => sum + facts.length, 0)} facts.`,
  );
  const judged = await judge({ cases, model, prompts: createFilePrompts(assetFolder("prompts")) }, signal);
  for (const { case: one, error } of judged.failed) {
    note(`Not judged: section ${one.section.index} of ${one.page.id}: ${error.userMessage}`);
  }
  print(json ? JSON.stringify(resultOf(model, judged)) : printJudged(model, judged));
  return judged.cases.length > 0 ? 0 : 1;
}

/** Every distilled section with its facts; also those without, which the distiller took for noise. */
async function casesOf(
  library: Library,
  { pageIds, sample = defaultSample, seed = 1 }: JudgeCommand,
): Promise<JudgeCase[]> {
  const ids = pageIds.length > 0 ? pageIds : (await library.pages()).map(({ id }) => id);
  const all: JudgeCase[] = [];
  for (const id of ids) {
    const { page, sections, sectionStates, facts } = await library.page(id);
    for (const section of sections) {
      if (sectionStates[section.index]?.state !== "distilled") continue;
      all.push({ page, section, facts: facts.filter(({ sectionIndex }) => sectionIndex === section.index) });
    }
  }
  if (all.length === 0) {
    throw new BacopaError("not-found", {
      message: "No distilled section",
      userMessage: "There are no facts to judge. Save a page first.",
    });
  }
  const random = randomFrom(seed);
  const drawn = all.map((one) => ({ one, order: random() })).toSorted((a, b) => a.order - b.order);
  const chosen = new Set(drawn.slice(0, sample).map(({ one }) => one));
  return all.filter((one) => chosen.has(one));
}

function resultOf(model: LanguageModel, judged: Judged): unknown {
  return {
    model: model.id,
    promptHash: judged.promptHash,
    sections: judged.cases.length,
    facts: judged.cases.reduce((sum, { facts }) => sum + facts.length, 0),
    criteria: summarizeVerdicts(judged.cases),
    worst: worstFacts(judged.cases),
    unproven: unprovenOf(judged),
    failed: judged.failed.map(({ case: one, error }) => ({
      pageId: one.page.id,
      section: one.section.index,
      reason: error.reason,
    })),
    tokens: { in: judged.usage.in, out: judged.usage.out },
    calls: judged.usage.calls,
    costUsd: judged.usage.costUsd,
  };
}

const criterionNames: Readonly<Record<Criterion, string>> = {
  kept: "every specific kept (per section)",
  supported: "nothing unsupported",
  selfContained: "clear without the page",
  noiseFree: "noise left out",
};

function printJudged(model: LanguageModel, judged: Judged): string {
  const rows = summarizeVerdicts(judged.cases).map(
    ({ criterion, n, mean, faultless }) =>
      `  ${criterionNames[criterion].padEnd(36)}${mean.toFixed(2)} of 5   ${(faultless * 100).toFixed(0).padStart(3)} % without fault   n = ${n}`,
  );
  const worst = worstFacts(judged.cases);
  const { calls, costUsd } = judged.usage;
  return [
    `Judged by ${model.id}, rubric ${judged.promptHash}:`,
    ...rows,
    "",
    worst.length === 0 ? "No fault was found." : "The worst facts:",
    ...worst.flatMap(printWorst),
    "",
    `${unprovenOf(judged)} quotes of the judge were found nowhere and dropped; ${calls} calls, about $${costUsd.toFixed(4)}.`,
  ].join("\n");
}

function printWorst({ factId, topic, total, faults }: WorstFact, at: number): string[] {
  return [
    `${String(at + 1).padStart(3)}. ${topic} (${total} of 20, ${factId})`,
    ...faults.map(({ criterion, verdict }) => {
      const quotes = verdict.quotes.map((quote) => `"${quote}"`).join("; ");
      return `     ${criterionNames[criterion]} ${verdict.score}${quotes === "" ? "" : `: ${quotes}`}`;
    }),
  ];
}

function unprovenOf({ cases }: Judged): number {
  return cases.reduce((sum, { unproven }) => sum + unproven, 0);
}
