/**
 * A file of one JSON header and any number of typed arrays. Nothing is parsed: each array is read into its place, and
 * "cold" ones stay in the file until some of their rows are asked for.
 *
 *     0  magic "BACOPAIX"      8  length of the head      12  checksum of the head      16  head: the header, the arrays
 *     then the arrays, then a checksum for each, then the cold arrays, which have none
 *
 * Everything starts at a multiple of 16. Numbers are little-endian, as every platform that runs this is.
 */
import type { CacheReader } from "../ports.ts";

export type SnapshotArray = Uint8Array | Int8Array | Uint16Array | Uint32Array | Float32Array;

export interface ArrayToWrite {
  readonly name: string;
  readonly kind: Kind;
  /** In elements. */
  readonly length: number;
  /** Pieces of the array, in order. All but the last have a multiple of 16 bytes. */
  readonly pieces: Iterable<SnapshotArray> | AsyncIterable<SnapshotArray>;
}

export interface Snapshot {
  readonly arrays: ReadonlyMap<string, SnapshotArray>;
  /** Where each cold array starts in the file, bytes. */
  readonly cold: ReadonlyMap<string, number>;
}

const kinds = { u8: Uint8Array, i8: Int8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array } as const;
export type Kind = keyof typeof kinds;

interface Entry {
  readonly name: string;
  readonly kind: Kind;
  /** In elements. */
  readonly length: number;
}

interface Head {
  readonly header: unknown;
  readonly entries: readonly Entry[];
  readonly cold: readonly Entry[];
}

const magic = [0x42, 0x41, 0x43, 0x4f, 0x50, 0x41, 0x49, 0x58];
const preambleLength = 16;
/** Bytes read or written at once: about two milliseconds of work. */
const sliceLength = 4 << 20;

/** The file, piece by piece. */
export async function* writeSnapshot(
  header: unknown,
  arrays: readonly ArrayToWrite[],
  cold: readonly ArrayToWrite[] = [],
): AsyncGenerator<Uint8Array> {
  const entryOf = ({ name, kind, length }: ArrayToWrite): Entry => ({ name, kind, length });
  const text = JSON.stringify({ header, entries: arrays.map(entryOf), cold: cold.map(entryOf) } satisfies Head);
  const head = padded(new TextEncoder().encode(text));
  const preamble = new Uint8Array(preambleLength);
  preamble.set(magic);
  const view = new DataView(preamble.buffer);
  view.setUint32(8, head.length, true);
  view.setUint32(12, checksumOf(head), true);
  yield preamble;
  yield head;
  const checksums: number[] = [];
  for (const { pieces } of arrays) {
    const checksum = new Checksum();
    for await (const piece of slices(pieces)) {
      checksum.update(piece);
      yield piece;
    }
    checksums.push(checksum.value());
  }
  const sums = Uint32Array.from(checksums);
  yield padded(bytesOf(sums));
  for (const { pieces } of cold) yield* slices(pieces);
}

/**
 * @param accepts Whether a file with this header is wanted.
 * @param targetOf Where an array is to be read to; a new place if `undefined`.
 * @returns `undefined` for anything but a whole, undamaged snapshot with a wanted header. Rejects when reading fails.
 */
export async function readSnapshot<Header>(
  reader: CacheReader,
  accepts: (header: unknown) => Header | undefined,
  targetOf: (name: string, length: number) => SnapshotArray | undefined = () => undefined,
): Promise<(Snapshot & { readonly header: Header }) | undefined> {
  const preamble = await bytesAt(reader, 0, preambleLength);
  if (preamble === undefined || magic.some((byte, i) => preamble[i] !== byte)) return undefined;
  const view = new DataView(preamble.buffer);
  const headBytes = await bytesAt(reader, preambleLength, view.getUint32(8, true));
  if (headBytes === undefined || headBytes.length % 16 !== 0 || checksumOf(headBytes) !== view.getUint32(12, true))
    return undefined;
  // The checksum is right, so this code wrote it; another version's head may look different, hence the check of the key.
  const head = JSON.parse(new TextDecoder().decode(headBytes).replace(/\0+$/, "")) as Head;
  const header = accepts(head.header);
  if (header === undefined) return undefined;

  let start = preambleLength + headBytes.length;
  const arrays = new Map<string, SnapshotArray>();
  const checksums: number[] = [];
  for (const entry of head.entries) {
    const { array, bytes } = placeOf(entry, targetOf(entry.name, entry.length));
    if (start + bytes.length > reader.size) return undefined;
    const checksum = new Checksum();
    for (let at = 0; at < bytes.length; at += sliceLength) {
      const slice = bytes.subarray(at, at + sliceLength);
      await reader.read(slice, [start + at]);
      checksum.update(slice);
    }
    checksums.push(checksum.value());
    arrays.set(entry.name, array);
    start += bytes.length;
  }
  const sums = await bytesAt(reader, start, paddedLength(checksums.length * 4));
  if (sums === undefined) return undefined;
  const stored = new Uint32Array(sums.buffer);
  if (stored.some((sum, i) => sum !== (checksums[i] ?? 0))) return undefined;
  start += sums.length;

  const cold = new Map<string, number>();
  for (const { name, kind, length } of head.cold) {
    cold.set(name, start);
    start += paddedLength(length * kinds[kind].BYTES_PER_ELEMENT);
  }
  return start === reader.size ? { header, arrays, cold } : undefined;
}

