/** The vector scan beside plain loops and beside what the memory can deliver. */
import { plainRows, scanBlock, strideOf, wasmRows } from "../../src/core/index/rowMemory.ts";
import type { RowMemory } from "../../src/core/index/rowMemory.ts";
import { markdownTable } from "../../src/core/lab/markdownTable.ts";
import { milliseconds, ownMs, p50 } from "../lib/timing.ts";

const dims = 384;

export async function benchVectorLimit(sizes: readonly number[]): Promise<Map<string, number[]>> {
  const rows = new Map<string, number[]>();
  const note = (name: string, ms: number): void => void rows.set(name, [...(rows.get(name) ?? []), ms]);
  for (const count of sizes) {
    const floats = Float32Array.from({ length: count * dims }, (_, i) => ((i * 2654435761) % 1000) / 1000 - 0.5);
    const query = floats.slice(0, dims);
    const scores = new Float32Array(count);
    for (const [name, memory] of [
      ["WebAssembly SIMD, 8 bits", wasmRows(strideOf(dims))],
      ["plain loop, 8 bits", plainRows(strideOf(dims))],
    ] as const) {
      if (memory === undefined) continue;
      memory.reserve(count);
      for (let i = 0; i < memory.cells.length; i++) memory.cells[i] = (i * 31) % 127;
      const small = memory.cells.slice(0, strideOf(dims));
      note(name, await typical(() => scan(memory, small, count)));
    }
    note("plain loop, 32 bits", await typical(() => dotAll(floats, query, scores)));
    const copy = new Float32Array(floats.length);
    const copyMs = await typical(() => copy.set(floats));
    // A copy moves each byte twice.
    note("limit: reading 8 bits from memory", copyMs / 2 / 4);
    note("limit: reading 32 bits from memory", copyMs / 2);
  }
  console.log(`\n### One query against all vectors of ${dims} dimensions\n`);
  console.log(
    markdownTable(
      ["ms, p50", ...sizes.map((size) => size.toLocaleString("en"))],
      [...rows].map(([name, values]) => [name, ...values.map(milliseconds)]),
    ),
  );
  return rows;
}

function scan(memory: RowMemory, query: Int8Array, count: number): void {
  for (let first = 0; first < count; first += scanBlock) memory.dots(query, first, Math.min(scanBlock, count - first));
}

/** As one would write it, with four sums side by side. */
function dotAll(rows: Float32Array, query: Float32Array, scores: Float32Array): void {
  for (let row = 0; row < scores.length; row++) {
    const start = row * dims;
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let i = 0; i < dims; i += 4) {
      a += (rows[start + i] ?? 0) * (query[i] ?? 0);
      b += (rows[start + i + 1] ?? 0) * (query[i + 1] ?? 0);
      c += (rows[start + i + 2] ?? 0) * (query[i + 2] ?? 0);
      d += (rows[start + i + 3] ?? 0) * (query[i + 3] ?? 0);
    }
    scores[row] = a + b + c + d;
  }
}

async function typical(work: () => void): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 25; run++) times.push(await ownMs(work));
  return p50(times.slice(5));
}
