/**
 * Vectors for a library's units: made in the background where that takes long, kept over restarts, and used for
 * ranking by meaning only when they are all there. Words go on meanwhile, and each search says what is missing.
 */
import { BacopaError } from "../errors.ts";
import type { FactIndex, UnembeddedPage } from "../index/factIndex.ts";
import { unitsOf } from "../index/units.ts";
import type { IndexUnit } from "../index/units.ts";
import type { Clock, Embedder, EmbedderChoice, Log, Storage } from "../ports.ts";
import type { FactId, PageId, SavedPage } from "../types.ts";
import { Lease } from "./lease.ts";
import { isLate, unitVectors, vectorSources } from "./unitVectors.ts";
import { textKey, VectorJournal } from "./vectorJournal.ts";

export interface EmbeddingState {
  /**
   * - `none`: words alone, by choice
   * - `idle`: chosen, not needed yet
   * - `opening`: the model is being loaded or the endpoint tried
   * - `embedding`: at work in the background
   * - `waiting`: another process is at work; its vectors are taken over
   * - `paused`: stopped by the person
   * - `ready`: every unit has been seen
   * - `failed`: see `message`; tried again later
   */
  readonly state: "none" | "idle" | "opening" | "embedding" | "waiting" | "paused" | "ready" | "failed";
  /** The choice, as a person knows it. */
  readonly name?: string | undefined;
  /** Units embedded, of all. */
  readonly done: number;
  readonly total: number;
  /** Why it failed, for a person. */
  readonly message?: string | undefined;
}

export interface EmbeddingInit {
  readonly choice: EmbedderChoice | undefined;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  /** Tells processes apart; without it no other process is reckoned with. */
  readonly processId: string | undefined;
  readonly index: () => Promise<FactIndex>;
  readonly readPage: (pageId: PageId, revision: string) => Promise<SavedPage | undefined>;
  /** Called with the number of units whose vectors are new in the index. */
  readonly onVectors: (count: number) => void;
}

/** What there is for a query's ranking by meaning. */
export interface QueryVector {
  /** `undefined`: the search goes by words. */
  readonly vector: Float32Array | undefined;
  /** One sentence on what is missing. */
  readonly note: string | undefined;
  /** See `Embedder.meaningWeight`. */
  readonly meaningWeight: number;
}

/** Texts sent to the embedder at once; embedders cut them into smaller batches as they need. */
const batchSize = 64;
/** What an instant embedder makes before a search answers: about a tenth of a second. */
const instantUnits = 4_000;
/** How much work a kill can cost, and how often progress is told. */
const flushMs = 5_000;
/** Waits before a failed embedder is tried again, doubled each time. An answer that no retry changes waits longest. */
const firstRetryMs = 15_000;
const longestRetryMs = 300_000;
/** How often another process's work is looked at. */
const lookMs = 5_000;

export class Embedding {
  readonly #init: EmbeddingInit;
  readonly #listeners = new Set<(state: EmbeddingState) => void>();
  #session: Session;
  #index: FactIndex | undefined;
  #isPaused = false;
  #running: Promise<void> | undefined;

  constructor(init: EmbeddingInit) {
    this.#init = init;
    this.#session = new Session(init.choice, false);
  }

