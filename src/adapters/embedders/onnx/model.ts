import { readFileSync } from "node:fs";
import * as ort from "onnxruntime-web/wasm";
import { BacopaError } from "../../../core/errors.ts";
import type { TextKind, TokenVectors } from "../../../core/ports.ts";
import { missing } from "./modelFolder.ts";
import type { ModelFolder, Pooling } from "./modelFolder.ts";
import { ModelTokenizer } from "./tokenizer.ts";
import type { Encoded } from "./tokenizer.ts";

/** A model of a folder, loaded into WebAssembly in this thread. */
export class OnnxModel {
  readonly dims: number;
  /** Whether it gives a vector for each token. */
  readonly hasTokens: boolean;
  readonly #folder: ModelFolder;
  readonly #tokenizer: ModelTokenizer;
  readonly #session: ort.InferenceSession;
  readonly #outputs: Outputs;

  private constructor(
    folder: ModelFolder,
    tokenizer: ModelTokenizer,
    session: ort.InferenceSession,
    outputs: Outputs,
    dims: number,
  ) {
    this.#folder = folder;
    this.#tokenizer = tokenizer;
    this.#session = session;
    this.#outputs = outputs;
    this.dims = dims;
    this.hasTokens = outputs.tokens !== undefined;
  }

  /**
   * @param path The folder, for messages.
   * @param wasmFile `ort-wasm-simd-threaded.wasm`.
   * @throws BacopaError `embedder-missing`, `embedder-unavailable`.
   */
  static async load(path: string, folder: ModelFolder, wasmFile: string): Promise<OnnxModel> {
    const tokenizer = loadTokenizer(path, folder);
    startRuntime(wasmFile);
    const session = await ort.InferenceSession.create(folder.model, {
      executionProviders: ["wasm"],
      externalData: [...folder.externalData],
      // Its warnings name nodes of the model's graph, which help nobody here.
      logSeverityLevel: 3,
    }).catch((cause: unknown) => {
      throw /wasm|WebAssembly|backend/i.test(String(cause))
        ? noRuntime(cause)
        : missing(path, "Its model cannot be loaded.", "Export or download it again.", cause);
    });
    const strange = session.inputNames.filter((name) => !knownInputs.has(name));
    if (strange.length > 0 || !session.inputNames.includes("input_ids"))
      throw missing(
        path,
        `Its model asks for ${session.inputNames.join(", ")}.`,
        "Choose a text embedding model, which takes input_ids and attention_mask.",
      );
    const outputs = outputsOf(path, folder, session);
    const probe = new OnnxModel(folder, tokenizer, session, outputs, 0);
    const [vector] = await probe.embed(["a"], "passage");
    const dims = vector?.length ?? 0;
    if (folder.dims !== undefined && outputs.pooled === undefined && dims !== folder.dims)
      throw missing(
        path,
        `Its model gives ${dims} dimensions where its config.json says ${folder.dims}.`,
        "Put files of one and the same model there.",
      );
    return new OnnxModel(folder, tokenizer, session, outputs, dims);
  }

  /** Vectors of length 1; `undefined` for an empty text. */
  async embed(texts: readonly string[], kind: TextKind): Promise<(Float32Array | undefined)[]> {
    const { prefixes, maxTokens, pooling } = this.#folder;
    const full = texts.flatMap((text, i) => (text.trim() === "" ? [] : [i]));
    const vectors = new Array<Float32Array | undefined>(texts.length).fill(undefined);
    if (full.length === 0) return vectors;
    const encoded = full.map((i) => this.#tokenizer.encode(prefixes[kind] + (texts[i] ?? ""), maxTokens));
    const { pooled, tokens } = await this.#run(encoded);
    encoded.forEach(({ ids }, row) => {
      const made = pooled === undefined ? poolRow(tokens, row, ids.length, pooling) : rowOf(pooled, row);
      vectors[full[row] ?? 0] = unit(made);
    });
    return vectors;
  }

  /** See `Embedder.embedTokens`. */
  async embedTokens(text: string): Promise<TokenVectors> {
    const { prefixes, maxTokens } = this.#folder;
    if (text.trim() === "") return { spans: [], vectors: new Float32Array(0) };
    const prefix = prefixes.passage;
    const encoded = this.#tokenizer.encode(prefix + text, maxTokens);
    const { tokens } = await this.#run([encoded]);
    // Where the text goes on, the last word may have been cut in two; its first part is as good as a word.
    const reach = prefix + text;
    const placed = this.#tokenizer.spansOf(reach, encoded.tokens).filter(({ span }) => span.end > prefix.length);
    const vectors = new Float32Array(placed.length * this.dims);
    placed.forEach(({ tokens: numbers }, i) => {
      for (const number of numbers) {
        const start = (encoded.start + number) * this.dims;
        for (let d = 0; d < this.dims; d++)
          vectors[i * this.dims + d] =
            (vectors[i * this.dims + d] ?? 0) + (tokens.data[start + d] ?? 0) / numbers.length;
      }
    });
    const spans = placed.map(({ span }) => ({
      start: Math.max(0, span.start - prefix.length),
      end: span.end - prefix.length,
    }));
    return { spans, vectors };
  }

  async #run(encoded: readonly Encoded[]): Promise<{ pooled: Matrix | undefined; tokens: Matrix }> {
    const length = Math.max(...encoded.map(({ ids }) => ids.length));
    const shape = [encoded.length, length];
    const filled = (valueAt: (ids: readonly number[], i: number) => number): ort.Tensor => {
      const values = encoded.flatMap(({ ids }) => Array.from({ length }, (_, i) => valueAt(ids, i)));
      return this.#isWide
        ? new ort.Tensor("int64", BigInt64Array.from(values, BigInt), shape)
        : new ort.Tensor("int32", Int32Array.from(values), shape);
    };
    const values: Record<string, () => ort.Tensor> = {
      input_ids: () => filled((ids, i) => ids[i] ?? this.#tokenizer.padId),
      attention_mask: () => filled((ids, i) => (i < ids.length ? 1 : 0)),
      token_type_ids: () => filled(() => 0),
      position_ids: () => filled((_ids, i) => i),
    };
    const feeds: Record<string, ort.Tensor> = {};
    for (const name of this.#session.inputNames) {
      const make = values[name];
      if (make !== undefined) feeds[name] = make();
    }
    const results = await this.#session.run(
      feeds,
      Object.values(this.#outputs).filter((name) => name !== undefined),
    );
    const { pooled, tokens } = this.#outputs;
    const empty = { data: new Float32Array(0), width: 0, length: 0 };
    return {
      pooled: pooled === undefined ? undefined : matrixOf(results[pooled]),
      tokens: tokens === undefined ? empty : matrixOf(results[tokens]),
    };
  }

  /** Whether ids are 64 bits wide, as in nearly every export. */
  get #isWide(): boolean {
    return this.#session.inputMetadata.every((input) => !input.isTensor || input.type !== "int32");
  }
}

