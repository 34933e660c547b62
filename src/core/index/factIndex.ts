import { create, insert, remove, search, type AnyOrama, type IDocumentsStore, type IIndex } from "@orama/orama";
import type { CacheReader } from "../ports.ts";
import type { FactId, PageId } from "../types.ts";
import { analyze, analyzerVersion } from "../util/analyzer.ts";
import { noPause } from "../util/pause.ts";
import type { Pause } from "../util/pause.ts";
import { compareRanked, type Ranked } from "../util/ranked.ts";
import { Lexicon } from "./bm25f.ts";
import { fieldNames, fieldTexts, ranking } from "./ranking.ts";
import { IdList } from "./idList.ts";
import { readIndexFile, writeIndexFile, type IndexContents } from "./indexFile.ts";
import { unitsVersion } from "./units.ts";
import type { IndexUnit } from "./units.ts";
import { VectorIndex } from "./vectors.ts";
import type { VectorParts } from "./vectors.ts";

/** The embedder whose vectors an index holds; both `undefined`: none yet. */
export interface IndexEmbedder {
  readonly embedderId?: string | undefined;
  readonly dims?: number | undefined;
}

export interface UnembeddedPage {
  readonly pageId: PageId;
  readonly revision: string;
  /** The units that the embedder has not seen. */
  readonly ids: ReadonlySet<FactId>;
}

export interface WordSearchOptions {
  /** Only units of these pages. */
  readonly pageIds?: readonly PageId[] | undefined;
  /** While typing: the last word may be the beginning of a word, if no unit holds it as it is. */
  readonly prefix?: boolean | undefined;
}

/**
 * Every searchable unit of a library: words and vectors, two separate rankings. Derived from the stored pages and
 * rebuilt from them at any time; `revisions` tells which version of each page it has seen.
 */
export class FactIndex {
  #embedder: IndexEmbedder;
  /** By slot. */
  #ids: IdList;
  /** By slot: number of the page in `#pageIds`. */
  #pageOf: number[];
  #pageIds: PageId[];
  #pages = new Map<PageId, readonly number[]>();
  #revisions = new Map<PageId, string>();
  #words: WordShell;
  #vectors: VectorIndex | undefined;
  /** Live slots that the embedder has not seen yet. */
  #unembedded: Set<number>;
  #isComplete: boolean;
  #changes = 0;
  #openDrafts = 0;

  private constructor(embedder: IndexEmbedder, parts?: IndexContents & { readonly vectors: VectorParts | undefined }) {
    this.#embedder = embedder;
    this.#ids = new IdList(parts?.ids);
    this.#pageOf = Array.from(parts?.pageOf ?? []);
    this.#pageIds = (parts?.revisions ?? []).map(([id]) => id);
    const slots = this.#pageIds.map((): number[] => []);
    this.#pageOf.forEach((page, slot) => slots[page]?.push(slot));
    (parts?.revisions ?? []).forEach(([id, revision], page) => {
      this.#pages.set(id, slots[page] ?? []);
      this.#revisions.set(id, revision);
    });
    this.#words = new WordShell(new Lexicon(ranking, parts?.lexicon), {
      compareTies: tiesOf(this.#ids),
      slotsOfPages: (pageIds) => pageIds.flatMap((id) => this.#pages.get(id) ?? []),
    });
    this.#vectors = embedder.dims === undefined ? undefined : new VectorIndex(embedder.dims, parts?.vectors);
    this.#unembedded = new Set(parts?.unembedded ?? []);
    this.#isComplete = parts?.embedder?.isComplete ?? false;
  }

  static create(options: IndexEmbedder = {}): FactIndex {
    return new FactIndex(options);
  }

  /**
   * An index as it was saved. It goes on reading from the file.
   *
   * @param expected The embedder in use now, if it is known yet: vectors of another one are dropped, the words stay.
   * @returns `undefined` for a damaged file and for one of another schema or analyzer: rebuild then. Rejects when the
   *   file cannot be read.
   */
  static async open(reader: CacheReader, expected?: Required<IndexEmbedder>): Promise<FactIndex | undefined> {
    const parts = await readIndexFile(reader, key);
    if (parts === undefined) return undefined;
    const index = new FactIndex({ embedderId: parts.embedder?.id, dims: parts.embedder?.dims }, parts);
    if (expected !== undefined) index.useEmbedder(expected);
    return index;
  }

