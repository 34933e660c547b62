import { create, insert, load, remove, search, type AnyOrama, type IDocumentsStore, type IIndex } from "@orama/orama";
import type { FactId, PageId, Tier } from "../types.ts";
import { analyze, analyzerVersion } from "../util/analyzer.ts";
import { compareRanked, type Ranked } from "../util/ranked.ts";
import { Lexicon } from "./bm25f.ts";
import { fieldNames, fieldTexts, ranking } from "./ranking.ts";
import { readIndexFile, writeIndexFile, type IndexContents } from "./indexFile.ts";
import { SymbolLookup, type SymbolMatch } from "./symbols.ts";
import { unitsVersion } from "./units.ts";
import type { IndexUnit } from "./units.ts";
import { VectorIndex } from "./vectors.ts";

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
  #ids: FactId[] = [];
  /** By slot: number of the page in `#pageIds`. */
  #pageOf: number[] = [];
  /** By slot. */
  #tiers: Tier[] = [];
  /** By slot: API names the unit is about. */
  #symbols: (readonly string[])[] = [];
  #pageIds: PageId[] = [];
  #pages = new Map<PageId, { revision: string; slots: number[] }>();
  #words: WordShell;
  #vectors: VectorIndex | undefined;
  /** Live slots that the embedder has not seen yet. */
  #unembedded = new Set<number>();
  #isComplete = false;
  /** Made on the first look-up. */
  #slotOf: Map<FactId, number> | undefined;
  /** Made on the first look-up. */
  #symbolLookup: SymbolLookup | undefined;

  private constructor(embedder: IndexEmbedder) {
    this.#embedder = embedder;
    this.#words = this.#shell(new Lexicon(ranking));
    if (embedder.dims !== undefined) this.#vectors = new VectorIndex(embedder.dims);
  }

  static create(options: IndexEmbedder = {}): FactIndex {
    return new FactIndex(options);
  }

  /** Units that a search can find. */
  get size(): number {
    return this.#words.lexicon.size;
  }

  /** The stored revision that each page was indexed at. */
  revisions(): ReadonlyMap<PageId, string> {
    return new Map([...this.#pages].map(([id, { revision }]) => [id, revision]));
  }

  /**
   * Puts a page's units in place of those it had.
   *
   * @param units Of two units with one id the first counts.
   * @param vectors One a unit, same order; `undefined` for a unit that has none. Without the list the units wait for
   *   `addVectors`. Ignored without an embedder.
   */
  putPage(
    pageId: PageId,
    revision: string,
    units: readonly IndexUnit[],
    vectors?: readonly (Float32Array | undefined)[],
  ): void {
    this.removePage(pageId);
    const page = this.#pageIds.push(pageId) - 1;
    const slots: number[] = [];
    const seen = new Set<FactId>();
    units.forEach((unit, i) => {
      if (seen.has(unit.id)) return;
      seen.add(unit.id);
      const slot = this.#words.add(unit);
      this.#ids[slot] = unit.id;
      this.#pageOf[slot] = page;
      this.#tiers[slot] = unit.tier;
      this.#symbols[slot] = unit.symbols;
      this.#symbolLookup?.add(slot, unit.symbols);
      this.#slotOf?.set(unit.id, slot);
      const vector = vectors?.[i];
      if (vector !== undefined) this.#vectors?.add(slot, vector);
      if (vectors === undefined || this.#vectors === undefined) this.#unembedded.add(slot);
      slots.push(slot);
    });
    this.#pages.set(pageId, { revision, slots });
  }

  removePage(pageId: PageId): void {
    for (const slot of this.#pages.get(pageId)?.slots ?? []) {
      this.#words.remove(slot);
      this.#vectors?.remove(slot);
      this.#unembedded.delete(slot);
      this.#slotOf?.delete(this.#ids[slot] ?? "");
    }
    this.#pages.delete(pageId);
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
    if (this.#vectors !== undefined && this.#unembedded.size === 0) this.#isComplete = true;
  }

  /** From now on holds the vectors of this embedder. Those of another one are dropped: vectors of two never meet. */
  useEmbedder(embedder: Required<IndexEmbedder>): void {
    if (embedder.embedderId === this.#embedder.embedderId && embedder.dims === this.#embedder.dims) return;
    this.#embedder = embedder;
    this.#vectors = embedder.dims === undefined ? undefined : new VectorIndex(embedder.dims);
    this.#unembedded = new Set([...this.#pages.values()].flatMap(({ slots }) => slots));
    this.#isComplete = false;
  }

  /** A page with units that the embedder has not seen, if there is one; `except` are passed over. */
  nextUnembedded(except: ReadonlySet<PageId>): UnembeddedPage | undefined {
    for (const slot of this.#unembedded) {
      const pageId = this.#pageIds[this.#pageOf[slot] ?? 0] ?? "";
      const page = this.#pages.get(pageId);
      if (page === undefined || except.has(pageId)) continue;
      const missing = page.slots.filter((candidate) => this.#unembedded.has(candidate));
      return { pageId, revision: page.revision, ids: new Set(missing.map((candidate) => this.#ids[candidate] ?? "")) };
    }
    return undefined;
  }

  /**
   * Adds what the embedder made of units put without vectors. A page that is at another revision by now is left as it is.
   *
   * @param vectors By unit; `undefined` for a unit of which the embedder knows nothing.
   */
  addVectors(pageId: PageId, revision: string, vectors: ReadonlyMap<FactId, Float32Array | undefined>): void {
    const page = this.#pages.get(pageId);
    if (page?.revision !== revision || this.#vectors === undefined) return;
    for (const slot of page.slots) {
      const id = this.#ids[slot] ?? "";
      if (!this.#unembedded.has(slot) || !vectors.has(id)) continue;
      const vector = vectors.get(id);
      if (vector !== undefined) this.#vectors.add(slot, vector);
      this.#unembedded.delete(slot);
    }
  }

  /** The units that hold words of the query, best first; equal scores by id. */
  searchWords(query: string, limit: number, options: WordSearchOptions = {}): Ranked[] {
    return this.#words
      .search(query, limit, options)
      .map(({ slot, score }) => this.#ranked(slot, score))
      .sort(compareRanked);
  }

  /** The units nearest to a vector of the index's own embedder, best first; equal scores by id. Scores are cosines. */
  searchMeaning(vector: Float32Array, limit: number, options: Pick<WordSearchOptions, "pageIds"> = {}): Ranked[] {
    const accepts = options.pageIds === undefined ? undefined : this.#inPages(options.pageIds);
    const found = this.#vectors?.search({ vector, limit, accepts, compareTies: this.#compareTies }) ?? [];
    return found.map(({ slot, score }) => this.#ranked(slot, score));
  }

  /** Where a unit belongs; `undefined` when the index has no such unit. */
  unit(id: FactId): { readonly pageId: PageId; readonly tier: Tier } | undefined {
    if (this.#slotOf === undefined) {
      this.#slotOf = new Map();
      for (const { slots } of this.#pages.values())
        for (const slot of slots) this.#slotOf.set(this.#ids[slot] ?? "", slot);
    }
    const slot = this.#slotOf.get(id);
    if (slot === undefined) return undefined;
    return { pageId: this.#pageIds[this.#pageOf[slot] ?? 0] ?? "", tier: this.#tiers[slot] ?? "fact" };
  }

  /**
   * The units about a name in code (`readFile`, `fs.readFile`, `--no-verify`), best match first, equal ones by id.
   * Takes no longer in a large library, save for the first call.
   */
  searchSymbol(symbol: string, limit: number): { readonly id: FactId; readonly match: SymbolMatch }[] {
    if (this.#symbolLookup === undefined) {
      this.#symbolLookup = new SymbolLookup();
      this.#symbols.forEach((symbols, slot) => this.#symbolLookup?.add(slot, symbols));
    }
    return this.#symbolLookup
      .find(symbol, (slot) => this.#words.lexicon.isLive(slot))
      .flatMap(({ match, slots }) =>
        [...slots].sort(this.#compareTies).map((slot) => ({ id: this.#ids[slot] ?? "", match })),
      )
      .slice(0, limit);
  }

  /** The whole index as a file. Takes time in proportion to the library and also frees what removed units still hold. */
  save(): Uint8Array {
    const { parts: lexicon, slots } = this.#words.lexicon.compact();
    const pages = [...this.#pages];
    const pageNumbers = new Map(pages.map(([id], number) => [id, number]));
    const { embedderId, dims } = this.#embedder;
    const contents: IndexContents = {
      key,
      embedder:
        embedderId === undefined || dims === undefined ? null : { id: embedderId, dims, isComplete: this.#isComplete },
      revisions: pages.map(([id, { revision }]): [PageId, string] => [id, revision]),
      ids: Array.from(slots, (slot) => this.#ids[slot] ?? ""),
      pageOf: slots.map((slot) => pageNumbers.get(this.#pageIds[this.#pageOf[slot] ?? 0] ?? "") ?? 0),
      tiers: Array.from(slots, (slot) => this.#tiers[slot] ?? "fact"),
      symbols: Array.from(slots, (slot) => this.#symbols[slot] ?? []),
      lexicon,
      unembedded: slots.map((_, slot) => slot).filter((slot) => this.#unembedded.has(slots[slot] ?? -1)),
      vectors: this.#vectors?.compact(slots),
    };
    this.#adopt(contents);
    return writeIndexFile(contents);
  }

  /**
   * An index as it was saved. The bytes become the index's own.
   *
   * @param expected The embedder in use now, if it is known yet: vectors of another one are dropped, the words stay.
   * @returns `undefined` for a damaged file and for one of another schema or analyzer: rebuild then. Never throws.
   */
  static load(bytes: Uint8Array, expected?: Required<IndexEmbedder>): FactIndex | undefined {
    const contents = readIndexFile(bytes, key);
    if (contents === undefined) return undefined;
    const index = new FactIndex({ embedderId: contents.embedder?.id, dims: contents.embedder?.dims });
    index.#adopt(contents);
    if (expected !== undefined) index.useEmbedder(expected);
    return index;
  }

  #adopt(contents: IndexContents): void {
    const { embedder, revisions, ids, pageOf, tiers, symbols, lexicon, unembedded, vectors } = contents;
    this.#ids = [...ids];
    this.#pageOf = [...pageOf];
    this.#tiers = [...tiers];
    this.#pageIds = revisions.map(([id]) => id);
    this.#symbols = [...symbols];
    this.#slotOf = undefined;
    this.#symbolLookup = undefined;
    const slots = revisions.map((): number[] => []);
    pageOf.forEach((page, slot) => slots[page]?.push(slot));
    this.#pages = new Map(revisions.map(([id, revision], page) => [id, { revision, slots: slots[page] ?? [] }]));
    this.#words = this.#shell(new Lexicon(ranking, lexicon));
    this.#vectors = embedder === null ? undefined : new VectorIndex(embedder.dims, vectors);
    this.#unembedded = new Set(unembedded);
    this.#isComplete = embedder?.isComplete ?? false;
  }

  #ranked(slot: number, score: number): Ranked {
    return { id: this.#ids[slot] ?? "", score };
  }

  readonly #compareTies = (a: number, b: number): number => {
    const first = this.#ids[a] ?? "";
    const second = this.#ids[b] ?? "";
    return first < second ? -1 : first > second ? 1 : 0;
  };

  #inPages(pageIds: readonly PageId[]): (slot: number) => boolean {
    const slots = new Set(pageIds.flatMap((id) => this.#pages.get(id)?.slots ?? []));
    return (slot) => slots.has(slot);
  }

  #shell(lexicon: Lexicon): WordShell {
    return new WordShell(lexicon, {
      compareTies: this.#compareTies,
      slotsOfPages: (pageIds) => pageIds.flatMap((id) => this.#pages.get(id)?.slots ?? []),
    });
  }
}

/** What must be equal for a saved index to be used. Its vectors have an embedder of their own in the header. */
const key: Readonly<Record<string, unknown>> = {
  schema: 3,
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
    if (lexicon.slotCount > 0) {
      load(this.#orama, {
        internalDocumentIDStore: {
          internalIdToId: Array.from({ length: lexicon.slotCount }, (_, slot) => nameOf(slot)),
        },
        index: undefined,
        docs: undefined,
        sorting: { enabled: false },
        pinning: { rules: [] },
        language: "english",
      });
    }
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
