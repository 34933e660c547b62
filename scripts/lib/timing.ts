/** Times work beside a reference, so that figures of busy or slow machines can be compared. */
import { quantile } from "../../src/core/lab/metrics.ts";

/** Milliseconds. */
export function timed<T>(work: () => T): { readonly value: T; readonly ms: number } {
  const started = performance.now();
  const value = work();
  return { value, ms: performance.now() - started };
}

/**
 * Milliseconds that work takes by itself: the smaller of wall time and of the processor time of this process, so that
 * other programs on a busy machine do not count.
 */
export async function ownMs(work: () => unknown): Promise<number> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(wallMs, (user + system) / 1000);
}

/**
 * The reference: JSON.stringify and JSON.parse of a list of the text's words. It allocates and walks strings as the
 * pipeline does, needs no package and grows with the text.
 */
export function referenceMs(text: string): number {
  const words = text.split(/\b/);
  return timed(() => (JSON.parse(JSON.stringify(words)) as string[]).length).ms;
}

/** The same over one megabyte of made-up words: about 30 ms on a quiet machine of 2025. */
export function fixedReferenceMs(): number {
  const text = Array.from({ length: 150_000 }, (_, index) => `w${(index * 7919) % 9973}`).join(" ");
  const runs = Array.from({ length: 5 }, () => referenceMs(text));
  return quantile(runs, 0.5) ?? 0;
}

export function p50(values: readonly number[]): number {
  return quantile(values, 0.5) ?? 0;
}

export function p95(values: readonly number[]): number {
  return quantile(values, 0.95) ?? 0;
}

export function milliseconds(value: number): string {
  return value < 1 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0);
}
