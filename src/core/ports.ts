/**
 * What a host supplies. Core does no I/O and reads no clock: everything outside comes through here.
 * Every port has one contract suite in `test/contracts/` that each implementation must pass.
 */
import type { PageId, RawPage, SavedPage, Span } from "./types.ts";

/** What is known of a page from an earlier read: a source may answer that it has not changed. */
export interface KnownVersion {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** Delivers the bytes of a page. */
export interface PageSource {
  /** Whether this source handles the target (a URL, a path, `-`). */
  accepts(target: string): boolean;
  /**
   * @param known If the page is still this version, the answer has the status 304 and no bytes.
   * @throws BacopaError `refused-address`, `fetch-failed`, `fetch-timeout`, `too-large`, `too-many-redirects`,
   *   `http-status`, `not-found`, `page-not-found`, `page-login`, `page-needs-javascript`, `unsupported-type`,
   *   `bad-url`, `tls`. An aborted signal rejects with the signal's reason.
   */
  read(target: string, signal: AbortSignal, known?: KnownVersion): Promise<RawPage>;
}

/** One structured question to a chat model. */
export interface ModelRequest {
  /** For logs and progress: `facts`, `repair`, `brief`, `judge`, ... */
  readonly purpose: string;
  /** The constant part: same text for every call of this purpose, so that it can be cached. */
  readonly instructions: string;
  /**
   * What several calls in a row share and others do not, such as a page's whole text: comes after the instructions and before
   * `content`, and is cached by itself where the provider can.
   */
  readonly context?: string | undefined;
  /** The changing part. */
  readonly content: string;
  /** The answer's shape. */
  readonly schema: {
    readonly name: string;
    readonly description: string;
    /** JSON Schema of an object. */
    readonly schema: Readonly<Record<string, unknown>>;
  };
  /** Upper bound for the answer, tokens. */
  readonly maxTokens: number;
}

export interface ModelUsage {
  readonly in: number;
  readonly out: number;
  readonly costUsd: number;
}

export interface ModelReply {
  /** `cut-off`: the token limit ended the answer, `value` is `undefined`. */
  readonly stop: "done" | "cut-off";
  /** Parsed JSON, not yet checked against the schema: untrusted. */
  readonly value: unknown;
  readonly usage: ModelUsage;
}

/** A chat model that answers in JSON. */
export interface LanguageModel {
  /** `<provider>:<model>`, e.g. `anthropic:claude-sonnet-5`. */
  readonly id: string;
  /** Largest answer the model can give, tokens. */
  readonly maxOutputTokens: number;
  /**
   * @throws BacopaError `model-auth`, `model-rejected`, `model-too-large`, `model-rate-limited`, `model-overloaded`,
   *   `model-unavailable`, `model-refused`, `model-bad-reply`.
   */
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}

export type TextKind = "query" | "passage";

/** Turns texts into unit vectors. Vectors of two embedders (two ids) never meet. */
export interface Embedder {
  readonly id: string;
  readonly dims: number;
  readonly maxTokens: number;
  /** Weight of the meaning ranking in RRF, 0..1, chosen by cross-validation for this embedder. */
  readonly meaningWeight: number;
  /**
   * One unit vector a text, in order; `undefined` for a text the embedder knows nothing of. Query and passage prefixes,
   * truncation to `maxTokens` and batches are the embedder's own business.
   *
   * @throws BacopaError `embedder-unavailable`, `embedder-rejected`, `embedder-bad-reply`. An aborted signal rejects with its reason.
   */
  embed(texts: readonly string[], kind: TextKind, signal: AbortSignal): Promise<(Float32Array | undefined)[]>;
  /**
   * A vector for each token of one passage, for late chunking: a whole page goes through the model once, and each chunk's
   * vector is pooled from its own tokens, which have seen the text around them. Absent where an embedder gives only one
   * vector a text (HTTP endpoints).
   *
   * At most about `maxTokens` tokens fit at once, and only the embedder can count them. Of a longer text the beginning comes
   * back; the end of the last span tells how far it reached. Callers go on from there with a window that overlaps the
   * last one, and use each token from the window in which it has more context.
   */
  embedTokens?(text: string, signal: AbortSignal): Promise<TokenVectors>;
  /** Frees what it holds (a worker, a model). It is not asked again. */
  dispose?(): void;
}

/** An embedder that was chosen and is not opened before it is needed. */
export interface EmbedderChoice {
  /** As a person knows it: `docs-static`, `onnx:minilm`, `nomic-embed-text at localhost:11434`. */
  readonly name: string;
  /** Whether a page's texts take milliseconds: they are then embedded before the page enters the index, not after. */
  readonly isInstant?: boolean | undefined;
  /**
   * Loads the model, or tries the endpoint with one short text.
   *
   * @throws BacopaError `embedder-missing`, `embedder-unavailable`, `embedder-rejected`, `embedder-bad-reply`. May be asked again.
   */
  open(signal: AbortSignal): Promise<Embedder>;
}

export interface TokenVectors {
  /** Where each token lies in the text: UTF-16 offsets, ascending, with gaps between words. Markers that a model adds are left out. */
  readonly spans: readonly Span[];
  /** One row of `dims` numbers a span, as the model's last layer gives them: not brought to length 1. */
  readonly vectors: Float32Array;
}

/** A stored page that could not be read. Its files are kept aside, never deleted. */
export interface DamagedPage {
  readonly pageId: PageId;
  readonly reason: string;
  /** Where the files were put. */
  readonly keptAt: string;
  /** Where the page was read from, if that can still be told. From a damaged file: check it before use. */
  readonly source?: { readonly requested: string; readonly url: string } | undefined;
}

/**
 * Keeps saved pages and caches. Pages are the truth; caches may vanish at any time.
 * Writes are atomic: a reader sees the old record or the new one, also after a kill.
 */
export interface Storage {
  /** Revision of each stored page: changes with every write. Cheap: called before every search. */
  revisions(): Promise<ReadonlyMap<PageId, string>>;
  /** `undefined` when there is no such page or it was damaged (see `damaged`). */
  readPage(id: PageId): Promise<SavedPage | undefined>;
  /** Returns the new revision once the record is durable. @throws BacopaError `storage-full`, `storage-read-only`, `storage-failed`. */
  writePage(saved: SavedPage): Promise<string>;
  /**
   * Writes only while the page is what it was: at this revision, or not there (`undefined`). So a page that was
   * removed or saved anew meanwhile, here or by another process, is not undone.
   *
   * @returns The new revision, or `undefined` when the page is another by now and nothing was written.
   */
  replacePage(saved: SavedPage, expected: string | undefined): Promise<string | undefined>;
  /** Whether there was one. */
  removePage(id: PageId): Promise<boolean>;
  /** Pages quarantined so far, from this and earlier runs. */
  damaged(): Promise<readonly DamagedPage[]>;
  /** Deletes what was quarantined of a page. Whether there was any. */
  forgetDamaged(id: PageId): Promise<boolean>;
  /** The whole cache; `undefined` for none and for a damaged one. */
  readCache(name: string): Promise<Uint8Array | undefined>;
  /** Opens a large cache to read parts of it; `undefined` for none and for one that was cut off. Its bytes are not checked. */
  openCache(name: string): Promise<CacheReader | undefined>;
  /** @param bytes All of it, or its pieces in order. */
  writeCache(name: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  removeCache(name: string): Promise<void>;
}

/** A cache as it was when it was opened, also after it was written anew or removed. */
export interface CacheReader {
  /** Bytes. */
  readonly size: number;
  /**
   * Fills `target` with parts of the cache, all of one length, one after the other: `target.length / starts.length`
   * bytes from each of `starts`. Rejects where the cache ends before.
   */
  read(target: Uint8Array, starts: readonly number[]): Promise<void>;
  /** Frees the file. Reading afterwards rejects. */
  close(): Promise<void>;
}

export interface Clock {
  /** Wall time. */
  now(): Date;
  /** Monotonic milliseconds, for durations. */
  elapsed(): number;
}

export interface Log {
  debug(event: string, data?: Readonly<Record<string, unknown>>): void;
  info(event: string, data?: Readonly<Record<string, unknown>>): void;
  warn(event: string, data?: Readonly<Record<string, unknown>>): void;
}

/** Prompt files, by name without `.md`. Hosts read `prompts/`. */
export type Prompts = (name: string) => string;

/** Counts o200k tokens. */
export type CountTokens = (text: string) => number;

/** What is kept of an unfinished job so that it survives a closed window or a kill. Plain JSON. */
export interface JobRecord {
  readonly id: string;
  /** `save`: read the target, then distill. `refresh`: read a page's source again. `distill`: what the stored page still lacks. */
  readonly kind: "save" | "refresh" | "distill";
  /** A URL or path for `save`, else a page id. */
  readonly target: string;
  /** Bytes that came with the job itself (clipboard, selection), UTF-8 text. */
  readonly text?: string | undefined;
  readonly url?: string | undefined;
  readonly title?: string | undefined;
  readonly strategy?: string | undefined;
  readonly force?: boolean | undefined;
  /** ISO time. */
  readonly createdAt: string;
}

/** Keeps unfinished jobs. Each process owns its own; those of a process that died can be adopted by one other. */
export interface JobStore {
  put(record: JobRecord): Promise<void>;
  remove(id: string): Promise<void>;
  /** Jobs left behind by processes that are gone; they belong to the caller from now on. */
  adopt(): Promise<readonly JobRecord[]>;
}