const knownInputs = new Set(["input_ids", "attention_mask", "token_type_ids", "position_ids"]);

/** Names of the outputs that are used. */
interface Outputs {
  /** One row a text, ready. */
  readonly pooled?: string | undefined;
  /** One row a token. */
  readonly tokens?: string | undefined;
}

function outputsOf(path: string, folder: ModelFolder, { outputNames, outputMetadata }: ort.InferenceSession): Outputs {
  const rank = (name: string): number | undefined => {
    const output = outputMetadata[outputNames.indexOf(name)];
    return output?.isTensor === true ? output.shape.length : undefined;
  };
  const tokens =
    ["last_hidden_state", "token_embeddings"].find((name) => outputNames.includes(name)) ??
    outputNames.find((name) => rank(name) === 3);
  // BERT's `pooler_output` is no sentence embedding: it was trained for another task.
  const pooled =
    outputNames.find((name) => name === "sentence_embedding") ??
    (tokens === undefined ? outputNames.find((name) => rank(name) === 2) : undefined);
  if (pooled === undefined && (tokens === undefined || folder.needsSentenceOutput))
    throw missing(
      path,
      `Its model gives ${outputNames.join(", ")}.`,
      folder.needsSentenceOutput
        ? "Its dense layer is not part of that: export it with a sentence_embedding output."
        : "Choose a text embedding model, which gives last_hidden_state or sentence_embedding.",
    );
  return { ...(pooled !== undefined && { pooled }), ...(tokens !== undefined && { tokens }) };
}

interface Matrix {
  readonly data: Float32Array;
  /** Rows a text; 1 where pooled. */
  readonly length: number;
  readonly width: number;
}

function matrixOf(tensor: ort.Tensor | undefined): Matrix {
  const data = tensor?.data;
  if (tensor === undefined || !(data instanceof Float32Array))
    throw new BacopaError("embedder-bad-reply", {
      message: `The model gave ${tensor?.type ?? "nothing"}`,
      userMessage: "The embedding model gives numbers of a kind that is not known. Export it with float32 outputs.",
    });
  return { data, width: tensor.dims.at(-1) ?? 0, length: tensor.dims.length === 3 ? (tensor.dims[1] ?? 0) : 1 };
}

function rowOf({ data, width }: Matrix, row: number): Float32Array {
  return data.slice(row * width, (row + 1) * width);
}

/** @param count Tokens of the text; the rest of the row is padding. */
function poolRow({ data, length, width }: Matrix, row: number, count: number, pooling: Pooling): Float32Array {
  const token = (i: number): Float32Array => data.subarray((row * length + i) * width, (row * length + i + 1) * width);
  switch (pooling) {
    case "cls":
      return token(0).slice();
    case "last":
      return token(count - 1).slice();
    case "mean":
    case "max": {
      const made = token(0).slice();
      for (let i = 1; i < count; i++) {
        const next = token(i);
        for (let d = 0; d < width; d++)
          made[d] = pooling === "max" ? Math.max(made[d] ?? 0, next[d] ?? 0) : (made[d] ?? 0) + (next[d] ?? 0);
      }
      return made;
    }
  }
}

function unit(vector: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return undefined;
  if (!Number.isFinite(squares))
    throw new BacopaError("embedder-bad-reply", {
      message: "The model gave numbers that are not finite",
      userMessage: "The embedding model gave numbers that are not finite. Choose another export of it.",
    });
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}

function loadTokenizer(path: string, folder: ModelFolder): ModelTokenizer {
  try {
    return new ModelTokenizer(folder.tokenizer, folder.tokenizerConfig);
  } catch (cause) {
    throw missing(path, "Its tokenizer.json makes no tokenizer.", "Export or download the model again.", cause);
  }
}

/** One thread: with two, short texts took longer, and the editor needs the other core. */
function startRuntime(wasmFile: string): void {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
  try {
    ort.env.wasm.wasmBinary ??= readFileSync(wasmFile);
  } catch (cause) {
    throw noRuntime(cause);
  }
}

function noRuntime(cause: unknown): BacopaError {
  return new BacopaError("embedder-unavailable", {
    message: `WebAssembly could not start: ${String(cause)}`,
    userMessage:
      "The runtime for embedding models (WebAssembly) could not start. Install Bacopa again, or choose another embedder.",
    hint: "Searches go by words meanwhile; do not retry.",
    cause,
  });
}
