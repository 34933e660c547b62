import type { CacheReader, Storage } from "../../src/core/ports.ts";
import type { SavedPage } from "../../src/core/types.ts";
import { parseSavedPage } from "../../src/core/util/savedPageFormat.ts";

/** Keeps pages in memory, as JSON: what comes back is never the object that was given. */
export function createMemoryStorage(): Storage {
  const pages = new Map<string, { revision: string; json: string }>();
  const caches = new Map<string, Uint8Array>();
  let writes = 0;
  const put = (saved: SavedPage): string => {
    const revision = `r${++writes}`;
    pages.set(saved.page.id, { revision, json: JSON.stringify(parseSavedPage(saved)) });
    return revision;
  };
  return {
    revisions: () => Promise.resolve(new Map([...pages].map(([id, { revision }]) => [id, revision]))),
    readPage: (id) => {
      const json = pages.get(id)?.json;
      return Promise.resolve(json === undefined ? undefined : parseSavedPage(JSON.parse(json)));
    },
    writePage: (saved) => Promise.resolve(put(saved)),
    replacePage: (saved, expected) =>
      Promise.resolve(pages.get(saved.page.id)?.revision === expected ? put(saved) : undefined),
    removePage: (id) => Promise.resolve(pages.delete(id)),
    damaged: () => Promise.resolve([]),
    forgetDamaged: () => Promise.resolve(false),
    readCache: (name) => {
      const bytes = caches.get(name);
      return Promise.resolve(bytes && bytes.slice());
    },
    openCache: (name) => {
      const bytes = caches.get(name);
      return Promise.resolve(bytes && cacheReader(bytes));
    },
    writeCache: async (name, bytes) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) pieces.push(piece.slice());
      caches.set(name, Uint8Array.from(Buffer.concat(pieces)));
    },
    removeCache: (name) => {
      caches.delete(name);
      return Promise.resolve();
    },
  };
}

/** A reader of bytes in memory, with the rules of the port. */
export function cacheReader(bytes: Uint8Array): CacheReader {
  return {
    size: bytes.length,
    // eslint-disable-next-line @typescript-eslint/require-await -- it rejects where others do
    read: async (target, starts) => {
      const length = target.length / starts.length;
      starts.forEach((start, at) => {
        if (start + length > bytes.length) throw new RangeError("the cache ends before");
        target.set(bytes.subarray(start, start + length), at * length);
      });
    },
    close: () => Promise.resolve(),
  };
}
