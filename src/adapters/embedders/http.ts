/** Embeddings from an OpenAI-compatible endpoint: Ollama, LM Studio, llama.cpp, vLLM, hosted ones. */
import { BacopaError } from "../../core/errors.ts";
import type { Embedder, EmbedderChoice, TextKind } from "../../core/ports.ts";
import { sha256Hex } from "../../core/util/hash.ts";
import { ask } from "./httpAnswer.ts";
import type { Endpoint } from "./httpAnswer.ts";
import { prefixesByName } from "./prefixes.ts";
import type { Prefixes } from "./prefixes.ts";

export interface HttpEmbedderInit {
  /** The address before `/embeddings`, e.g. `http://localhost:11434/v1`. */
  readonly url: string;
  readonly model: string;
  /** Asked at each opening. Sent to this endpoint and nowhere else. */
  readonly key?: (() => Promise<string | undefined>) | undefined;
  /** See `Embedder.meaningWeight`. Default `pluggedInWeight`. */
  readonly meaningWeight?: number | undefined;
  /** Default: by the model's name. */
  readonly prefixes?: Prefixes | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
}

interface Timeouts {
  /** A person waits for a query: longer than this and the search goes by words. */
  readonly queryMs: number;
  /** A local server loads the model with the first call. */
  readonly openMs: number;
  readonly passageMs: number;
}

const defaultTimeouts: Timeouts = { queryMs: 8_000, openMs: 60_000, passageMs: 120_000 };

/** Texts a request: small enough for a slow local server to answer in seconds. */
const batchSize = 32;
/** Characters a request, so that a batch of long texts stays under the size that servers take. */
const batchCharacters = 60_000;
/** A text the endpoint finds too long is cut in half, down to this many characters. */
const leastCharacters = 400;

/**
 * Weight of an embedder's ranking about which nothing was measured, where the words' weight is 1. A model that is better
 * than the built-in table deserves more than its .1; at 1 a weak one would outvote the words. `npm run eval:weights`
 * finds the right one for a corpus.
 */
export const pluggedInWeight = 0.5;

/**
 * @throws BacopaError `embedder-missing` when the address or the model's name cannot be used. Nothing is contacted before
 *   the choice is opened.
 */
export function httpChoice(init: HttpEmbedderInit): EmbedderChoice {
  const url = endpointUrl(init.url);
  if (init.model.trim() === "") throw unusable(init.url, "The embeddings endpoint needs the name of a model.");
  return { name: `${init.model} at ${url.host}`, open: (signal) => open(init, url, signal) };
}

async function open(init: HttpEmbedderInit, url: URL, signal: AbortSignal): Promise<Embedder> {
  const key = await init.key?.();
  if (key && url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw unusable(url.host, "The key would travel to it unencrypted. Use an https address, or remove the key.");
  }
  const endpoint: Endpoint = { url, model: init.model, key };
  const timeouts = { ...defaultTimeouts, ...init.timeouts };
  const prefixes = init.prefixes ?? prefixesByName(init.model);
  const limits = { timeoutMs: timeouts.openMs, tries: 1, dims: undefined };
  const [probe] = await embedBatch(endpoint, ["dimensions"], limits, signal);
  const dims = probe?.length ?? 0;

  return {
    id: idOf(url, init.model, prefixes),
    dims,
    // Not told by the protocol. The endpoint cuts texts, or refuses them and they are cut here.
    maxTokens: 512,
    meaningWeight: init.meaningWeight ?? pluggedInWeight,
    async embed(texts, kind, embedSignal) {
      embedSignal.throwIfAborted();
      const vectors = new Array<Float32Array | undefined>(texts.length).fill(undefined);
      const limits = limitsOf(kind, timeouts, dims);
      for (const batch of batchesOf(texts)) {
        const prefixed = batch.map((i) => prefixes[kind] + (texts[i] ?? ""));
        const made = await embedBatch(endpoint, prefixed, limits, embedSignal);
        batch.forEach((i, at) => (vectors[i] = unit(made[at])));
      }
      return vectors;
    },
  };
}

interface Limits {
  readonly timeoutMs: number;
  readonly tries: number;
  readonly dims: number | undefined;
}

function limitsOf(kind: TextKind, timeouts: Timeouts, dims: number): Limits {
  return kind === "query"
    ? { timeoutMs: timeouts.queryMs, tries: 1, dims }
    : { timeoutMs: timeouts.passageMs, tries: 4, dims };
}

/** A batch that is too large is halved; a single text that is too long is cut. */
async function embedBatch(
  endpoint: Endpoint,
  texts: readonly string[],
  limits: Limits,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  try {
    return await ask(endpoint, texts, limits, signal);
  } catch (error) {
    if (!BacopaError.is(error, "model-too-large")) throw error;
    const [only = ""] = texts;
    if (texts.length > 1) {
      const half = Math.ceil(texts.length / 2);
      return [
        ...(await embedBatch(endpoint, texts.slice(0, half), limits, signal)),
        ...(await embedBatch(endpoint, texts.slice(half), limits, signal)),
      ];
    }
    if (only.length < 2 * leastCharacters) {
      const { message, userMessage } = error;
      throw new BacopaError("embedder-rejected", { message, userMessage, cause: error });
    }
    return embedBatch(endpoint, [only.slice(0, only.length / 2)], limits, signal);
  }
}

/** Places of the texts that say anything, in batches. */
function batchesOf(texts: readonly string[]): number[][] {
  const batches: number[][] = [];
  let batch: number[] = [];
  let characters = 0;
  texts.forEach((text, i) => {
    if (text.trim() === "") return;
    if (batch.length === batchSize || (batch.length > 0 && characters + text.length > batchCharacters)) {
      batches.push(batch);
      batch = [];
      characters = 0;
    }
    batch.push(i);
    characters += text.length;
  });
  return batch.length === 0 ? batches : [...batches, batch];
}

function unit(vector: Float32Array | undefined): Float32Array | undefined {
  let squares = 0;
  for (const value of vector ?? []) squares += value * value;
  if (squares === 0) return undefined;
  const length = Math.sqrt(squares);
  return vector?.map((value) => value / length);
}

/** Another address, model or prefix gives other vectors. */
function idOf(url: URL, model: string, prefixes: Prefixes): string {
  const prefixed = prefixes.query === "" && prefixes.passage === "" ? "" : ` ${sha256Hex(JSON.stringify(prefixes), 8)}`;
  return `http ${url.origin}${url.pathname} ${model}${prefixed}`;
}

function endpointUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw unusable(text, "It has to begin with http:// or https://, as in http://localhost:11434/v1.");
  if (url.username !== "" || url.password !== "")
    throw unusable(url.host, "An address holds no key or password: the key has a place of its own.");
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith("/embeddings") ? path : `${path}/embeddings`;
  url.hash = "";
  return url;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function unusable(address: string, sentence: string): BacopaError {
  return new BacopaError("embedder-missing", {
    message: `The embeddings endpoint ${address} cannot be used`,
    userMessage: `The address of the embeddings endpoint cannot be used. ${sentence}`,
    action: { title: "Choose Embedder", command: "bacopa.chooseEmbedder" },
  });
}
