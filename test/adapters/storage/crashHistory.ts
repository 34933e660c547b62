/** What several processes did to a library, and whether what is there now can be the outcome. */

export type CrashAction = "save" | "refresh" | "distill" | "remove" | "undo" | "search" | "compact" | "reindex" | "job";

export interface WorkerEvent {
  /**
   * `begin`, then one of: `end` (it returned as done), `maybe` (it gave way to another process: it may have been there
   * for a moment), `nothing` (there was no page to work on). `recorded` and `over`: a job's record was written, its work
   * is done. `stopped` and `view`: answers to the parent. `fault`: the worker saw what may not be.
   */
  readonly kind: "begin" | "end" | "maybe" | "nothing" | "recorded" | "over" | "stopped" | "view" | "fault";
  readonly action: CrashAction;
  readonly worker: string;
  /** Unique; of a job, its id. */
  readonly operation: string;
  readonly pageId: string;
  /** Of the page that is written. */
  readonly title: string;
  /** Of `machineMs`. */
  readonly atMs: number;
}

interface Operation {
  readonly name: string;
  /** What the page is afterwards: the title, or gone. */
  readonly leaves: string | undefined;
  readonly beganMs: number;
  /** When it returned, or when its process was dead. */
  endedMs: number;
  returned: boolean;
}

export class CrashHistory {
  /** Of each page, operations that can be the last or come after one that can. */
  readonly #operations = new Map<string, Operation[]>();
  readonly #running = new Map<string, WorkerEvent>();
  /** Jobs that were recorded and are not over. */
  readonly jobs = new Set<string>();
  /** Operations that had returned. */
  returned = 0;
  slowestMs = 0;
  readonly faults: string[] = [];

  add(event: WorkerEvent): void {
    const { kind, operation, pageId, title, atMs } = event;
    switch (kind) {
      case "begin":
        this.#running.set(operation, event);
        if (event.action === "save" || event.action === "refresh" || event.action === "undo")
          this.#of(pageId).push({ name: operation, leaves: title, beganMs: atMs, endedMs: Infinity, returned: false });
        if (event.action === "remove")
          this.#of(pageId).push({
            name: operation,
            leaves: undefined,
            beganMs: atMs,
            endedMs: Infinity,
            returned: false,
          });
        return;
      case "end":
      case "maybe":
      case "nothing": {
        const began = this.#running.get(operation);
        if (began === undefined) throw new Error(`${operation} ended without a beginning`);
        this.#running.delete(operation);
        this.slowestMs = Math.max(this.slowestMs, atMs - began.atMs);
        if (kind === "end") this.returned++;
        const operations = this.#of(pageId);
        const at = operations.findIndex(({ name }) => name === operation);
        const found = operations[at];
        if (found === undefined) return; // a search and the like
        if (kind === "nothing") operations.splice(at, 1);
        found.endedMs = atMs;
        found.returned = kind === "end";
        return;
      }
      case "recorded":
        this.jobs.add(operation);
        return;
      case "over":
        this.jobs.delete(operation);
        return;
      case "fault":
        this.faults.push(`${event.worker}: ${title}`);
        return;
      case "stopped":
      case "view":
    }
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
    this.#running.clear();
    for (const pageId of found.keys())
      if (!this.#operations.has(pageId)) faults.push(`${pageId} appeared from nowhere`);
    for (const [pageId, operations] of this.#operations) {
      for (const operation of operations) operation.endedMs = Math.min(operation.endedMs, nowMs);
      const title = found.get(pageId);
      const returned = operations.filter((operation) => operation.returned);
      const possible = operations
        .filter(({ leaves }) => leaves === title)
        .some((candidate) => !returned.some(({ beganMs }) => beganMs > candidate.endedMs));
      if (!possible && !(title === undefined && !returned.some(({ leaves }) => leaves !== undefined))) {
        const last = returned.at(-1);
        faults.push(
          `${pageId} holds ${title ?? "nothing"}, but ${last?.name ?? "nothing"} had returned and leaves ${last?.leaves ?? "nothing"}`,
        );
      }
      const state: Operation = { name: "before", leaves: title, beganMs: nowMs, endedMs: nowMs, returned: true };
      this.#operations.set(pageId, [state]);
    }
    return faults;
  }

  #of(pageId: string): Operation[] {
    const operations = this.#operations.get(pageId) ?? [];
    this.#operations.set(pageId, operations);
    return operations;
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
