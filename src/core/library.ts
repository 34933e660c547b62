/**
 * The whole API of Bacopa. A host builds the ports, calls `createLibrary` and hands the result to its surfaces.
 *
 * Reading (`search`, `passage`, `page`, ...) never calls a chat model and touches nothing outside the storage.
 */
import { BacopaError } from "./errors.ts";
import { Embedding } from "./embedding/embedding.ts";
import type { EmbeddingState, QueryVector } from "./embedding/embedding.ts";
import type { FactIndex } from "./index/factIndex.ts";
import { sectionFactOf, sectionIndexOf } from "./index/units.ts";
import { LiveIndex } from "./liveIndex.ts";
import type {
  Clock,
  CountTokens,
  DamagedPage,
  EmbedderChoice,
  LanguageModel,
  Log,
  PageSource,
  Prompts,
  Storage,
} from "./ports.ts";
import type { Over, SaveContext, SaveEvent, SaveReport, StoredPage } from "./save.ts";
import { legDepth, search as fuseLegs } from "./search/search.ts";
import type { FusedHit } from "./search/search.ts";
import { pageIdOf } from "./capture/pageId.ts";
import { Summaries } from "./summaries.ts";
import { sha256Hex } from "./util/hash.ts";
import { noPause } from "./util/pause.ts";
import type { Pause } from "./util/pause.ts";
import { briefTokens, hitTokens } from "./render.ts";
import type { Stages } from "./stages.ts";
import { parseStrategy } from "./strategy.ts";
import type { Fact, FactId, Hit, PageId, Passage, SavedPage, SearchMode, SearchResult, Section } from "./types.ts";

export interface LibraryPorts {
  readonly storage: Storage;
  /** Asked in order; the first that accepts a target reads it. */
  readonly sources: readonly PageSource[];
  /** `undefined`: words alone. Can be changed later with `Library.embedding`. */
  readonly embedder: EmbedderChoice | undefined;
  /** Unlike that of any other process: only one of those that share a library embeds in the background. */
  readonly processId?: string | undefined;
  readonly prompts: Prompts;
  readonly clock: Clock;
  readonly log: Log;
  /** Loads the tokenizer (2 MB of merges): only saving and cutting to a budget need it. */
  readonly loadTokenizer: () => Promise<CountTokens>;
  /** Where the heavy stages of a save run. Default: in this thread. */
  readonly stages?: Stages | undefined;
  /** Lets the host's loop have a turn between slices of long work. Default: no turn. */
  readonly pause?: Pause | undefined;
}

/** Who writes the facts of a save. */
export type Distiller = { readonly kind: "offline" } | { readonly kind: "model"; readonly model: LanguageModel };

export interface SaveOptions {
  readonly distiller: Distiller;
  /** The page's address, for bytes that come from a file or from the standard input. */
  readonly url?: string | undefined;
  /** The page itself, where it was pasted or selected: nothing is fetched. HTML, Markdown or plain text. */
  readonly content?: string | undefined;
  /** The person's own title. */
  readonly title?: string | undefined;
  /** Name of a strategy with its sizes, see `strategy.ts`. Default `facts`. A refresh keeps the page's own. */
  readonly strategy?: string | undefined;
  /** Distill every section anew, also those that did not change. */
  readonly force?: boolean | undefined;
  readonly onEvent?: ((event: SaveEvent) => void) | undefined;
}

export interface SearchOptions {
  /** Hits, 1 to 50. Default 5. */
  readonly limit?: number | undefined;
  /** Budget for all hits as rendered, tokens. A hit that does not fit is passed over for a smaller one. */
  readonly maxTokens?: number | undefined;
  /** Default `hybrid`. */
  readonly mode?: SearchMode | undefined;
}

export interface PageSummary {
  readonly id: PageId;
  readonly url: string;
  readonly title: string;
  readonly savedAt: string;
  readonly strategy: string;
  readonly sections: number;
  readonly facts: number;
  /** Sections whose distillation failed or is still to come. */
  readonly undistilled: number;
}

