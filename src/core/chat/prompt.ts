import type { Prompts } from "../ports.ts";
import { renderNumberedFacts } from "../render.ts";
import type { Turn } from "./conversation.ts";
import type { NumberedHit } from "./retrieve.ts";

export interface ChatMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** Earlier turns the model sees: enough to know what "it" is. */
const turnsKept = 2;
/** Characters of an earlier answer that are kept. */
const maxEarlierAnswer = 1500;

/** What the chat's model is asked: the rules, the last turns, and the facts fenced as data with the question after them. */
export function chatMessages(
  prompts: Prompts,
  question: string,
  facts: readonly NumberedHit[],
  turns: readonly Turn[],
): ChatMessage[] {
  const earlier = turns
    .slice(-turnsKept)
    .filter(({ answer }) => answer !== "")
    .flatMap(({ question: asked, answer }): ChatMessage[] => [
      { role: "user", text: asked },
      // Numbers of earlier answers meant other facts.
      { role: "assistant", text: answer.replace(/\s*\[\d{1,2}\]/g, "").slice(0, maxEarlierAnswer) },
    ]);
  return [
    { role: "user", text: prompts("chat") },
    ...earlier,
    { role: "user", text: `${renderNumberedFacts(facts)}\n\nQuestion: ${question}` },
  ];
}
