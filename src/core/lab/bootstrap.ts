/**
 * Intervals for means over questions, by resampling the questions.
 *
 * The draws come from a seed, so the same values give the same interval on every machine.
 */

export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  /** Resamples. Default 2,000: the ends of a 95 % interval then move by less than 0.005 between seeds. */
  readonly draws?: number | undefined;
  /** Share of the resampled means inside the interval. Default 0.95. */
  readonly level?: number | undefined;
  /** Any 32-bit integer. Default 1. */
  readonly seed?: number | undefined;
}

/** Percentile bootstrap of a mean. `undefined` for an empty list. */
export function bootstrapMean(values: readonly number[], options: BootstrapOptions = {}): Interval | undefined {
  if (values.length === 0) return undefined;
  const { draws = 2000, level = 0.95, seed = 1 } = options;
  const random = randomFrom(seed);
  const means = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let count = 0; count < values.length; count++) sum += values[Math.floor(random() * values.length)] ?? 0;
    means[draw] = sum / values.length;
  }
  means.sort();
  const tail = (1 - level) / 2;
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    low: means[Math.floor(tail * (draws - 1))] ?? 0,
    high: means[Math.ceil((1 - tail) * (draws - 1))] ?? 0,
  };
}

/**
 * The mean difference `a - b` over the same questions.
 *
 * @param a One value a question.
 * @param b The other system's values, same questions in the same order.
 */
export function pairedBootstrap(
  a: readonly number[],
  b: readonly number[],
  options: BootstrapOptions = {},
): Interval | undefined {
  if (a.length !== b.length) throw new RangeError(`Paired values differ in number: ${a.length} and ${b.length}`);
  return bootstrapMean(
    a.map((value, index) => value - (b[index] ?? 0)),
    options,
  );
}

/** Numbers in [0, 1) by mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for resampling. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
