/**
 * A file of one JSON header and any number of typed arrays, with a checksum. The arrays come back as views of the
 * file's bytes: nothing is parsed or copied.
 *
 *     0  magic "BACOPAIX"      8  checksum of all that follows      12  header length      16  header, then arrays
 *
 * Each array starts at a multiple of 8. Numbers are little-endian, as every platform that runs this is.
 */
export interface Snapshot {
  readonly header: unknown;
  readonly arrays: ReadonlyMap<string, SnapshotArray>;
}

export type SnapshotArray = Uint8Array | Int8Array | Uint16Array | Uint32Array | Float32Array;

const magic = [0x42, 0x41, 0x43, 0x4f, 0x50, 0x41, 0x49, 0x58];
const preamble = 16;

type Kind = "u8" | "i8" | "u16" | "u32" | "f32";

interface Entry {
  readonly name: string;
  readonly kind: Kind;
  readonly start: number;
  /** In elements. */
  readonly length: number;
}

export function writeSnapshot(header: unknown, arrays: ReadonlyMap<string, SnapshotArray>): Uint8Array {
  const entries: Entry[] = [];
  let size = 0;
  for (const [name, array] of arrays) {
    entries.push({ name, kind: kindOf(array), start: size, length: array.length });
    size += aligned(array.byteLength);
  }
  const head = new TextEncoder().encode(JSON.stringify({ header, entries }));
  const start = aligned(preamble + head.length);
  const bytes = new Uint8Array(start + size);
  bytes.set(magic);
  bytes.set(head, preamble);
  entries.forEach((entry) => {
    const array = arrays.get(entry.name);
    if (array !== undefined) {
      bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + entry.start);
    }
  });
  const view = new DataView(bytes.buffer);
  view.setUint32(12, head.length, true);
  view.setUint32(8, checksum(bytes), true);
  return bytes;
}

/** `undefined` for anything but a whole, undamaged snapshot. Never throws. */
export function readSnapshot(file: Uint8Array): Snapshot | undefined {
  // Views need alignment; a host may hand over a slice of a larger buffer.
  const bytes = file.byteOffset % 8 === 0 ? file : file.slice();
  if (bytes.length < preamble || bytes.length % 8 !== 0 || magic.some((byte, i) => bytes[i] !== byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(8, true) !== checksum(bytes)) return undefined;
  const headLength = view.getUint32(12, true);
  if (preamble + headLength > bytes.length) return undefined;
  try {
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(preamble, preamble + headLength))) as {
      header: unknown;
      entries: readonly Entry[];
    };
    const start = bytes.byteOffset + aligned(preamble + headLength);
    return {
      header: head.header,
      arrays: new Map(head.entries.map((entry) => [entry.name, viewOf(bytes.buffer, start, entry)])),
    };
  } catch {
    return undefined; // written by another version: to be rebuilt like a damaged one
  }
}

function kindOf(array: SnapshotArray): Kind {
  if (array instanceof Int8Array) return "i8";
  if (array instanceof Uint16Array) return "u16";
  if (array instanceof Uint32Array) return "u32";
  return array instanceof Float32Array ? "f32" : "u8";
}

function viewOf(buffer: ArrayBufferLike, start: number, { kind, start: offset, length }: Entry): SnapshotArray {
  switch (kind) {
    case "u8":
      return new Uint8Array(buffer, start + offset, length);
    case "i8":
      return new Int8Array(buffer, start + offset, length);
    case "u16":
      return new Uint16Array(buffer, start + offset, length);
    case "u32":
      return new Uint32Array(buffer, start + offset, length);
    case "f32":
      return new Float32Array(buffer, start + offset, length);
  }
}

function aligned(length: number): number {
  return Math.ceil(length / 8) * 8;
}

/** Murmur-style mixing of 32-bit words in two lanes: finds torn and flipped bytes at 1 GB/s or so; no defense against malice. */
function checksum(bytes: Uint8Array): number {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  let a = bytes.length;
  let b = 0x9747b28c;
  // From the header's length on: words 0 to 2 are the magic and the checksum itself.
  for (let i = 3; i < words.length; i++) {
    const word = Math.imul(words[i] ?? 0, 0xcc9e2d51);
    a = (Math.imul(((a << 13) | (a >>> 19)) ^ word, 5) + 0x6b64) | 0;
    b = (b + Math.imul(word ^ a, 0x1b873593)) | 0;
  }
  a ^= b >>> 16;
  return (Math.imul(a, 0x85ebca6b) ^ b) >>> 0;
}
