/** The worker's side: runs one stage after the other and posts what came of it. */
import { parentPort } from "node:worker_threads";
import { BacopaError } from "../../core/errors.ts";
import { createStages } from "../../core/stages.ts";
import type { Outcome, Task } from "./protocol.ts";

const stages = createStages(async () => (await import("../../core/util/tokens.ts")).countTokens);
const signal = new AbortController().signal;

parentPort?.on("message", (task: Task) => void run(task).then((outcome) => parentPort?.postMessage(outcome)));

async function run({ id, stage, input }: Task): Promise<Outcome> {
  try {
    // The main thread's proxy is typed by `Stages`, so the input fits the stage.
    const value = await stages[stage](input as never, signal);
    return { id, value };
  } catch (error) {
    if (!(error instanceof BacopaError)) return { id, failure: String(error) };
    const { reason, message, userMessage, commandLine, hint, action, retryable } = error;
    return { id, refusal: { reason, parts: { message, userMessage, commandLine, hint, action, retryable } } };
  }
}