/** The library's embedder: what it is doing, and another one in its place. */
export interface LibraryEmbedding {
  readonly state: EmbeddingState;
  onDidChange(listener: (state: EmbeddingState) => void): { dispose(): void };
  /** Takes another embedder. Searches go by words until it has seen every entry, in the background. */
  choose(choice: EmbedderChoice | undefined): void;
  /** Stops the background work until `resume`. What is embedded stays. */
  pause(): void;
  /** Goes on, also after a failure. */
  resume(): void;
  /** Embeds what is missing and waits for it. A failure is in the state that comes back, not an exception. */
  settle(signal: AbortSignal): Promise<EmbeddingState>;
  /** For a poll: goes on where a failure or another process was waited for. Cheap; starts nothing before the first use. */
  nudge(): void;
}

export interface Library {
  readonly embedding: LibraryEmbedding;
  /** Saves one page. Refusals and failures come back as a report with `state: "failed"`, not as an exception. */
  save(target: string, options: SaveOptions, signal: AbortSignal): Promise<SaveReport>;
  /** Distills what a stored page still lacks (everything, with `force`), without fetching it. @throws BacopaError `not-found`. */
  distill(pageId: PageId, options: Omit<SaveOptions, "url" | "strategy">, signal: AbortSignal): Promise<SaveReport>;
  /** Reads a page's source again; sections that did not change keep their facts. @throws BacopaError `not-found`. */
  refresh(pageId: PageId, options: Omit<SaveOptions, "url" | "content">, signal: AbortSignal): Promise<SaveReport>;
  search(query: string, options: SearchOptions, signal: AbortSignal): Promise<SearchResult>;
  /** The page's own text behind a fact. @throws BacopaError `not-found`. */
  passage(factId: FactId): Promise<Passage>;
  /** A fact with its page. Also of a section that stands in for its facts. @throws BacopaError `not-found`. */
  fact(factId: FactId): Promise<{ readonly saved: SavedPage; readonly fact: Fact }>;
  pages(): Promise<readonly PageSummary[]>;
  /** @throws BacopaError `not-found`. */
  page(pageId: PageId): Promise<SavedPage>;
  /** @throws BacopaError `not-found`. */
  remove(pageId: PageId): Promise<void>;
  /** Puts back a page as it was, e.g. one just removed. Not over one that was saved there meanwhile. Whether it was put back. */
  restore(saved: SavedPage): Promise<boolean>;
  /** Throws the index away and builds it from the pages. Returns the number of pages and entries. */
  reindex(signal: AbortSignal): Promise<{ readonly pages: number; readonly entries: number }>;
  /** How a page would be cut that need not be saved, with its cleaned text. Agentic cuts are shown as they are before a model has read them. */
  sections(
    target: string,
    options: { readonly url?: string | undefined; readonly strategy?: string | undefined },
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly sections: readonly Section[] }>;
  /** Pages that were put aside and have not been saved whole since. */
  damaged(): Promise<readonly DamagedPage[]>;
  /** The revision of each stored page: changes with every write, by any process. One listing of a folder. */
  revisions(): Promise<ReadonlyMap<PageId, string>>;
  /** Differs whenever a page was stored or removed, by any process. Cheap enough to poll. */
  state(): Promise<string>;
  /** Writes the index if it changed. Losing this write costs time at the next start, nothing else. */
  close(): Promise<void>;
}

type Revisions = ReadonlyMap<PageId, string>;

