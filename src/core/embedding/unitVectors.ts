import type { IndexUnit } from "../index/units.ts";
import { sectionIndexOf } from "../index/units.ts";
import type { Embedder } from "../ports.ts";
import { lateVectors } from "../section/late.ts";
import { strategyOf } from "../strategy.ts";
import type { SavedPage, Section } from "../types.ts";
import { sha256Hex } from "../util/hash.ts";

/**
 * The vectors of a page's units: of their texts, or pooled from the page's tokens where the page was saved with late
 * chunking and the embedder gives vectors of tokens. `undefined` for a unit the embedder knows nothing of.
 */
export async function unitVectors(
  saved: SavedPage,
  units: readonly IndexUnit[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<(Float32Array | undefined)[]> {
  if (isLate(saved)) {
    const pooled = await lateVectors(saved.page.text, sectionsOf(saved, units), embedder, signal);
    if (pooled !== undefined) return pooled;
  }
  const texts = units.map(({ meaningText }) => meaningText);
  return embedder.embed(texts, "passage", signal);
}

/** What names the text that each unit's vector is made of. Late vectors are made of the whole page. */
export function vectorSources(saved: SavedPage, units: readonly IndexUnit[]): string[] {
  if (!isLate(saved)) return units.map(({ meaningText }) => meaningText);
  const page = sha256Hex(saved.page.text);
  return sectionsOf(saved, units).map(({ start, end }) => `late ${start}-${end} of ${page}`);
}

/** Whether the vectors of a page's units are made together, since each takes the whole page. */
export function isLate({ strategy }: SavedPage): boolean {
  return strategyOf(strategy).kind === "late";
}

function sectionsOf(saved: SavedPage, units: readonly IndexUnit[]): Section[] {
  return units.map(({ id }) => {
    const section = saved.sections[sectionIndexOf(id) ?? -1];
    if (section === undefined) throw new TypeError(`${id} is no section of ${saved.page.id}`);
    return section;
  });
}
