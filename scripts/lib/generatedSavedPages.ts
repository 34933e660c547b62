import type { IndexUnit } from "../../src/core/index/units.ts";
import type { Fact, SavedPage } from "../../src/core/types.ts";

/** A stored page that gives these units again: one section, one fact a unit, a text of the facts' words. */
export function savedPageOf(units: readonly IndexUnit[]): SavedPage {
  const id = units[0]?.pageId ?? "generated-empty";
  const title = units[0]?.title ?? "Empty";
  let text = `# ${title}\n\n`;
  const facts = units.map((unit): Fact => {
    const body = `${unit.statement}\n\n${unit.questions}\n`;
    const start = text.length;
    text += `${body}\n`;
    return {
      id: unit.id,
      pageId: id,
      sectionIndex: 0,
      source: { start, end: start + body.length, headingPath: [title, unit.headings] },
      topic: unit.topic,
      statement: unit.statement,
      questions: unit.questions.split("\n"),
      keywords: unit.keywords.split("\n"),
      symbols: unit.symbols,
      body,
      tokens: 120,
      unverified: [],
      origin: { distiller: "generated", extractive: false },
    };
  });
  return {
    page: {
      id,
      url: `https://docs.generated.example/${id}`,
      requested: `https://docs.generated.example/${id}`,
      redirects: [],
      format: "markdown",
      charset: "utf-8",
      savedAt: "2026-01-01T00:00:00.000Z",
      title,
      text,
      coverage: 1,
      leftOut: [],
    },
    strategy: "facts",
    sections: [{ index: 0, start: 0, end: text.length, headingPath: [title], tokens: 4000 }],
    sectionStates: [{ state: "distilled", facts: facts.length }],
    facts,
    brief: { covers: `What ${title} is about.`, caveats: [], tokens: 40 },
    figures: {
      dropped: { code: 0, keywords: 0, unverified: 0 },
      missingSpecifics: 0,
      tokens: { in: 0, out: 0 },
      calls: 0,
      costUsd: 0,
      ms: { fetch: 0, clean: 0, section: 0, searchable: 0, distill: 0, index: 0, total: 0 },
    },
  };
}
