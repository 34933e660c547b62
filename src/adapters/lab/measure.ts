/** One run of the lab with the disk behind it: reads pages and questions, compares strategies over them. */
import { join } from "node:path";
import type { CompareProgress, Comparison } from "../../core/lab/compare.ts";
import { compareStrategies } from "../../core/lab/compare.ts";
import type { ReturnedForm } from "../../core/lab/returned.ts";
import { prepareQuestions } from "../../core/lab/gold.ts";
import type { LabQuestions } from "../../core/lab/results.ts";
import { ScorerMemory } from "../../core/lab/score.ts";
import { selfMadeNote, selfMadeQuestions } from "../../core/lab/selfMade.ts";
import type { Strategy } from "../../core/lab/strategies.ts";
import { BacopaError } from "../../core/errors.ts";
import type { Clock, Embedder, LanguageModel, Prompts } from "../../core/ports.ts";
import { countTokens } from "../../core/util/tokens.ts";
import { contentId } from "./corpusFolder.ts";
import { pagesOfFolder, pagesOfLibrary } from "./pages.ts";
import type { LabPages } from "./pages.ts";
import { readQuestionFile } from "./questionFile.ts";
import type { QuestionFile } from "./questionFile.ts";

export interface MeasureInput {
  readonly pagesFrom:
    | { readonly kind: "folder"; readonly folder: string; readonly distractors: boolean }
    | { readonly kind: "library"; readonly folder: string };
  /** `kept` is a file too, but one that was made for the library. */
  readonly questionsFrom: { readonly kind: "file" | "kept"; readonly file: string } | { readonly kind: "self-made" };
  readonly strategies: readonly Strategy[];
  readonly ablations: boolean;
  readonly embedder: Embedder | undefined;
  readonly model: LanguageModel | undefined;
  readonly prompts: Prompts;
  readonly returned: ReturnedForm;
  readonly clock: Clock;
  /** What was left out on the way, one sentence each. */
  readonly onProblem: (problem: string) => void;
  /** Called once, before a model is asked. */
  readonly onPages?: ((pages: LabPages) => void) | undefined;
  readonly onProgress?: ((progress: CompareProgress) => void) | undefined;
}

/** @throws BacopaError when there are no pages, no questions, or none that can be asked of these pages. */
export async function measure(input: MeasureInput, signal: AbortSignal): Promise<Comparison> {
  const { pagesFrom, questionsFrom, clock } = input;
  const read =
    pagesFrom.kind === "library"
      ? await pagesOfLibrary(pagesFrom.folder, { countTokens }, signal)
      : await pagesOfFolder(pagesFrom.folder, pagesFrom.distractors, { countTokens, clock }, signal);
  read.problems.forEach(input.onProblem);
  input.onPages?.(read);
  const set = questionsFrom.kind === "self-made" ? selfMade(read) : await readQuestionFile(questionsFrom.file);
  set.problems.forEach(input.onProblem);
  const { questions, leftOut } = prepareQuestions(set.questions, read.pages, read.namesOf);
  if (!questions.some(({ question }) => question.type !== "none"))
    throw noQuestions(questionsFrom.kind, leftOut[0]?.id);
  if (leftOut.length > 0) {
    input.onProblem(`${leftOut.length} of ${set.questions.length} questions were left out: their pages are not here.`);
  }
  const questionSet: Pick<LabQuestions, "kind" | "id" | "leftOut"> = {
    kind: questionsFrom.kind,
    id: set.id,
    leftOut: leftOut.length,
  };
  return compareStrategies(
    {
      corpus: read.corpus,
      questionSet,
      pages: read.pages,
      questions,
      strategies: input.strategies,
      ablations: input.ablations,
      tools: { countTokens, embedder: input.embedder, model: input.model, prompts: input.prompts },
      returned: input.returned,
      notes: questionsFrom.kind === "self-made" ? [selfMadeNote] : [],
      memory: new ScorerMemory(countTokens),
      clock,
      onProgress: input.onProgress,
    },
    signal,
  );
}

/** Beside the questions of a corpus, where it has some. */
export function corpusQuestionsFile(folder: string): string {
  return join(folder, "questions.jsonl");
}

function selfMade({ pages }: LabPages): QuestionFile {
  const questions = selfMadeQuestions(pages);
  return { id: contentId(JSON.stringify(questions)), questions, problems: [] };
}

function noQuestions(kind: "file" | "kept" | "self-made", example: string | undefined): BacopaError {
  const why =
    kind === "self-made"
      ? "The facts of these pages hold no question with a sentence to prove it"
      : `No question names a page that is here${example === undefined ? "" : ` (the first that does not: ${example})`}`;
  return new BacopaError("not-found", {
    message: why,
    userMessage: `${why}. Give a file of questions whose gold names these pages by id, address or file.`,
  });
}
