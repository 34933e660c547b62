/**
 * The queue of saves: one save is one job. A job is recorded before it starts and forgotten when it ends,
 * so that a closed window or a kill loses no wish of the person; it resumes where the stored page stands.
 */
import type { Clock, JobRecord, JobStore, Log, ModelUsage } from "./ports.ts";
import type { SaveEvent, SaveReport, SaveStage } from "./save.ts";
import type { PageId } from "./types.ts";
import { BacopaError } from "./errors.ts";
import { withMarkedCredentials, withoutCredentials } from "./util/credentials.ts";
import type { ErrorAction } from "./errors.ts";

export type JobState = "queued" | "running" | "paused" | "done" | "failed" | "canceled";

/** What a surface shows of one job. */
export interface Job {
  readonly id: string;
  readonly record: JobRecord;
  readonly state: JobState;
  readonly stage?: SaveStage | undefined;
  readonly title?: string | undefined;
  readonly sectionsDone?: number | undefined;
  readonly sections?: number | undefined;
  /** The page it works on: known from its start, or once its sections can be searched. */
  readonly pageId?: PageId | undefined;
  /** What a model has used for it so far. */
  readonly usage?: ModelUsage | undefined;
  readonly report?: SaveReport | undefined;
  /** Why it failed or waits, in words with the next step. */
  readonly message?: string | undefined;
  /** What the editor can offer for a failed one. */
  readonly action?: ErrorAction | undefined;
}

export interface JobQueueInit {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Jobs at once. Default 2: one may wait for the network while the other works. */
  readonly limit?: number | undefined;
  /** Does the work of one job. Faults of a page or a model come back in the report. */
  readonly run: (record: JobRecord, onEvent: (event: SaveEvent) => void, signal: AbortSignal) => Promise<SaveReport>;
  /** Names new jobs; unique over all processes. */
  readonly newId: () => string;
}

/** Whether a job may go on by itself; else what the person is told. */
export type MayRun = (record: JobRecord) => true | string;

export type NewJob = Omit<JobRecord, "id" | "createdAt">;

interface Entry {
  job: Job;
  readonly abort: AbortController;
  readonly ended: Promise<Job>;
  readonly end: (job: Job) => void;
}

/** Ended jobs that stay listed, so that a person sees what came of them. */
const endedKept = 50;

export class JobQueue {
  readonly #init: JobQueueInit;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<(job: Job) => void>();
  readonly #quiet = new Set<string>();
  #running = 0;
  #disposed = false;

  constructor(init: JobQueueInit) {
    this.#init = init;
  }

  /**
   * Records the job and queues it. Resolves once it is recorded; `ended` resolves when it is over.
   * @param telling `quiet`: whoever added the job tells what came of it, see `isQuiet`.
   */
  async add(
    wish: NewJob,
    telling: "aloud" | "quiet" = "aloud",
  ): Promise<{ readonly job: Job; readonly ended: Promise<Job> }> {
    const record: JobRecord = { ...wish, id: this.#init.newId(), createdAt: this.#init.clock.now().toISOString() };
    await this.#init.store.put(storedRecord(record));
    if (telling === "quiet") this.#quiet.add(record.id);
    const entry = this.#enter(record, "queued");
    this.#startNext();
    return { job: entry.job, ended: entry.ended };
  }

  /**
   * Takes over the jobs that ended processes left. `mayRun` decides whether one may go on at once;
   * the others wait as `paused` until `resume`, with the sentence it gives.
   */
  async adopt(mayRun: MayRun): Promise<void> {
    for (const record of await this.#init.store.adopt()) {
      if (this.#entries.has(record.id)) continue;
      const verdict = mayRun(record);
      const entry = this.#enter(record, verdict === true ? "queued" : "paused");
      if (verdict !== true) this.#update(entry, { message: verdict });
    }
    this.#startNext();
  }

  /** Looks again at the jobs that wait: those that may run by now go on, the others get the sentence of today. */
  lift(mayRun: MayRun): void {
    for (const entry of this.#entries.values()) {
      if (entry.job.state !== "paused") continue;
      const verdict = mayRun(entry.job.record);
      if (verdict === true) this.#update(entry, { state: "queued", message: undefined });
      else if (verdict !== entry.job.message) this.#update(entry, { message: verdict });
    }
    this.#startNext();
  }

  /** Lets a paused job go on, or tries a failed or canceled one again. */
  async resume(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.job.state === "running" || entry.job.state === "queued") return;
    if (entry.job.state === "paused") this.#update(entry, { state: "queued", message: undefined });
    else {
      await this.#init.store.put(storedRecord(entry.job.record));
      this.#entries.delete(id);
      this.#enter(entry.job.record, "queued");
    }
    this.#startNext();
  }

  /** Stops a job. What it has stored so far stays. */
  async cancel(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    if (entry.job.state === "running") entry.abort.abort();
    else if (entry.job.state === "queued" || entry.job.state === "paused")
      await this.#end(entry, { state: "canceled" });
  }

  /** Whether a surface that tells of every job leaves this one to the one that added it. */
  isQuiet(id: string): boolean {
    return this.#quiet.has(id);
  }

  /** Takes a job that is over off the list. */
  dismiss(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || !isOver(entry.job.state)) return;
    this.#entries.delete(id);
    this.#tell(entry.job);
  }

