import type { Fact, SavedPage } from "../../src/core/types.ts";

/** A small page of two sections and two facts about a made-up queue library. */
export function savedPage(id = "retries-0a1b2c3d4e", { title = "Retries", note = "" } = {}): SavedPage {
  const first = `# Retries\n\nA job is retried \`max_retries\` times, 3 by default. ${note}\n\n`;
  const text = `${first}## Backoff\n\nThe wait doubles from 200 ms.\n\n\`\`\`js\nqueue.retry({ backoff: "double" });\n\`\`\`\n`;
  const sections = [
    { index: 0, start: 0, end: first.length, headingPath: ["Retries"], tokens: 20 },
    { index: 1, start: first.length, end: text.length, headingPath: ["Retries", "Backoff"], tokens: 24 },
  ];
  const facts = sections.map(({ index, start, end, headingPath }): Fact => ({
    id: `${id}.${String(index).padStart(10, "0")}`,
    pageId: id,
    sectionIndex: index,
    source: { start, end, headingPath },
    topic: headingPath.join(" > "),
    statement: `Courier's queue: ${headingPath.at(-1) ?? ""}.`,
    questions: ["How often is a job retried?"],
    keywords: ["max_retries"],
    symbols: ["queue.retry"],
    body: text.slice(start, end),
    tokens: 40,
    unverified: [],
    origin: { distiller: "offline-1", extractive: true },
  }));
  return {
    page: {
      id,
      url: `https://courier.example/docs/${id}`,
      requested: `https://courier.example/docs/${id}`,
      redirects: [],
      format: "html",
      charset: "utf-8",
      savedAt: "2026-03-01T10:00:00.000Z",
      title,
      text,
      coverage: 0.98,
      leftOut: [{ what: "navigation", excerpt: "Home Docs Blog", words: 3 }],
    },
    strategy: "facts",
    sections,
    sectionStates: sections.map(() => ({ state: "distilled", facts: 1 })),
    facts,
    brief: { covers: "How Courier retries jobs.", caveats: [] },
    figures: {
      dropped: { code: 0, keywords: 1, unverified: 0 },
      missingSpecifics: 0,
      tokens: { in: 0, out: 0 },
      calls: 0,
      costUsd: 0,
      ms: { fetch: 1.5, clean: 2, section: 1, searchable: 5, distill: 3, index: 1, total: 9 },
    },
  };
}