  /**
   * Goes on with what another index holds: the same units, read back from a file, so that removed ones and exact vectors
   * leave the memory. The other one must not be used afterwards. Not while a page is on its way in.
   *
   * @returns Whether it did.
   */
  takeOver(other: FactIndex): boolean {
    if (this.#openDrafts > 0) return false;
    this.#embedder = other.#embedder;
    this.#ids = other.#ids;
    this.#pageOf = other.#pageOf;
    this.#pageIds = other.#pageIds;
    this.#pages = other.#pages;
    this.#revisions = other.#revisions;
    this.#words = other.#words;
    this.#vectors = other.#vectors;
    this.#unembedded = other.#unembedded;
    this.#isComplete = other.#isComplete;
    return true;
  }

  /** Units that a search can find. */
  get size(): number {
    return this.#words.lexicon.size;
  }

  /** Goes up with every change. */
  get changes(): number {
    return this.#changes;
  }

  /** The stored revision that each page was indexed at. Follows changes. */
  revisions(): ReadonlyMap<PageId, string> {
    return this.#revisions;
  }

  /**
   * Puts a page's units in place of those it had.
   *
   * @param units Of two units with one id the first counts.
   * @param vectors One a unit, same order; `undefined` for a unit that has none. Without the list the units wait for
   *   `addVectors`. Ignored without an embedder.
   */
  putPage(pageId: PageId, revision: string, units: readonly IndexUnit[], vectors?: Vectors): void {
    const draft = this.draftPage(pageId);
    draft.add(units, vectors);
    draft.commit(revision);
  }

  /** The same in slices: no search finds the new units before all of them are in and the old ones are out. */
  draftPage(pageId: PageId): PageDraft {
    const page = this.#pageIds.push(pageId) - 1;
    const slots: number[] = [];
    /** By place in `slots`: whose rows hold what the embedder made of the unit. */
    const embeddedIn: (VectorIndex | undefined)[] = [];
    const seen = new Set<FactId>();
    let isOpen = true;
    this.#openDrafts++;
    const close = (): void => {
      if (isOpen) this.#openDrafts--;
      isOpen = false;
    };
    return {
      add: (units, vectors) => {
        units.forEach((unit, i) => {
          if (seen.has(unit.id)) return;
          seen.add(unit.id);
          const slot = this.#words.add(unit);
          this.#ids.push(unit.id);
          this.#pageOf.push(page);
          const vector = vectors?.[i];
          if (vector !== undefined) this.#vectors?.add(slot, vector);
          embeddedIn.push(vectors === undefined ? undefined : this.#vectors);
          slots.push(slot);
        });
      },
      commit: (revision) => {
        close();
        this.removePage(pageId);
        slots.forEach((slot, i) => {
          this.#words.lexicon.reveal(slot);
          if (embeddedIn[i] === undefined || embeddedIn[i] !== this.#vectors) this.#unembedded.add(slot);
        });
        this.#pages.set(pageId, slots);
        this.#revisions.set(pageId, revision);
        this.#changes++;
      },
      discard: close,
    };
  }

  removePage(pageId: PageId): void {
    for (const slot of this.#pages.get(pageId) ?? []) {
      this.#words.remove(slot);
      this.#unembedded.delete(slot);
    }
    this.#pages.delete(pageId);
    this.#revisions.delete(pageId);
    this.#changes++;
  }

  /** Whose vectors these are. */
  get embedderId(): string | undefined {
    return this.#embedder.embedderId;
  }

  /** Units that the embedder has not seen yet. */
  get unembedded(): number {
    return this.#unembedded.size;
  }

  /** Whether the embedder has once seen every unit. Units that come later do not change that. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** To be called when the index holds all there is: from then on its ranking by meaning is a fair one. */
  noteComplete(): void {
    if (this.#isComplete || this.#vectors === undefined || this.#unembedded.size > 0) return;
    this.#isComplete = true;
    this.#changes++;
  }

  /** From now on holds the vectors of this embedder. Those of another one are dropped: vectors of two never meet. */
  useEmbedder(embedder: Required<IndexEmbedder>): void {
    if (embedder.embedderId === this.#embedder.embedderId && embedder.dims === this.#embedder.dims) return;
    this.#embedder = embedder;
    this.#vectors = embedder.dims === undefined ? undefined : new VectorIndex(embedder.dims);
    this.#unembedded = new Set([...this.#pages.values()].flat());
    this.#isComplete = false;
    this.#changes++;
  }

  /** A page with units that the embedder has not seen, if there is one; `except` are passed over. */
  nextUnembedded(except: ReadonlySet<PageId>): UnembeddedPage | undefined {
    for (const slot of this.#unembedded) {
      const pageId = this.#pageIds[this.#pageOf[slot] ?? 0] ?? "";
      const slots = this.#pages.get(pageId);
      const revision = this.#revisions.get(pageId);
      if (slots === undefined || revision === undefined || except.has(pageId)) continue;
      const missing = slots.filter((candidate) => this.#unembedded.has(candidate));
      return { pageId, revision, ids: new Set(missing.map((candidate) => this.#ids.at(candidate))) };
    }
    return undefined;
  }

  /**
   * Adds what the embedder made of units put without vectors. A page that is at another revision by now is left as it is.
   *
   * @param vectors By unit; `undefined` for a unit of which the embedder knows nothing.
   */
  addVectors(pageId: PageId, revision: string, vectors: ReadonlyMap<FactId, Float32Array | undefined>): void {
    if (this.#revisions.get(pageId) !== revision || this.#vectors === undefined) return;
    for (const slot of this.#pages.get(pageId) ?? []) {
      if (!this.#unembedded.has(slot)) continue;
      const id = this.#ids.at(slot);
      if (!vectors.has(id)) continue;
      const vector = vectors.get(id);
      if (vector !== undefined) this.#vectors.add(slot, vector);
      this.#unembedded.delete(slot);
      this.#changes++;
    }
  }

  /** The units that hold words of the query, best first; equal scores by id. */
  searchWords(query: string, limit: number, options: WordSearchOptions = {}): Ranked[] {
    return this.#words
      .search(query, limit, options)
      .map(({ slot, score }) => ({ id: this.#ids.at(slot), score }))
      .sort(compareRanked);
  }

  /** The units nearest to a vector of the index's own embedder, best first; equal scores by id. Scores are cosines. */
  async searchMeaning(
    vector: Float32Array,
    limit: number,
    options: Pick<WordSearchOptions, "pageIds"> = {},
  ): Promise<Ranked[]> {
    // Held on to, since the index may go on with others while exact vectors are read.
    const ids = this.#ids;
    const { lexicon } = this.#words;
    const isWanted = options.pageIds === undefined ? undefined : this.#inPages(options.pageIds);
    const accepts = (slot: number): boolean => lexicon.isLive(slot) && isWanted?.(slot) !== false;
    const found = await this.#vectors?.search({ vector, limit, accepts, compareTies: tiesOf(ids) });
    return (found ?? []).map(({ slot, score }) => ({ id: ids.at(slot), score }));
  }

  /** The whole index as a file, piece by piece, without what removed units still hold. What changes meanwhile is not in it. */
  async *save(pause: Pause = noPause): AsyncGenerator<Uint8Array> {
    const revisions = [...this.#revisions];
    const pageNumbers = new Map(revisions.map(([id], number) => [id, number]));
    const { parts: lexicon, slots } = await this.#words.lexicon.compact(pause);
    const renumbered = new Map<number, number>();
    slots.forEach((old, slot) => renumbered.set(old, slot));
    const newSlotOf = (slot: number): number | undefined => renumbered.get(slot);
    const ids = this.#ids.kept(slots);
    await pause();
    const pageOf = slots.map((slot) => pageNumbers.get(this.#pageIds[this.#pageOf[slot] ?? 0] ?? "") ?? 0);
    // Taken in one go: which units have vectors, and these.
    const { embedderId, dims } = this.#embedder;
    const isComplete = this.#isComplete;
    const embedder = embedderId === undefined || dims === undefined ? null : { id: embedderId, dims, isComplete };
    const unembedded = Uint32Array.from([...this.#unembedded].flatMap((slot) => newSlotOf(slot) ?? [])).sort();
    const rows = this.#vectors?.kept(newSlotOf);
    const contents: IndexContents = { embedder, revisions, ids, pageOf, lexicon, unembedded };
    for await (const piece of writeIndexFile(key, contents, rows)) {
      yield piece;
      await pause();
    }
  }

  #inPages(pageIds: readonly PageId[]): (slot: number) => boolean {
    const slots = new Set(pageIds.flatMap((id) => this.#pages.get(id) ?? []));
    return (slot) => slots.has(slot);
  }
}

function tiesOf(ids: IdList): (a: number, b: number) => number {
  return (a, b) => {
    const first = ids.at(a);
    const second = ids.at(b);
    return first < second ? -1 : first > second ? 1 : 0;
  };
}

/** One a unit, same order; `undefined` for a unit that has none. */
export type Vectors = readonly (Float32Array | undefined)[];

/** A page on its way into the index, to be ended by `commit` or `discard`. */
export interface PageDraft {
  /** @param units Of two units with one id the first counts. */
  add(units: readonly IndexUnit[], vectors: Vectors | undefined): void;
  /** Puts the units in place of those the page had. */
  commit(revision: string): void;
  /** Gives the draft up. Does nothing after `commit`. */
  discard(): void;
}

/** What must be equal for a saved index to be used. Its vectors have an embedder of their own in the header. */
const key: Readonly<Record<string, unknown>> = {
  schema: 4,
  analyzer: analyzerVersion,
  units: unitsVersion,
  fields: ranking.fields.map(({ name, bits }) => `${name}:${bits}`).join(" "),
};

interface ShellHost {
  compareTies(a: number, b: number): number;
  slotsOfPages(pageIds: readonly PageId[]): number[];
}

/** Orama's numbers of documents start at 1, slots at 0. */
const firstInternalId = 1;

/**
 * Orama around our own index. It keeps the schema, takes documents apart and runs a search; tokens, postings, scores,
 * filters and the stored documents are components of ours, because its own ones are slow and wrong in ways that matter
 * here (ARCHITECTURE.md, decisions). Each document is named by its slot and never reused, since Orama would give a
 * document that comes back its old number. Nothing but this class knows Orama.
 */
class WordShell {
  readonly lexicon: Lexicon;
  readonly #orama: AnyOrama;
  /** Handed to the index component beside Orama's own arguments, which have no room for a limit. */
  #query: { limit: number; prefix: boolean } = { limit: 0, prefix: false };

  constructor(lexicon: Lexicon, host: ShellHost) {
    this.lexicon = lexicon;
    this.#orama = create({
      schema: { pageId: "enum", ...Object.fromEntries(fieldNames.map((name) => [name, "string" as const])) },
      sort: { enabled: false }, // it would keep each text a second time and filter whole arrays on every change
      components: {
        tokenizer: { language: "english", normalizationCache: new Map(), tokenize: analyze },
        index: this.#indexComponent(host),
        documentsStore: documentsComponent(lexicon),
      },
    }) as AnyOrama;
    Object.assign(this.#orama.internalDocumentIDStore, slotNames(lexicon));
  }

  /** The slot it got. */
  add(unit: IndexUnit): number {
    const slot = this.lexicon.slotCount;
    const texts = fieldTexts(unit).map((text, field): [string, string] => [fieldNames[field] ?? "", text]);
    void insert(this.#orama, { id: nameOf(slot), pageId: unit.pageId, ...Object.fromEntries(texts) });
    return slot;
  }

  remove(slot: number): void {
    void remove(this.#orama, nameOf(slot));
  }

  search(
    term: string,
    limit: number,
    { pageIds, prefix = false }: WordSearchOptions,
  ): { slot: number; score: number }[] {
    if (limit <= 0 || term.trim() === "") return []; // Orama answers an empty term with everything
    this.#query = { limit, prefix };
    const where = pageIds === undefined ? undefined : { pageId: { in: [...pageIds] } };
    const results = search(this.#orama, { term, limit, ...(where && { where }) });
    if (results instanceof Promise) throw new TypeError("Orama searched asynchronously");
    return results.hits.map(({ id, score }) => ({ slot: slotOf(id), score }));
  }

  #indexComponent(host: ShellHost): IIndex<{ vectorIndexes: Record<string, never> }> {
    const pending: string[][] = [];
    const store = { vectorIndexes: {} };
    const nothing = (): void => undefined;
    const types = Object.fromEntries(fieldNames.map((name) => [name, "string" as const]));
    return {
      create: () => store,
      load: () => store,
      save: unsaved,
      getSearchableProperties: () => [...fieldNames],
      getSearchablePropertiesWithTypes: () => types,
      // Called once a field, in the order of the schema; the unit is complete with its last field.
      insert: (_implementation, _index, property, _id, _internalId, value, _type, language, tokenizer) => {
        pending.push(tokenizer.tokenize(typeof value === "string" ? value : "", language, property));
        if (pending.length === fieldNames.length) this.lexicon.add(pending.splice(0));
      },
      remove: () => true, // the documents component has the last word of a removal
      search: (
        _index,
        term,
        tokenizer,
        language,
        _properties,
        _exact,
        _tolerance,
        _boost,
        _relevance,
        _count,
        allowed,
      ) =>
        this.lexicon
          .search({
            tokens: tokenizer.tokenize(term, language),
            limit: this.#query.limit,
            prefix: this.#query.prefix,
            accepts: allowed && ((slot) => allowed.has(slot + firstInternalId)),
            compareTies: (a, b) => host.compareTies(a, b),
          })
          .map(({ slot, score }) => [slot + firstInternalId, score]),
      searchByWhereClause: (_index, _tokenizer, filters) => {
        const { pageId } = filters as { pageId: { in: readonly PageId[] } };
        return new Set(host.slotsOfPages(pageId.in).map((slot) => slot + firstInternalId));
      },
      insertDocumentScoreParameters: nothing,
      insertTokenScoreParameters: nothing,
      removeDocumentScoreParameters: nothing,
      removeTokenScoreParameters: nothing,
      calculateResultScores: nothing,
    };
  }
}

/**
 * Orama's list of document names. A name is its slot, so nothing need be kept: the lists of 100,000 names would take
 * 60 ms to fill at every start, in one go.
 */
function slotNames(lexicon: Lexicon): Pick<AnyOrama["internalDocumentIDStore"], "idToInternalId" | "internalIdToId"> {
  // A unit that is on its way in has its name before it has its slot.
  let named = lexicon.slotCount;
  const numberOf = (name: string): number | undefined => {
    const slot = slotOf(name);
    return slot < named ? slot + firstInternalId : undefined;
  };
  const idToInternalId = {
    get: numberOf,
    set: () => undefined,
    get size() {
      return named;
    },
  };
  const internalIdToId = new Proxy<string[]>([], {
    get: (_names, property) => {
      if (property === "length") return named;
      if (property === "push") return () => ++named;
      return typeof property === "string" ? nameOf(Number(property)) : undefined;
    },
  });
  // The two parts of their types that Orama uses: look-ups by name and by number.
  return { idToInternalId: idToInternalId as unknown as Map<string, number>, internalIdToId };
}

/** Documents are their slots: the texts are in the stored pages, so the index keeps none. */
function documentsComponent(lexicon: Lexicon): IDocumentsStore {
  const store = { docs: {} };
  const get = (id: string | number): { id: string } | undefined => {
    const slot = typeof id === "number" ? id - firstInternalId : slotOf(id);
    return lexicon.isLive(slot) ? { id: nameOf(slot) } : undefined;
  };
  return {
    create: () => store,
    load: () => store,
    save: unsaved,
    get: (_store, id) => get(id),
    getMultiple: (_store, ids) => ids.map(get),
    getAll: () => ({}),
    store: () => true,
    remove: (_store, id) => lexicon.remove(typeof id === "number" ? id - firstInternalId : slotOf(id)),
    count: () => lexicon.size,
  };
}

/** Orama's own file format is not used. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as Orama declares it
function unsaved<R>(): R {
  throw new TypeError("use FactIndex.save");
}

function nameOf(slot: number): string {
  return `#${slot}`;
}

function slotOf(name: string): number {
  return Number(name.slice(1));
}
