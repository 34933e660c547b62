import type { Fact } from "../types.ts";

/**
 * A fact in full, as people and agents read it: Markdown of topic, statement and body. `Fact.tokens` counts this text.
 * Questions, keywords and symbols serve the search and are not shown.
 */
export function factText(fact: Pick<Fact, "topic" | "statement" | "body">): string {
  return [`### ${fact.topic}`, fact.statement, fact.body.trim()].filter((part) => part !== "").join("\n\n");
}
