import type { SlotScore } from "./bm25f.ts";
import { fastestRows, scanBlock, strideOf } from "./rowMemory.ts";
import type { MakeRowMemory, RowMemory } from "./rowMemory.ts";
import { grown } from "./stringTable.ts";
import { TopRows } from "./topRows.ts";

/** The rows of a snapshot: row `i` belongs to the unit in slot `slots[i]`. Slots come in any order, each at most once. */
export interface VectorParts {
  readonly slots: Uint32Array;
  /** Unit vectors in 8 bits, and what to multiply their numbers with. */
  readonly small: RowMemory;
  readonly scales: Float32Array;
  readonly exact: ExactRows;
}

/** The same vectors in 32 bits. A snapshot leaves them in its file: they are four times as large and seldom needed. */
export interface ExactRows {
  /** Fills `target` with these rows, one after the other. */
  read(rows: readonly number[], target: Float32Array): Promise<void>;
}

export interface VectorQuery {
  readonly vector: Float32Array;
  readonly limit: number;
  readonly accepts: (slot: number) => boolean;
  readonly compareTies: (a: number, b: number) => number;
}

/** The 8-bit scan picks this many times `limit` rows, at least `minCandidates`, which are then scored exactly. */
const candidateFactor = 2;
const minCandidates = 50;

/**
 * Ranks units by the cosine of their vector with the query's. Every row is scanned, in 8 bits; the best are scored again
 * with the exact vectors. A frozen base, whose exact vectors stay in the file it came from, and a tail that takes new rows.
 */
export class VectorIndex {
  readonly dims: number;
  readonly #parts: readonly Rows[];
  readonly #tail: Rows;

  constructor(dims: number, base?: VectorParts, makeRows: MakeRowMemory = fastestRows) {
    this.dims = dims;
    this.#tail = new Rows(dims, makeRows);
    this.#parts = base === undefined ? [this.#tail] : [new Rows(dims, makeRows, base), this.#tail];
  }

  /**
   * Adds a unit's vector. Slots come in any order, since slow embedders work on after the words are in; each at most once.
   *
   * @returns Whether it was taken: a vector without a direction, or of another length, is not.
   */
  add(slot: number, vector: Float32Array): boolean {
    const unit = normalized(vector, this.dims);
    if (unit === undefined) return false;
    this.#tail.push(slot, unit);
    return true;
  }

  /** @returns Best first. Units the caller does not accept, removed ones among them, are left out. */
  async search({ vector, limit, accepts, compareTies }: VectorQuery): Promise<SlotScore[]> {
    const unit = normalized(vector, this.dims);
    if (unit === undefined || limit <= 0) return [];
    const query = new Int8Array(strideOf(this.dims));
    const scale = quantize(unit, query, 0);
    const wanted = Math.max(minCandidates, candidateFactor * limit);
    const candidates: SlotScore[] = [];
    for (const rows of this.#parts) {
      const found = rows.nearest(query, wanted, accepts);
      candidates.push(...(await rows.score(found, unit, scale)));
    }
    return candidates.sort((a, b) => b.score - a.score || compareTies(a.slot, b.slot)).slice(0, limit);
  }

  /** The rows of the units that are kept, and those units' new slots. Units added later are left out. */
  kept(newSlotOf: (slot: number) => number | undefined): KeptRows {
    return new KeptRows(this.#parts, this.dims, newSlotOf);
  }
}

/** Rows on their way into a snapshot. What is added to the index meanwhile does not show. */
export class KeptRows {
  readonly slots: Uint32Array;
  readonly scales: Float32Array;
  readonly #dims: number;
  readonly #runs: { readonly rows: Rows; readonly kept: readonly number[] }[];

