/** The index of an open library, kept in step with the stored pages: opened, brought up to date, written. */
import { FactIndex } from "./index/factIndex.ts";
import { unitsOf } from "./index/units.ts";
import { isLate } from "./embedding/unitVectors.ts";
import type { Embedding } from "./embedding/embedding.ts";
import type { CacheReader, Log, Storage } from "./ports.ts";
import type { PageId, SavedPage } from "./types.ts";
import type { Pause } from "./util/pause.ts";

export interface LiveIndexPorts {
  readonly storage: Storage;
  readonly embedding: Pick<Embedding, "passages">;
  readonly log: Log;
  readonly pause: Pause;
  /** A stored page at a revision. */
  readonly readPage: (pageId: PageId, revision: string) => Promise<SavedPage | undefined>;
}

const cacheName = "index";
/** A larger index is written only when more than this share of its entries changed. */
const worthWriting = 0.05;
/** Entries up to which writing costs less than a twentieth of a second. */
const alwaysWritten = 2_000;
/** So many entries are kept in memory at most before they go into the file: their exact vectors are large. */
const maxUnwritten = 20_000;
/** Units embedded and added between two pauses: some five milliseconds with the default embedder. */
const unitsAtOnce = 32;

export class LiveIndex {
  readonly #ports: LiveIndexPorts;
  #opened: Promise<FactIndex> | undefined;
  /** The file the index reads from, and the one before, which a search may still be reading. */
  #readers: CacheReader[] = [];
  /** Entries put or removed since the index was last written. */
  #unwritten = 0;
  #syncing: Promise<unknown> = Promise.resolve();
  #writing: Promise<void> | undefined;

  constructor(ports: LiveIndexPorts) {
    this.#ports = ports;
  }

  /** The index as it is now. */
  open(): Promise<FactIndex> {
    this.#opened ??= this.#load().then((loaded) => loaded ?? FactIndex.create());
    return this.#opened;
  }

  /** To be called when entries of the index changed elsewhere. */
  noteUnwritten(count: number): void {
    this.#unwritten += count;
  }

  /** The index, brought to what the storage holds, also to what other processes did. */
  async inStep(signal: AbortSignal): Promise<FactIndex> {
    // One after the other: two searches at a start must not both build the index.
    const turn = this.#syncing.then(() => this.#sync(signal));
    this.#syncing = turn.catch(() => undefined);
    return turn;
  }

  /** Puts a page that was just stored. */
  async put(saved: SavedPage, revision: string, signal: AbortSignal): Promise<void> {
    const index = await this.open();
    await this.#putPage(index, saved, revision, signal);
    if (this.#isFull(index)) void this.#write().catch((error: unknown) => this.#couldNotWrite(error));
  }

  async remove(pageId: PageId): Promise<void> {
    this.#removePage(await this.open(), pageId);
  }

  /** Throws the index away and builds it from the pages. */
  async rebuild(signal: AbortSignal): Promise<FactIndex> {
    await this.#ports.storage.removeCache(cacheName);
    this.#opened = Promise.resolve(FactIndex.create());
    const index = await this.inStep(signal);
    await this.#write();
    return index;
  }

  /** Writes the index if it changed enough. */
  async close(): Promise<void> {
    await this.#writing;
    if (this.#opened !== undefined && this.#unwritten > 0) {
      const { size } = await this.#opened;
      // A large index takes a second to write; a few pages take milliseconds to index again at the next start.
      if (this.#unwritten >= size * worthWriting || size <= alwaysWritten) await this.#write();
    }
    this.#opened = undefined;
    await this.#release(0);
  }

  async #sync(signal: AbortSignal): Promise<FactIndex> {
    const { storage, readPage, pause } = this.#ports;
    const index = await this.open();
    const revisions = await storage.revisions();
    for (const pageId of index.revisions().keys()) if (!revisions.has(pageId)) this.#removePage(index, pageId);
    for (const [pageId, revision] of revisions) {
      if (index.revisions().get(pageId) === revision) continue;
      signal.throwIfAborted();
      const saved = await readPage(pageId, revision);
      if (saved === undefined) this.#removePage(index, pageId);
      else await this.#putPage(index, saved, revision, signal);
      await pause();
      if (this.#isFull(index)) await this.#write().catch((error: unknown) => this.#couldNotWrite(error));
    }
    return index;
  }

  async #putPage(index: FactIndex, saved: SavedPage, revision: string, signal: AbortSignal): Promise<void> {
    const { embedding, pause } = this.#ports;
    const units = unitsOf(saved);
    const draft = index.draftPage(saved.page.id);
    try {
      // Vectors that take the whole page are made once for all its units.
      const pooled = isLate(saved) ? await embedding.passages(saved, units, index, signal) : undefined;
      for (let at = 0; at < units.length; at += unitsAtOnce) {
        if (at > 0) await pause();
        const some = units.slice(at, at + unitsAtOnce);
        const own = pooled?.slice(at, at + unitsAtOnce);
        draft.add(some, own ?? (await embedding.passages(saved, some, index, signal)));
      }
      draft.commit(revision);
    } finally {
      draft.discard();
    }
    this.#unwritten += units.length + 1;
  }

  #removePage(index: FactIndex, pageId: PageId): void {
    if (!index.revisions().has(pageId)) return;
    index.removePage(pageId);
    this.#unwritten++;
  }

  async #load(): Promise<FactIndex | undefined> {
    const { storage, log } = this.#ports;
    const reader = await storage.openCache(cacheName);
    if (reader === undefined) {
      log.info("index is built anew", { found: false });
      return undefined;
    }
    // An index that cannot be read is as good as none: it is built again from the pages.
    const index = await FactIndex.open(reader).catch((error: unknown) => {
      log.warn("the index file cannot be read", { error: String(error) });
      return undefined;
    });
    if (index === undefined) {
      log.info("index is built anew", { found: true });
      await reader.close();
      return undefined;
    }
    this.#readers.push(reader);
    await this.#release(2);
    return index;
  }

  #isFull(index: FactIndex): boolean {
    return this.#unwritten > Math.max(maxUnwritten, index.size / 2);
  }

  /** Writes the index and goes on with the file, unless it changed meanwhile. One write at a time. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeNow().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #writeNow(): Promise<void> {
    const { storage, pause } = this.#ports;
    const index = await this.open();
    const { changes } = index;
    const unwritten = this.#unwritten;
    await storage.writeCache(cacheName, index.save(pause));
    this.#unwritten -= unwritten;
    if (unwritten <= maxUnwritten) return;
    // What was removed and the exact vectors of what was added leave the memory.
    const fresh = await this.#load();
    if (fresh !== undefined && index.changes === changes) index.takeOver(fresh);
  }

  #couldNotWrite(error: unknown): void {
    this.#ports.log.warn("the index could not be written", { error: String(error) });
    // Not at every page again.
    this.#unwritten = 0;
  }

  async #release(kept: number): Promise<void> {
    while (this.#readers.length > kept) await this.#readers.shift()?.close();
  }
}
