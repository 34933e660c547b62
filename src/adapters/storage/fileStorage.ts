/**
 * A library in a folder. Any number of processes may use it at once, and any of them may be killed at any moment.
 *
 * ```
 * library.json                       the format and its version
 * pages/<page id>.<revision>/        one write of one page: page.json, text.md, facts.json
 * index/<name>                       caches
 * damaged/<page id>-<n>/             what could not be read, with reason.json
 * backups/format-<version>/          pages as they were before they were converted to a newer format
 * scratch/                           half written and half deleted
 * ```
 *
 * A write makes a new folder (a generation) in `scratch`, waits until all of it is on the disk, and renames it into
 * `pages`. That rename is the only moment a page changes. A folder in `pages` is never changed afterwards, so nobody
 * sees half a page. The page is its generation with the greatest revision; older ones are moved out and deleted.
 *
 * Why the revision is in the folder's name: what other processes did is seen by listing one folder (1 ms for 1,000
 * pages), where a look at every page's manifest takes about 20 ms, and a look at time and size of a manifest can miss a change when an
 * inode is used again.
 *
 * The races, thought through:
 *
 * - Two processes write one page. Both generations get in, each whole; the greater revision wins. A write chooses a revision greater
 *   than all it sees, so a write that began after another had returned always wins over it, whatever the clocks say.
 *   Writes that overlap may end in either order.
 * - A write that must not undo another (`replacePage`) looks at the page twice, before it writes and right before the rename.
 *   Of a removal and such a write within the same millisecond either may come last; a later write's revision is the greater
 *   one in any case, so the writer that slept in between cannot hide it.
 * - A writer deletes generations older than its own. By then a greater one is on the disk, so no deleted one can be
 *   the page. The writer may be overtaken by a still greater one; then its own is deleted by the other or stays as garbage
 *   that nobody reads, until the next write of that page or a sweep.
 * - A reader's generation is deleted while it reads. It is moved out as a whole first, so the reader finds a file missing *and*
 *   the folder gone, and starts over. A file missing from a folder that is still there is damage.
 * - Removing moves the oldest generation first. A kill in between leaves the newest: the page is still there, unchanged.
 *   In the other order an old state would come back to life.
 * - A process sleeps in the middle of a write (a laptop's lid) and another sweeps its folder in `scratch`. The sweep renames
 *   before it deletes, so the sleeper can never publish a half-deleted folder: its rename fails, and it writes again.
 */
import { join } from "node:path";
import { BacopaError } from "../../core/errors.ts";
import type { DamagedPage, Storage } from "../../core/ports.ts";
import type { PageId, SavedPage } from "../../core/types.ts";
import { parseSavedPage } from "../../core/util/savedPageFormat.ts";
import { openCacheFile, readCacheFile, writeCacheFile } from "./cacheFiles.ts";
import type { FileSystem } from "./fileSystem.ts";
import { attempt, codeOf, nodeFileSystem, syncFolder } from "./fileSystem.ts";
import { ensureLibraryVersion, libraryFormatVersion, readLibraryVersion } from "./libraryFormat.ts";
import type { Migrated } from "./libraryFormat.ts";
import { hasSingleFilePages } from "./singleFilePages.ts";
import { createListing } from "./listing.ts";
import type { Generation } from "./names.ts";
import { generationName, isCacheName, isPageId, repairedRevision, revisionAfter } from "./names.ts";
import { createPageFolders } from "./pageFolders.ts";
import { forgetQuarantined, listQuarantined, quarantine, sourceOf } from "./quarantine.ts";
import { storageError } from "./storageErrors.ts";
import { garbageAgeMs, sweep } from "./sweep.ts";

export interface FileStorageOptions {
  /** Default: the real one. */
  readonly fileSystem?: FileSystem | undefined;
  /** Wall time in milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** The library had an older format and was converted. */
  readonly onMigrated?: ((migrated: Migrated) => void) | undefined;
}

interface Aside extends DamagedPage {
  /** Of `performance.now`; then it is read again. */
  readonly untilMs: number;
}

/** How long a page that may not be read now (rights, a program that holds it, a drive that is away) is left in peace. */
const unreadableForMs = 10_000;

/** A page that is replaced this often while it is read or removed: something is wrong. */
const maxTries = 50;

