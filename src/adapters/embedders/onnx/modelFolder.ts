import { existsSync, readFileSync, statSync } from "node:fs";
import { createHash } from "node:crypto";
import { basename, join, resolve } from "node:path";
import { BacopaError } from "../../../core/errors.ts";
import { noPrefixes, prefixesByName } from "../prefixes.ts";
import type { Prefixes } from "../prefixes.ts";

/** How one vector is made of a text's token vectors. `mean` takes in the markers, as sentence-transformers does. */
export type Pooling = "mean" | "cls" | "last" | "max";

export interface ModelFolder {
  /** Changes with everything that changes vectors: model, tokenizer, pooling, prefixes, length. */
  readonly id: string;
  readonly model: Uint8Array;
  /** Weights that the model keeps in a second file. */
  readonly externalData: readonly { readonly path: string; readonly data: Uint8Array }[];
  /** Parsed `tokenizer.json` and `tokenizer_config.json`. */
  readonly tokenizer: Record<string, unknown>;
  readonly tokenizerConfig: Record<string, unknown>;
  readonly pooling: Pooling;
  readonly prefixes: Prefixes;
  readonly maxTokens: number;
  /** Dimensions that the configuration promises. */
  readonly dims: number | undefined;
  /** What `bacopa.json` says; see `Embedder.meaningWeight`. */
  readonly meaningWeight: number | undefined;
  /** A dense layer follows pooling, which only a model with a `sentence_embedding` output holds itself. */
  readonly needsSentenceOutput: boolean;
}

/**
 * Reads a folder as sentence-transformers and its ONNX exports lay it out: `model.onnx` (or `onnx/model.onnx`, or their
 * `_quantized` and `_int8` forms) and `tokenizer.json`, and beside them, where there, `config.json`, `modules.json`,
 * `1_Pooling/config.json`, `sentence_bert_config.json`, `config_sentence_transformers.json`, `tokenizer_config.json`.
 *
 * A `bacopa.json` has the last word: `model`, `pooling`, `queryPrefix`, `passagePrefix`, `maxTokens`, `meaningWeight`.
 *
 * @throws BacopaError `embedder-missing`.
 */
export function readModelFolder(given: string): ModelFolder {
  const folder = resolve(given);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw missing(folder, "There is no such folder.", "Give the folder that holds model.onnx and tokenizer.json.");
  const own = readJson(folder, "bacopa.json") ?? {};
  const config = readJson(folder, "config.json") ?? {};
  const tokenizer = readJson(folder, "tokenizer.json");
  if (tokenizer === undefined)
    throw missing(folder, "It holds no tokenizer.json.", "Export the model with its fast tokenizer.");
  const tokenizerConfig = readJson(folder, "tokenizer_config.json") ?? {};
  const file = modelFile(folder, textOf(own.model));
  const model = readBytes(folder, file);
  const externalData = [`${file}_data`, `${file}.data`]
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => ({ path: basename(name), data: readBytes(folder, name) }));
  const parts = {
    pooling: poolingOf(folder, own, config),
    prefixes: prefixesOf(folder, own, config),
    maxTokens: maxTokensOf(folder, own, config, tokenizer, tokenizerConfig),
  };
  const modules: unknown = readJson(folder, "modules.json");
  const hash = createHash("sha256").update(model);
  for (const { data } of externalData) hash.update(data);
  hash.update(JSON.stringify([tokenizer, tokenizerConfig, parts]));
  return {
    ...parts,
    id: `onnx ${basename(folder)} ${hash.digest("hex").slice(0, 16)}`,
    model,
    externalData,
    tokenizer,
    tokenizerConfig,
    dims: countOf(config.hidden_size),
    meaningWeight: weightOf(own.meaningWeight),
    needsSentenceOutput: JSON.stringify(modules ?? []).includes("models.Dense"),
  };
}

/** Larger files do not fit into WebAssembly's memory beside what a run needs. */
const maxModelBytes = 1_500_000_000;
/** Attention grows with the square of the length: more takes gigabytes. */
const longestInput = 8192;
const usualMaxTokens = 512;

const modelFiles = ["model", "model_quantized", "model_int8"].flatMap((name) => [`${name}.onnx`, `onnx/${name}.onnx`]);

function modelFile(folder: string, wanted: string | undefined): string {
  const names = wanted === undefined ? modelFiles : [wanted];
  const found = names.find((name) => existsSync(join(folder, name)));
  if (found !== undefined) return found;
  throw missing(folder, `It holds no ${wanted ?? "model.onnx"}.`, "Export the model as ONNX.");
}

