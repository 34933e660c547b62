/**
 * A library in a folder. Any number of processes may use it at once, and any of them may be killed at any moment.
 *
 * ```
 * library.json                       the format and its version
 * pages/<page id>.<revision>/        one write of one page: page.json, text.md, facts.json
 * index/<name>                       caches
 * damaged/<page id>-<n>/             what could not be read, with reason.json
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
import { readCacheFile, writeCacheFile } from "./cacheFiles.ts";
import type { FileSystem } from "./fileSystem.ts";
import { attempt, codeOf, ifThere, nodeFileSystem, renamePatiently, syncFolder, writeDurably } from "./fileSystem.ts";
import { ensureLibraryVersion, readLibraryVersion } from "./libraryFormat.ts";
import { createListing } from "./listing.ts";
import type { Generation } from "./names.ts";
import { generationName, isCacheName, isPageId, randomDigits, repairedRevision, revisionAfter } from "./names.ts";
import type { DecodedPage } from "./pageFiles.ts";
import { decodePage, encodePage, pageFileNames } from "./pageFiles.ts";
import { listQuarantined, quarantine } from "./quarantine.ts";
import { storageError } from "./storageErrors.ts";

export interface FileStorageOptions {
  /** Default: the real one. */
  readonly fileSystem?: FileSystem | undefined;
  /** Wall time in milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Garbage younger than this may belong to a write that is still going on. */
const garbageAgeMs = 3_600_000;
/** A page that is replaced this often while it is read: something is wrong. */
const readTries = 50;

