import { rowDotsWasm } from "./rowDotsWasm.ts";

/**
 * Rows of 8-bit numbers, kept where they can be scanned fast. The seam between plain JavaScript and WebAssembly SIMD:
 * both give the same sums.
 */
export interface RowMemory {
  /** Row `i` begins at `i × stride`. Another array after each `reserve`. */
  readonly cells: Int8Array;
  /** Rows there is room for. */
  readonly capacity: number;
  /** Makes room for so many rows at least; those that are there stay. */
  reserve(rows: number): void;
  /**
   * Dot products of a query of `stride` cells with the rows from `first` on.
   *
   * @param count At most `scanBlock`.
   * @returns One sum a row. Valid until the next call.
   */
  dots(query: Int8Array, first: number, count: number): Int32Array;
}

export type MakeRowMemory = (stride: number) => RowMemory;

/** Rows scanned in one call. */
export const scanBlock = 4096;

/** Cells a row takes: its dimensions, rounded up to what one step of the scan reads. The rest is 0. */
export function strideOf(dims: number): number {
  return Math.max(1, Math.ceil(dims / cellsPerStep)) * cellsPerStep;
}

const cellsPerStep = 16;

/** Over fewer rows plain JavaScript takes less than the 0.1 ms that a WebAssembly memory costs. */
const worthWasm = 256;

/** WebAssembly where the platform has it and the rows are worth it, else plain JavaScript. */
export const fastestRows: MakeRowMemory = (stride) => {
  let rows: RowMemory = plainRows(stride);
  return {
    get cells() {
      return rows.cells;
    },
    get capacity() {
      return rows.capacity;
    },
    reserve(count) {
      if (count <= rows.capacity) return;
      const { cells, capacity } = rows;
      const wasm = capacity <= worthWasm && count > worthWasm ? wasmRows(stride) : undefined;
      rows = wasm ?? rows;
      rows.reserve(count);
      if (wasm !== undefined) rows.cells.set(cells);
    },
    dots: (query, first, count) => rows.dots(query, first, count),
  };
};

export const plainRows: MakeRowMemory = (stride) => {
  const sums = new Int32Array(scanBlock);
  let cells: Int8Array = new Int8Array(0);
  return {
    get cells() {
      return cells;
    },
    get capacity() {
      return cells.length / stride;
    },
    reserve(rows) {
      if (rows * stride <= cells.length) return;
      const longer = new Int8Array(rows * stride);
      longer.set(cells);
      cells = longer;
    },
    dots(query, first, count) {
      // Four sums side by side: one alone waits for each addition to finish.
      for (let row = 0, start = first * stride; row < count; row++, start += stride) {
        let a = 0;
        let b = 0;
        let c = 0;
        let d = 0;
        for (let i = 0; i < stride; i += 4) {
          const at = start + i;
          a = (a + Math.imul(query[i] ?? 0, cells[at] ?? 0)) | 0;
          b = (b + Math.imul(query[i + 1] ?? 0, cells[at + 1] ?? 0)) | 0;
          c = (c + Math.imul(query[i + 2] ?? 0, cells[at + 2] ?? 0)) | 0;
          d = (d + Math.imul(query[i + 3] ?? 0, cells[at + 3] ?? 0)) | 0;
        }
        sums[row] = (a + b + c + d) | 0;
      }
      return sums;
    },
  };
};

/** `undefined` where the platform has no WebAssembly SIMD or no memory left for it. */
export function wasmRows(stride: number): RowMemory | undefined {
  const sumsEnd = scanBlock * 4;
  const queryEnd = sumsEnd + stride * 2;
  const rowsStart = Math.ceil(queryEnd / 64) * 64;
  try {
    const memory = new WebAssembly.Memory({ initial: pagesFor(rowsStart) });
    const { dots } = new WebAssembly.Instance(compiled(), { host: { memory } }).exports as unknown as RowDots;
    let sums = new Int32Array(memory.buffer, 0, scanBlock);
    let wide = new Int16Array(memory.buffer, sumsEnd, stride);
    let cells = new Int8Array(memory.buffer, rowsStart, 0);
    return {
      get cells() {
        return cells;
      },
      get capacity() {
        return Math.floor(cells.length / stride);
      },
      reserve(rows) {
        if (rows * stride <= cells.length) return;
        const missing = pagesFor(rowsStart + rows * stride) - memory.buffer.byteLength / pageBytes;
        if (missing > 0) memory.grow(missing); // in place: nothing is copied
        sums = new Int32Array(memory.buffer, 0, scanBlock);
        wide = new Int16Array(memory.buffer, sumsEnd, stride);
        cells = new Int8Array(memory.buffer, rowsStart, rows * stride);
      },
      dots(query, first, count) {
        wide.set(query);
        dots(sumsEnd, rowsStart + first * stride, stride, count, 0);
        return sums;
      },
    };
  } catch {
    return undefined;
  }
}

/** The export of `rowDots.wat`. */
interface RowDots {
  readonly dots: (query: number, row: number, stride: number, count: number, out: number) => void;
}

const pageBytes = 65_536;

function pagesFor(bytes: number): number {
  return Math.ceil(bytes / pageBytes);
}

let module: object | undefined;

function compiled(): object {
  module ??= new WebAssembly.Module(Uint8Array.from(atob(rowDotsWasm), (character) => character.charCodeAt(0)));
  return module;
}

/** What is used of the platform's WebAssembly: neither Node's typings nor ES2023's name it. */
interface WebAssemblyParts {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer; grow(pages: number): void };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyParts };
