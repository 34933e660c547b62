import type { Hit } from "../../src/core/types.ts";
import { savedPage } from "./savedPages.ts";

/** A hit of the made-up queue library. */
export function hitOf(
  id: string,
  {
    topic = "Retries",
    statement = "Courier retries a job 3 times.",
    questions = ["How often is a job retried?"],
    body = "",
    words = 1,
  }: {
    topic?: string;
    statement?: string;
    questions?: string[];
    body?: string;
    words?: number | null;
  } = {},
): Hit {
  const { page, brief } = savedPage();
  return {
    rank: 1,
    score: 1,
    ranks: { words, meaning: words === null ? 1 : null },
    tier: "fact",
    fact: { id, topic, statement, questions, keywords: [], symbols: [], body, tokens: 20, extractive: false },
    page: { id: page.id, url: page.url, title: page.title, brief },
    source: { start: 0, end: 10, headingPath: ["Retries"] },
  };
}
