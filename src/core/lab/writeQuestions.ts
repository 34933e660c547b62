/** Has a model write a question set from saved pages, held out from their facts and checked by program. */
import type { LanguageModel, ModelUsage, Prompts } from "../ports.ts";
import type { SavedPage } from "../types.ts";
import type { BatchResult } from "../util/askInBatches.ts";
import { askInBatches } from "../util/askInBatches.ts";
import { fenceWordFor } from "../util/fenceWord.ts";
import { asksTheSame, checkQuestion } from "./questionCheck.ts";
import type { Rejection, WrittenQuestion } from "./questionCheck.ts";
import { planTasks, typeCounts, wantedKinds } from "./questionPlan.ts";
import type { QuestionTask } from "./questionPlan.ts";
import {
  answerableSchema,
  parseAnswerable,
  parseUnanswerable,
  parseWritten,
  unanswerableSchema,
  writtenSchema,
} from "./questionReply.ts";
import { questionTypes } from "./questions.ts";
import type { Question, QuestionStyle, QuestionType } from "./questions.ts";

export interface WriteQuestionsInput {
  readonly pages: readonly SavedPage[];
  /** Questions wanted. 50 is the least that tells strategies apart by recall@5. */
  readonly count: number;
  /** The same pages, seed and replies give the same set. */
  readonly seed: number;
  readonly model: LanguageModel;
  readonly prompts: Prompts;
  /** What a search of the saved pages gives back for a query: to see whether a question is really unanswerable. */
  readonly searchTexts: (query: string) => Promise<readonly string[]>;
  readonly onProgress?: ((written: number) => void) | undefined;
}

export interface WrittenSet {
  readonly questions: readonly Question[];
  readonly rejected: Readonly<Partial<Record<Rejection, number>>>;
  /** Questions that are missing to the wanted number of each type. */
  readonly missing: Readonly<Record<QuestionType, number>>;
  /** Requests that failed, in words. */
  readonly failures: readonly string[];
  readonly usage: ModelUsage & { readonly calls: number };
}

/** Rounds of writing: what was rejected gets another place. */
const rounds = 3;
/** Tokens of excerpts in one request. */
const batchTokens = 8_000;
/** Pages listed in one request for unanswerable questions, characters. */
const maxPageList = 20_000;

export async function writeQuestions(input: WriteQuestionsInput, signal: AbortSignal): Promise<WrittenSet> {
  const { pages, count, seed, onProgress } = input;
  const wantedCounts = typeCounts(count);
  const found: Omit<Question, "id">[] = [];
  const rejected = new Map<Rejection, number>();
  const failures = new Set<string>();
  const usage = { calls: 0, in: 0, out: 0, costUsd: 0 };
  const reject = (rejection: Rejection): void => void rejected.set(rejection, (rejected.get(rejection) ?? 0) + 1);
  const note = ({ failed, usage: cost }: Pick<BatchResult<unknown, unknown>, "failed" | "usage">): void => {
    for (const error of failed.values()) failures.add(error.userMessage);
    for (const figure of ["calls", "in", "out", "costUsd"] as const) usage[figure] += cost[figure];
  };

  const used = new Set<string>();
  let wanted = wantedKinds(count, seed);
  for (let round = 0; round < rounds && wanted.length > 0; round++) {
    const tasks = planTasks({ pages, wanted, used, seed: seed + round });
    const written = await write(input, tasks, signal);
    note(written);
    const unmet: (typeof wanted)[number][] = [...wanted];
    for (const task of tasks) {
      const draft = written.answers.get(task);
      if (draft === undefined) continue;
      const checked = checkQuestion(
        task,
        draft,
        found.map(({ query }) => query),
      );
      if ("rejection" in checked) reject(checked.rejection);
      else {
        found.push(checked.question);
        unmet.splice(
          unmet.findIndex(({ type, style }) => type === task.type && style === task.style),
          1,
        );
      }
    }
    wanted = unmet;
    onProgress?.(found.length);
  }
  await writeUnanswerable(input, wantedCounts.none, found, { note, reject }, signal);
  onProgress?.(found.length);

  const inOrder = questionTypes.flatMap((type) => found.filter((question) => question.type === type));
  const questions = inOrder.map((question, at) => ({ id: `q-${String(at + 1).padStart(3, "0")}`, ...question }));
  const missing = Object.fromEntries(
    questionTypes.map((type) => [type, wantedCounts[type] - found.filter((one) => one.type === type).length]),
  ) as Record<QuestionType, number>; // the keys are `questionTypes`
  return { questions, rejected: Object.fromEntries(rejected), missing, failures: [...failures], usage };
}

