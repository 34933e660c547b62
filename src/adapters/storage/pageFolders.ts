/** Generations on the disk: put into `pages` whole, taken out whole, read whole. */
import { join } from "node:path";
import type { SavedPage } from "../../core/types.ts";
import type { FileSystem } from "./fileSystem.ts";
import { attempt, codeOf, ifThere, isMisshapen, isRefused } from "./fileSystem.ts";
import { renamePatiently, syncFolder, writeDurably } from "./fileSystem.ts";
import type { Generation } from "./names.ts";
import { generationName, randomDigits } from "./names.ts";
import type { DecodedPage } from "./pageFiles.ts";
import { decodePage, encodePage, pageFileNames } from "./pageFiles.ts";

export interface PageFolders {
  /**
   * Returns once the generation is in `pages` and on the disk. On failure nothing of it is left.
   *
   * @param isWanted Asked when all is written, right before it is put in place.
   * @returns Whether it was put in place.
   */
  publish(generation: Generation, saved: SavedPage, isWanted?: () => Promise<boolean>): Promise<boolean>;
  /** Takes a generation out at one stroke. Its place in `scratch`, or `undefined` if it was gone. */
  moveOut(generation: Generation): Promise<string | undefined>;
  /** Takes a generation out and deletes it. */
  discard(generation: Generation): Promise<void>;
  /** `undefined` when the generation was replaced or removed meanwhile. */
  read(generation: Generation): Promise<DecodedPage | UnreadablePage | undefined>;
}

/** Nothing is known of its content: it may be whole, and is left where it is. */
export interface UnreadablePage {
  readonly kind: "unreadable";
  readonly reason: string;
}

export interface PageFoldersParts {
  readonly fileSystem: FileSystem;
  readonly places: { readonly pages: string; readonly scratch: string };
  /** Makes the folders, should somebody have deleted them. */
  readonly prepare: () => Promise<void>;
  /** Called when `pages` may have changed. */
  readonly onChange: () => void;
}

/** Waits after a refused read, milliseconds: a virus scanner lets go within a tenth of a second. */
const readWaitsMs = [20, 80, undefined] as const;

export function createPageFolders({ fileSystem, places, prepare, onChange }: PageFoldersParts): PageFolders {
  return { publish, moveOut, discard, read };

  async function publish(
    generation: Generation,
    saved: SavedPage,
    isWanted: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<boolean> {
    const name = generationName(generation);
    const half = join(places.scratch, `${name}.${randomDigits()}`);
    const target = join(places.pages, name);
    const write = async (): Promise<boolean> => {
      await fileSystem.mkdir(half);
      const files = encodePage(saved, generation.revision);
      const writes = await Promise.allSettled([
        writeDurably(fileSystem, join(half, pageFileNames.text), files.text),
        writeDurably(fileSystem, join(half, pageFileNames.facts), files.facts),
        writeDurably(fileSystem, join(half, pageFileNames.manifest), files.manifest),
      ]);
      for (const outcome of writes) if (outcome.status === "rejected") throw outcome.reason;
      await syncFolder(fileSystem, half);
      if (!(await isWanted())) {
        await attempt(fileSystem.rm(half));
        return false;
      }
      await renamePatiently(fileSystem, half, target);
      onChange();
      return true;
    };
    try {
      try {
        if (!(await write())) return false;
      } catch (error) {
        if (codeOf(error) !== "ENOENT") throw error;
        await prepare();
        if (!(await write())) return false; // swept while this process slept, or somebody deleted `scratch`
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
    return true;
  }

  async function moveOut(generation: Generation): Promise<string | undefined> {
    const name = generationName(generation);
    const place = join(places.scratch, `${name}.${randomDigits()}`);
    const moved = await ifThere(renamePatiently(fileSystem, join(places.pages, name), place).then(() => true));
    onChange();
    return moved === undefined ? undefined : place;
  }

  async function discard(generation: Generation): Promise<void> {
    const place = await moveOut(generation);
    if (place !== undefined) await fileSystem.rm(place);
  }

  async function read(generation: Generation): Promise<DecodedPage | UnreadablePage | undefined> {
    const path = join(places.pages, generationName(generation));
    const found = await readPageFolder(fileSystem, path);
    return found.kind === "whole" || (await fileSystem.kindOf(path)) !== undefined ? found : undefined;
  }
}

/** What the files of a folder hold, wherever it lies. */
export async function readPageFolder(fileSystem: FileSystem, path: string): Promise<DecodedPage | UnreadablePage> {
  const refused: string[] = [];
  const [manifest, text, facts] = await Promise.all([
    contentOf(pageFileNames.manifest),
    contentOf(pageFileNames.text),
    contentOf(pageFileNames.facts),
  ]);
  if (refused[0] !== undefined) return { kind: "unreadable", reason: refused[0] };
  return decodePage({ manifest, text, facts });

  /** The bytes, or why this file (and not the whole machine) cannot be read. */
  async function contentOf(name: string): Promise<Uint8Array | string> {
    for (const waitMs of readWaitsMs) {
      try {
        return await fileSystem.readFile(join(path, name));
      } catch (error) {
        const code = codeOf(error) ?? "";
        if (isMisshapen(error)) return code === "ENOENT" ? "is missing" : `is no file (${code})`;
        if (!isRefused(error)) throw error;
        if (waitMs !== undefined) await new Promise((resolve) => setTimeout(resolve, waitMs));
        else refused.push(`${name} cannot be read (${code})`);
      }
    }
    return "cannot be read";
  }
}
