import type { PageSummary } from "../library.ts";
import type { FactId } from "../types.ts";

/** The page with most of the words in its title or address; an id or address as it is comes first. */
export function pageNamed(pages: readonly PageSummary[], wanted: string): PageSummary | undefined {
  const exact = pages.find(({ id, url }) => id === wanted || url === wanted);
  if (exact !== undefined) return exact;
  const words = wanted.toLowerCase().split(/\s+/);
  const scored = pages.map((summary) => {
    const text = `${summary.title} ${summary.url}`.toLowerCase();
    return { summary, score: words.filter((word) => text.includes(word)).length };
  });
  const best = scored.reduce<(typeof scored)[number] | undefined>(
    (top, entry) => (entry.score > (top?.score ?? 0) ? entry : top),
    undefined,
  );
  return best?.summary;
}

export function pageOfFact(pages: readonly PageSummary[], factId: FactId | undefined): PageSummary | undefined {
  return factId === undefined ? undefined : pages.find(({ id }) => factId.startsWith(`${id}.`));
}