  constructor(parts: readonly Rows[], dims: number, newSlotOf: (slot: number) => number | undefined) {
    this.#dims = dims;
    const slots: number[] = [];
    const scales: number[] = [];
    this.#runs = parts.map((rows) => {
      const kept: number[] = [];
      for (let row = 0; row < rows.count; row++) {
        const slot = newSlotOf(rows.slotAt(row));
        if (slot === undefined) continue;
        kept.push(row);
        slots.push(slot);
        scales.push(rows.scaleAt(row));
      }
      return { rows, kept };
    });
    this.slots = Uint32Array.from(slots);
    this.scales = Float32Array.from(scales);
  }

  /** Cells of all rows in 8 bits, some rows at a time. */
  *small(): Generator<Int8Array> {
    const stride = strideOf(this.#dims);
    for (const { rows, part } of this.#blocks()) {
      const cells = new Int8Array(part.length * stride);
      part.forEach((row, at) => cells.set(rows.cellsAt(row), at * stride));
      yield cells;
    }
  }

  /** The exact vectors of all rows, some rows at a time, each as long as its cells. */
  async *exact(): AsyncGenerator<Float32Array> {
    const stride = strideOf(this.#dims);
    for (const { rows, part } of this.#blocks()) {
      const vectors = new Float32Array(part.length * this.#dims);
      await rows.exact.read(part, vectors);
      const spaced = new Float32Array(part.length * stride);
      for (let at = 0; at < part.length; at++) {
        spaced.set(vectors.subarray(at * this.#dims, (at + 1) * this.#dims), at * stride);
      }
      yield spaced;
    }
  }

  *#blocks(): Generator<{ readonly rows: Rows; readonly part: readonly number[] }> {
    for (const { rows, kept } of this.#runs) {
      for (let at = 0; at < kept.length; at += rowsAtOnce) yield { rows, part: kept.slice(at, at + rowsAtOnce) };
    }
  }
}

/** Copying so many rows takes about a millisecond. */
const rowsAtOnce = 1024;

class Rows {
  readonly exact: ExactRows;
  readonly #dims: number;
  readonly #small: RowMemory;
  #slots: Uint32Array;
  #scales: Float32Array;
  /** Exact vectors of a tail; a base has them in its file. */
  #vectors: Float32Array = new Float32Array(0);
  count: number;

  constructor(dims: number, makeRows: MakeRowMemory, parts?: VectorParts) {
    this.#dims = dims;
    this.#small = parts?.small ?? makeRows(strideOf(dims));
    this.#slots = parts?.slots ?? new Uint32Array(0);
    this.#scales = parts?.scales ?? new Float32Array(0);
    this.count = this.#slots.length;
    this.exact = parts?.exact ?? {
      read: (rows, target) => {
        rows.forEach((row, at) => target.set(this.#vectors.subarray(row * dims, (row + 1) * dims), at * dims));
        return Promise.resolve();
      },
    };
  }

  slotAt(row: number): number {
    return this.#slots[row] ?? 0;
  }

  scaleAt(row: number): number {
    return this.#scales[row] ?? 0;
  }

  cellsAt(row: number): Int8Array {
    const stride = strideOf(this.#dims);
    return this.#small.cells.subarray(row * stride, (row + 1) * stride);
  }

  push(slot: number, unit: Float32Array): void {
    const row = this.count++;
    if (this.count > this.#slots.length) {
      this.#slots = grown(this.#slots, this.count, (length) => new Uint32Array(length));
      this.#scales = grown(this.#scales, this.count, (length) => new Float32Array(length));
      this.#small.reserve(this.#slots.length);
    }
    const cells = this.count * this.#dims;
    if (cells > this.#vectors.length) this.#vectors = grown(this.#vectors, cells, (length) => new Float32Array(length));
    this.#slots[row] = slot;
    this.#vectors.set(unit, row * this.#dims);
    this.#scales[row] = quantize(unit, this.#small.cells, row * strideOf(this.#dims));
  }

  /** The rows that the 8-bit scan finds best, in no order, with the scan's products. */
  nearest(query: Int8Array, wanted: number, accepts: (slot: number) => boolean): RowProduct[] {
    const top = new TopRows(wanted);
    for (let first = 0; first < this.count; first += scanBlock) {
      const count = Math.min(scanBlock, this.count - first);
      const sums = this.#small.dots(query, first, count);
      for (let at = 0; at < count; at++) {
        const product = (sums[at] ?? 0) * (this.#scales[first + at] ?? 0);
        if (top.wants(product) && accepts(this.#slots[first + at] ?? 0)) top.push(product, first + at);
      }
    }
    return top.entries().map(({ score, row }) => ({ row, product: score }));
  }

  /** Exact cosines, summed in 64 bits, always in the same order of additions. */
  async score(found: readonly RowProduct[], unit: Float32Array, queryScale: number): Promise<SlotScore[]> {
    if (found.length === 0) return [];
    const dims = this.#dims;
    const vectors = new Float32Array(found.length * dims);
    const rows = found.map(({ row }) => row);
    await this.exact.read(rows, vectors).catch(() => vectors.fill(NaN));
    return found.map(({ row, product }, at) => {
      let sum = 0;
      for (let i = 0, cell = at * dims; i < dims; i++, cell++) sum += (vectors[cell] ?? 0) * (unit[i] ?? 0);
      // A file that was damaged after it was opened must not put a unit on top: its 8 bits are in memory and checked.
      const rough = product * queryScale;
      const isRight = Math.abs(sum - rough) <= roundingOf(this.scaleAt(row), queryScale, dims);
      return { slot: this.slotAt(row), score: isRight ? sum : rough };
    });
  }
}

interface RowProduct {
  readonly row: number;
  /** Sum of the scan, times the row's scale; the query's scale changes no order. */
  readonly product: number;
}

/** How far the product of two unit vectors in 8 bits can be from the exact one: half a step off in each cell. */
function roundingOf(scale: number, otherScale: number, dims: number): number {
  return ((scale + otherScale) / 2) * Math.sqrt(dims) + (scale * otherScale * dims) / 4 + 1e-6;
}

/** A copy of length 1; `undefined` without a direction (all zero, NaN, infinite) or when it has other dimensions. */
function normalized(vector: Float32Array, dims: number): Float32Array | undefined {
  if (vector.length !== dims) return undefined;
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (!(sum > 0) || !Number.isFinite(sum)) return undefined;
  const factor = 1 / Math.sqrt(sum);
  return vector.map((value) => value * factor);
}

/** Writes `vector` as numbers -127..127 and returns the scale: value = number × scale. */
function quantize(vector: Float32Array, target: Int8Array, start: number): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest / 127;
  for (let i = 0; i < vector.length; i++) target[start + i] = Math.round((vector[i] ?? 0) / scale);
  return scale;
}
