import type { FileSystem } from "../../../src/adapters/storage/fileSystem.ts";
import { nodeFileSystem } from "../../../src/adapters/storage/fileSystem.ts";

/** One call to the disk, before it is made. */
export interface Step {
  readonly action: "mkdir" | "readdir" | "readFile" | "open" | "write" | "sync" | "rename" | "rm" | "stat" | "touch";
  /** The path, with the folder to itself for a rename: where the new name will be. */
  readonly path: string;
}

/**
 * The real file system with a hand between: what `before` throws, the call throws.
 *
 * @param halfWritten Called in a write that fails, once half of its bytes are down; the write fails when it resolves.
 */
export function faultyFileSystem(
  before: (step: Step) => unknown,
  halfWritten: () => Promise<void> | void = () => undefined,
): FileSystem {
  const at = async <T>(action: Step["action"], path: string, run: () => Promise<T>): Promise<T> => {
    await before({ action, path });
    return run();
  };
  return {
    mkdir: (path) => at("mkdir", path, () => nodeFileSystem.mkdir(path)),
    readdir: (path) => at("readdir", path, () => nodeFileSystem.readdir(path)),
    readFile: (path) => at("readFile", path, () => nodeFileSystem.readFile(path)),
    open: (path, flags) =>
      at("open", path, async () => {
        const file = await nodeFileSystem.open(path, flags);
        return {
          write: (bytes) =>
            at("write", path, () => file.write(bytes)).catch(async (error: unknown) => {
              await file.write(bytes.subarray(0, bytes.length / 2)); // a full disk takes what fits, so does a killed process
              await halfWritten();
              throw error;
            }),
          read: (target, position) => file.read(target, position),
          readNow: (target, position) => file.readNow(target, position),
          size: () => file.size(),
          sync: () => at("sync", path, () => file.sync()),
          close: () => file.close(),
        };
      }),
    rename: (from, to) => at("rename", to, () => nodeFileSystem.rename(from, to)),
    rm: (path) => at("rm", path, () => nodeFileSystem.rm(path)),
    touch: (path) => at("touch", path, () => nodeFileSystem.touch(path)),
    kindOf: (path) => at("stat", path, () => nodeFileSystem.kindOf(path)),
    stat: (path) => at("stat", path, () => nodeFileSystem.stat(path)),
  };
}

/**
 * A file system that is dead from a call on (counted from 1), as it is for a process that was killed there: nothing of
 * what follows happens, no tidying up either. A write that it dies in gets half of its bytes down.
 */
export function dyingFileSystem(killAt: number): { readonly fileSystem: FileSystem; readonly isDead: () => boolean } {
  let steps = 0;
  const fileSystem = faultyFileSystem(() => {
    if (++steps >= killAt) throw fault("killed");
  });
  return { fileSystem, isDead: () => steps >= killAt };
}

export function fault(code: string): Error {
  return Object.assign(new Error(`${code}: made up by a test`), { code });
}