function readBytes(folder: string, name: string): Uint8Array {
  const path = join(folder, name);
  if (statSync(path).size > maxModelBytes)
    throw missing(folder, `${name} is larger than 1.5 GB.`, "Choose a smaller model, or serve this one over HTTP.");
  try {
    return readFileSync(path);
  } catch (cause) {
    throw missing(folder, `${name} cannot be read.`, "Check the folder's permissions.", cause);
  }
}

function readJson(folder: string, name: string): Record<string, unknown> | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
    throw new TypeError("not an object");
  } catch (cause) {
    throw missing(folder, `Its ${name} cannot be read.`, "Download or export the model again.", cause);
  }
}

function poolingOf(folder: string, own: Record<string, unknown>, config: Record<string, unknown>): Pooling {
  const named = textOf(own.pooling) ?? textOf(config.pooling);
  if (named === "mean" || named === "cls" || named === "last" || named === "max") return named;
  const layer = readJson(folder, "1_Pooling/config.json");
  const modes = Object.entries(layer ?? {}).flatMap(
    ([name, on]) => (on === true ? poolingModes[name] : undefined) ?? [],
  );
  if (modes.length > 1 || (named !== undefined && modes.length === 0))
    throw missing(
      folder,
      `It pools in a way that is not known (${named ?? modes.join(" and ")}).`,
      'Name one of mean, cls, last, max as "pooling" in a bacopa.json there.',
    );
  return modes[0] ?? "mean";
}

const poolingModes: Readonly<Record<string, Pooling>> = {
  pooling_mode_cls_token: "cls",
  pooling_mode_mean_tokens: "mean",
  // Differs from the mean in length alone, which is made 1 anyway.
  pooling_mode_mean_sqrt_len_tokens: "mean",
  pooling_mode_max_tokens: "max",
  pooling_mode_lasttoken: "last",
};

function prefixesOf(folder: string, own: Record<string, unknown>, config: Record<string, unknown>): Prefixes {
  const query = textOf(own.queryPrefix);
  const passage = textOf(own.passagePrefix);
  if (query !== undefined || passage !== undefined) return { query: query ?? "", passage: passage ?? "" };
  const prompts = readJson(folder, "config_sentence_transformers.json")?.prompts;
  if (typeof prompts === "object" && prompts !== null) {
    const named = prompts as Record<string, unknown>;
    const [forQuery, forPassage] = [textOf(named.query), textOf(named.passage) ?? textOf(named.document)];
    if (forQuery || forPassage) return { query: forQuery ?? "", passage: forPassage ?? "" };
  }
  const byFolder = prefixesByName(basename(folder));
  return byFolder === noPrefixes ? prefixesByName(textOf(config._name_or_path) ?? "") : byFolder;
}

function maxTokensOf(
  folder: string,
  own: Record<string, unknown>,
  config: Record<string, unknown>,
  tokenizer: Record<string, unknown>,
  tokenizerConfig: Record<string, unknown>,
): number {
  const positions = countOf(config.max_position_embeddings);
  // RoBERTa counts positions from 2.
  const reserved = /roberta|camembert/i.test(textOf(config.model_type) ?? "") ? 2 : 0;
  const truncation = tokenizer.truncation as { readonly max_length?: unknown } | null | undefined;
  const said =
    countOf(own.maxTokens) ??
    countOf(readJson(folder, "sentence_bert_config.json")?.max_seq_length) ??
    countOf(tokenizerConfig.model_max_length) ??
    countOf(truncation?.max_length) ??
    (positions === undefined ? usualMaxTokens : positions - reserved);
  // "No limit" is written as 10^30.
  return Math.min(said, positions === undefined ? Infinity : positions - reserved, longestInput);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 1 ? Math.floor(value) : undefined;
}

function weightOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= 1 ? value : undefined;
}

/** One sentence on what is wrong with a model's folder and one on what to do. */
export function missing(folder: string, what: string, next: string, cause?: unknown): BacopaError {
  return new BacopaError("embedder-missing", {
    message: `Model folder ${folder}: ${what}`,
    userMessage: `The embedding model in ${folder} cannot be used. ${what} ${next}`,
    action: { title: "Choose Embedder", command: "bacopa.chooseEmbedder" },
    hint: "Searches go by words meanwhile; do not retry.",
    cause,
  });
}
