/** Checks a written question by program: a set that flatters or cheats is worse than none. */
import { analyze } from "../util/analyzer.ts";
import { matchingKey } from "./matching.ts";
import { compileNugget, holdsNugget, nuggetText } from "./nuggets.ts";
import type { Question } from "./questions.ts";
import type { QuestionTask } from "./questionPlan.ts";

/** What a model wrote for one task, not checked yet. */
export interface WrittenQuestion {
  readonly query: string;
  /** Passages of each excerpt, in the order of the task's excerpts. */
  readonly evidence: readonly (readonly string[])[];
  readonly nuggets: readonly string[];
  readonly answer: string;
}

export const rejections = [
  "no question fits the place",
  "the query has no usable length",
  "the evidence is not in the page",
  "the evidence is too short or too long",
  "no nugget is in the evidence",
  "the query copies the page",
  "a fact already asks or says it in the same words",
  "another question of the set asks the same",
  "the query names no API",
  "a saved page answers it",
] as const;
export type Rejection = (typeof rejections)[number];

/** Characters. The corpus' rule is 30 to 300; a signature or a table row may be shorter. */
const evidenceLength = { least: 12, most: 400 };
const queryLength = { least: 6, most: 300 };
/** A run of this many words taken over as they stand is a quotation. */
const copiedWords = 8;
/** Shared words / words of either (Jaccard, stems without stop words) from which two texts ask the same. */
const sameWords = 0.75;

export type CheckedQuestion = { readonly question: Omit<Question, "id"> } | { readonly rejection: Rejection };

/** @param others Queries that the set has already. */
export function checkQuestion(
  task: QuestionTask,
  written: WrittenQuestion,
  others: readonly string[],
): CheckedQuestion {
  const query = written.query.replace(/\s+/gu, " ").trim();
  if (query === "") return { rejection: "no question fits the place" };
  if (query.length < queryLength.least || query.length > queryLength.most)
    return { rejection: "the query has no usable length" };

  const evidence: string[][] = [];
  for (const [at, { saved, section }] of task.excerpts.entries()) {
    const within = matchingKey(saved.page.text.slice(section.start, section.end));
    const passages = (written.evidence[at] ?? []).map((passage) => passage.replace(/\s+/gu, " ").trim());
    const proven = passages.filter((passage) => isWithin(passage, within));
    if (proven.length === 0 || proven.length < passages.length) return { rejection: "the evidence is not in the page" };
    if (proven.some(({ length }) => length < evidenceLength.least || length > evidenceLength.most))
      return { rejection: "the evidence is too short or too long" };
    evidence.push(proven);
  }

  const proof = nuggetText(evidence.flat().join("\n\n"));
  const nuggets = [...new Set(written.nuggets.map((nugget) => nugget.trim()))].filter(
    (nugget) => nugget !== "" && holdsNugget(proof, compileNugget(nugget)),
  );
  if (nuggets.length === 0) return { rejection: "no nugget is in the evidence" };

  if (task.excerpts.some(({ saved, section }) => copies(query, saved.page.text.slice(section.start, section.end))))
    return { rejection: "the query copies the page" };
  const facts = task.excerpts.flatMap(({ saved }) => saved.facts);
  // An extractive fact's statement is the page's own text; what it copies is found above.
  const said = facts.flatMap(({ questions, statement, origin }) =>
    origin.extractive ? questions : [...questions, statement],
  );
  if (said.some((text) => asksTheSame(query, text)))
    return { rejection: "a fact already asks or says it in the same words" };
  if (others.some((other) => asksTheSame(query, other)))
    return { rejection: "another question of the set asks the same" };
  if (task.style === "api-lookup" && !namesApi(query, task)) return { rejection: "the query names no API" };

  const { type, style } = task;
  const gold = mergedByPage(
    task.excerpts.map(({ saved }, at) => ({ page: saved.page.id, evidence: evidence[at] ?? [] })),
  );
  return { question: { type, style, query, gold, nuggets, answer: written.answer.replace(/\s+/gu, " ").trim() } };
}

/** Whether two texts hold nearly the same words. */
export function asksTheSame(a: string, b: string): boolean {
  const [first, second] = [new Set(analyze(a)), new Set(analyze(b))];
  if (first.size === 0 || second.size === 0) return false;
  const shared = [...first].filter((token) => second.has(token)).length;
  return shared / (first.size + second.size - shared) >= sameWords;
}

function isWithin(passage: string, within: string): boolean {
  const key = matchingKey(passage);
  return key !== "" && within.includes(key);
}

function copies(query: string, text: string): boolean {
  const words = query
    .split(" ")
    .map(matchingKey)
    .filter((word) => word !== "");
  const page = matchingKey(text);
  for (let start = 0; start + copiedWords <= words.length; start++) {
    if (page.includes(words.slice(start, start + copiedWords).join(""))) return true;
  }
  return false;
}

/** Something spelled like code that the excerpt spells too. */
function namesApi(query: string, { excerpts }: QuestionTask): boolean {
  const names = query.match(/[-@$]*[\p{L}\p{N}_]+(?:[-.:/_#][\p{L}\p{N}_]+)*(?:\(\))?/gu) ?? [];
  const codeLike = names.filter((name) => /[_.:/#()@$]|^-|[a-z][A-Z]|^[A-Z][A-Z0-9_]{2,}$|[a-z]-[a-z]/u.test(name));
  const known = excerpts.flatMap(({ saved, section }) => saved.page.text.slice(section.start, section.end));
  const code = known.flatMap((text) => [...text.matchAll(/`+([^`\n]+)`+/gu)].map(([, inside = ""]) => inside));
  const isSpelled = (name: string): boolean => known.some((text) => text.includes(name.replace(/\(\)$/u, "")));
  return (
    codeLike.some(isSpelled) ||
    names.some((name) => name.length > 1 && code.some((span) => span.split(/[\s(=]/u)[0] === name))
  );
}

function mergedByPage(gold: Question["gold"]): Question["gold"] {
  const byPage = new Map<string, string[]>();
  for (const { page, evidence } of gold) byPage.set(page, [...(byPage.get(page) ?? []), ...evidence]);
  return [...byPage].map(([page, evidence]) => ({ page, evidence: [...new Set(evidence)] }));
}
