/** `bacopa eval`: compares strategies over a corpus, a folder of pages or a library. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { corpusQuestionsFile, measure } from "../adapters/lab/measure.ts";
import type { MeasureInput } from "../adapters/lab/measure.ts";
import { keptQuestionsFile, keptResultsFile } from "../adapters/lab/questionFile.ts";
import { createAnswerCache } from "../adapters/models/answerCache.ts";
import { limitCost } from "../adapters/models/costLimit.ts";
import { createFilePrompts } from "../adapters/filePrompts.ts";
import { createNodeClock } from "../adapters/nodeClock.ts";
import { BacopaError } from "../core/errors.ts";
import type { ReturnedForm } from "../core/lab/returned.ts";
import { strategiesNamed } from "../core/lab/offered.ts";
import type { LabResults } from "../core/lab/results.ts";
import type { Strategy } from "../core/lab/strategies.ts";
import { resultTables } from "../core/lab/tables.ts";
import type { EmbedderChoice, LanguageModel } from "../core/ports.ts";
import { countTokens } from "../core/util/tokens.ts";
import { assetFolder } from "./assets.ts";
import { costSentence, spentSentence } from "./labCost.ts";

export interface EvalCommand {
  /** Exactly one of the two is measured: a folder of pages, or a library. */
  readonly corpus: string | undefined;
  readonly library: string;
  /** Default: the corpus' own, or those kept for the library; else the facts' own questions, and the output says so. */
  readonly questions: string | undefined;
  /** Comma-separated names. Default: all. */
  readonly strategies: string | undefined;
  readonly ablations: boolean;
  readonly distractors: boolean;
  readonly returned: ReturnedForm;
  readonly embedder: EmbedderChoice | undefined;
  readonly model: LanguageModel | undefined;
  /** Where the model's answers are kept. */
  readonly answers: string;
  /** Dollars. */
  readonly maxCost: number;
  /** Where the report goes, one HTML file. */
  readonly report: string | undefined;
  readonly json: boolean;
  readonly print: (line: string) => void;
  readonly note: (line: string) => void;
}

export async function runEval(command: EvalCommand, signal: AbortSignal): Promise<0 | 1> {
  const { note } = command;
  const strategies = chosenStrategies(command);
  const cached = command.model && createAnswerCache(limitCost(command.model, command.maxCost), command.answers);
  const prompts = createFilePrompts(assetFolder("prompts"));
  const embedder = await command.embedder?.open(signal);
  const tools = { countTokens, embedder, model: cached, prompts };
  const { results } = await measure(
    {
      ...sourcesOf(command),
      ...tools,
      strategies,
      ablations: command.ablations,
      returned: command.returned,
      clock: createNodeClock(),
      onProblem: note,
      onPages: ({ pages }) => costSentence(strategies, pages, tools, command.maxCost).forEach(note),
      onProgress: ({ strategy, done, of }) => note(`${strategy} (${done + 1} of ${of})`),
    },
    signal,
  );
  embedder?.dispose?.();
  if (cached !== undefined) spentSentence(cached).forEach(note);
  if (command.corpus === undefined) await keepResults(command, JSON.stringify(results));
  if (command.report !== undefined) await writeReport(command.report, results, note);
  command.print(command.json ? JSON.stringify(results, undefined, 1) : resultTables(results));
  return results.rows.length > 0 ? 0 : 1;
}

function chosenStrategies({ strategies, ablations }: EvalCommand): readonly Strategy[] {
  try {
    return strategiesNamed(strategies, ablations);
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

function sourcesOf({
  corpus,
  library,
  questions,
  distractors,
}: EvalCommand): Pick<MeasureInput, "pagesFrom" | "questionsFrom"> {
  const near = corpus === undefined ? keptQuestionsFile(library) : corpusQuestionsFile(corpus);
  return {
    pagesFrom:
      corpus === undefined ? { kind: "library", folder: library } : { kind: "folder", folder: corpus, distractors },
    questionsFrom:
      questions !== undefined
        ? { kind: "file", file: questions }
        : existsSync(near)
          ? { kind: corpus === undefined ? "kept" : "file", file: near }
          : { kind: "self-made" },
  };
}

async function writeReport(file: string, results: LabResults, note: (line: string) => void): Promise<void> {
  const { renderReport } = await import("../core/lab/reportPage.ts");
  try {
    await writeFile(file, renderReport(results));
    note(`The report is in ${file}.`);
  } catch (cause) {
    throw new BacopaError("storage-failed", {
      message: `The report ${file} cannot be written`,
      userMessage: `The report cannot be written to ${file}. Name a file in a folder that exists and can be written.`,
      cause,
    });
  }
}

/** So that advice can start from what was measured. */
async function keepResults({ library, note }: EvalCommand, json: string): Promise<void> {
  const file = keptResultsFile(library);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${json}\n`);
  } catch (error) {
    note(`The results could not be kept in the library: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function usage(message: string): BacopaError {
  return new BacopaError("bad-usage", { message, userMessage: `${message} See "bacopa help".` });
}
