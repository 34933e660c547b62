import { readSnapshot, wholeArray, writeSnapshot } from "../index/snapshot.ts";
import type { Embedder, Storage } from "../ports.ts";
import { sha256Hex } from "../util/hash.ts";

/**
 * The vectors of one embedder by the text they were made of, kept in cache files beside the index. What a slow or paid
 * embedder has made survives a kill, a change of embedder and back, a page read again, and an index built anew.
 *
 * Each flush writes one more file (`vectors.<embedder>.<number>`); many small ones become one.
 */
export class VectorJournal {
  readonly #storage: Storage;
  readonly #embedder: Pick<Embedder, "id" | "dims">;
  readonly #prefix: string;
  /** `undefined`: the embedder knows nothing of the text. */
  readonly #vectors = new Map<string, Float32Array | undefined>();
  #unwritten: string[] = [];
  #files = 0;

  constructor(storage: Storage, embedder: Pick<Embedder, "id" | "dims">) {
    this.#storage = storage;
    this.#embedder = { id: embedder.id, dims: embedder.dims };
    this.#prefix = `vectors.${sha256Hex(`${embedder.id} ${embedder.dims}`, 12)}`;
  }

  /** Reads the files that this and other processes have written since the last call. */
  async load(): Promise<void> {
    for (; ; this.#files++) {
      const reader = await this.#storage.openCache(this.#nameOf(this.#files));
      if (reader === undefined) return;
      const file = await readSnapshot(reader, (header) => this.#isMine(header)).catch(() => undefined);
      await reader.close();
      if (file === undefined) continue;
      const keys = file.arrays.get("keys");
      const known = file.arrays.get("known");
      const rows = file.arrays.get("rows");
      if (!(keys instanceof Uint8Array) || !(known instanceof Uint8Array) || !(rows instanceof Float32Array)) continue;
      let row = 0;
      for (let i = 0; i < known.length; i++) {
        const key = String.fromCharCode(...keys.subarray(i * keyLength, (i + 1) * keyLength));
        const start = row * this.#embedder.dims;
        if (known[i] === 1) row++;
        this.#vectors.set(key, known[i] === 1 ? rows.subarray(start, start + this.#embedder.dims) : undefined);
      }
    }
  }

  #isMine(header: unknown): true | undefined {
    const { embedder, dims } = header as { readonly embedder?: unknown; readonly dims?: unknown };
    return (embedder === this.#embedder.id && dims === this.#embedder.dims) || undefined;
  }

  has(key: string): boolean {
    return this.#vectors.has(key);
  }

  get(key: string): Float32Array | undefined {
    return this.#vectors.get(key);
  }

  add(key: string, vector: Float32Array | undefined): void {
    if (!this.#vectors.has(key)) this.#unwritten.push(key);
    this.#vectors.set(key, vector);
  }

  /** Texts that are not on the disk yet. */
  get unwritten(): number {
    return this.#unwritten.length;
  }

  /**
   * Writes what is new.
   *
   * @param wanted Texts the library has. When many files become one, the oldest texts beyond twice that number go.
   */
  async flush(wanted: number): Promise<void> {
    if (this.#unwritten.length === 0) return;
    const fresh = this.#unwritten;
    this.#unwritten = [];
    await this.load();
    await this.#write(this.#files, fresh);
    this.#files++;
    if (this.#files > maxFiles) await this.#mergeFiles(wanted);
  }

  async #mergeFiles(wanted: number): Promise<void> {
    const keys = [...this.#vectors.keys()].slice(-Math.max(2 * wanted, minKept));
    const kept = new Set(keys);
    for (const key of this.#vectors.keys()) if (!kept.has(key)) this.#vectors.delete(key);
    // The first file holds everything before the others go, last one first: at no moment is anything missing.
    await this.#write(0, keys);
    for (let number = this.#files - 1; number > 0; number--) await this.#storage.removeCache(this.#nameOf(number));
    this.#files = 1;
  }

  async #write(number: number, keys: readonly string[]): Promise<void> {
    const { id, dims } = this.#embedder;
    const vectors = keys.map((key) => this.#vectors.get(key));
    const rows = new Float32Array(vectors.filter((vector) => vector !== undefined).length * dims);
    let row = 0;
    for (const vector of vectors) if (vector !== undefined) rows.set(vector, dims * row++);
    const arrays = [
      wholeArray("keys", new TextEncoder().encode(keys.join(""))),
      wholeArray(
        "known",
        Uint8Array.from(vectors, (vector) => (vector === undefined ? 0 : 1)),
      ),
      wholeArray("rows", rows),
    ];
    await this.#storage.writeCache(this.#nameOf(number), writeSnapshot({ embedder: id, dims }, arrays));
  }

  #nameOf(number: number): string {
    return `${this.#prefix}.${number}`;
  }
}

/** Of a text, as the journal names it. */
export function textKey(text: string): string {
  return sha256Hex(text, keyLength);
}

/** Hex digits: 80 bits, so that two texts of a library never share a key. */
const keyLength = 20;
const maxFiles = 32;
const minKept = 1000;