export function createLibrary(ports: LibraryPorts): Library {
  const { storage, clock } = ports;
  let local: Stages | undefined;
  const pages = new PageCache(storage);
  const summaries = new Summaries(storage);
  const embedding: Embedding = new Embedding({
    choice: ports.embedder,
    storage,
    clock,
    log: ports.log,
    processId: ports.processId,
    index: () => index.open(),
    readPage: (pageId, revision) => pages.read(pageId, revision),
    onVectors: (count) => index.noteUnwritten(count),
  });

  const index: LiveIndex = new LiveIndex({
    storage,
    embedding,
    log: ports.log,
    pause: ports.pause ?? noPause,
    readPage: (pageId, revision) => pages.read(pageId, revision),
  });

  async function store(saved: SavedPage, over: Over, signal: AbortSignal): Promise<string | undefined> {
    const revision = await storage.replacePage(saved, over.revision);
    if (revision === undefined) return undefined;
    pages.keep(saved, revision);
    await index.put(saved, revision, signal);
    embedding.kick();
    return revision;
  }

  async function stored(pageId: PageId): Promise<StoredPage | undefined> {
    const revision = (await storage.revisions()).get(pageId);
    const saved = await pages.read(pageId, revision);
    return saved === undefined || revision === undefined ? undefined : { saved, revision };
  }

  async function find(pageId: PageId): Promise<SavedPage> {
    const found = await stored(pageId);
    if (found !== undefined) return found.saved;
    throw new BacopaError("not-found", {
      message: `No page ${pageId}`,
      userMessage: `No saved page has the id "${pageId}". List the saved pages to see the ids there are.`,
      hint: "List the saved pages and use one of their ids.",
    });
  }

  async function saveContext(): Promise<SaveContext> {
    const stages = ports.stages ?? (local ??= (await import("./stages.ts")).createStages(ports.loadTokenizer));
    return {
      ...ports,
      stages,
      embedder: (signal) => embedding.embedder(signal),
      existing: stored,
      store,
    };
  }

  return {
    embedding: {
      get state() {
        return embedding.state;
      },
      onDidChange: (listener) => embedding.onDidChange(listener),
      choose: (choice) => embedding.choose(choice),
      pause: () => embedding.pause(),
      resume: () => embedding.resume(),
      nudge: () => embedding.nudge(),
      async settle(signal) {
        await index.inStep(signal);
        return embedding.settle(signal);
      },
    },

    async save(target, options, signal) {
      const { savePage } = await import("./save.ts");
      return savePage(await saveContext(), target, options, signal);
    },

    async distill(pageId, options, signal) {
      const saved = await find(pageId);
      const { distillSaved } = await import("./save.ts");
      return distillSaved(await saveContext(), saved, { strategy: saved.strategy, ...options }, signal);
    },

    async refresh(pageId, options, signal) {
      const { refreshLost, refreshSaved } = await import("./save.ts");
      const lost = (await stored(pageId)) === undefined ? await storage.damaged() : [];
      const source = lost.find((damage) => damage.pageId === pageId && damage.source !== undefined)?.source;
      if (source !== undefined && pageIdOf(source.url) === pageId)
        return refreshLost(await saveContext(), source, options, signal);
      const saved = await find(pageId);
      return refreshSaved(
        await saveContext(),
        saved,
        { ...options, strategy: options.strategy ?? saved.strategy },
        signal,
      );
    },

    async search(query, options, signal) {
      const started = clock.elapsed();
      const limit = Math.min(Math.max(options.limit ?? 5, 1), legDepth);
      const facts = await index.inStep(signal);
      const asked = options.mode ?? "hybrid";
      const { vector, note, meaningWeight } = await queryVector(query, asked, facts, signal);
      const mode: SearchMode = vector === undefined ? "words" : asked;
      const fused = fuseLegs({
        words: mode === "meaning" ? [] : facts.searchWords(query, legDepth),
        meaning: vector === undefined ? undefined : await facts.searchMeaning(vector, legDepth),
        meaningWeight,
        mode,
        // Of several small sections that stand for one larger text the first counts, so more may be looked at than returned.
        limit: legDepth,
      });
      const { hits, smallest } = await hitsWithin(fused, facts.revisions(), limit, options.maxTokens);
      return {
        query,
        mode,
        ms: clock.elapsed() - started,
        tokens: totalTokens(hits),
        hits,
        note: hits.length === 0 && smallest !== undefined ? budgetNote(smallest) : (note ?? farNote(hits, mode)),
      };
    },

    async passage(factId) {
      const { saved, fact } = await existingFact(factId);
      const text = saved.page.text.slice(fact.source.start, fact.source.end);
      const { id, url, title } = saved.page;
      const countTokens = await ports.loadTokenizer();
      return { factId, page: { id, url, title }, source: fact.source, text, tokens: countTokens(text) };
    },

    fact: existingFact,

    async pages() {
      const found = await summaries.all(await storage.revisions(), (id, revision) => pages.read(id, revision));
      return found.sort((a, b) => byTitle.compare(a.title, b.title) || (a.id < b.id ? -1 : 1));
    },

    page: find,

    async remove(pageId) {
      const removed = await storage.removePage(pageId);
      // What was put aside of it too, or it would be named as damaged for ever.
      if (!(await storage.forgetDamaged(pageId)) && !removed) await find(pageId);
      await index.remove(pageId);
    },

    async restore(saved) {
      return (await store(saved, { revision: undefined }, new AbortController().signal)) !== undefined;
    },

    async reindex(signal) {
      await embedding.close(); // it may be at work on the index that goes
      const facts = await index.rebuild(signal);
      embedding.kick();
      return { pages: facts.revisions().size, entries: facts.size };
    },

    async sections(target, options, signal) {
      const [{ readPage }, { cutPage }] = await Promise.all([import("./save.ts"), import("./cut.ts")]);
      const strategy = parseStrategy(options.strategy ?? "facts");
      if (typeof strategy === "string")
        throw new BacopaError("bad-usage", { message: "unusable strategy", userMessage: strategy });
      const context = await saveContext();
      const page = await readPage(context, target, options, signal);
      const embedder = strategy.kind === "semantic" ? await context.embedder(signal) : undefined;
      return {
        text: page.text,
        sections: await cutPage(page.text, strategy, { stages: context.stages, embedder }, signal),
      };
    },

    async damaged() {
      const revisions = await storage.revisions();
      const open: DamagedPage[] = [];
      for (const damage of await storage.damaged()) {
        const saved = await pages.read(damage.pageId, revisions.get(damage.pageId));
        const isHealed = saved?.sectionStates.every(({ state }) => state === "distilled" || state === "kept") ?? false;
        if (!isHealed) open.push(damage);
      }
      return open;
    },

    revisions: () => storage.revisions(),

    async state() {
      const revisions = [...(await storage.revisions())].map(([pageId, revision]) => `${pageId} ${revision}`);
      return sha256Hex(revisions.sort().join("\n"), 16);
    },

    async close() {
      await embedding.close();
      await index.close();
      await summaries.close();
    },
  };

  function queryVector(query: string, mode: SearchMode, index: FactIndex, signal: AbortSignal): Promise<QueryVector> {
    if (mode !== "words") return embedding.query(query, index, signal);
    embedding.kick();
    return Promise.resolve({ vector: undefined, note: undefined, meaningWeight: 0 });
  }

  async function findFact(factId: FactId, revisions: Revisions): Promise<{ saved: SavedPage; fact: Fact } | undefined> {
    // A fact's id begins with its page's id; the rest holds no dot.
    const pageId = factId.slice(0, factId.lastIndexOf("."));
    const saved = await pages.read(pageId, revisions.get(pageId));
    const fact = saved && factOf(saved, factId);
    return saved && fact ? { saved, fact } : undefined;
  }

  async function existingFact(factId: FactId): Promise<{ saved: SavedPage; fact: Fact }> {
    const found = await findFact(factId, await storage.revisions());
    if (found !== undefined) return found;
    throw new BacopaError("not-found", {
      message: `No fact ${factId}`,
      userMessage: `No saved page holds the fact "${factId}". Search again: a page that was saved anew has new facts.`,
      hint: "Use the id of a hit.",
    });
  }

  async function hitsWithin(
    fused: readonly FusedHit[],
    revisions: Revisions,
    limit: number,
    maxTokens: number | undefined,
  ): Promise<{ hits: Hit[]; smallest: number | undefined }> {
    const hits: Hit[] = [];
    let smallest: number | undefined;
    const pagesShown = new Set<PageId>();
    const textsShown = new Set<string>();
    let left = maxTokens ?? Infinity;
    for (const found of fused) {
      if (hits.length === limit) break;
      const hit = await hitOf(found, revisions, hits.length + 1);
      if (hit === undefined) continue;
      const place = `${hit.page.id} ${hit.source.start} ${hit.source.end}`;
      if (hit.tier === "section" && textsShown.has(place)) continue;
      textsShown.add(place);
      const cost = hitTokens(hit) + (pagesShown.has(hit.page.id) ? 0 : briefTokens(hit.page));
      if (cost > left) {
        smallest = Math.min(smallest ?? Infinity, cost);
        continue;
      }
      left -= cost;
      pagesShown.add(hit.page.id);
      hits.push(hit);
    }
    return { hits, smallest };
  }

  async function hitOf(found: FusedHit, revisions: Revisions, rank: number): Promise<Hit | undefined> {
    const loaded = await findFact(found.id, revisions);
    if (loaded === undefined) return undefined; // removed by another process since the index was brought up to date
    const { saved, fact } = loaded;
    const { id, topic, statement, questions, keywords, symbols, body, tokens, origin } = fact;
    return {
      rank,
      score: found.score,
      ranks: found.ranks,
      tier: sectionIndexOf(id) === undefined ? "fact" : "section",
      fact: { id, topic, statement, questions, keywords, symbols, body, tokens, extractive: origin.extractive },
      page: { id: saved.page.id, url: saved.page.url, title: saved.page.title, brief: saved.brief },
      source: fact.source,
    };
  }
}