/** All bytes of an array. */
export function bytesOf(array: SnapshotArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** An array that is there as a whole. */
export function wholeArray(name: string, array: SnapshotArray): ArrayToWrite {
  return { name, kind: kindOf(array), length: array.length, pieces: [array] };
}

function kindOf(array: SnapshotArray): Kind {
  if (array instanceof Int8Array) return "i8";
  if (array instanceof Uint16Array) return "u16";
  if (array instanceof Uint32Array) return "u32";
  return array instanceof Float32Array ? "f32" : "u8";
}

async function bytesAt(reader: CacheReader, start: number, length: number): Promise<Uint8Array | undefined> {
  if (start + length > reader.size) return undefined;
  const bytes = new Uint8Array(length);
  if (length > 0) await reader.read(bytes, [start]);
  return bytes;
}

/** An array to read into, and its bytes with the padding that the file has after it. */
function placeOf(
  { kind, length }: Entry,
  target: SnapshotArray | undefined,
): { array: SnapshotArray; bytes: Uint8Array } {
  const type = kinds[kind];
  if (target !== undefined) return { array: target, bytes: bytesOf(target) };
  const bytes = new Uint8Array(paddedLength(length * type.BYTES_PER_ELEMENT));
  return { array: new type(bytes.buffer, 0, length), bytes };
}

/** Pieces as bytes, none longer than a slice, the last one padded. */
async function* slices(pieces: ArrayToWrite["pieces"]): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const bytes = bytesOf(piece);
    for (let at = 0; at < bytes.length; at += sliceLength) yield padded(bytes.subarray(at, at + sliceLength));
  }
}

function padded(bytes: Uint8Array): Uint8Array {
  if (bytes.length % 16 === 0) return bytes;
  const longer = new Uint8Array(paddedLength(bytes.length));
  longer.set(bytes);
  return longer;
}

function paddedLength(length: number): number {
  return Math.ceil(length / 16) * 16;
}

function checksumOf(bytes: Uint8Array): number {
  const checksum = new Checksum();
  checksum.update(bytes);
  return checksum.value();
}

/**
 * FNV-1a over 32-bit words in four lanes side by side: finds torn and flipped bytes at some gigabytes a second; no
 * defense against malice.
 */
class Checksum {
  #a = 0x811c9dc5;
  #b = 0x811c9dc6;
  #c = 0x811c9dc7;
  #d = 0x811c9dc8;
  #length = 0;

  /** @param bytes A multiple of 16. */
  update(bytes: Uint8Array): void {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
    let [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d];
    for (let i = 0; i < words.length; i += 4) {
      a = Math.imul(a ^ (words[i] ?? 0), prime);
      b = Math.imul(b ^ (words[i + 1] ?? 0), prime);
      c = Math.imul(c ^ (words[i + 2] ?? 0), prime);
      d = Math.imul(d ^ (words[i + 3] ?? 0), prime);
      // Without this a flip of a high bit would never reach the low ones.
      a ^= a >>> 15;
      b ^= b >>> 15;
      c ^= c >>> 15;
      d ^= d >>> 15;
    }
    [this.#a, this.#b, this.#c, this.#d] = [a, b, c, d];
    this.#length = (this.#length + bytes.length) | 0;
  }

  value(): number {
    let mixed = this.#length;
    for (const lane of [this.#a, this.#b, this.#c, this.#d]) {
      mixed = Math.imul(mixed ^ lane, prime);
      mixed ^= mixed >>> 13;
    }
    return mixed >>> 0;
  }
}

const prime = 0x01000193;
