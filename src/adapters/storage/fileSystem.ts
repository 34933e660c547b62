import { lstat, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { readSync } from "node:fs";

/** The file functions the storage uses. A seam: tests put faults between the storage and the disk. */
export interface FileSystem {
  /** Makes the folder and those above it. The topmost folder made, or `undefined` if it was there. */
  mkdir(path: string): Promise<string | undefined>;
  readdir(path: string): Promise<string[]>;
  readFile(path: string): Promise<Buffer>;
  open(path: string, flags: "r" | "wx"): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  /** Whole folders too; nothing there is no error. */
  rm(path: string): Promise<void>;
  stat(path: string): Promise<FileStatus>;
  /** Sets the file's time to now. */
  touch(path: string): Promise<void>;
  /** What bears the name, links not followed; `undefined`: nothing. */
  kindOf(path: string): Promise<"folder" | "file" | "link" | undefined>;
}

export interface OpenFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Fills `target` from a place of the file on. The bytes read: fewer where the file ends before. */
  read(target: Uint8Array, position: number): Promise<number>;
  /** The same, and the caller waits: two microseconds where the system has the bytes in memory. */
  readNow(target: Uint8Array, position: number): number;
  /** Bytes. */
  size(): Promise<number>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface FileStatus {
  /** Nanoseconds since 1970, as fine as the file system keeps it. */
  readonly modifiedNs: bigint;
}

export const nodeFileSystem: FileSystem = {
  mkdir: (path) => mkdir(path, { recursive: true }),
  readdir: (path) => readdir(path),
  readFile: (path) => readFile(path),
  async open(path, flags) {
    const handle = await open(path, flags);
    return {
      write: (bytes) => handle.writeFile(bytes),
      read: async (target, position) => (await handle.read(target, 0, target.length, position)).bytesRead,
      readNow: (target, position) => readSync(handle.fd, target, 0, target.length, position),
      size: async () => (await handle.stat()).size,
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  },
  rename: (from, to) => rename(from, to),
  rm: (path) => rm(path, { recursive: true, force: true }),
  async stat(path) {
    return { modifiedNs: (await stat(path, { bigint: true })).mtimeNs };
  },
  async touch(path) {
    const now = new Date();
    await utimes(path, now, now);
  },
  async kindOf(path) {
    const status = await ifThere(lstat(path));
    if (status === undefined) return undefined;
    return status.isDirectory() ? "folder" : status.isSymbolicLink() ? "link" : "file";
  },
};

/** Writes a new file and waits until its bytes are on the disk. */
export async function writeDurably(
  fileSystem: FileSystem,
  path: string,
  ...parts: readonly Uint8Array[]
): Promise<void> {
  await writePiecesDurably(fileSystem, path, parts);
}

/** The same of pieces that are made one after the other. */
export async function writePiecesDurably(
  fileSystem: FileSystem,
  path: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await fileSystem.open(path, "wx");
  try {
    for await (const piece of pieces) await file.write(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Waits until a folder's entries (new names, renames) are on the disk, where the platform can do that. */
export async function syncFolder(fileSystem: FileSystem, path: string): Promise<void> {
  let folder: OpenFile;
  try {
    folder = await fileSystem.open(path, "r");
  } catch (error) {
    if (cannotSyncFolders(error)) return;
    throw error;
  }
  try {
    await folder.sync();
  } catch (error) {
    if (!cannotSyncFolders(error)) throw error;
  } finally {
    await folder.close();
  }
}

/** Windows refuses to open or flush a folder; some network and FUSE file systems refuse to flush one. */
function cannotSyncFolders(error: unknown): boolean {
  return (
    ["EISDIR", "EINVAL", "ENOTSUP", "ENOSYS", "EBADF"].includes(codeOf(error) ?? "") ||
    (process.platform === "win32" && codeOf(error) === "EPERM")
  );
}

/** Waits between the tries of a rename, milliseconds: 0.6 s in all, what a virus scanner usually takes. */
const renameWaitsMs = [10, 20, 40, 80, 150, 300] as const;

/**
 * Renames, and tries again while somebody holds the file. On Windows an open handle anywhere below (a virus scanner,
 * an indexer, a backup) makes a rename fail with EPERM, EACCES or EBUSY for a moment.
 */
export async function renamePatiently(fileSystem: FileSystem, from: string, to: string): Promise<void> {
  for (const waitMs of renameWaitsMs) {
    try {
      await fileSystem.rename(from, to);
      return;
    } catch (error) {
      if (!["EPERM", "EACCES", "EBUSY"].includes(codeOf(error) ?? "")) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  await fileSystem.rename(from, to);
}

/** `ENOENT` and the like. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Whether this one file is at fault and not the whole machine (too many open files and the like). */
export function isFaultOfFile(error: unknown): boolean {
  return isMisshapen(error) || isRefused(error);
}

/** There is no such file, or what bears its name is no file: reading it again will not help. */
export function isMisshapen(error: unknown): boolean {
  return ["ENOENT", "EISDIR", "ENOTDIR", "ELOOP"].includes(codeOf(error) ?? "");
}

/** The file may be as it should be, but cannot be read now: rights, a program that holds it open, a drive that is away. */
export function isRefused(error: unknown): boolean {
  const codes = ["EACCES", "EPERM", "EBUSY", "EIO", "ESTALE", "ETIMEDOUT", "ENXIO", "ENODEV", "EHOSTDOWN", "EREMOTEIO"];
  return codes.includes(codeOf(error) ?? "");
}

/** The result, or `undefined` if there is no such file or folder. */
export async function ifThere<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** For tidying up, where a failure costs space alone: a later sweep tries again. */
export async function attempt(promise: Promise<unknown>): Promise<boolean> {
  try {
    await promise;
    return true;
  } catch {
    return false;
  }
}
