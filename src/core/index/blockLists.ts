import { grown } from "./stringTable.ts";

/**
 * A list of (slot, counts) pairs a term, all in one typed array: each list is a chain of blocks, each twice as long as
 * the one before, because most words are in one or two units and a few are in all of them.
 */
export class BlockLists {
  /** Blocks; position 0 is unused, so that 0 can mean "none". */
  #pool: Uint32Array = new Uint32Array(1024);
  #used = 1;
  #pairs = 0;
  /** By term: first block, last block, pairs in the last block. */
  #heads: Uint32Array = new Uint32Array(0);
  #lasts: Uint32Array = new Uint32Array(0);
  #fills: Uint32Array = new Uint32Array(0);

  get size(): number {
    return this.#pairs;
  }

  push(term: number, slot: number, counts: number): void {
    if (term >= this.#heads.length) {
      const make = (length: number): Uint32Array => new Uint32Array(length);
      this.#heads = grown(this.#heads, term + 1, make);
      this.#lasts = grown(this.#lasts, term + 1, make);
      this.#fills = grown(this.#fills, term + 1, make);
    }
    let block = this.#lasts[term] ?? 0;
    let fill = this.#fills[term] ?? 0;
    const length = this.#pool[block] ?? 0;
    if (block === 0 || fill === length) {
      const next = this.#allocate(block === 0 ? firstBlock : Math.min(length * 2, largestBlock));
      if (block === 0) this.#heads[term] = next;
      else this.#pool[block + 1] = next;
      this.#lasts[term] = next;
      block = next;
      fill = 0;
    }
    this.#pool[block + 2 + fill * 2] = slot;
    this.#pool[block + 3 + fill * 2] = counts;
    this.#fills[term] = fill + 1;
    this.#pairs++;
  }

  each(term: number, visit: (slot: number, counts: number) => void): void {
    const pool = this.#pool;
    const last = this.#lasts[term] ?? 0;
    for (let block = this.#heads[term] ?? 0; block !== 0; block = pool[block + 1] ?? 0) {
      const pairs = block === last ? (this.#fills[term] ?? 0) : (pool[block] ?? 0);
      for (let i = 0; i < pairs; i++) visit(pool[block + 2 + i * 2] ?? 0, pool[block + 3 + i * 2] ?? 0);
    }
  }

  #allocate(length: number): number {
    const block = this.#used;
    this.#used += 2 + length * 2;
    if (this.#used > this.#pool.length) this.#pool = grown(this.#pool, this.#used, (size) => new Uint32Array(size));
    this.#pool[block] = length;
    return block;
  }
}

/** A block is a header of two words (its length in pairs, the next block), then the pairs. Lengths of blocks in pairs: */
const firstBlock = 2;
const largestBlock = 512;
