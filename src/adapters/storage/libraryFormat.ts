/** `library.json`: which format the folder has. A newer one is refused, an older one is migrated after a backup. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { BacopaError } from "../../core/errors.ts";
import type { FileSystem } from "./fileSystem.ts";
import { codeOf, ifThere, renamePatiently, syncFolder, writeDurably } from "./fileSystem.ts";
import { randomDigits } from "./names.ts";
import { parseObject } from "./pageFiles.ts";
import { newerFormat } from "./storageErrors.ts";

export const libraryFormatVersion = 1;

const fileName = "library.json";

/**
 * Turns a library of the version that is the key into the next version, in place. Empty so far: version 1 is the first.
 * Add one here with every raise of `libraryFormatVersion`.
 */
export type Migrations = ReadonlyMap<number, (folder: string) => Promise<void>>;
export const migrations: Migrations = new Map();

export interface FormatPlaces {
  readonly folder: string;
  /** For files half written. */
  readonly scratch: string;
  /** For files that could not be read. */
  readonly damaged: string;
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

/** Before a write: the folder says our version in the end. */
export async function ensureLibraryVersion(
  fileSystem: FileSystem,
  places: FormatPlaces,
  steps = migrations,
): Promise<void> {
  const { folder, scratch, damaged } = places;
  const { isThere, version } = await readHeader(fileSystem, folder);
  if (version === libraryFormatVersion) return;
  if (version !== undefined) await migrate(folder, version, steps);
  const path = join(folder, fileName);
  if (isThere && version === undefined) {
    await fileSystem.mkdir(damaged);
    // Another process may move it first.
    await ifThere(renamePatiently(fileSystem, path, join(damaged, `${fileName}.${randomDigits()}`)));
  }
  const temporary = join(scratch, `${fileName}.${randomDigits()}`);
  try {
    await writeDurably(fileSystem, temporary, Buffer.from(formatText(libraryFormatVersion), "utf8"));
    await renamePatiently(fileSystem, temporary, path);
  } catch (error) {
    await fileSystem.rm(temporary).catch(() => undefined);
    throw error;
  }
  await syncFolder(fileSystem, folder);
}

/** Every step works on the folder itself; the copy made before is never touched again. */
async function migrate(folder: string, version: number, steps: Migrations): Promise<void> {
  await cp(join(folder, "pages"), join(folder, "backups", `version-${version}-${randomDigits()}`), { recursive: true });
  for (let step = version; step < libraryFormatVersion; step++) {
    const run = steps.get(step);
    if (run === undefined) {
      throw new BacopaError("storage-failed", {
        message: `no migration from library format ${step}`,
        userMessage: `The library ${folder} has the format version ${version}, which this Bacopa cannot read. Save its pages again in a new folder.`,
      });
    }
    await run(folder);
  }
}

/** The version stands there twice, so that one changed byte is damage and not another version. */
function formatText(version: number): string {
  return `${JSON.stringify({ format: `bacopa-library/${version}`, version }, undefined, 2)}\n`;
}

function parseVersion(bytes: Uint8Array): number | undefined {
  const header = parseObject(bytes);
  const version = header?.version;
  return typeof version === "number" && Number.isSafeInteger(version) && header?.format === `bacopa-library/${version}`
    ? version
    : undefined;
}
