/** What a list of pages shows, kept beside the pages so that a list of a thousand does not read them all. */
import type { PageSummary } from "./library.ts";
import type { Storage } from "./ports.ts";
import type { PageId, SavedPage } from "./types.ts";

const cacheName = "summaries";
/** Raise it when a summary gets another shape: older caches are ignored then. */
const version = 1;

interface Known {
  readonly revision: string;
  readonly summary: PageSummary;
}

/** Summaries by page and revision. A cache: a revision it does not know is read from the page. */
export class Summaries {
  readonly #storage: Storage;
  #known: Promise<Map<PageId, Known>> | undefined;
  #changed = false;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** @param readPage Asked for each page whose revision is new here; a page it does not find is left out. */
  async all(
    revisions: ReadonlyMap<PageId, string>,
    readPage: (pageId: PageId, revision: string) => Promise<SavedPage | undefined>,
  ): Promise<PageSummary[]> {
    const known = await (this.#known ??= this.#load());
    const summaries: PageSummary[] = [];
    for (const [pageId, revision] of revisions) {
      let entry = known.get(pageId);
      if (entry?.revision !== revision) {
        const saved = await readPage(pageId, revision);
        if (saved === undefined) continue;
        entry = { revision, summary: summaryOf(saved) };
        known.set(pageId, entry);
        this.#changed = true;
      }
      summaries.push(entry.summary);
    }
    for (const pageId of known.keys()) if (!revisions.has(pageId)) known.delete(pageId);
    return summaries;
  }

  async close(): Promise<void> {
    if (!this.#changed || this.#known === undefined) return;
    this.#changed = false;
    const content = { version, entries: [...(await this.#known)] };
    await this.#storage.writeCache(cacheName, new TextEncoder().encode(JSON.stringify(content)));
  }

  async #load(): Promise<Map<PageId, Known>> {
    const bytes = await this.#storage.readCache(cacheName);
    if (bytes === undefined) return new Map();
    try {
      const content = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
      // The storage has checked the bytes, so what has this version was written here.
      return new Map(content["version"] === version ? (content["entries"] as [PageId, Known][]) : []);
    } catch {
      return new Map();
    }
  }
}

function summaryOf({ page, strategy, sections, facts, sectionStates }: SavedPage): PageSummary {
  return {
    id: page.id,
    url: page.url,
    title: page.title,
    savedAt: page.savedAt,
    strategy,
    sections: sections.length,
    facts: facts.length,
    undistilled: sectionStates.filter(({ state }) => state === "waiting" || state === "failed").length,
  };
}
