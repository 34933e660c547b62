/** Generations on the disk: put into `pages` whole, taken out whole, read whole. */
import { join } from "node:path";
import type { SavedPage } from "../../core/types.ts";
import type { FileSystem } from "./fileSystem.ts";
import { attempt, codeOf, ifThere, isFaultOfFile, renamePatiently, syncFolder, writeDurably } from "./fileSystem.ts";
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
  read(generation: Generation): Promise<DecodedPage | undefined>;
}

export interface PageFoldersParts {
  readonly fileSystem: FileSystem;
  readonly places: { readonly pages: string; readonly scratch: string };
  /** Makes the folders, should somebody have deleted them. */
  readonly prepare: () => Promise<void>;
  /** Called when `pages` may have changed. */
  readonly onChange: () => void;
}

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

  async function read(generation: Generation): Promise<DecodedPage | undefined> {
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
      const code = codeOf(error) ?? "";
      if (!isFaultOfFile(error)) throw error;
      return code === "ENOENT" ? "is missing" : `cannot be read (${code})`;
    }
  }
}
