/** The model's side of `onnxFolder.ts`: holds one model and does one task after the other. */
import { parentPort } from "node:worker_threads";
import { BacopaError } from "../../../core/errors.ts";
import { OnnxModel } from "./model.ts";
import { readModelFolder } from "./modelFolder.ts";
import type { ModelAnswer, ModelTask } from "./protocol.ts";

let model: OnnxModel | undefined;

parentPort?.on("message", (task: ModelTask) => {
  void run(task)
    .catch((error: unknown): ModelAnswer => {
      if (!(error instanceof BacopaError)) return { failure: String(error) };
      const { reason, message, userMessage, hint, action, retryable } = error;
      return { refusal: { reason, parts: { message, userMessage, hint, action, retryable } } };
    })
    .then((answer) => parentPort?.postMessage(answer));
});

async function run(task: ModelTask): Promise<ModelAnswer> {
  switch (task.kind) {
    case "open": {
      const folder = readModelFolder(task.folder);
      model = await OnnxModel.load(task.folder, folder, task.wasmFile);
      const { id, maxTokens, meaningWeight } = folder;
      return { opened: { id, maxTokens, meaningWeight, dims: model.dims, hasTokens: model.hasTokens } };
    }
    case "embed":
      return { vectors: (await model?.embed(task.texts, task.textKind)) ?? [] };
    case "tokens":
      return { tokens: (await model?.embedTokens(task.text)) ?? { spans: [], vectors: new Float32Array(0) } };
  }
}
