/** Keeps the rows of the best scores: a heap with the worst on top. Equal scores: the earlier row stays. */
export class TopRows {
  readonly #limit: number;
  readonly #heap: RowScore[] = [];
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

  /** In no order. */
  entries(): readonly RowScore[] {
    return this.#heap;
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

export interface RowScore {
  readonly score: number;
  readonly row: number;
}
