import { questionLabel } from "../util/labels.ts";
import type { NumberedHit } from "./retrieve.ts";

export interface FollowUp {
  readonly prompt: string;
  /** The prompt without what the answer's page says already. */
  readonly label: string;
}

/** Follow-ups offered after an answer. */
const limit = 3;

/**
 * Questions that the shown facts answer and that were not asked: each fact's next ones in turn, the best fact first.
 * @param asked Questions of the conversation.
 */
export function followUps(facts: readonly NumberedHit[], asked: readonly string[]): FollowUp[] {
  const known = new Set(asked.map(keyOf));
  const found: FollowUp[] = [];
  const lists = facts.map(({ hit: { fact, source } }) =>
    fact.questions.map((prompt) => ({ prompt, label: questionLabel(prompt, { ...fact, ...source }) })),
  );
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let at = 0; at < longest; at++) {
    for (const questions of lists) {
      const question = questions[at];
      if (question === undefined || known.has(keyOf(question.prompt))) continue;
      known.add(keyOf(question.prompt));
      found.push(question);
      if (found.length === limit) return found;
    }
  }
  return found;
}

function keyOf(question: string): string {
  return question
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
