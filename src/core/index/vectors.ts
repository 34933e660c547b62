import type { SlotScore } from "./bm25f.ts";
import { grown } from "./stringTable.ts";

/** Arrays of a snapshot: row `i` belongs to the unit in slot `slots[i]`. Slots come in any order, each at most once. */
export interface VectorParts {
  readonly slots: Uint32Array;
  /** Unit vectors, row after row. */
  readonly rows: Float32Array;
  /** The same rows in 8 bits, and what to multiply them with. */
  readonly small: Int8Array;
  readonly scales: Float32Array;
}

/**
 * Dot product of a query with each of `count` rows of 8-bit numbers. The seam for a faster one: plain JavaScript here,
 * WebAssembly SIMD where a host supplies it.
 *
 * @param scores Filled with `count` products, already multiplied with the rows' scales.
 */
export type Scan = (
  query: Int8Array,
  rows: Int8Array,
  scales: Float32Array,
  count: number,
  scores: Float32Array,
) => void;

export interface VectorQuery {
  readonly vector: Float32Array;
  readonly limit: number;
  readonly accepts?: ((slot: number) => boolean) | undefined;
  readonly compareTies: (a: number, b: number) => number;
}

/** The 8-bit scan picks this many times `limit` rows, at least `minCandidates`, which are then scored exactly. */
const candidateFactor = 2;
const minCandidates = 50;

/**
 * Ranks units by the cosine of their vector with the query's. Every row is scanned, in 8 bits; the best are scored again
 * with the exact vectors. A frozen base that a snapshot can hand over, and a tail that takes new rows.
 */
export class VectorIndex {
  readonly dims: number;
  readonly #scan: Scan;
  readonly #base: Rows;
  readonly #tail: Rows;
  readonly #removed = new Set<number>();

