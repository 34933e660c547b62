/** Deletes what killed processes left behind. Best effort: what cannot be deleted now costs space until the next time. */
import { join } from "node:path";
import type { FileSystem } from "./fileSystem.ts";
import { attempt } from "./fileSystem.ts";
import type { Generation } from "./names.ts";
import { generationName, randomDigits } from "./names.ts";
import type { PageFolders } from "./pageFolders.ts";

/** Garbage younger than this may belong to a write that is still going on. */
export const garbageAgeMs = 3_600_000;

export interface SweepParts {
  readonly fileSystem: FileSystem;
  readonly places: { readonly pages: string; readonly scratch: string };
  readonly folders: PageFolders;
  readonly nowMs: number;
  /** Generations that are not the newest of their page. */
  readonly superseded: readonly Generation[];
}

export async function sweep({ fileSystem, places, folders, nowMs, superseded }: SweepParts): Promise<void> {
  for (const name of await fileSystem.readdir(places.scratch)) {
    await attempt(deleteIfOld(join(places.scratch, name)));
  }
  // Superseded, yet left a while: should the newest prove unreadable, the one before takes its place.
  for (const generation of superseded) await attempt(discardIfOld(generation));

  async function deleteIfOld(path: string): Promise<void> {
    if (!(await isOld(path))) return;
    // Renamed before it is deleted, so that a writer that sleeps since an hour cannot publish half of it.
    const last = join(places.scratch, `${randomDigits()}.gone`);
    await fileSystem.rename(path, last);
    await fileSystem.rm(last);
  }

  async function discardIfOld(generation: Generation): Promise<void> {
    if (await isOld(join(places.pages, generationName(generation)))) await folders.discard(generation);
  }

  async function isOld(path: string): Promise<boolean> {
    return Number((await fileSystem.stat(path)).modifiedNs / 1_000_000n) < nowMs - garbageAgeMs;
  }
}