/** Opens nothing yet: the folder is made by the first write. */
export function createFileStorage(folder: string, options: FileStorageOptions = {}): Storage {
  const { fileSystem = nodeFileSystem, now = Date.now, onMigrated } = options;
  const places = {
    folder,
    pages: join(folder, "pages"),
    index: join(folder, "index"),
    damaged: join(folder, "damaged"),
    scratch: join(folder, "scratch"),
  };
  const listing = createListing(fileSystem, places.pages, now);
  const folders = createPageFolders({ fileSystem, places, prepare, onChange: () => listing.forget() });
  const inTurn = createTurns();
  /** What is left where it lies, by generation name: damage in a read-only folder, and files that cannot be read now. */
  const unmoved = new Map<string, Aside>();
  /** Pages whose facts are lost, served from memory because the rest could not be written anew. */
  const unrepaired = new Map<string, DamagedPage>();
  let formatKnown = false;
  let sweptAtMs: number | undefined;

  return {
    revisions: () =>
      guarded(async () => {
        await checkFormat();
        const newest = new Map<PageId, string>();
        for (const [id, revisions] of await listing.generations()) {
          const revision = unmoved.size === 0 ? revisions.at(-1) : (await generationsOf(id)).at(-1)?.revision;
          if (revision !== undefined) newest.set(id, revision);
        }
        return newest;
      }),

    async readPage(id) {
      if (!isPageId(id)) return undefined;
      return guarded(async () => {
        await checkFormat();
        return read(id);
      });
    },

    async writePage(saved) {
      checkWritable(saved);
      return inTurn(saved.page.id, () => guarded(async () => (await write(saved)) ?? ""));
    },

    async replacePage(saved, expected) {
      checkWritable(saved);
      const isAsExpected = async (): Promise<boolean> => {
        listing.forget();
        return (await generationsOf(saved.page.id)).at(-1)?.revision === expected;
      };
      return inTurn(saved.page.id, () =>
        guarded(async () => {
          await checkFormat();
          return (await isAsExpected()) ? write(saved, isAsExpected) : undefined;
        }),
      );
    },

    async removePage(id) {
      if (!isPageId(id)) return false;
      return inTurn(id, () =>
        guarded(async () => {
          await checkFormat();
          if (((await listing.generations()).get(id) ?? []).length === 0) return false;
          await prepare();
          return remove(id);
        }),
      );
    },

    damaged: () =>
      guarded(async () => {
        const found = await listQuarantined(fileSystem, places.damaged);
        for (const { pageId, reason, keptAt } of [...unmoved.values(), ...unrepaired.values()])
          found.push({ pageId, reason, keptAt, source: await sourceOf(fileSystem, keptAt) });
        return found;
      }),

    async forgetDamaged(id) {
      if (!isPageId(id)) return false;
      return guarded(async () => {
        await checkFormat();
        return forgetQuarantined(fileSystem, places.damaged, id);
      });
    },

    async readCache(name) {
      return guarded(() => readCacheFile(fileSystem, cachePath(name)));
    },

    async openCache(name) {
      return guarded(() => openCacheFile(fileSystem, cachePath(name)));
    },

    async writeCache(name, bytes) {
      const path = cachePath(name);
      await inTurn(path, () =>
        guarded(async () => {
          await prepare();
          await fileSystem.mkdir(places.index);
          await writeCacheFile(fileSystem, places, name, bytes);
        }),
      );
    },

    async removeCache(name) {
      await guarded(() => fileSystem.rm(cachePath(name)));
    },
  };

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storageError(error, folder);
    }
  }

  /** Once an instance: a migration by a newer process later on shows in the pages, which carry their format too. */
  async function checkFormat(): Promise<void> {
    if (formatKnown) return;
    const version = await readLibraryVersion(fileSystem, folder);
    if (
      (version ?? libraryFormatVersion) < libraryFormatVersion ||
      (version === undefined && (await hasSingleFilePages(fileSystem, places.pages)))
    )
      await ensureVersion();
    formatKnown = version !== undefined;
  }

  async function write(saved: SavedPage, isWanted?: () => Promise<boolean>): Promise<string | undefined> {
    const { id } = saved.page;
    await prepare();
    await sweepSometimes();
    // Damage that lies where it was counts too: other processes still see it there.
    const revision = revisionAfter((await listing.generations()).get(id)?.at(-1), now());
    if (!(await folders.publish({ pageId: id, revision }, saved, isWanted))) return undefined;
    await attempt(deleteOlder({ pageId: id, revision }));
    return revision;
  }

  async function prepare(): Promise<void> {
    // Before anything is made, so that a newer library is left exactly as it is.
    await readLibraryVersion(fileSystem, folder);
    for (const path of [places.pages, places.scratch]) {
      if ((await fileSystem.mkdir(path)) !== undefined) await syncFolder(fileSystem, folder);
    }
    await ensureVersion();
  }

  async function ensureVersion(): Promise<void> {
    const migrated = await ensureLibraryVersion(fileSystem, places);
    if (migrated === undefined) return;
    listing.forget();
    onMigrated?.(migrated);
  }

  /** Oldest first, without damage that could not be moved aside. */
  async function generationsOf(id: PageId): Promise<Generation[]> {
    const found = ((await listing.generations()).get(id) ?? []).map((revision) => ({ pageId: id, revision }));
    return found.filter((generation) => !isAside(generationName(generation)));
  }

  function isAside(name: string): boolean {
    const aside = unmoved.get(name);
    if (aside === undefined || performance.now() < aside.untilMs) return aside !== undefined;
    unmoved.delete(name);
    return false;
  }

  /** Tries again when another process replaced the page meanwhile: that it is there and "not there" cannot both be true. */
  async function remove(id: PageId): Promise<boolean> {
    for (let tries = 0; tries < maxTries; tries++) {
      // Also what cannot be read now, or it would come back.
      const found = ((await listing.generations()).get(id) ?? []).map((revision) => ({ pageId: id, revision }));
      if (found.length === 0) return false;
      const moved: (string | undefined)[] = [];
      for (const generation of found) moved.push(await folders.moveOut(generation));
      await syncFolder(fileSystem, places.pages);
      for (const place of moved) if (place !== undefined) await attempt(fileSystem.rm(place));
      if (moved.at(-1) !== undefined) return true;
    }
    throw new Error(`page ${id} changed ${maxTries} times while it was removed`);
  }

  async function deleteOlder({ pageId, revision }: Generation): Promise<void> {
    for (const older of await generationsOf(pageId)) if (older.revision < revision) await folders.discard(older);
  }

  async function read(id: PageId): Promise<SavedPage | undefined> {
    for (let tries = 0; tries < maxTries; tries++) {
      const generation = (await generationsOf(id)).at(-1);
      if (generation === undefined) return undefined;
      const decoded = await folders.read(generation);
      switch (decoded?.kind) {
        case undefined:
          listing.forget();
          continue;
        case "whole":
          await finishRepair(generation);
          return decoded.saved;
        case "unreadable":
          leaveAside(generation, decoded.reason, unreadableForMs);
          continue;
        case "without-facts":
          await repair(generation, decoded.saved, decoded.reason);
          return decoded.saved;
        case "damaged":
          await setAside(generation, decoded.reason);
          listing.forget();
      }
    }
    throw new Error(`page ${id} changed ${maxTries} times while it was read`);
  }

  async function setAside(generation: Generation, reason: string): Promise<void> {
    const name = generationName(generation);
    const path = join(places.pages, name);
    try {
      await quarantine(fileSystem, places.damaged, path, generation.pageId, reason);
    } catch {
      leaveAside(generation, reason, Infinity);
    }
  }

  function leaveAside(generation: Generation, reason: string, forMs: number): void {
    const name = generationName(generation);
    const { pageId } = generation;
    unmoved.set(name, { pageId, reason, keptAt: join(places.pages, name), untilMs: performance.now() + forMs });
  }

  /** A kill between the two halves of a repair leaves the damaged generation unnamed, for the next write to delete. */
  async function finishRepair({ pageId, revision }: Generation): Promise<void> {
    if (!revision.endsWith("s")) return;
    for (const older of await generationsOf(pageId)) {
      if (repairedRevision(older.revision) !== revision) continue;
      const decoded = await folders.read(older);
      if (decoded?.kind === "without-facts") await setAside(older, decoded.reason);
    }
  }

  /** Publishes what is left of a generation, then keeps the damaged one aside. A read-only folder serves it from memory. */
  async function repair(generation: Generation, left: SavedPage, reason: string): Promise<void> {
    try {
      await prepare();
      await folders.publish({ pageId: generation.pageId, revision: repairedRevision(generation.revision) }, left);
    } catch (error) {
      // Not when another process published the same repair first.
      if (!["ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? "")) {
        const name = generationName(generation);
        unrepaired.set(name, { pageId: generation.pageId, reason, keptAt: join(places.pages, name) });
        return;
      }
    }
    await setAside(generation, reason);
  }

  /** At the first write, then once an hour. */
  async function sweepSometimes(): Promise<void> {
    const nowMs = now();
    if (sweptAtMs !== undefined && Math.abs(nowMs - sweptAtMs) < garbageAgeMs) return;
    sweptAtMs = nowMs;
    const superseded: Generation[] = [];
    for (const id of (await listing.generations()).keys()) superseded.push(...(await generationsOf(id)).slice(0, -1));
    await sweep({ fileSystem, places, folders, nowMs, superseded });
  }

  function cachePath(name: string): string {
    if (isCacheName(name)) return join(places.index, name);
    throw wrongInput(`"${name}" cannot be the name of a cache`);
  }
}

/** Refuses what could not be read back: it would be taken for damage. */
function checkWritable(saved: SavedPage): void {
  if (!isPageId(saved.page.id)) throw wrongInput(`"${saved.page.id}" cannot be the id of a page`);
  try {
    parseSavedPage(saved);
  } catch (error) {
    throw wrongInput(
      `page ${saved.page.id} cannot be stored: ${error instanceof Error ? error.message : String(error)}`,
      error,
    );
  }
}

function wrongInput(message: string, cause?: unknown): BacopaError {
  return new BacopaError("storage-failed", {
    message,
    userMessage:
      "Bacopa made a record that it could not store, which is a fault in Bacopa. Nothing saved before was changed; please report it.",
    cause,
  });
}

/** Runs what is asked for one key one after the other, in order; other keys go on meanwhile. */
function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
