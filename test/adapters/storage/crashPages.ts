/** Pages for the crash tests: their whole text says which save wrote them, so that a mixture shows. */
import type { SavedPage } from "../../../src/core/types.ts";

export function crashUrl(page: number): string {
  return `https://heron.example/torture/page-${page}`;
}

/** The Markdown that a save under this title (`<worker>:<n>`) finds at the source; always the same for one title. */
export function crashText(title: string): string {
  const n = Number(title.split(":")[1]);
  const sections = Array.from({ length: 1 + (n % 4) }, (_, at) => {
    const lines = Array.from({ length: 1 + ((n * 7 + at) % 12) }, (_, line) => `Attempt ${title} writes line ${line}.`);
    return `## Part ${at}\n\n${lines.join("\n")}\n\n\`\`\`js\nheron.attempt("${title}", ${at});\n\`\`\`\n`;
  });
  return `# ${title}\n\n${sections.join("\n")}`;
}

/** Why a stored page is not the whole work of one save, or `undefined`. */
export function crashFault({ page, facts, sections, sectionStates }: SavedPage): string | undefined {
  const strangers = markersIn(page.text).filter((marker) => marker !== page.title);
  if (strangers.length > 0) return `${page.title} holds text of ${strangers.join(", ")}`;
  const expected = crashText(page.title).match(/Attempt/g)?.length;
  if (page.text.match(/Attempt/g)?.length !== expected) return `${page.title} has lost text`;
  for (const { body } of facts)
    if (markersIn(body).some((marker) => marker !== page.title)) return `a fact of ${page.title} is from elsewhere`;
  const distilled = sectionStates.filter(({ state }) => state === "distilled").length;
  if (distilled > 0 && facts.length === 0) return `${page.title} has lost its facts`;
  return sections.length === 0 ? `${page.title} has no sections` : undefined;
}

function markersIn(text: string): string[] {
  return [...text.matchAll(/(?:^# |Attempt |attempt\(")([^\s":]+:\d+)/gmu)].map(([, marker = ""]) => marker);
}
