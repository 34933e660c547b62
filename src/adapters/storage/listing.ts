/** Which generations lie in `pages`: one look at the folder's time when nothing changed, one listing otherwise. */
import type { PageId } from "../../core/types.ts";
import type { FileSystem } from "./fileSystem.ts";
import { ifThere } from "./fileSystem.ts";
import { parseGenerationName } from "./names.ts";

/** Revisions of each page, oldest first, never empty. */
export type Generations = ReadonlyMap<PageId, readonly string[]>;

/**
 * A folder whose time is younger than this when it is listed may change once more within the same tick of its clock,
 * unseen. FAT has the coarsest, two seconds.
 */
const settledAfterNs = 2_000_000_000n;

/** Folder times of network file systems can lag and clocks differ: after this a listing is made in any case. */
const maxAgeMs = 1000;

export interface Listing {
  generations(): Promise<Generations>;
  /** The next call lists anew. */
  forget(): void;
}

export function createListing(fileSystem: FileSystem, folder: string, now: () => number): Listing {
  let known:
    { readonly generations: Generations; readonly modifiedNs: bigint; readonly listedAtMs: number } | undefined;

  return {
    async generations() {
      const status = await ifThere(fileSystem.stat(folder));
      if (status === undefined) return new Map();
      if (known?.modifiedNs === status.modifiedNs && performance.now() - known.listedAtMs < maxAgeMs)
        return known.generations;
      const listedAtMs = performance.now();
      const nowMs = now();
      const settled =
        Number.isSafeInteger(Math.trunc(nowMs)) &&
        BigInt(Math.trunc(nowMs)) * 1_000_000n - status.modifiedNs > settledAfterNs;
      const generations = group((await ifThere(fileSystem.readdir(folder))) ?? []);
      known = settled ? { generations, modifiedNs: status.modifiedNs, listedAtMs } : undefined;
      return generations;
    },
    forget() {
      known = undefined;
    },
  };
}

function group(names: readonly string[]): Generations {
  const generations = new Map<PageId, string[]>();
  for (const name of names) {
    const generation = parseGenerationName(name);
    if (generation === undefined) continue;
    const revisions = generations.get(generation.pageId);
    if (revisions === undefined) generations.set(generation.pageId, [generation.revision]);
    else revisions.push(generation.revision);
  }
  for (const revisions of generations.values()) revisions.sort();
  return generations;
}
