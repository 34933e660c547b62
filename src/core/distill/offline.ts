/**
 * The distiller that needs no key, login or network: facts cut from the page itself.
 * Each fact holds one group of a section's own Markdown, small enough that many answers fit into few tokens,
 * behind a topic, a statement and questions that make it stand alone.
 */
import type { CountTokens } from "../ports.ts";
import type { FactDraft, Page, Section } from "../types.ts";
import type { Group } from "./offlinePacking.ts";
import { groupsOf } from "./offlineGroups.ts";
import { namesOf, subjectOf, topicOf } from "./offlineNames.ts";
import { isNoise } from "./offlineNoise.ts";
import { outlineOf } from "./offlineOutline.ts";
import { questionsOfParts } from "./offlineQuestions.ts";
import { readGroup } from "./offlineReading.ts";
import { statementOfParts } from "./offlineStatement.ts";
import { keywordsOf, symbolsOf } from "./offlineSymbols.ts";
import { isEnglish } from "./offlineWords.ts";

/** Kept in `FactOrigin.distiller`; raise the number when the drafts change, so that saved pages are distilled anew. */
export const offlineDistillerId = "offline-1";

export interface OfflineInput {
  readonly page: Pick<Page, "text" | "title" | "site" | "language">;
  readonly sections: readonly Section[];
  readonly countTokens: CountTokens;
}

/**
 * Drafts in page order; none for a section of noise. Deterministic, and linear in the page's length.
 * A draft's `span` is what its body was cut from; the rows of a long table repeat the table's header rows.
 */
export function distillOffline({ page, sections, countTokens }: OfflineInput): FactDraft[] {
  const names = namesOf(page);
  const outline = outlineOf(page.text);
  const english = isEnglish(page.text);
  const drafts: FactDraft[] = [];
  for (const section of sections) {
    for (const group of groupsOf(page.text, section, outline, countTokens)) {
      if (isNoise(page.text, group)) continue;
      const subject = subjectOf(names, group);
      const symbols = symbolsOf(page.text, subject, group);
      const told = (group.parts.length === 0 ? [group] : group.parts).map((part) => ({
        part,
        subject: subjectOf(names, part),
        reading: readGroup(page.text, part),
      }));
      drafts.push({
        sectionIndex: section.index,
        span: { start: group.start, end: group.end },
        headingPath: group.headingPath,
        topic: topicOf(subject),
        statement: statementOfParts(told),
        questions: english ? questionsOfParts(told) : [],
        keywords: keywordsOf(page.text, group, symbols),
        symbols,
        body: bodyOf(page.text, group),
      });
    }
  }
  return drafts;
}

/** The group as the page has it, less the indentation of the list it stood in. */
function bodyOf(text: string, group: Group): string {
  const lines = text.slice(group.start, group.end).trimEnd().split("\n");
  let shared = Infinity;
  for (const line of lines) {
    const blanks = line.length - line.trimStart().length;
    if (blanks < line.length) shared = Math.min(shared, blanks);
  }
  const body = shared > 0 ? lines.map((line) => line.slice(shared)).join("\n") : lines.join("\n");
  return group.tableHead === undefined ? body : `${group.tableHead.trim()}\n${body}`;
}
