/** `library.json`: which format the folder has. A newer one is refused, an older one is migrated after a backup. */
import { join } from "node:path";
import { BacopaError } from "../../core/errors.ts";
import type { FileSystem } from "./fileSystem.ts";
import { attempt, codeOf, ifThere, renamePatiently, syncFolder, writeDurably } from "./fileSystem.ts";
import { randomDigits } from "./names.ts";
import { parseObject } from "./pageFiles.ts";
import { hasSingleFilePages, migrateSingleFilePages } from "./singleFilePages.ts";
import { newerFormat } from "./storageErrors.ts";

export const libraryFormatVersion = 1;

const fileName = "library.json";

/**
 * Turns a library of one version into the next, in place, after a copy of it was put into `backups/`. A step may be
 * killed at any moment and begun again, and two processes may do it at once: it goes page by page, and what it finds done
 * it leaves alone. It reads what is in `pages` and trusts no list made before.
 */
export type Migration = (fileSystem: FileSystem, places: FormatPlaces) => Promise<void>;

/** By the version they begin with. Add one with every raise of `libraryFormatVersion`, with a library of that version in the tests. */
export type Migrations = ReadonlyMap<number, Migration>;
export const migrations: Migrations = new Map([[0, migrateSingleFilePages]]);

export interface FormatPlaces {
  readonly folder: string;
  readonly pages: string;
  /** For files half written. */
  readonly scratch: string;
  /** For files that could not be read. */
  readonly damaged: string;
}

/** What was converted, for whoever tells the person. */
export interface Migrated {
  readonly from: number;
  readonly to: number;
  /** The folder with the library as it was. */
  readonly backup: string;
}

/**
 * The version the folder says it has; `undefined` when it says none: no library yet, or a damaged `library.json`.
 * A damaged one stops nobody: each page carries its format too.
 *
 * @throws BacopaError `storage-newer`.
 */
export async function readLibraryVersion(fileSystem: FileSystem, folder: string): Promise<number | undefined> {
  return (await readHeader(fileSystem, folder)).version;
}

async function readHeader(
  fileSystem: FileSystem,
  folder: string,
): Promise<{ readonly isThere: boolean; readonly version: number | undefined }> {
  const path = join(folder, fileName);
  const bytes = await ifThere(fileSystem.readFile(path)).catch((error: unknown) => {
    if (["EISDIR", "ELOOP"].includes(codeOf(error) ?? "")) return Buffer.alloc(0); // no file: as good as a damaged one
    throw error;
  });
  const version = bytes === undefined ? undefined : parseVersion(bytes);
  if (version !== undefined && version > libraryFormatVersion) throw newerFormat(`The library ${folder}`, version);
  return { isThere: bytes !== undefined, version };
}

/**
 * The folder says our version in the end. Before the first read of an older library, and before every write.
 *
 * @returns What was converted, if anything was.
 */
export async function ensureLibraryVersion(
  fileSystem: FileSystem,
  places: FormatPlaces,
  steps = migrations,
): Promise<Migrated | undefined> {
  const { folder, scratch, damaged } = places;
  const { isThere, version } = await readHeader(fileSystem, folder);
  if (version === libraryFormatVersion) return undefined;
  // A header that is lost or damaged says nothing, but pages of the oldest format show by themselves.
  const from = version ?? ((await hasSingleFilePages(fileSystem, places.pages)) ? 0 : undefined);
  const migrated = from === undefined ? undefined : await migrate(fileSystem, places, from, steps);
  const path = join(folder, fileName);
  if (isThere && version === undefined) {
    await fileSystem.mkdir(damaged);
    // Another process may move it first.
    await ifThere(renamePatiently(fileSystem, path, join(damaged, `${fileName}.${randomDigits()}`)));
  }
  const temporary = join(scratch, `${fileName}.${randomDigits()}`);
  try {
    await fileSystem.mkdir(scratch);
    await writeDurably(fileSystem, temporary, Buffer.from(formatText(libraryFormatVersion), "utf8"));
    await renamePatiently(fileSystem, temporary, path);
  } catch (error) {
    await fileSystem.rm(temporary).catch(() => undefined);
    throw error;
  }
  await syncFolder(fileSystem, folder);
  return migrated;
}

