/** An embedding model from a folder on this machine, run in WebAssembly in a worker thread. */
import { basename, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { BacopaError } from "../../core/errors.ts";
import type { Embedder, EmbedderChoice } from "../../core/ports.ts";
import { pluggedInWeight } from "./http.ts";
import type { ModelAnswer, ModelTask } from "./onnx/protocol.ts";

export interface OnnxFolderInit {
  /** See `readModelFolder` for what it holds. */
  readonly folder: string;
  /** The bundled worker, and `ort-wasm-simd-threaded.wasm`. */
  readonly workerFile: string;
  readonly wasmFile: string;
  /** Instead of what the folder's `bacopa.json` or the default says; see `Embedder.meaningWeight`. */
  readonly meaningWeight?: number | undefined;
}

/** Texts a task: a query waits for no more than these, about half a second with a small model. */
const batchSize = 8;
/** A task that takes longer is given up with its worker. */
const timeoutMs = 180_000;

/** Nothing is read before it is opened. */
export function onnxChoice(init: OnnxFolderInit): EmbedderChoice {
  return { name: `onnx:${basename(resolve(init.folder))}`, open: (signal) => open(init, signal) };
}

async function open(init: OnnxFolderInit, signal: AbortSignal): Promise<Embedder> {
  signal.throwIfAborted();
  const worker = new ModelWorker(init.workerFile);
  try {
    const answer = await worker.ask({ kind: "open", folder: init.folder, wasmFile: init.wasmFile }, "first", signal);
    if (!("opened" in answer)) throw broken("no model");
    const { id, dims, maxTokens, meaningWeight, hasTokens } = answer.opened;
    const embedder: Embedder = {
      id,
      dims,
      maxTokens,
      meaningWeight: init.meaningWeight ?? meaningWeight ?? pluggedInWeight,
      dispose: () => worker.stop(broken("closed")),
      async embed(texts, kind, embedSignal) {
        embedSignal.throwIfAborted();
        const vectors = new Array<Float32Array | undefined>(texts.length).fill(undefined);
        // Texts of one length share a batch, so that little is padding.
        const order = texts.map((_, i) => i).sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0));
        for (let start = 0; start < order.length; start += batchSize) {
          const batch = order.slice(start, start + batchSize);
          const made = await worker.ask(
            { kind: "embed", texts: batch.map((i) => texts[i] ?? ""), textKind: kind },
            kind === "query" ? "first" : "last",
            embedSignal,
          );
          if (!("vectors" in made)) throw broken("no vectors");
          batch.forEach((i, at) => (vectors[i] = made.vectors[at]));
        }
        return vectors;
      },
    };
    if (!hasTokens) return embedder;
    return {
      ...embedder,
      async embedTokens(text, tokenSignal) {
        const answered = await worker.ask({ kind: "tokens", text }, "last", tokenSignal);
        if (!("tokens" in answered)) throw broken("no tokens");
        return answered.tokens;
      },
    };
  } catch (error) {
    worker.stop(broken("closed"));
    throw error;
  }
}

interface Waiting {
  readonly task: ModelTask;
  readonly resolve: (answer: ModelAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** One task at a time; queries pass those that wait. A canceled task is forgotten and its answer dropped. */
class ModelWorker {
  readonly #worker: Worker;
  readonly #queue: Waiting[] = [];
  #current: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped: BacopaError | undefined;

  constructor(file: string) {
    // The runtime writes its own complaints to stderr; what matters of them comes back as an error.
    this.#worker = new Worker(file, { stdout: true, stderr: true });
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    // A library that is left open must not keep the process alive.
    this.#worker.unref();
    this.#worker.on("message", (answer: ModelAnswer) => this.#settle((waiting) => tell(waiting, answer)));
    this.#worker.on("error", (error) => this.stop(broken(String(error))));
    this.#worker.on("exit", () => this.stop(broken("the worker ended")));
  }

  ask(task: ModelTask, place: "first" | "last", signal: AbortSignal): Promise<ModelAnswer> {
    signal.throwIfAborted();
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        const at = this.#queue.indexOf(waiting);
        if (at >= 0) this.#queue.splice(at, 1);
        reject(signal.reason as Error);
      };
      const done = (): void => signal.removeEventListener("abort", onAbort);
      const waiting: Waiting = {
        task,
        resolve: (answer) => {
          done();
          resolve(answer);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      if (place === "first") this.#queue.unshift(waiting);
      else this.#queue.push(waiting);
      if (this.#current === undefined) this.#next();
    });
  }

  stop(reason: BacopaError): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = reason;
    clearTimeout(this.#timer);
    this.#current?.reject(reason);
    for (const waiting of this.#queue.splice(0)) waiting.reject(reason);
    void this.#worker.terminate();
  }

  #settle(answer: (waiting: Waiting) => void): void {
    const current = this.#current;
    if (current !== undefined) answer(current);
    this.#next();
  }

  #next(): void {
    clearTimeout(this.#timer);
    this.#current = this.#queue.shift();
    if (this.#current === undefined) {
      this.#worker.unref();
      return;
    }
    this.#worker.ref();
    this.#worker.postMessage(this.#current.task);
    this.#timer = setTimeout(() => this.stop(broken(`no answer in ${timeoutMs} ms`)), timeoutMs);
  }
}

function tell({ resolve: give, reject }: Waiting, answer: ModelAnswer): void {
  if ("refusal" in answer) reject(new BacopaError(answer.refusal.reason, answer.refusal.parts));
  else if ("failure" in answer) reject(broken(answer.failure));
  else give(answer);
}

function broken(cause: string): BacopaError {
  return new BacopaError("embedder-unavailable", {
    message: `The model's worker failed: ${cause}`,
    userMessage:
      "The embedding model stopped working. It is tried again later; if this lasts, choose another embedder.",
    hint: "Searches go by words meanwhile; do not retry.",
    retryable: true,
  });
}
