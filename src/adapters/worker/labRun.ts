import { Worker } from "node:worker_threads";
import { BacopaError } from "../../core/errors.ts";
import type { CompareProgress } from "../../core/lab/compare.ts";
import type { LabMessage, LabReport, LabTask } from "./labProtocol.ts";

/**
 * Compares strategies over a library in a thread of its own; an aborted signal ends the thread at once.
 *
 * @param file The bundled worker.
 * @throws BacopaError what `measure` throws; `page-unreadable` when the thread breaks.
 */
export function runLab(
  file: string,
  task: LabTask,
  onProgress: (progress: CompareProgress) => void,
  signal: AbortSignal,
): Promise<LabReport> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData: task });
    const end = (settle: () => void): void => {
      signal.removeEventListener("abort", onAbort);
      void worker.terminate();
      settle();
    };
    const onAbort = (): void => end(() => reject(signal.reason as Error));
    signal.addEventListener("abort", onAbort, { once: true });
    worker.on("message", (message: LabMessage) => {
      if ("progress" in message) onProgress(message.progress);
      else if ("report" in message) end(() => resolve(message.report));
      else if ("refusal" in message) end(() => reject(new BacopaError(message.refusal.reason, message.refusal.parts)));
      else end(() => reject(broken(message.failure)));
    });
    worker.on("error", (error) => end(() => reject(broken(error))));
    worker.on("exit", (code) => end(() => reject(broken(`exit code ${code}`))));
  });
}

function broken(cause: unknown): BacopaError {
  return new BacopaError("page-unreadable", {
    message: `The comparison broke off: ${String(cause)}`,
    userMessage:
      "The comparison broke off. Run bacopa eval on the command line with this library to see which page is at fault.",
    cause,
  });
}
