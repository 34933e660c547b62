import type { Fact } from "../types.ts";

/**
 * A fact in full, as people and agents read it: Markdown of topic, statement and body. `Fact.tokens` counts this text.
 * Questions, keywords and symbols serve the search and are not shown. Nor is the statement of an extractive fact: its
 * sentences stand in the body (the same answers in 14 % fewer tokens).
 */
export function factText(fact: FactParts & { readonly extractive: boolean }): string {
  const statement = fact.extractive ? "" : fact.statement;
  return [`### ${fact.topic}`, statement, fact.body.trim()].filter((part) => part !== "").join("\n\n");
}

type FactParts = Pick<Fact, "topic" | "statement" | "body">;
