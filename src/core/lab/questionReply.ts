/** The shapes of a model's answers about questions, and their checks: a model's reply is unknown input. */
import type { WrittenQuestion } from "./questionCheck.ts";
import type { QuestionTask } from "./questionPlan.ts";
import { questionStyles } from "./questions.ts";
import type { QuestionStyle } from "./questions.ts";

const strings = { type: "array", items: { type: "string" } } as const;

/** The answer to `questions.md`. */
export const writtenSchema = listSchema("write_questions", "One question for each task.", "questions", {
  task: { type: "integer", description: "The task's number." },
  query: { type: "string", description: "Empty when no good question fits." },
  evidence: {
    type: "array",
    items: {
      type: "object",
      properties: { excerpt: { type: "integer" }, passages: strings },
      required: ["excerpt", "passages"],
      additionalProperties: false,
    },
  },
  nuggets: strings,
  answer: { type: "string" },
});

/** The answer to `unanswerable.md`. */
export const unanswerableSchema = listSchema("write_questions", "Questions without an answer.", "questions", {
  query: { type: "string" },
  style: { type: "string", enum: [...questionStyles] },
});

/** The answer to `answerable.md`. */
export const answerableSchema = listSchema("judge_answers", "Whether each task's texts answer it.", "tasks", {
  task: { type: "integer" },
  answered: { type: "boolean" },
});

/** Longer strings come from a runaway answer, characters. */
const maxLength = 1_000;
/** More entries of one list than this as well. */
const maxEntries = 12;

export function parseWritten(
  value: unknown,
  tasks: readonly QuestionTask[],
): ReadonlyMap<QuestionTask, WrittenQuestion> | undefined {
  const entries = listOf(value, "questions");
  if (entries === undefined) return undefined;
  const written = new Map<QuestionTask, WrittenQuestion>();
  for (const entry of entries) {
    const task = taskOf(entry, tasks);
    const query = textOf(entry["query"]);
    if (task === undefined || query === undefined || written.has(task)) continue;
    const given = listOf(entry, "evidence") ?? [];
    const evidence = task.excerpts.map((_, at) =>
      given.filter((one) => one["excerpt"] === at + 1).flatMap((one) => textsOf(one["passages"])),
    );
    written.set(task, { query, evidence, nuggets: textsOf(entry["nuggets"]), answer: textOf(entry["answer"]) ?? "" });
  }
  return written.size === 0 && tasks.length > 0 ? undefined : written;
}

export function parseUnanswerable(value: unknown): { query: string; style: QuestionStyle }[] | undefined {
  return listOf(value, "questions")?.flatMap((entry) => {
    const query = textOf(entry["query"])?.replace(/\s+/gu, " ").trim();
    const style = questionStyles.find((one) => one === entry["style"]) ?? "question";
    return query === undefined || query === "" || query.length > 300 ? [] : { query, style };
  });
}

export function parseAnswerable<Task>(value: unknown, tasks: readonly Task[]): ReadonlyMap<Task, boolean> | undefined {
  const entries = listOf(value, "tasks");
  if (entries === undefined) return undefined;
  const answers = new Map<Task, boolean>();
  for (const entry of entries) {
    const task = taskOf(entry, tasks);
    if (task !== undefined && typeof entry["answered"] === "boolean") answers.set(task, entry["answered"]);
  }
  return answers.size === 0 && tasks.length > 0 ? undefined : answers;
}

function listSchema(name: string, description: string, list: string, properties: Readonly<Record<string, unknown>>) {
  const item = { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
  return {
    name,
    description,
    schema: {
      type: "object",
      properties: { [list]: { type: "array", items: item } },
      required: [list],
      additionalProperties: false,
    },
  };
}

function taskOf<Task>(entry: Readonly<Record<string, unknown>>, tasks: readonly Task[]): Task | undefined {
  const number = entry["task"];
  return typeof number === "number" && Number.isInteger(number) ? tasks[number - 1] : undefined;
}

function listOf(value: unknown, name: string): Readonly<Record<string, unknown>>[] | undefined {
  const list = isRecord(value) ? value[name] : undefined;
  return Array.isArray(list) ? (list as readonly unknown[]).filter(isRecord) : undefined;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value)
    ? (value as readonly unknown[]).flatMap((one) => textOf(one) ?? []).slice(0, maxEntries)
    : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= maxLength ? value : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
