/** The worker's side of a comparison in the editor: indexing the library in every way takes seconds to minutes. */
import { parentPort, workerData } from "node:worker_threads";
import { BacopaError } from "../../core/errors.ts";
import { offeredAblations, offeredStrategies } from "../../core/lab/offered.ts";
import { renderReport } from "../../core/lab/reportPage.ts";
import { createDocsStaticEmbedder } from "../embedders/docsStatic.ts";
import { createFilePrompts } from "../filePrompts.ts";
import { measure } from "../lab/measure.ts";
import { createNodeClock } from "../nodeClock.ts";
import type { LabMessage, LabReport, LabTask } from "./labProtocol.ts";

const task = workerData as LabTask; // sent by runLab alone

void run().then(
  (report) => post({ report }),
  (error: unknown) => {
    if (!(error instanceof BacopaError)) return post({ failure: String(error) });
    const { reason, message, userMessage, hint, action, retryable } = error;
    post({ refusal: { reason, parts: { message, userMessage, hint, action, retryable } } });
  },
);

async function run(): Promise<LabReport> {
  const problems: string[] = [];
  const { results } = await measure(
    {
      pagesFrom: { kind: "library", folder: task.library },
      questionsFrom: task.questions ?? { kind: "self-made" },
      strategies: [...offeredStrategies, ...offeredAblations],
      ablations: true,
      embedder: createDocsStaticEmbedder(task.docsStatic),
      // A comparison that a person starts with one click never spends money.
      model: undefined,
      prompts: createFilePrompts(task.prompts),
      returned: "briefs",
      clock: createNodeClock(),
      onProblem: (problem) => problems.push(problem),
      onProgress: (progress) => post({ progress }),
    },
    // The host ends this thread to cancel.
    new AbortController().signal,
  );
  return { results: JSON.stringify(results), html: renderReport(results), problems };
}

function post(message: LabMessage): void {
  parentPort?.postMessage(message);
}