  constructor(dims: number, parts?: VectorParts, scan: Scan = scanPlain) {
    this.dims = dims;
    this.#scan = scan;
    this.#base = new Rows(dims, parts);
    this.#tail = new Rows(dims);
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

  remove(slot: number): void {
    this.#removed.add(slot);
  }

  search({ vector, limit, accepts, compareTies }: VectorQuery): SlotScore[] {
    const unit = normalized(vector, this.dims);
    if (unit === undefined || limit <= 0) return [];
    const query = new Int8Array(this.dims);
    // The query's own scale is left out: it changes no order.
    quantize(unit, query, 0);
    const wanted = Math.max(minCandidates, candidateFactor * limit);
    const candidates: SlotScore[] = [];
    for (const rows of [this.#base, this.#tail]) {
      const top = new TopRows(wanted);
      const scores = rows.scan(this.#scan, query);
      for (let row = 0; row < rows.count; row++) {
        const score = scores[row] ?? 0;
        if (!top.wants(score)) continue;
        const slot = rows.slotAt(row);
        if (!this.#removed.has(slot) && accepts?.(slot) !== false) top.push(score, row);
      }
      for (const row of top.rows()) candidates.push({ slot: rows.slotAt(row), score: rows.dot(row, unit) });
    }
    return candidates.sort((a, b) => b.score - a.score || compareTies(a.slot, b.slot)).slice(0, limit);
  }

  /** The rows of the units that are kept, with their new slots. */
  compact(slots: Uint32Array): VectorParts {
    const renumbered = new Map<number, number>();
    slots.forEach((old, slot) => renumbered.set(old, slot));
    const kept = new Rows(this.dims);
    for (const rows of [this.#base, this.#tail]) {
      for (let row = 0; row < rows.count; row++) {
        const slot = renumbered.get(rows.slotAt(row));
        if (slot !== undefined && !this.#removed.has(rows.slotAt(row))) kept.copy(slot, rows, row);
      }
    }
    return kept.parts();
  }
}

/** Rows of vectors, exact and in 8 bits. */
class Rows {
  readonly #dims: number;
  #slots: Uint32Array;
  #rows: Float32Array;
  #small: Int8Array;
  #scales: Float32Array;
  #scores = new Float32Array(0);
  count: number;

  constructor(dims: number, parts?: VectorParts) {
    this.#dims = dims;
    this.#slots = parts?.slots ?? new Uint32Array(0);
    this.#rows = parts?.rows ?? new Float32Array(0);
    this.#small = parts?.small ?? new Int8Array(0);
    this.#scales = parts?.scales ?? new Float32Array(0);
    this.count = this.#slots.length;
  }

  slotAt(row: number): number {
    return this.#slots[row] ?? 0;
  }

  push(slot: number, unit: Float32Array): void {
    const row = this.#next(slot);
    this.#rows.set(unit, row * this.#dims);
    this.#scales[row] = quantize(unit, this.#small, row * this.#dims);
  }

  copy(slot: number, from: Rows, fromRow: number): void {
    const row = this.#next(slot);
    const start = fromRow * this.#dims;
    this.#rows.set(from.#rows.subarray(start, start + this.#dims), row * this.#dims);
    this.#small.set(from.#small.subarray(start, start + this.#dims), row * this.#dims);
    this.#scales[row] = from.#scales[fromRow] ?? 0;
  }

  scan(scan: Scan, query: Int8Array): Float32Array {
    if (this.#scores.length < this.count) this.#scores = new Float32Array(this.#scales.length);
    scan(query, this.#small, this.#scales, this.count, this.#scores);
    return this.#scores;
  }

  /** Exact, in 64 bits, always in the same order of additions. */
  dot(row: number, unit: Float32Array): number {
    let sum = 0;
    const start = row * this.#dims;
    for (let i = 0; i < this.#dims; i++) sum += (this.#rows[start + i] ?? 0) * (unit[i] ?? 0);
    return sum;
  }

  parts(): VectorParts {
    return {
      slots: this.#slots.subarray(0, this.count),
      rows: this.#rows.subarray(0, this.count * this.#dims),
      small: this.#small.subarray(0, this.count * this.#dims),
      scales: this.#scales.subarray(0, this.count),
    };
  }

  #next(slot: number): number {
    const row = this.count++;
    const cells = this.count * this.#dims;
    if (this.count > this.#slots.length) {
      this.#slots = grown(this.#slots, this.count, (length) => new Uint32Array(length));
      this.#scales = grown(this.#scales, this.count, (length) => new Float32Array(length));
    }
    if (cells > this.#rows.length) this.#rows = grown(this.#rows, cells, (length) => new Float32Array(length));
    if (cells > this.#small.length) this.#small = grown(this.#small, cells, (length) => new Int8Array(length));
    this.#slots[row] = slot;
    return row;
  }
}

/** Keeps the rows of the best scores: a heap with the worst on top. Equal scores: the earlier row stays. */
class TopRows {
  readonly #limit: number;
  readonly #heap: { score: number; row: number }[] = [];
  #worst = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  wants(score: number): boolean {
    return score > this.#worst;
  }

  push(score: number, row: number): void {
    const heap = this.#heap;
    let place = heap.length;
    if (place === this.#limit) place = this.#sink(score);
    else {
      for (; place > 0;) {
        const parent = (place - 1) >> 1;
        const above = heap[parent];
        if (above === undefined || above.score <= score) break;
        heap[place] = above;
        place = parent;
      }
    }
    heap[place] = { score, row };
    if (heap.length === this.#limit) this.#worst = heap[0]?.score ?? -Infinity;
  }

  rows(): number[] {
    return this.#heap.map(({ row }) => row);
  }

  /** Moves the hole at the top down to where `score` belongs. */
  #sink(score: number): number {
    const heap = this.#heap;
    let place = 0;
    for (;;) {
      let child = place * 2 + 1;
      const left = heap[child];
      if (left === undefined) return place;
      const right = heap[child + 1];
      let lower = left;
      if (right !== undefined && right.score < left.score) {
        lower = right;
        child++;
      }
      if (lower.score >= score) return place;
      heap[place] = lower;
      place = child;
    }
  }
}

/** Four sums side by side: one alone waits for each addition to finish. */
export const scanPlain: Scan = (query, rows, scales, count, scores) => {
  const dims = query.length;
  const whole = dims - (dims % 4);
  for (let row = 0, start = 0; row < count; row++, start += dims) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let i = 0; i < whole; i += 4) {
      const at = start + i;
      a = (a + Math.imul(query[i] ?? 0, rows[at] ?? 0)) | 0;
      b = (b + Math.imul(query[i + 1] ?? 0, rows[at + 1] ?? 0)) | 0;
      c = (c + Math.imul(query[i + 2] ?? 0, rows[at + 2] ?? 0)) | 0;
      d = (d + Math.imul(query[i + 3] ?? 0, rows[at + 3] ?? 0)) | 0;
    }
    for (let i = whole; i < dims; i++) a = (a + Math.imul(query[i] ?? 0, rows[start + i] ?? 0)) | 0;
    scores[row] = (a + b + c + d) * (scales[row] ?? 0);
  }
};

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
  vector.forEach((value, i) => (target[start + i] = Math.round(value / scale)));
  return scale;
}
