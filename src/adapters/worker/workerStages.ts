import { Worker } from "node:worker_threads";
import { BacopaError } from "../../core/errors.ts";
import type { Stages } from "../../core/stages.ts";
import type { Outcome, StageName, Task } from "./protocol.ts";

export interface WorkerStagesOptions {
  /** A page that keeps a stage busy longer is given up and the worker replaced. Default 60 s. */
  readonly timeoutMs?: number | undefined;
  /** How long an idle worker is kept: it holds about 60 MB. Default 30 s. */
  readonly idleMs?: number | undefined;
}

interface Waiting {
  readonly task: Task;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The heavy stages in a worker thread, so that no page stalls the host's main loop. The worker starts with the first
 * task and ends when idle. Tasks run one after the other; a canceled one is forgotten at once and its result dropped.
 *
 * @param file The bundled worker.
 */
export function createWorkerStages(file: string, options: WorkerStagesOptions = {}): Stages & { dispose(): void } {
  const { timeoutMs = 60_000, idleMs = 30_000 } = options;
  const queue: Waiting[] = [];
  let worker: Worker | undefined;
  let current: Waiting | undefined;
  let timer: NodeJS.Timeout | undefined;
  let nextId = 0;

  function stop(): void {
    clearTimeout(timer);
    const stopped = worker;
    worker = undefined;
    void stopped?.terminate();
  }

  function next(): void {
    clearTimeout(timer);
    current = queue.shift();
    if (current === undefined) {
      timer = setTimeout(stop, idleMs).unref();
      return;
    }
    worker ??= start();
    worker.postMessage(current.task);
    timer = setTimeout(() => {
      stop();
      settle((waiting) => waiting.reject(tooLong(timeoutMs)));
    }, timeoutMs).unref();
  }

  function start(): Worker {
    const started = new Worker(file);
    // An open library must not keep the process alive.
    started.unref();
    started.on("message", (outcome: Outcome) => {
      if (outcome.id === current?.task.id) settle((waiting) => answer(waiting, outcome));
    });
    started.on("error", (error) => {
      if (worker !== started) return;
      worker = undefined;
      settle((waiting) => waiting.reject(broken(error)));
    });
    return started;
  }

  function settle(tell: (waiting: Waiting) => void): void {
    const waiting = current;
    if (waiting !== undefined) tell(waiting);
    next();
  }

  function ask<Value>(stage: StageName, input: unknown, signal: AbortSignal): Promise<Value> {
    signal.throwIfAborted();
    return new Promise<Value>((resolve, reject) => {
      const task: Task = { id: nextId++, stage, input };
      const onAbort = (): void => {
        const place = queue.findIndex((waiting) => waiting.task.id === task.id);
        if (place >= 0) queue.splice(place, 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const done = (): void => signal.removeEventListener("abort", onAbort);
      queue.push({
        task,
        resolve: (value) => {
          done();
          resolve(value as Value); // the worker runs the same `Stages`
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      if (current === undefined) next();
    });
  }

  return {
    clean: (captured, signal) => ask("clean", captured, signal),
    section: (work, signal) => ask("section", work, signal),
    pieces: (work, signal) => ask("pieces", work, signal),
    distillOffline: (input, signal) => ask("distillOffline", input, signal),
    countTokens: (text, signal) => ask("countTokens", text, signal),
    dispose: stop,
  };
}

function answer(waiting: Waiting, outcome: Outcome): void {
  if ("value" in outcome) waiting.resolve(outcome.value);
  else if ("refusal" in outcome) waiting.reject(new BacopaError(outcome.refusal.reason, outcome.refusal.parts));
  else waiting.reject(broken(outcome.failure));
}

function broken(cause: unknown): BacopaError {
  return new BacopaError("page-unreadable", {
    message: `The worker failed: ${String(cause)}`,
    userMessage:
      "This page could not be read: it broke the reader. Copy its text and save it from the clipboard instead.",
    cause,
  });
}

function tooLong(timeoutMs: number): BacopaError {
  return new BacopaError("page-unreadable", {
    message: `A stage took longer than ${timeoutMs} ms`,
    userMessage: `This page took longer than ${Math.round(timeoutMs / 1000)} s to read and was given up. Copy the part you need and save it from the clipboard instead.`,
  });
}
