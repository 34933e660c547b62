/** Files of questions: one JSON object a line, as `test/eval/README.md` describes. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { BacopaError } from "../../core/errors.ts";
import { parseQuestions } from "../../core/lab/questions.ts";
import type { Question } from "../../core/lab/questions.ts";
import { contentId } from "./corpusFolder.ts";

export interface QuestionFile {
  readonly id: string;
  readonly questions: readonly Question[];
  readonly problems: readonly string[];
}

/** The questions kept for a library, e.g. written by `bacopa questions`. */
export function keptQuestionsFile(libraryFolder: string): string {
  return join(libraryFolder, "lab", "questions.jsonl");
}

/** The results of the last comparison over a library. */
export function keptResultsFile(libraryFolder: string): string {
  return join(libraryFolder, "lab", "results.json");
}

/** @throws BacopaError `not-found` when there is no such file or no question in it. */
export async function readQuestionFile(file: string): Promise<QuestionFile> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw new BacopaError("not-found", {
      message: `The questions file ${file} cannot be read`,
      userMessage: `The file of questions ${file} cannot be read. Name a file with one JSON question a line.`,
      cause,
    });
  }
  const { entries, problems } = parseQuestions(text);
  if (entries.length === 0) {
    throw new BacopaError("not-found", {
      message: `No question in ${file}: ${problems[0] ?? "it is empty"}`,
      userMessage: `${file} holds no question that can be used${problems[0] === undefined ? "" : ` (${problems[0]})`}. Each line is a JSON object with id, type, style, query, gold and nuggets.`,
    });
  }
  return { id: contentId(text), questions: entries, problems };
}
