/** What several processes did to a library, and whether what is there now can be the outcome. */

export interface WorkerEvent {
  /** `nothing`: a removal that found no page. */
  readonly kind: "begin" | "end" | "nothing" | "stopped" | "view";
  readonly action: "save" | "remove";
  readonly worker: string;
  readonly pageId: string;
  /** `<worker>:<n>`, unique. */
  readonly title: string;
  /** Of `machineMs`. */
  readonly atMs: number;
}

interface Operation {
  readonly action: "save" | "remove";
  readonly title: string;
  readonly beganMs: number;
  /** When it returned, or when its process was dead. */
  endedMs: number;
  returned: boolean;
}

export class CrashHistory {
  readonly #operations = new Map<string, Operation[]>();
  /** Saves and removals that had returned. */
  returned = 0;
  slowestMs = 0;

  add(event: WorkerEvent): void {
    const { kind, action, pageId, title, atMs } = event;
    if (kind !== "begin" && kind !== "end" && kind !== "nothing") return;
    const operations = this.#operations.get(pageId) ?? [];
    this.#operations.set(pageId, operations);
    if (kind === "begin") {
      operations.push({ action, title, beganMs: atMs, endedMs: Infinity, returned: false });
      return;
    }
    const at = operations.findIndex((operation) => operation.title === title);
    const operation = operations[at];
    if (operation === undefined) throw new Error(`${title} ended without a beginning`);
    this.slowestMs = Math.max(this.slowestMs, atMs - operation.beganMs);
    if (kind === "nothing") {
      operations.splice(at, 1);
      return;
    }
    operation.endedMs = atMs;
    operation.returned = true;
    this.returned++;
  }

  /**
   * All processes are dead or idle. For each page, what is there must be the work of an operation after which no
   * operation began that returned. (Those that overlap may end in any order; one that was killed may have happened or not.)
   *
   * @param found Titles by page.
   * @returns What is wrong, one sentence each.
   */
  settle(found: ReadonlyMap<string, string>, nowMs: number): string[] {
    const faults: string[] = [];
    for (const pageId of found.keys())
      if (!this.#operations.has(pageId)) faults.push(`${pageId} appeared from nowhere`);
    for (const [pageId, operations] of this.#operations) {
      for (const operation of operations) operation.endedMs = Math.min(operation.endedMs, nowMs);
      const title = found.get(pageId);
      const candidates = operations.filter((operation) =>
        title === undefined ? operation.action === "remove" : operation.title === title,
      );
      const returned = operations.filter((operation) => operation.returned);
      const possible = candidates.some((candidate) => !returned.some(({ beganMs }) => beganMs > candidate.endedMs));
      if (!possible && !(title === undefined && !returned.some(({ action }) => action === "save"))) {
        const last = returned.at(-1);
        faults.push(
          `${pageId} holds ${title ?? "nothing"}, but ${last?.action ?? "nothing"} ${last?.title ?? ""} had returned`,
        );
      }
      const state: Operation = {
        action: title === undefined ? "remove" : "save",
        title: title ?? "",
        beganMs: nowMs,
        endedMs: nowMs,
        returned: true,
      };
      this.#operations.set(pageId, [state]);
    }
    return faults;
  }
}

/** Milliseconds of a clock that all processes of the machine share and nobody sets. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Mulberry32: numbers in [0, 1), the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
