/** Numbers that look random and are the same for the same seed, so that a found fault can be run again. */
export interface Random {
  /** A whole number, 0 to `below - 1`. */
  below(below: number): number;
  pick<T>(values: readonly T[]): T;
  chance(share: number): boolean;
}

/** mulberry32: 32 bits of state, good enough to mix inputs. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    below: (below) => Math.floor(next() * below),
    pick: (values) => values[Math.floor(next() * values.length)] as (typeof values)[number],
    chance: (share) => next() < share,
  };
}
