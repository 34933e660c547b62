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
  return values.length === 0 ? undefined : intervalFrom(values, resampledMeans(values, options), options);
}

/** A difference with the chance that it is none. */
export interface PairedTest extends Interval {
  /** Two-sided: twice the share of the resampled differences on the rarer side of 0, at least 1 / draws, at most 1. */
  readonly p: number;
}

/** The mean difference `a - b` over the same questions, tested. Parameters as for `pairedBootstrap`. */
export function pairedTest(
  a: readonly number[],
  b: readonly number[],
  options: BootstrapOptions = {},
): PairedTest | undefined {
  const differences = differencesOf(a, b);
  if (differences.length === 0) return undefined;
  const means = resampledMeans(differences, options);
  const notAbove = means.filter((mean) => mean <= 0).length;
  const notBelow = means.filter((mean) => mean >= 0).length;
  const rarer = (Math.min(notAbove, notBelow) + 1) / (means.length + 1);
  return { ...intervalFrom(differences, means, options), p: Math.min(1, 2 * rarer) };
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
  return bootstrapMean(differencesOf(a, b), options);
}

function differencesOf(a: readonly number[], b: readonly number[]): number[] {
  if (a.length !== b.length) throw new RangeError(`Paired values differ in number: ${a.length} and ${b.length}`);
  return a.map((value, index) => value - (b[index] ?? 0));
}

/** Ascending. */
function resampledMeans(values: readonly number[], { draws = 2000, seed = 1 }: BootstrapOptions): Float64Array {
  const random = randomFrom(seed);
  const means = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let count = 0; count < values.length; count++) sum += values[Math.floor(random() * values.length)] ?? 0;
    means[draw] = sum / values.length;
  }
  return means.sort();
}

function intervalFrom(values: readonly number[], means: Float64Array, { level = 0.95 }: BootstrapOptions): Interval {
  const tail = (1 - level) / 2;
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    low: means[Math.floor(tail * (means.length - 1))] ?? 0,
    high: means[Math.ceil((1 - tail) * (means.length - 1))] ?? 0,
  };
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
