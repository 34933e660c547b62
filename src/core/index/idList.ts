import { grown } from "./stringTable.ts";

export interface IdListParts {
  /** UTF-8 of all ids, one after the other. */
  readonly bytes: Uint8Array;
  /** Where each id starts; one more entry for the end of the last. */
  readonly starts: Uint32Array;
}

/** Ids by slot. Those of a snapshot stay bytes until somebody asks: 100,000 strings would take 50 ms at every start. */
export class IdList {
  readonly #base: IdListParts;
  readonly #added: string[] = [];

  constructor(base: IdListParts = { bytes: new Uint8Array(0), starts: new Uint32Array(1) }) {
    this.#base = base;
  }

  push(id: string): void {
    this.#added.push(id);
  }

  at(slot: number): string {
    const { bytes, starts } = this.#base;
    const baseCount = starts.length - 1;
    if (slot >= baseCount) return this.#added[slot - baseCount] ?? "";
    return decoder.decode(bytes.subarray(starts[slot] ?? 0, starts[slot + 1] ?? 0));
  }

  /** The ids of these slots, which then are 0, 1, 2, ... */
  kept(slots: Uint32Array): IdListParts {
    const { bytes, starts } = this.#base;
    const baseCount = starts.length - 1;
    const keptStarts = new Uint32Array(slots.length + 1);
    let kept: Uint8Array = new Uint8Array(bytes.length);
    let end = 0;
    slots.forEach((slot, at) => {
      const id =
        slot < baseCount
          ? bytes.subarray(starts[slot] ?? 0, starts[slot + 1] ?? 0)
          : encoder.encode(this.#added[slot - baseCount] ?? "");
      if (end + id.length > kept.length) kept = grown(kept, end + id.length, (length) => new Uint8Array(length));
      kept.set(id, end);
      end += id.length;
      keptStarts[at + 1] = end;
    });
    return { bytes: kept.subarray(0, end), starts: keptStarts };
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