  /** Oldest first. */
  list(): readonly Job[] {
    return [...this.#entries.values()].map(({ job }) => job);
  }

  onDidChange(listener: (job: Job) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Stops working without giving the jobs up: their records stay for the next process. */
  dispose(): void {
    this.#disposed = true;
    for (const { abort } of this.#entries.values()) abort.abort();
    this.#listeners.clear();
  }

  #enter(record: JobRecord, state: JobState): Entry {
    let end: (job: Job) => void = () => undefined;
    const ended = new Promise<Job>((resolve) => (end = resolve));
    const entry: Entry = {
      job: {
        id: record.id,
        record,
        state,
        title: record.title,
        pageId: record.kind === "save" ? undefined : record.target,
      },
      abort: new AbortController(),
      ended,
      end,
    };
    this.#entries.set(record.id, entry);
    this.#tell(entry.job);
    return entry;
  }

  #startNext(): void {
    for (const entry of this.#entries.values()) {
      if (this.#running >= (this.#init.limit ?? 2) || this.#disposed) return;
      if (entry.job.state === "queued") void this.#work(entry);
    }
  }

  async #work(entry: Entry): Promise<void> {
    this.#running++;
    this.#update(entry, { state: "running" });
    try {
      const { record } = entry.job;
      const report = await this.#init.run(
        record,
        (event) => this.#update(entry, progressOf(event, entry.job)),
        entry.abort.signal,
      );
      if (!this.#disposed) {
        await this.#end(entry, {
          state: report.state,
          report,
          message: report.message,
          action: report.action,
          title: report.title ?? entry.job.title,
          pageId: report.pageId ?? entry.job.pageId,
        });
      }
    } catch (error) {
      if (!this.#disposed)
        await this.#end(entry, {
          state: entry.abort.signal.aborted ? "canceled" : "failed",
          message: messageOf(error),
          action: error instanceof BacopaError ? error.action : undefined,
        });
      if (!(error instanceof BacopaError))
        this.#init.log.warn("job failed", { job: entry.job.id, error: String(error) });
    } finally {
      this.#running--;
      this.#startNext();
    }
  }

  async #end(entry: Entry, change: Partial<Job>): Promise<void> {
    this.#update(entry, change);
    entry.end(entry.job);
    // A record that cannot be removed means one more try at the next start: the job is idempotent.
    await this.#init.store.remove(entry.job.id).catch((error: unknown) => {
      this.#init.log.warn("job record stays", { job: entry.job.id, error: String(error) });
    });
    // A success answers the failures before it.
    if (entry.job.state === "done")
      for (const { job } of this.#entries.values())
        if (job.state === "failed" && isSameWish(job, entry.job)) this.dismiss(job.id);
    const over = [...this.#entries.values()].filter(({ job }) => isOver(job.state));
    for (const { job } of over.slice(0, Math.max(0, over.length - endedKept))) this.#entries.delete(job.id);
  }

  #update(entry: Entry, change: Partial<Job>): void {
    entry.job = { ...entry.job, ...change };
    this.#tell(entry.job);
  }

  #tell(job: Job): void {
    for (const listener of this.#listeners) listener(job);
  }
}

/** A credential of an address stays in this process: a job that outlives it says that the address is needed anew. */
function storedRecord(record: JobRecord): JobRecord {
  const target = withMarkedCredentials(record.target);
  return { ...record, target, url: record.url === undefined ? undefined : withoutCredentials(record.url) };
}

/** Both are about one page or one address. */
function isSameWish(a: Job, b: Job): boolean {
  return a.pageId === undefined ? a.record.target === b.record.target : a.pageId === b.pageId;
}

function isOver(state: JobState): boolean {
  return state === "done" || state === "failed" || state === "canceled";
}

function progressOf(event: SaveEvent, job: Job): Partial<Job> {
  return {
    stage: event.stage,
    title: event.title ?? job.title,
    sectionsDone: event.sectionsDone ?? job.sectionsDone,
    sections: event.sections ?? job.sections,
    pageId: event.pageId ?? job.pageId,
    usage: event.usage ?? job.usage,
  };
}

function messageOf(error: unknown): string {
  if (error instanceof BacopaError) return error.userMessage;
  return `Something went wrong inside Bacopa (${error instanceof Error ? error.message : String(error)}). Try the save again.`;
}