function write(
  { model, prompts }: WriteQuestionsInput,
  tasks: readonly QuestionTask[],
  signal: AbortSignal,
): Promise<BatchResult<QuestionTask, WrittenQuestion>> {
  return askInBatches(
    {
      model,
      purpose: "questions",
      instructions: prompts("questions"),
      schema: writtenSchema,
      items: tasks,
      tokensOf: ({ excerpts }) => excerpts.reduce((sum, { section }) => sum + section.tokens, 0),
      batchTokens,
      batchItems: 12,
      answerTokens: (batch) => 2_000 + 600 * batch.length,
      content: taskText,
      parse: parseWritten,
    },
    signal,
  );
}

interface Notes {
  readonly note: (result: Pick<BatchResult<unknown, unknown>, "failed" | "usage">) => void;
  readonly reject: (rejection: Rejection) => void;
}

/** Asks for questions beside the subject, searches for each, and has the model look at what was found. */
async function writeUnanswerable(
  { pages, model, prompts, searchTexts }: WriteQuestionsInput,
  count: number,
  found: Omit<Question, "id">[],
  { note, reject }: Notes,
  signal: AbortSignal,
): Promise<void> {
  if (count === 0 || pages.length === 0) return;
  // Half as many again: some turn out to be answered.
  const order = { pages, count: Math.ceil(count * 1.5) };
  const written = await askInBatches<typeof order, readonly { query: string; style: QuestionStyle }[]>(
    {
      model,
      purpose: "unanswerable",
      instructions: prompts("unanswerable"),
      schema: unanswerableSchema,
      items: [order],
      tokensOf: () => 1,
      batchTokens,
      answerTokens: () => 2_000 + 80 * order.count,
      content: () => pageList(pages, order.count),
      parse: (value) => {
        const queries = parseUnanswerable(value);
        return queries === undefined ? undefined : new Map([[order, queries]]);
      },
    },
    signal,
  );
  note(written);
  const candidates: { query: string; style: QuestionStyle; texts: readonly string[] }[] = [];
  for (const { query, style } of written.answers.get(order) ?? []) {
    if ([...found, ...candidates].some((other) => asksTheSame(query, other.query)))
      reject("another question of the set asks the same");
    else candidates.push({ query, style, texts: await searchTexts(query) });
  }
  const looked = await askInBatches<(typeof candidates)[number], boolean>(
    {
      model,
      purpose: "answerable",
      instructions: prompts("answerable"),
      schema: answerableSchema,
      items: candidates,
      tokensOf: ({ texts }) => Math.ceil(texts.join("").length / 4),
      batchTokens,
      answerTokens: (batch) => 1_000 + 40 * batch.length,
      content: answerableText,
      parse: parseAnswerable,
    },
    signal,
  );
  note(looked);
  for (const candidate of candidates) {
    const answered = looked.answers.get(candidate);
    if (answered === true) reject("a saved page answers it");
    if (answered !== false || found.filter(({ type }) => type === "none").length >= count) continue;
    found.push({ type: "none", style: candidate.style, query: candidate.query, gold: [], nuggets: [], answer: "" });
  }
}

function taskText(tasks: readonly QuestionTask[]): string {
  const word = fenceWordFor(
    tasks.flatMap(({ excerpts }) => excerpts.flatMap(({ saved }) => [saved.page.text, saved.page.title])),
  );
  const blocks = tasks.map(({ type, style, excerpts }, at) =>
    [
      `# Task ${at + 1}\ntype: ${type}\nstyle: ${style}`,
      ...excerpts.map(({ saved, section }, index) => {
        const path = [saved.page.title, ...section.headingPath].join(" > ");
        const text = saved.page.text.slice(section.start, section.end).trim();
        return `<excerpt-${word} number="${index + 1}" path=${JSON.stringify(path)}>\n${text}\n</excerpt-${word}>`;
      }),
    ].join("\n\n"),
  );
  return [...blocks, `Write the ${tasks.length === 1 ? "question" : `${tasks.length} questions`} now.`].join("\n\n");
}

function pageList(pages: readonly SavedPage[], count: number): string {
  const word = fenceWordFor(pages.flatMap(({ page, brief }) => [page.title, brief.covers]));
  const lines = pages.map(({ page, brief }) => `- ${oneLine(page.title)}: ${oneLine(brief.covers)}`).join("\n");
  const list = lines.length > maxPageList ? `${lines.slice(0, maxPageList)} …` : lines;
  return `<pages-${word}>\n${list}\n</pages-${word}>\n\nWrite ${count} questions that these pages do not answer.`;
}

function answerableText(tasks: readonly { readonly query: string; readonly texts: readonly string[] }[]): string {
  const word = fenceWordFor(tasks.flatMap(({ query, texts }) => [query, ...texts]));
  return tasks
    .map(({ query, texts }, at) =>
      [
        `# Task ${at + 1}`,
        `<question-${word}>\n${query}\n</question-${word}>`,
        ...texts.map((text) => `<text-${word}>\n${text}\n</text-${word}>`),
      ].join("\n\n"),
    )
    .join("\n\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
