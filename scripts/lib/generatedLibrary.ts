/** A library of generated facts on disk, for figures of a host at sizes no corpus has. */
import { createFileStorage } from "../../src/adapters/storage/fileStorage.ts";
import { renderPageHead } from "../../src/core/render.ts";
import type { Fact, SavedPage, Section } from "../../src/core/types.ts";
import { countTokens } from "../../src/core/util/tokens.ts";
import { generatedPages } from "./generatedFacts.ts";

/** Facts of one section of a generated page. */
const factsPerSection = 5;

/** @returns A symbol of every page, for hovers over names that are there. */
export async function writeGeneratedLibrary(folder: string, facts: number): Promise<string[]> {
  const storage = createFileStorage(folder);
  const symbols: string[] = [];
  for (const { pageId, units } of generatedPages(facts)) {
    symbols.push(...(units[0]?.symbols.slice(0, 1) ?? []));
    await storage.writePage(pageOf(pageId, units));
  }
  return symbols;
}

type Units = ReturnType<typeof generatedPages> extends Generator<{ readonly units: infer U }> ? U : never;

function pageOf(pageId: string, units: Units): SavedPage {
  const title = units[0]?.title ?? pageId;
  let text = `# ${title}\n\n`;
  const sections: Section[] = [];
  const facts: Fact[] = [];
  for (let first = 0; first < units.length; first += factsPerSection) {
    const index = sections.length;
    const start = index === 0 ? 0 : text.length;
    const headingPath = [title, units[first]?.headings ?? ""];
    text += `## ${headingPath[1] ?? ""}\n\n`;
    for (const { id, topic, statement, questions, keywords, symbols } of units.slice(first, first + factsPerSection)) {
      const body = `\`${symbols[0] ?? ""}\`: ${statement}. ${questions.replaceAll("\n", ". ")}.`;
      const source = { start: text.length, end: text.length + body.length, headingPath };
      text += `${body}\n\n`;
      facts.push({
        ...{ id, pageId, sectionIndex: index, source, topic, statement, body, symbols },
        questions: questions.split("\n"),
        keywords: keywords.split("\n"),
        tokens: countTokens(`${statement}${body}`),
        unverified: [],
        origin: { distiller: "anthropic:generated", extractive: false },
      });
    }
    sections.push({ index, start, end: text.length, headingPath, tokens: countTokens(text.slice(start)) });
  }
  const url = `https://generated.example/${pageId}`;
  const brief = { covers: `Generated words about ${title}.`, caveats: [] };
  return {
    page: {
      ...{ id: pageId, url, requested: url, redirects: [], format: "markdown", charset: "utf-8", title, text },
      ...{ savedAt: "2026-01-01T00:00:00.000Z", coverage: 1, leftOut: [] },
    },
    strategy: "facts",
    sections,
    sectionStates: sections.map(({ index }) => ({
      state: "distilled",
      facts: facts.filter(({ sectionIndex }) => sectionIndex === index).length,
    })),
    facts,
    brief: { ...brief, tokens: countTokens(renderPageHead({ title, url, brief })) },
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
