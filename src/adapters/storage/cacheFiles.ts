/** Caches in `index/`: may vanish at any time, so a damaged one reads as none. */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { FileSystem } from "./fileSystem.ts";
import { isFaultOfFile, renamePatiently, writeDurably } from "./fileSystem.ts";
import { randomDigits } from "./names.ts";

/** After the bytes: this mark, then their CRC-32 (little endian). */
const mark = Buffer.from("BCC1", "latin1");
const trailerLength = mark.length + 4;

/** Typed arrays of up to 8-byte elements can be laid over the result at offsets that are multiples of 8. */
export async function readCacheFile(fileSystem: FileSystem, path: string): Promise<Uint8Array | undefined> {
  const file = await fileSystem.readFile(path).catch((error: unknown) => {
    if (isFaultOfFile(error)) return undefined;
    throw error; // to build a cache anew because too many files are open would make things worse
  });
  if (file === undefined || file.length < trailerLength) return undefined;
  const end = file.length - trailerLength;
  const bytes = file.subarray(0, end);
  if (!file.subarray(end, end + mark.length).equals(mark) || file.readUInt32LE(end + mark.length) !== crc32(bytes))
    return undefined;
  // Node reads small files into a shared pool, at any offset.
  return bytes.byteOffset % 8 === 0
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    : Uint8Array.from(bytes);
}

export async function writeCacheFile(
  fileSystem: FileSystem,
  folders: { readonly index: string; readonly scratch: string },
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  const trailer = Buffer.alloc(trailerLength);
  mark.copy(trailer);
  trailer.writeUInt32LE(crc32(bytes), mark.length);
  const temporary = join(folders.scratch, `${name}.${randomDigits()}`);
  try {
    await writeDurably(fileSystem, temporary, bytes, trailer);
    const path = join(folders.index, name);
    if ((await fileSystem.kindOf(path)) === "folder") await fileSystem.rm(path);
    await renamePatiently(fileSystem, temporary, path);
  } catch (error) {
    await fileSystem.rm(temporary).catch(() => undefined);
    throw error;
  }
}
