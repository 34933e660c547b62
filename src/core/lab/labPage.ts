/** Takes one page of a corpus through the same stages as a save, without a store. */
import { capture } from "../capture/capture.ts";
import { pageOf } from "../capture/page.ts";
import { clean } from "../clean/clean.ts";
import { briefOf } from "../distill/brief.ts";
import { distillOffline, offlineDistillerId } from "../distill/offline.ts";
import type { Clock, CountTokens } from "../ports.ts";
import { renderPageHead } from "../render.ts";
import { sectionByHeadings } from "../section/headings.ts";
import type { Brief, Fact, Page, RawPage, SavedPage, Section } from "../types.ts";
import { verify } from "../verify/verify.ts";
import type { MatchingText } from "./matching.ts";
import { matchingText } from "./matching.ts";

/** A page of a corpus, cleaned, cut and distilled. */
export interface LabPage {
  /** Its `CorpusPage.id`. */
  readonly corpusId: string;
  readonly saved: SavedPage;
  readonly matching: MatchingText;
}

export interface LabPageInput {
  readonly corpusId: string;
  readonly raw: RawPage;
  readonly url: string;
  readonly countTokens: CountTokens;
  /** For the caveat about a page's age. */
  readonly now: Date;
  /** For the time that distilling takes; without one it is told as 0. */
  readonly clock?: Pick<Clock, "elapsed"> | undefined;
}

/** @throws BacopaError when the page cannot be captured. */
export function readLabPage({ corpusId, raw, url, countTokens, now, clock }: LabPageInput): LabPage {
  const captured = capture(raw, { url });
  const page = pageOf(captured, clean(captured), now.toISOString());
  const sections = sectionByHeadings(page.text, countTokens);
  const started = clock?.elapsed() ?? 0;
  const drafts = distillOffline({ page, sections, countTokens });
  const origin = { distiller: offlineDistillerId, extractive: true };
  const { facts } = verify({ drafts, page, sections, origin, countTokens });
  const distill = (clock?.elapsed() ?? 0) - started;
  const { saved, ...made } = labPageOf(corpusId, page, sections, facts, briefOf(page, sections, now), countTokens);
  const figures = { ...saved.figures, ms: { ...saved.figures.ms, distill } };
  return { ...made, saved: { ...saved, figures } };
}

/** A page whose facts come from elsewhere, e.g. from a library or a file. */
export function labPageOf(
  corpusId: string,
  page: Page,
  sections: readonly Section[],
  facts: readonly Fact[],
  brief: Brief,
  countTokens: CountTokens,
): LabPage {
  const head = renderPageHead({ title: page.title, url: page.url, brief });
  const saved: SavedPage = {
    page,
    strategy: "facts",
    sections,
    sectionStates: sections.map(({ index }) => ({
      state: "distilled",
      facts: facts.filter((fact) => fact.sectionIndex === index).length,
    })),
    facts,
    brief: { ...brief, tokens: countTokens(head) },
    figures: noFigures,
  };
  return { corpusId, saved, matching: matchingText(page.text) };
}

const noFigures: SavedPage["figures"] = {
  dropped: { code: 0, keywords: 0, unverified: 0 },
  missingSpecifics: 0,
  tokens: { in: 0, out: 0 },
  calls: 0,
  costUsd: 0,
  ms: { fetch: 0, clean: 0, section: 0, searchable: 0, distill: 0, index: 0, total: 0 },
};
