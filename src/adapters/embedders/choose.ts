import { join } from "node:path";
import { BacopaError } from "../../core/errors.ts";
import type { EmbedderChoice } from "../../core/ports.ts";
import { shownTarget } from "../../core/util/shownTarget.ts";
import { docsStaticChoice } from "./docsStatic.ts";
import { httpChoice } from "./http.ts";
import { onnxChoice } from "./onnxFolder.ts";

/** What a person can choose. A key is no part of it: it comes from the environment or a secret storage. */
export type EmbedderSpec =
  | { readonly kind: "docs-static" }
  | { readonly kind: "none" }
  /** A folder with an ONNX model and its tokenizer. */
  | { readonly kind: "onnx"; readonly folder: string }
  /** An OpenAI-compatible endpoint: the address before `/embeddings`, and the model's name. */
  | { readonly kind: "http"; readonly url: string; readonly model: string };

export interface EmbedderParts {
  /** The folder that `media` and `dist` are in. */
  readonly installation: string;
  /** The endpoint's key, asked for when it is opened. */
  readonly key: () => Promise<string | undefined>;
  /** The person's own weight for a model of theirs; see `Embedder.meaningWeight`. */
  readonly meaningWeight?: number | undefined;
}

/**
 * `undefined`: words alone. Nothing is loaded or contacted here.
 *
 * @throws BacopaError `embedder-missing` when an endpoint's address cannot be used.
 */
export function chooseEmbedder(
  spec: EmbedderSpec,
  { installation, key, meaningWeight }: EmbedderParts,
): EmbedderChoice | undefined {
  switch (spec.kind) {
    case "none":
      return undefined;
    case "docs-static":
      return docsStaticChoice(join(installation, "media", "docs-static"));
    case "onnx":
      return onnxChoice({
        folder: spec.folder,
        workerFile: join(installation, "dist", "onnxWorker.cjs"),
        wasmFile: join(installation, "dist", "ort-wasm-simd-threaded.wasm"),
        meaningWeight,
      });
    case "http":
      return httpChoice({ url: spec.url, model: spec.model, key, meaningWeight });
  }
}

/**
 * Reads what is given on the command line: `docs-static`, `none`, `onnx:DIR`, `https://HOST/v1#MODEL`.
 *
 * @throws BacopaError `bad-usage`.
 */
export function parseEmbedder(text: string): EmbedderSpec {
  if (text === "docs-static" || text === "none") return { kind: text };
  if (text.startsWith("onnx:") && text.length > "onnx:".length)
    return { kind: "onnx", folder: text.slice("onnx:".length) };
  if (/^https?:\/\//i.test(text)) {
    const hash = text.indexOf("#");
    const model = hash < 0 ? "" : text.slice(hash + 1).trim();
    if (model !== "") return { kind: "http", url: text.slice(0, hash), model };
    throw badChoice(text, "An endpoint needs its model after a #, as in http://localhost:11434/v1#nomic-embed-text.");
  }
  throw badChoice(text, "It is docs-static, none, onnx:DIR or an endpoint's URL with #MODEL.");
}

function badChoice(text: string, sentence: string): BacopaError {
  return new BacopaError("bad-usage", {
    message: `No embedder ${shownTarget(text)}`,
    userMessage: `"${shownTarget(text)}" names no embedder. ${sentence}`,
  });
}
