/** Caches in `index/`: may vanish at any time, so a damaged one reads as none. */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { CacheReader } from "../../core/ports.ts";
import type { FileSystem, OpenFile } from "./fileSystem.ts";
import { isFaultOfFile, renamePatiently, writePiecesDurably } from "./fileSystem.ts";
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

/** Bytes up to which a read waits for the disk: more than a vector has. */
const soonRead = 16_384;
/** How long a search may wait for parts that are read one by one, milliseconds; the rest is read beside it. */
const patienceMs = 5;

/** The file stays readable through what is opened here, also when another one takes its name. */
export async function openCacheFile(fileSystem: FileSystem, path: string): Promise<CacheReader | undefined> {
  const file = await fileSystem.open(path, "r").catch((error: unknown) => {
    if (isFaultOfFile(error)) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const size = (await file.size()) - trailerLength;
    const trailer = Buffer.alloc(trailerLength);
    const isWhole =
      size >= 0 && (await file.read(trailer, size)) === trailerLength && trailer.subarray(0, mark.length).equals(mark);
    if (isWhole) return readerOf(file, size);
  } catch (error) {
    if (!isFaultOfFile(error)) {
      await file.close();
      throw error;
    }
    // A folder can be opened and not read.
  }
  await file.close();
  return undefined;
}

function readerOf(file: OpenFile, size: number): CacheReader {
  let isOpen = true;
  return {
    size,
    async read(target, starts) {
      if (!isOpen) throw new Error("The cache is closed");
      const length = target.length / starts.length;
      const started = performance.now();
      for (const [at, start] of starts.entries()) {
        const part = target.subarray(at * length, (at + 1) * length);
        const end = start + length;
        const isSoon = length <= soonRead && performance.now() - started < patienceMs;
        const count = end > size ? 0 : isSoon ? file.readNow(part, start) : await file.read(part, start);
        if (count !== length) throw new Error(`The cache ends before byte ${end}`);
      }
    },
    async close() {
      isOpen = false;
      await file.close();
    },
  };
}

export async function writeCacheFile(
  fileSystem: FileSystem,
  folders: { readonly index: string; readonly scratch: string },
  name: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const temporary = join(folders.scratch, `${name}.${randomDigits()}`);
  const target = join(folders.index, name);
  try {
    await writePiecesDurably(fileSystem, temporary, withTrailer(bytes));
    if ((await fileSystem.kindOf(target)) === "folder") await fileSystem.rm(target);
    try {
      await renamePatiently(fileSystem, temporary, target);
    } catch (error) {
      if (!isFaultOfFile(error)) throw error;
      // Windows lets no file take the name of one that is open for reading, as an index in use is; but that name can be
      // given up, and whoever has the old file open keeps it.
      await fileSystem.rm(target);
      await renamePatiently(fileSystem, temporary, target);
    }
  } catch (error) {
    await fileSystem.rm(temporary).catch(() => undefined);
    throw error;
  }
}

async function* withTrailer(bytes: Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let sum = 0;
  for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
    sum = crc32(piece, sum);
    yield piece;
  }
  const trailer = Buffer.alloc(trailerLength);
  mark.copy(trailer);
  trailer.writeUInt32LE(sum, mark.length);
  yield trailer;
}
