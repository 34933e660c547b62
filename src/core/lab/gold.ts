/** Brings questions to the pages at hand: gold may name a page by its id, its address or its file. */
import { canonicalUrl } from "../capture/canonicalUrl.ts";
import { pageIdOf } from "../capture/pageId.ts";
import type { LabPage } from "./labPage.ts";
import type { PreparedQuestion } from "./score.ts";
import { prepareQuestion } from "./score.ts";
import type { Question } from "./questions.ts";

export interface PreparedSet {
  readonly questions: readonly PreparedQuestion[];
  /** Questions with a gold page that is not among the pages: they would measure what was saved, not how. */
  readonly leftOut: readonly Question[];
}

/** @param namesOf Further names of a page beside its ids and address, e.g. its file's. */
export function prepareQuestions(
  questions: readonly Question[],
  pages: readonly LabPage[],
  namesOf: (page: LabPage) => readonly string[] = () => [],
): PreparedSet {
  const byName = new Map<string, LabPage>();
  const nameIt = (name: string, page: LabPage): void => {
    if (!byName.has(name)) byName.set(name, page);
  };
  for (const page of pages) nameIt(page.corpusId, page);
  for (const page of pages) {
    for (const name of [page.saved.page.id, page.saved.page.url, ...namesOf(page)]) nameIt(name, page);
  }
  const pageOf = (gold: string): LabPage | undefined =>
    byName.get(gold) ?? (URL.canParse(gold) ? byName.get(pageIdOf(canonicalUrl(gold))) : undefined);
  const byId = new Map(pages.map((page) => [page.corpusId, page]));

  const prepared: PreparedQuestion[] = [];
  const leftOut: Question[] = [];
  for (const question of questions) {
    const gold = question.gold.map(({ page, evidence }) => ({ page: pageOf(page)?.corpusId, evidence }));
    const found = gold.flatMap(({ page, evidence }) => (page === undefined ? [] : [{ page, evidence }]));
    if (found.length < gold.length) leftOut.push(question);
    else prepared.push(prepareQuestion({ ...question, gold: found }, (page) => byId.get(page)?.matching));
  }
  return { questions: prepared, leftOut };
}