function factOf(saved: SavedPage, factId: FactId): Fact | undefined {
  const index = sectionIndexOf(factId);
  if (index === undefined) return saved.facts.find(({ id }) => id === factId);
  // The sizes of its parts are known; the topic line adds a few.
  const section = saved.sections[index];
  const tokens = (section?.returned ?? section)?.tokens ?? 0;
  return sectionFactOf(saved, index, () => tokens + (section?.context?.tokens ?? 0));
}

/** Made once: `localeCompare` looks its rules up at every call. */
const byTitle = new Intl.Collator("en");

function totalTokens(hits: readonly Hit[]): number {
  const pages = new Map(hits.map(({ page }) => [page.id, page]));
  let total = 0;
  for (const hit of hits) total += hitTokens(hit);
  for (const page of pages.values()) total += briefTokens(page);
  return total;
}

function budgetNote(smallest: number): string {
  return `What was found does not fit the budget: the smallest hit needs ${smallest} tokens.`;
}

function farNote(hits: readonly Hit[], mode: SearchMode): string | undefined {
  if (mode !== "hybrid" || hits.length === 0 || hits.some(({ ranks }) => ranks.words !== null)) return undefined;
  return "No saved page uses the words of this query; what follows is only near it by meaning.";
}

/** Pages by revision, least recently used first out, so that a search reads each page once. */
class PageCache {
  readonly #storage: Storage;
  readonly #entries = new Map<PageId, { readonly revision: string; readonly saved: SavedPage }>();
  /** Pages kept in memory. A page of 60 facts weighs about 200 kB. */
  readonly #capacity = 256;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async read(pageId: PageId, revision: string | undefined): Promise<SavedPage | undefined> {
    if (revision === undefined) return undefined;
    const entry = this.#entries.get(pageId);
    if (entry?.revision === revision) {
      this.#entries.delete(pageId);
      this.#entries.set(pageId, entry);
      return entry.saved;
    }
    const saved = await this.#storage.readPage(pageId);
    if (saved !== undefined) this.keep(saved, revision);
    return saved;
  }

  keep(saved: SavedPage, revision: string): void {
    this.#entries.delete(saved.page.id);
    this.#entries.set(saved.page.id, { revision, saved });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#capacity && oldest !== undefined) this.#entries.delete(oldest);
  }
}