  get state(): EmbeddingState {
    const { choice, activity, failure } = this.#session;
    const total = this.#index?.size ?? 0;
    const counts = { name: choice?.name, done: total - (this.#index?.unembedded ?? 0), total };
    if (choice === undefined) return { state: "none", done: 0, total };
    if (activity !== "idle") return { ...counts, state: activity };
    if (failure !== undefined) return { ...counts, state: "failed", message: failure.error.userMessage };
    if (this.#isPaused && counts.done < total) return { ...counts, state: "paused" };
    return { ...counts, state: this.#session.isOpen && counts.done === total ? "ready" : "idle" };
  }

  onDidChange(listener: (state: EmbeddingState) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Takes another embedder from now on. Words go on; the old one's work stays in the journal. */
  choose(choice: EmbedderChoice | undefined): void {
    this.#session.close();
    this.#session = new Session(choice, true);
    this.#isPaused = false;
    this.#tell();
    if (this.#index !== undefined) this.kick();
  }

  pause(): void {
    this.#isPaused = true;
    this.#session.stopWork();
    this.#tell();
  }

  resume(): void {
    this.#isPaused = false;
    this.#session.failure = undefined;
    this.#tell();
    this.kick();
  }

  /** Starts the background work, if there is any and nothing speaks against it. */
  kick(): void {
    const session = this.#session;
    if (this.#isPaused || this.#running !== undefined || session.choice === undefined) return;
    if (this.#mustWait(session) || this.#now() < session.lookAgainAt) return;
    this.#running = this.#work(session).finally(() => {
      this.#running = undefined;
      this.#tell();
      if (session !== this.#session) this.kick();
    });
  }

  /** For a host's poll: goes on where another process or a failure was waited for. Starts nothing before the first use. */
  nudge(): void {
    if (this.#index === undefined || this.#index.unembedded === 0) return;
    this.kick();
  }

  /** Works until every unit is embedded, or something is in the way: see the state it gives. Needs the index in sync. */
  async settle(signal: AbortSignal): Promise<EmbeddingState> {
    this.#index = await this.#init.index();
    this.kick();
    while (this.#running !== undefined) await unlessAborted(this.#running, signal);
    return this.state;
  }

  /** For units about to enter the index: their vectors, if the embedder makes them in no time; else they follow. */
  async passages(
    saved: SavedPage,
    units: readonly IndexUnit[],
    index: FactIndex,
    signal: AbortSignal,
  ): Promise<(Float32Array | undefined)[] | undefined> {
    this.#index = index;
    const session = this.#session;
    if (session.choice?.isInstant !== true || this.#mustWait(session)) return undefined;
    try {
      const embedder = await this.#open(session, signal);
      const vectors = await unitVectors(saved, units, embedder, signal);
      // Whoever chose another embedder meanwhile has the right vectors made later.
      if (session !== this.#session) return undefined;
      index.useEmbedder({ embedderId: embedder.id, dims: embedder.dims });
      return vectors;
    } catch (error) {
      signal.throwIfAborted();
      this.#fail(session, error);
      return undefined;
    }
  }

  /** The chosen embedder, opened; `undefined` without one. @throws BacopaError when it cannot be opened. */
  async embedder(signal: AbortSignal): Promise<Embedder | undefined> {
    const session = this.#session;
    return session.choice === undefined ? undefined : this.#open(session, signal);
  }

  /** @param index In sync with the storage. */
  async query(text: string, index: FactIndex, signal: AbortSignal): Promise<QueryVector> {
    this.#index = index;
    const session = this.#session;
    const { choice } = session;
    if (choice === undefined) return words("No embedder is set, so the search went by words alone.");
    if (this.#mustWait(session)) return words(this.#pendingNote(index));
    const isInstant = choice.isInstant === true;
    // Nothing to rank by yet, so nothing to wait for.
    if (!isInstant && !session.isOpen && (session.isReplacement || index.unembedded === index.size)) {
      this.kick();
      return words(this.#pendingNote(index));
    }
    try {
      const embedder = await this.#open(session, signal);
      if (session !== this.#session) return words(this.#pendingNote(index));
      this.#use(embedder, index);
      if (index.unembedded > 0) {
        this.kick();
        if (isInstant && index.unembedded <= instantUnits && this.#running !== undefined)
          await unlessAborted(this.#running, signal);
      } else index.noteComplete();
      if (!index.isComplete || index.embedderId !== embedder.id) return words(this.#pendingNote(index));
      const [vector] = await embedder.embed([text], "query", signal);
      session.failure = undefined;
      if (vector === undefined)
        return words("The embedder knows no word of this query, so the search went by words alone.");
      if (index.embedderId !== embedder.id) return words(this.#pendingNote(index)); // changed while it was embedded
      return { vector, note: this.#partNote(index), meaningWeight: embedder.meaningWeight };
    } catch (error) {
      signal.throwIfAborted();
      this.#fail(session, error);
      return words(this.#pendingNote(index));
    }
  }

  /** Stops the work and frees the embedder; what is embedded is written. A later use opens it again. */
  async close(): Promise<void> {
    const { choice } = this.#session;
    this.#session.close();
    await this.#running;
    this.#session = new Session(choice, false);
  }

  #mustWait({ failure }: Session): boolean {
    return failure !== undefined && this.#now() < failure.retryAt;
  }

  #now(): number {
    return this.#init.clock.now().getTime();
  }

  async #open(session: Session, signal: AbortSignal): Promise<Embedder> {
    if (session.isOpen) return session.open();
    this.#enter(session, "opening");
    try {
      return await unlessAborted(session.open(), signal);
    } finally {
      if (session.activity === "opening") this.#enter(session, "idle");
    }
  }

  #use(embedder: Embedder, index: FactIndex): void {
    index.useEmbedder({ embedderId: embedder.id, dims: embedder.dims });
  }

  /** Never rejects. */
  async #work(session: Session): Promise<void> {
    const signal = session.startWork();
    try {
      const embedder = await this.#open(session, signal);
      const index = (this.#index = await this.#init.index());
      signal.throwIfAborted();
      this.#use(embedder, index);
      if (index.unembedded > 0) await this.#embedAll(session, embedder, index, signal);
      if (index.unembedded === 0) index.noteComplete();
      session.failures = 0;
      session.failure = undefined;
    } catch (error) {
      if (!signal.aborted) this.#fail(session, error);
    } finally {
      if (session.activity !== "waiting") this.#enter(session, "idle");
    }
  }

  async #embedAll(session: Session, embedder: Embedder, index: FactIndex, signal: AbortSignal): Promise<void> {
    const { storage, clock, processId } = this.#init;
    // What an instant embedder makes is sooner made than read.
    const journal = session.choice?.isInstant === true ? undefined : session.journalOf(storage, embedder);
    const lease = journal && processId !== undefined ? new Lease(storage, clock, processId) : undefined;
    await journal?.load();
    this.#enter(session, "embedding");
    const passedOver = new Set<PageId>();
    let flushed = clock.elapsed();
    try {
      for (;;) {
        const page = index.nextUnembedded(passedOver);
        if (page === undefined) break;
        const found = await this.#unitsOf(page);
        // A page that is no longer as the index has it: the next search brings the index up to date.
        if (found === undefined) {
          passedOver.add(page.pageId);
          continue;
        }
        const { saved, units } = found;
        const size = isLate(saved) ? units.length : batchSize;
        for (let start = 0; start < units.length; start += size) {
          signal.throwIfAborted();
          const batch = units.slice(start, start + size);
          const fresh = batch.filter(({ key }) => journal?.has(key) !== true);
          if (fresh.length > 0 && lease !== undefined && !(await lease.hold())) {
            await journal?.load();
            passedOver.add(page.pageId);
            break;
          }
          const freshUnits = fresh.map(({ unit }) => unit);
          const made = fresh.length === 0 ? [] : await unitVectors(saved, freshUnits, embedder, signal);
          const vectors = new Map<FactId, Float32Array | undefined>();
          fresh.forEach(({ unit, key }, i) => {
            journal?.add(key, made[i]);
            vectors.set(unit.id, made[i]);
          });
          for (const { unit, key } of batch) if (!vectors.has(unit.id)) vectors.set(unit.id, journal?.get(key));
          if (session !== this.#session) return;
          index.addVectors(page.pageId, page.revision, vectors);
          this.#init.onVectors(vectors.size);
          if (clock.elapsed() - flushed > flushMs) {
            await journal?.flush(index.size);
            flushed = clock.elapsed();
          }
          this.#tell();
        }
      }
      if (passedOver.size > 0 && lease !== undefined && !lease.isHeld) {
        session.failure = undefined;
        session.lookAgainAt = this.#now() + lookMs;
        this.#enter(session, "waiting");
      }
    } finally {
      await journal?.flush(index.size).catch((error: unknown) => {
        this.#init.log.warn("vectors could not be kept", { error: String(error) });
      });
      await lease?.release().catch(() => undefined); // it runs out by itself
    }
    this.#init.log.info("embedded", { embedder: embedder.id, units: index.size, missing: index.unembedded });
  }

  /** The units that lack a vector, each with the key of its text; `undefined` where there are none any more. */
  async #unitsOf({
    pageId,
    revision,
    ids,
  }: UnembeddedPage): Promise<
    { readonly saved: SavedPage; readonly units: readonly { unit: IndexUnit; key: string }[] } | undefined
  > {
    const saved = await this.#init.readPage(pageId, revision);
    if (saved === undefined) return undefined;
    const units = new Map<FactId, IndexUnit>();
    // Of two units with one id the first counts, as in the index.
    for (const unit of unitsOf(saved)) if (ids.has(unit.id) && !units.has(unit.id)) units.set(unit.id, unit);
    if (units.size === 0) return undefined;
    const sources = vectorSources(saved, [...units.values()]);
    return { saved, units: [...units.values()].map((unit, at) => ({ unit, key: textKey(sources[at] ?? "") })) };
  }

  #fail(session: Session, cause: unknown): void {
    if (session !== this.#session) return;
    const error = cause instanceof BacopaError ? cause : unexpected(session.choice?.name ?? "", cause);
    session.failures++;
    const wait = error.retryable
      ? Math.min(firstRetryMs * 2 ** (session.failures - 1), longestRetryMs)
      : longestRetryMs;
    session.failure = { error, retryAt: this.#now() + wait };
    this.#init.log.warn("embedding failed", { reason: error.reason, message: error.message, retryInMs: wait });
    this.#tell();
  }

  #enter(session: Session, activity: Session["activity"]): void {
    if (session.activity === activity) return;
    session.activity = activity;
    if (session === this.#session) this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.state);
  }

  /** Why a search goes by words alone. */
  #pendingNote(index: FactIndex): string {
    const { choice, failure } = this.#session;
    const name = choice?.name ?? "";
    if (failure !== undefined) return `The search went by words alone. ${failure.error.userMessage}`;
    const done = index.embedderId === undefined ? 0 : index.size - index.unembedded;
    if (this.#isPaused)
      return `The search went by words alone: embedding with ${name} is paused at ${done} of ${index.size} entries.`;
    if (!this.#session.isOpen) return `The search went by words alone: ${name} is still being opened.`;
    return `The search went by words alone: ${done} of ${index.size} entries are embedded with ${name} so far.`;
  }

  #partNote(index: FactIndex): string | undefined {
    if (index.unembedded === 0) return undefined;
    return `${index.unembedded} of ${index.size} entries are new and not embedded yet; the search found them by words alone.`;
  }
}

/** One choice, from when it was made until another takes its place. */
class Session {
  readonly choice: EmbedderChoice | undefined;
  /** Whether it took another one's place while the library was open. */
  readonly isReplacement: boolean;
  readonly #closing = new AbortController();
  #work = new AbortController();
  #opening: Promise<Embedder> | undefined;
  #opened: Embedder | undefined;
  #journal: VectorJournal | undefined;
  activity: "idle" | "opening" | "embedding" | "waiting" = "idle";
  failure: { readonly error: BacopaError; readonly retryAt: number } | undefined;
  failures = 0;
  /** Wall time, milliseconds. */
  lookAgainAt = 0;

  constructor(choice: EmbedderChoice | undefined, isReplacement: boolean) {
    this.choice = choice;
    this.isReplacement = isReplacement;
  }

  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  open(): Promise<Embedder> {
    if (this.choice === undefined) throw new TypeError("no embedder is chosen");
    this.#opening ??= this.choice.open(this.#closing.signal).then(
      (embedder) => {
        if (this.#closing.signal.aborted) embedder.dispose?.();
        else this.#opened = embedder;
        return embedder;
      },
      (error: unknown) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }

  journalOf(storage: Storage, embedder: Embedder): VectorJournal {
    return (this.#journal ??= new VectorJournal(storage, embedder));
  }

  startWork(): AbortSignal {
    this.#work = new AbortController();
    if (this.#closing.signal.aborted) this.#work.abort();
    return this.#work.signal;
  }

  stopWork(): void {
    this.#work.abort();
  }

  close(): void {
    this.#closing.abort();
    this.#work.abort();
    this.#opened?.dispose?.();
  }
}

function words(note: string): QueryVector {
  return { vector: undefined, note, meaningWeight: 0 };
}

function unexpected(name: string, cause: unknown): BacopaError {
  return new BacopaError("embedder-unavailable", {
    message: `The embedder ${name} failed: ${String(cause)}`,
    userMessage: `The embedder ${name} failed; words still find everything. See the log, or choose another embedder.`,
    retryable: true,
    cause,
  });
}

/** What `promise` gives, unless the signal aborts first. The work behind it goes on. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  return new Promise<Value>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
