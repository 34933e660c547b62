import type { NumberedHit } from "./retrieve.ts";

/** Follow-ups offered after an answer. */
const limit = 3;

/**
 * Questions that the shown facts answer and that were not asked: each fact's next ones in turn, the best fact first.
 * @param asked Questions of the conversation.
 */
export function followUps(facts: readonly NumberedHit[], asked: readonly string[]): string[] {
  const known = new Set(asked.map(keyOf));
  const found: string[] = [];
  const lists = facts.map(({ hit }) => hit.fact.questions);
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let at = 0; at < longest; at++) {
    for (const questions of lists) {
      const question = questions[at];
      if (question === undefined || known.has(keyOf(question))) continue;
      known.add(keyOf(question));
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
