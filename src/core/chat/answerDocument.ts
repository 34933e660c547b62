import type { Library } from "../library.ts";
import { renderFactForPerson } from "../render.ts";
import { unmentioned } from "./coverage.ts";
import { retrieve } from "./retrieve.ts";

/** Facts in an answer without a model. */
const limit = 5;

/** The facts for a question as a Markdown document for a person: an answer without any chat model. */
export async function answerDocument(
  library: Pick<Library, "search">,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  const { facts, covered } = await retrieve(library, question, [], { limit }, signal);
  const title = `# ${question.replace(/\s+/g, " ").replace(/[\\`*_[\]<>#]/g, "\\$&")}`;
  const lead =
    facts.length === 0
      ? "No saved page says anything about this. Save a page that covers it with *Bacopa: Save Docs Page…*."
      : covered
        ? "From the pages you saved, best first."
        : "Nothing saved covers this. The closest facts:";
  const missing = unmentioned(
    question,
    facts.map(({ hit }) => hit),
  );
  const words = missing.map((word) => `*${word.replace(/[\\`*_[\]<>#]/g, "\\$&")}*`).join(", ");
  const note = facts.length > 0 && missing.length > 0 ? `None of these facts mentions ${words}.` : "";
  const parts = facts.map(({ hit }) => `${renderFactForPerson(hit)}: <${hit.page.url}>`);
  return `${[title, lead, note, ...parts].filter((part) => part !== "").join("\n\n")}\n`;
}
