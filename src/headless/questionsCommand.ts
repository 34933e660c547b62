/** `bacopa questions`: writes a held-out question set from a library, or checks one that a person wrote. */
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createFilePrompts } from "../adapters/filePrompts.ts";
import { BacopaError } from "../core/errors.ts";
import { matchingText, matchingKey, placesOf } from "../core/lab/matching.ts";
import { compileNugget, holdsNugget, nuggetText } from "../core/lab/nuggets.ts";
import { parseQuestions, questionTypes } from "../core/lab/questions.ts";
import type { Question } from "../core/lab/questions.ts";
import { writeQuestions } from "../core/lab/writeQuestions.ts";
import type { WrittenSet } from "../core/lab/writeQuestions.ts";
import type { Library } from "../core/library.ts";
import type { LanguageModel } from "../core/ports.ts";
import type { SavedPage } from "../core/types.ts";
import { factText } from "../core/util/factText.ts";
import { assetFolder } from "./assets.ts";

export interface QuestionsCommand {
  /** Default 50. */
  readonly count: number | undefined;
  readonly seed: number | undefined;
  /** Where the set goes, one JSON object a line. */
  readonly output: string;
  /** Whether a file that is there may be replaced. */
  readonly force: boolean;
  readonly model: LanguageModel;
  readonly json: boolean;
  readonly print: (line: string) => void;
  readonly note: (line: string) => void;
}

const defaultCount = 50;
/** Hits shown to the model when it decides whether a question is unanswerable after all. */
const lookedAt = 5;

export async function runQuestions(library: Library, command: QuestionsCommand, signal: AbortSignal): Promise<0 | 1> {
  const { output, force, model, json, print, note, count = defaultCount, seed = 1 } = command;
  if (existsSync(output) && !force) {
    throw new BacopaError("bad-usage", {
      message: `${output} exists`,
      userMessage: `There is a question set in ${output} already. Name another file with --output, or replace it with --force.`,
    });
  }
  const pages = await pagesOf(library);
  note(`${model.id} writes ${count} questions from ${pages.length} pages.`);
  const written = await writeQuestions(
    {
      pages,
      count,
      seed,
      model,
      prompts: createFilePrompts(assetFolder("prompts")),
      searchTexts: async (query) => {
        const { hits } = await library.search(query, { limit: lookedAt }, signal);
        return hits.map(({ fact }) => factText(fact));
      },
      onProgress: (done) => note(`${done} of ${count} questions`),
    },
    signal,
  );
  for (const failure of written.failures) note(failure);
  if (written.questions.length === 0) {
    const rejected = Object.entries(written.rejected).map(([reason, times]) => `${times} × ${reason}`);
    const why = [...written.failures, ...rejected].join("; ");
    throw new BacopaError("model-bad-reply", {
      message: `No question passed the checks: ${why}`,
      userMessage: `No question came out${why === "" ? "" : ` (${why})`}. Try another model, or save pages with more text.`,
    });
  }
  await mkdir(dirname(output), { recursive: true });
  const lines = written.questions.map((question) => JSON.stringify(question)).join("\n");
  await writeFile(`${output}.new`, `${lines}\n`);
  await rename(`${output}.new`, output);
  print(json ? JSON.stringify({ file: output, model: model.id, ...written }) : printWritten(output, written));
  return 0;
}

/** Checks a set by hand against the library; prints what is wrong with each question. */
export async function checkQuestions(
  library: Library,
  { file, json, print }: Pick<QuestionsCommand, "json" | "print"> & { readonly file: string },
): Promise<0 | 1> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw new BacopaError("not-found", {
      message: `${file} cannot be read`,
      userMessage: `The question file ${file} cannot be read. Name a file with one JSON question a line.`,
      cause,
    });
  }
  const { entries, problems } = parseQuestions(text);
  const pages = await pagesOf(library);
  const all = [...problems, ...entries.flatMap((question) => problemsOf(question, pages))];
  if (json) print(JSON.stringify({ file, questions: entries.length, problems: all }));
  else print([...all, `${entries.length} questions, ${all.length} problems.`].join("\n"));
  return all.length === 0 && entries.length > 0 ? 0 : 1;
}

function problemsOf(question: Question, pages: readonly SavedPage[]): string[] {
  const problems: string[] = [];
  const say = (what: string): void => void problems.push(`${question.id}: ${what}`);
  for (const { page: name, evidence } of question.gold) {
    const saved = pages.find(({ page }) => page.id === name || page.url === name);
    if (saved === undefined) say(`no saved page is named ${name}; use a page's id or address from "bacopa pages"`);
    else {
      const within = matchingText(saved.page.text);
      for (const passage of evidence) {
        if (placesOf(matchingKey(passage), within).length === 0) say(`"${shortened(passage)}" is not in ${name}`);
      }
    }
  }
  const proof = nuggetText(question.gold.flatMap(({ evidence }) => evidence).join("\n\n"));
  for (const nugget of question.nuggets) {
    if (!holdsNugget(proof, compileNugget(nugget))) say(`the nugget "${shortened(nugget)}" is not in its evidence`);
  }
  if (question.type !== "none" && question.nuggets.length === 0) say("it has no nugget, so no answer can be checked");
  return problems;
}

async function pagesOf(library: Library): Promise<SavedPage[]> {
  const pages: SavedPage[] = [];
  for (const { id } of await library.pages()) pages.push(await library.page(id));
  if (pages.length > 0) return pages;
  throw new BacopaError("not-found", {
    message: "The library is empty",
    userMessage: "Nothing is saved yet, so there is nothing to ask about. Save a page first.",
  });
}

function printWritten(file: string, { questions, rejected, missing, usage }: WrittenSet): string {
  const counts = questionTypes
    .map((type) => `${questions.filter((one) => one.type === type).length} ${type}`)
    .join(", ");
  const lacking = questionTypes.filter((type) => missing[type] > 0).map((type) => `${missing[type]} ${type}`);
  return [
    `${questions.length} questions in ${file}: ${counts}.`,
    ...Object.entries(rejected).map(([reason, count]) => `  ${count} rejected: ${reason}`),
    ...(lacking.length === 0 ? [] : [`  Missing to what was asked for: ${lacking.join(", ")}.`]),
    `  ${usage.calls} calls, ${usage.in} tokens in, ${usage.out} out, about $${usage.costUsd.toFixed(4)}`,
    `Measure with: bacopa eval --questions ${file}`,
  ].join("\n");
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