/** The header is raised last, by the caller: a kill before that has the steps done again. */
async function migrate(
  fileSystem: FileSystem,
  places: FormatPlaces,
  version: number,
  steps: Migrations,
): Promise<Migrated> {
  const { folder } = places;
  for (let step = version; step < libraryFormatVersion; step++) {
    if (steps.has(step)) continue;
    throw new BacopaError("storage-failed", {
      message: `no migration from library format ${step}`,
      userMessage: `The library ${folder} has the format version ${version}, which this Bacopa cannot read. Save its pages again in a new folder.`,
    });
  }
  try {
    const backup = await backUp(fileSystem, places, version);
    for (let step = version; step < libraryFormatVersion; step++) await steps.get(step)?.(fileSystem, places);
    return { from: version, to: libraryFormatVersion, backup };
  } catch (error) {
    if (!["EROFS", "EACCES", "EPERM"].includes(codeOf(error) ?? "")) throw error;
    throw new BacopaError("storage-read-only", {
      message: error instanceof Error ? error.message : String(error),
      userMessage: `The library ${folder} has an older format and has to be converted once, which Bacopa may not do there. Give yourself the right to write there, or copy the library to another folder.`,
      cause: error,
    });
  }
}

/**
 * A copy of `pages`, put in place whole by a rename. One that is there already and holds all that is left of the old
 * pages is from an earlier, killed try, or from another process that is at it: it is the better one.
 */
async function backUp(fileSystem: FileSystem, places: FormatPlaces, version: number): Promise<string> {
  const backups = join(places.folder, "backups");
  await fileSystem.mkdir(backups);
  await fileSystem.mkdir(places.scratch);
  for (let n = 1; ; n++) {
    const backup = join(backups, n === 1 ? `format-${version}` : `format-${version}-${n}`);
    if ((await fileSystem.kindOf(backup)) !== undefined) {
      if (await holdsAll(fileSystem, backup, places.pages)) return backup;
      continue;
    }
    const half = join(places.scratch, `backup.${randomDigits()}`);
    try {
      await copy(fileSystem, places.pages, half);
      await renamePatiently(fileSystem, half, backup);
      await syncFolder(fileSystem, backups);
      return backup;
    } catch (error) {
      await attempt(fileSystem.rm(half));
      if (!["ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? "")) throw error;
      n--; // another process put its own there: look at it
    }
  }
}

/** Files of old pages that vanish meanwhile are converted already, after a backup that holds them. */
async function copy(fileSystem: FileSystem, from: string, to: string): Promise<void> {
  await fileSystem.mkdir(to);
  for (const name of (await ifThere(fileSystem.readdir(from))) ?? []) {
    const path = join(from, name);
    if ((await fileSystem.kindOf(path)) === "folder") await copy(fileSystem, path, join(to, name));
    else {
      const bytes = await ifThere(fileSystem.readFile(path));
      if (bytes !== undefined) await writeDurably(fileSystem, join(to, name), bytes);
    }
  }
  await syncFolder(fileSystem, to);
}

async function holdsAll(fileSystem: FileSystem, backup: string, pages: string): Promise<boolean> {
  for (const name of (await ifThere(fileSystem.readdir(pages))) ?? []) {
    if ((await fileSystem.kindOf(join(pages, name))) !== "file") continue;
    const now = await ifThere(fileSystem.readFile(join(pages, name)));
    const kept = await ifThere(fileSystem.readFile(join(backup, name)));
    if (now !== undefined && (kept === undefined || !now.equals(kept))) return false;
  }
  return true;
}

/** The version stands there twice, so that one changed byte is damage and not another version. */
function formatText(version: number): string {
  return `${JSON.stringify({ format: `bacopa-library/${version}`, version }, undefined, 2)}\n`;
}

function parseVersion(bytes: Uint8Array): number | undefined {
  const header = parseObject(bytes);
  const version = header?.version;
  return typeof version === "number" &&
    Number.isSafeInteger(version) &&
    version >= 0 &&
    header?.format === `bacopa-library/${version}`
    ? version
    : undefined;
}