/** Opens nothing yet: the folder is made by the first write. */
export function createFileStorage(folder: string, options: FileStorageOptions = {}): Storage {
  const { fileSystem = nodeFileSystem, now = Date.now } = options;
  const places = {
    folder,
    pages: join(folder, "pages"),
    index: join(folder, "index"),
    damaged: join(folder, "damaged"),
    scratch: join(folder, "scratch"),
  };
  const listing = createListing(fileSystem, places.pages, now);
  const inTurn = createTurns();
  /** Damage that could not be moved aside (a read-only folder), by generation name. */
  const unmoved = new Map<string, DamagedPage>();
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
      const { id } = saved.page;
      checkWritable(saved);
      return inTurn(id, () =>
        guarded(async () => {
          await prepare();
          await sweep();
          // Damage that lies where it was counts too: other processes still see it there.
          const revision = revisionAfter((await listing.generations()).get(id)?.at(-1), now());
          await publish({ pageId: id, revision }, saved);
          await attempt(deleteOlder({ pageId: id, revision }));
          return revision;
        }),
      );
    },

    async removePage(id) {
      if (!isPageId(id)) return false;
      return inTurn(id, () =>
        guarded(async () => {
          await checkFormat();
          const found = await generationsOf(id);
          if (found.length === 0) return false;
          await prepare();
          let removed = false;
          const moved: string[] = [];
          for (const generation of found) {
            const place = await moveOut(generation);
            removed = place !== undefined;
            if (place !== undefined) moved.push(place);
          }
          await syncFolder(fileSystem, places.pages);
          for (const place of moved) await attempt(fileSystem.rm(place));
          return removed;
        }),
      );
    },

    damaged: () =>
      guarded(async () => [
        ...(await listQuarantined(fileSystem, places.damaged)),
        ...unmoved.values(),
        ...unrepaired.values(),
      ]),

    async readCache(name) {
      return guarded(() => readCacheFile(fileSystem, cachePath(name)));
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
    formatKnown = (await readLibraryVersion(fileSystem, folder)) !== undefined;
  }

  async function prepare(): Promise<void> {
    // Before anything is made, so that a newer library is left exactly as it is.
    await readLibraryVersion(fileSystem, folder);
    for (const path of [places.pages, places.scratch]) {
      if ((await fileSystem.mkdir(path)) !== undefined) await syncFolder(fileSystem, folder);
    }
    await ensureLibraryVersion(fileSystem, places);
  }

  /** Oldest first, without damage that could not be moved aside. */
  async function generationsOf(id: PageId): Promise<Generation[]> {
    const found = ((await listing.generations()).get(id) ?? []).map((revision) => ({ pageId: id, revision }));
    return found.filter((generation) => !unmoved.has(generationName(generation)));
  }

  async function publish(generation: Generation, saved: SavedPage): Promise<void> {
    const name = generationName(generation);
    const half = join(places.scratch, `${name}.${randomDigits()}`);
    const target = join(places.pages, name);
    const write = async (): Promise<void> => {
      await fileSystem.mkdir(half);
      const files = encodePage(saved, generation.revision);
      const writes = await Promise.allSettled([
        writeDurably(fileSystem, join(half, pageFileNames.text), files.text),
        writeDurably(fileSystem, join(half, pageFileNames.facts), files.facts),
        writeDurably(fileSystem, join(half, pageFileNames.manifest), files.manifest),
      ]);
      for (const outcome of writes) if (outcome.status === "rejected") throw outcome.reason;
      await syncFolder(fileSystem, half);
      await renamePatiently(fileSystem, half, target);
    };
    try {
      try {
        await write();
      } catch (error) {
        if (codeOf(error) !== "ENOENT") throw error;
        await prepare();
        await write(); // swept while this process slept, or somebody deleted `scratch`
      }
    } catch (error) {
      await attempt(fileSystem.rm(half));
      throw error;
    }
    try {
      await syncFolder(fileSystem, places.pages);
    } catch (error) {
      // It is there but may not survive a power cut, so it must not count: the caller is told that it failed.
      await attempt(discard(generation));
      throw error;
    }
  }

  /** Takes a generation out of `pages` at one stroke. Its place in `scratch`, or `undefined` if it was gone. */
  async function moveOut(generation: Generation): Promise<string | undefined> {
    const name = generationName(generation);
    const place = join(places.scratch, `${name}.${randomDigits()}`);
    const moved = await ifThere(renamePatiently(fileSystem, join(places.pages, name), place).then(() => true));
    return moved === undefined ? undefined : place;
  }

  async function discard(generation: Generation): Promise<void> {
    const place = await moveOut(generation);
    if (place !== undefined) await fileSystem.rm(place);
  }

  async function deleteOlder({ pageId, revision }: Generation): Promise<void> {
    for (const older of await generationsOf(pageId)) if (older.revision < revision) await discard(older);
  }

  async function read(id: PageId): Promise<SavedPage | undefined> {
    for (let tries = 0; tries < readTries; tries++) {
      const generation = (await generationsOf(id)).at(-1);
      if (generation === undefined) return undefined;
      const decoded = await readGeneration(generation);
      switch (decoded?.kind) {
        case undefined:
          listing.forget();
          continue;
        case "whole":
          return decoded.saved;
        case "without-facts":
          await repair(generation, decoded.saved, decoded.reason);
          return decoded.saved;
        case "damaged":
          await setAside(generation, decoded.reason);
          listing.forget();
      }
    }
    throw new Error(`page ${id} changed ${readTries} times while it was read`);
  }

  /** `undefined` when the generation was replaced or removed meanwhile. */
  async function readGeneration(generation: Generation): Promise<DecodedPage | undefined> {
    const path = join(places.pages, generationName(generation));
    const [manifest, text, facts] = await Promise.all([
      contentOf(join(path, pageFileNames.manifest)),
      contentOf(join(path, pageFileNames.text)),
      contentOf(join(path, pageFileNames.facts)),
    ]);
    const decoded = decodePage({ manifest, text, facts });
    if (decoded.kind === "whole") return decoded;
    return (await ifThere(fileSystem.stat(path))) === undefined ? undefined : decoded;
  }

  /** The bytes, or why this file (and not the whole machine) cannot be read. */
  async function contentOf(path: string): Promise<Uint8Array | string> {
    try {
      return await fileSystem.readFile(path);
    } catch (error) {
      const code = codeOf(error);
      switch (code) {
        case "ENOENT":
          return "is missing";
        case "EACCES":
        case "EPERM":
        case "EIO":
        case "EISDIR":
        case "ENOTDIR":
        case "ELOOP":
          return `cannot be read (${code})`;
        default:
          throw error; // too many open files and the like: no fault of the page
      }
    }
  }

  async function setAside(generation: Generation, reason: string): Promise<void> {
    const name = generationName(generation);
    const path = join(places.pages, name);
    try {
      await quarantine(fileSystem, places.damaged, path, generation.pageId, reason);
    } catch {
      unmoved.set(name, { pageId: generation.pageId, reason, keptAt: path });
    }
  }

  /** Publishes what is left of a generation, then keeps the damaged one aside. A read-only folder serves it from memory. */
  async function repair(generation: Generation, left: SavedPage, reason: string): Promise<void> {
    try {
      await prepare();
      await publish({ pageId: generation.pageId, revision: repairedRevision(generation.revision) }, left);
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

  /** Deletes what killed processes left, at the first write and then once an hour. */
  async function sweep(): Promise<void> {
    const nowMs = now();
    if (sweptAtMs !== undefined && Math.abs(nowMs - sweptAtMs) < garbageAgeMs) return;
    sweptAtMs = nowMs;
    const isOld = async (path: string): Promise<boolean> =>
      Number((await fileSystem.stat(path)).modifiedNs / 1_000_000n) < nowMs - garbageAgeMs;
    for (const name of await fileSystem.readdir(places.scratch)) {
      const path = join(places.scratch, name);
      const last = join(places.scratch, `${randomDigits()}.gone`);
      await attempt(
        isOld(path).then(async (old) => {
          if (!old) return;
          await fileSystem.rename(path, last);
          await fileSystem.rm(last);
        }),
      );
    }
    for (const id of (await listing.generations()).keys()) {
      for (const generation of (await generationsOf(id)).slice(0, -1)) {
        // Superseded, yet left a while: should the newest prove unreadable, this one takes its place.
        await attempt(
          isOld(join(places.pages, generationName(generation))).then(async (old) => {
            if (old) await discard(generation);
          }),
        );
      }
    }
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
