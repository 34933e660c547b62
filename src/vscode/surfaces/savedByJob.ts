import { BacopaError } from "../../core/errors.ts";
import type { SaveReport } from "../../core/save.ts";
import type { Services } from "../services.ts";

/**
 * Saves a page through the queue, so that its progress shows and it can be canceled like any other save.
 * @throws BacopaError `fetch-failed` when the job ended without a report.
 */
export async function savedByJob({ jobs }: Services, url: string, signal: AbortSignal): Promise<SaveReport> {
  signal.throwIfAborted();
  const { job, ended } = await jobs.add({ kind: "save", target: url }, "quiet");
  const cancel = (): void => void jobs.cancel(job.id);
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const { report, state, message } = await ended;
    if (report !== undefined) return report;
    throw new BacopaError("fetch-failed", {
      message: `The job ended as ${state} without a report`,
      userMessage: state === "canceled" ? "The save was canceled." : (message ?? "The page could not be saved."),
      hint: state === "canceled" ? "Do not try it again unless asked." : "Tell the person and go on without the page.",
    });
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
