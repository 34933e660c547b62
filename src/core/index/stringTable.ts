/**
 * Strings numbered in the order they were added, kept as bytes in three typed arrays: 200,000 words take about 5 MB and
 * come back from a snapshot without being parsed.
 */
export class StringTable {
  /** UTF-8 of all strings, one after the other. */
  #bytes: Uint8Array;
  /** Where each string starts in `#bytes`; one more entry for the end of the last. */
  #starts: Uint32Array;
  /** Open-addressing hash table of numbers + 1; 0 is free. Its length is a power of two, at most half of it is used. */
  #table: Uint32Array;
  #count: number;

  constructor(parts?: StringTableParts) {
    this.#bytes = parts?.bytes ?? new Uint8Array(256);
    this.#starts = parts?.starts ?? new Uint32Array(64);
    // Copied, because it is written in place; the other two are replaced by longer ones on the first `add`.
    this.#table = parts?.table.slice() ?? new Uint32Array(64);
    this.#count = parts === undefined ? 0 : parts.starts.length - 1;
  }

  get size(): number {
    return this.#count;
  }

  /** The number of a string; `undefined` when it was never added. */
  numberOf(text: string): number | undefined {
    const length = encode(text);
    const found = this.#table[this.#placeOf(length)] ?? 0;
    return found === 0 ? undefined : found - 1;
  }

  /** The number of a string, which is added if it is new. */
  add(text: string): number {
    const length = encode(text);
    const place = this.#placeOf(length);
    const found = this.#table[place] ?? 0;
    if (found !== 0) return found - 1;
    const number = this.#count++;
    const start = this.#starts[number] ?? 0;
    this.#reserve(start + length);
    this.#bytes.set(scratch.subarray(0, length), start);
    this.#starts[number + 1] = start + length;
    this.#table[place] = number + 1;
    if (this.#count * 2 > this.#table.length) this.#rehash();
    return number;
  }

  at(number: number): string {
    return decoder.decode(this.#bytes.subarray(this.#starts[number] ?? 0, this.#starts[number + 1] ?? 0));
  }

  /** Numbers of the strings that start with `prefix`, at most `limit` of them, in the order they were added. */
  startingWith(prefix: string, limit: number): number[] {
    const length = encode(prefix);
    const found: number[] = [];
    for (let number = 0; number < this.#count && found.length < limit; number++) {
      const start = this.#starts[number] ?? 0;
      if ((this.#starts[number + 1] ?? 0) - start >= length && this.#startsWithScratch(start, length))
        found.push(number);
    }
    return found;
  }

  /** The arrays a snapshot holds, cut to what is used. Views: valid until the next `add`. */
  parts(): StringTableParts {
    return {
      bytes: this.#bytes.subarray(0, this.#starts[this.#count] ?? 0),
      starts: this.#starts.subarray(0, this.#count + 1),
      table: this.#table,
    };
  }

  /** Where the string in `scratch` is in the hash table, or the free place where it belongs. */
  #placeOf(length: number): number {
    const mask = this.#table.length - 1;
    let place = hashOf(scratch, 0, length) & mask;
    for (;;) {
      const found = this.#table[place] ?? 0;
      if (found === 0) return place;
      const start = this.#starts[found - 1] ?? 0;
      if ((this.#starts[found] ?? 0) - start === length && this.#startsWithScratch(start, length)) return place;
      place = (place + 1) & mask;
    }
  }

  #startsWithScratch(start: number, length: number): boolean {
    for (let i = 0; i < length; i++) if (this.#bytes[start + i] !== scratch[i]) return false;
    return true;
  }

  #reserve(end: number): void {
    if (end > this.#bytes.length) this.#bytes = grown(this.#bytes, end, (length) => new Uint8Array(length));
    if (this.#count + 1 > this.#starts.length) {
      this.#starts = grown(this.#starts, this.#count + 1, (length) => new Uint32Array(length));
    }
  }

  #rehash(): void {
    const table = new Uint32Array(this.#table.length * 2);
    const mask = table.length - 1;
    for (let number = 0; number < this.#count; number++) {
      let place = hashOf(this.#bytes, this.#starts[number] ?? 0, this.#starts[number + 1] ?? 0) & mask;
      while (table[place] !== 0) place = (place + 1) & mask;
      table[place] = number + 1;
    }
    this.#table = table;
  }
}

export interface StringTableParts {
  readonly bytes: Uint8Array;
  /** One more entry than there are strings. */
  readonly starts: Uint32Array;
  readonly table: Uint32Array;
}

/** A copy of at least `length` entries, half as long again as before so that many small growths stay cheap. */
export function grown<A extends Uint8Array | Uint16Array | Uint32Array | Int8Array | Float32Array>(
  array: A,
  length: number,
  make: (length: number) => A,
): A {
  const copy = make(Math.max(length, Math.ceil(array.length * 1.5), 64));
  copy.set(array);
  return copy;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let scratch = new Uint8Array(1024);

/** Writes the UTF-8 of a string into `scratch` and returns its length. */
function encode(text: string): number {
  if (text.length * 3 > scratch.length) scratch = new Uint8Array(text.length * 3);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return encoder.encodeInto(text, scratch).written;
    scratch[i] = code;
  }
  return text.length;
}

/** FNV-1a, 32 bits. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
