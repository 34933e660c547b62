import { setTimeout as sleep } from "node:timers/promises";
import { BacopaError } from "../../core/errors.ts";
import type { Reason } from "../../core/errors.ts";

export interface Endpoint {
  /** Ends in `/embeddings`. */
  readonly url: URL;
  readonly model: string;
  readonly key: string | undefined;
}

/** An answer is never larger: 32 vectors of 4,096 numbers as text are 3 MB. */
const maxAnswerBytes = 64 * 1024 * 1024;
const maxDims = 16_384;
/** Waits between tries, doubled each time; a longer `retry-after` is honored up to the limit. */
const firstWaitMs = 500;
const longestWaitMs = 60_000;

/**
 * One request, tried again where that can help.
 *
 * @param dims What every vector must have; `undefined`: they must agree.
 * @returns One vector a text, as the endpoint gave it: finite numbers, any length.
 * @throws BacopaError `embedder-unavailable`, `embedder-rejected`, `embedder-bad-reply`; `model-too-large` when the endpoint
 *   takes fewer or shorter texts.
 */
export async function ask(
  endpoint: Endpoint,
  texts: readonly string[],
  { timeoutMs, tries, dims }: { readonly timeoutMs: number; readonly tries: number; readonly dims: number | undefined },
  signal: AbortSignal,
): Promise<Float32Array[]> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await askOnce(endpoint, texts, timeoutMs, dims, signal);
    if ("vectors" in outcome) return outcome.vectors;
    const waitMs = Math.max(outcome.retryAfterMs ?? 0, firstWaitMs * 2 ** (attempt - 1));
    if (!outcome.error.retryable || attempt === tries || waitMs > longestWaitMs) throw outcome.error;
    await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

type Outcome =
  { readonly vectors: Float32Array[] } | { readonly error: BacopaError; readonly retryAfterMs?: number | undefined };

async function askOnce(
  endpoint: Endpoint,
  texts: readonly string[],
  timeoutMs: number,
  dims: number | undefined,
  signal: AbortSignal,
): Promise<Outcome> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const host = endpoint.url.host;
  try {
    const response = await fetch(endpoint.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(endpoint.key ? { authorization: `Bearer ${endpoint.key}` } : {}),
      },
      body: JSON.stringify({ model: endpoint.model, input: texts, encoding_format: "float" }),
      // The key and the texts go where the person said and nowhere else.
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return {
        error: errorOf(response.status, endpoint),
        retryAfterMs: retryAfterMs(response.headers.get("retry-after")),
      };
    }
    const text = await boundedText(response);
    if (text === undefined) throw badReply(host, "it is too large");
    return { vectors: vectorsOf(text, texts.length, dims, host) };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof BacopaError) return { error: cause };
    if (timeout.aborted) {
      const seconds = Math.round(timeoutMs / 1000);
      return { error: unavailable(host, `did not answer within ${seconds} s`, "See whether it is busy", cause) };
    }
    // The cause of a failed fetch names the address and a code, never what was sent.
    return { error: unavailable(host, "cannot be reached", "Start it, or check its address", cause) };
  }
}

function errorOf(status: number, { url, model }: Endpoint): BacopaError {
  const { host } = url;
  const message = `${host} answered ${status}`;
  const fail = (reason: Reason, userMessage: string, retryable = false, command?: [string, string]): BacopaError =>
    new BacopaError(reason, {
      message,
      userMessage,
      retryable,
      action: command && { title: command[0], command: command[1] },
      hint: "Searches go by words meanwhile; do not retry.",
    });
  switch (status) {
    case 401:
    case 403:
      return fail(
        "embedder-rejected",
        `The embeddings endpoint at ${host} refused the key (${status}). Set its key: BACOPA_EMBEDDINGS_KEY on the command line, "Set Embeddings Key" in the editor.`,
        false,
        ["Set Embeddings Key", "bacopa.setEmbeddingsKey"],
      );
    case 404:
      return fail(
        "embedder-rejected",
        `The embeddings endpoint at ${host} knows no model "${model}", or ${url.pathname} is not its address (404). Check both; the address often ends in /v1.`,
        false,
        ["Choose Embedder", "bacopa.chooseEmbedder"],
      );
    case 400:
    case 413:
    case 422:
      return fail(
        "model-too-large",
        `The embeddings endpoint at ${host} did not take a short text for the model "${model}" (${status}). Check that it is an embedding model.`,
      );
    case 429:
      return fail(
        "embedder-unavailable",
        `The embeddings endpoint at ${host} takes no more requests for now (429). It is tried again later; check your plan if this lasts.`,
        true,
      );
    default:
      if (status >= 500)
        return fail(
          "embedder-unavailable",
          `The embeddings endpoint at ${host} failed (${status}). It is tried again later; its own log says more.`,
          true,
        );
      return fail(
        "embedder-rejected",
        `The embeddings endpoint at ${host} answered ${status} instead of embeddings. Check its address.`,
        false,
        ["Choose Embedder", "bacopa.chooseEmbedder"],
      );
  }
}

function unavailable(host: string, what: string, next: string, cause: unknown): BacopaError {
  return new BacopaError("embedder-unavailable", {
    message: `${host} ${what}`,
    userMessage: `The embeddings endpoint at ${host} ${what}. ${next}, or choose another embedder.`,
    hint: "Searches go by words meanwhile; do not retry.",
    retryable: true,
    cause,
  });
}

/** Seconds or a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** `undefined`: larger than any answer may be. The rest is not read. */
async function boundedText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Without a body there is nothing to parse, which is found later.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxAnswerBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function badReply(host: string, what: string): BacopaError {
  return new BacopaError("embedder-bad-reply", {
    message: `${host}: ${what}`,
    userMessage: `The embeddings endpoint at ${host} gave an answer that cannot be used: ${what}. Check that its model is an embedding model, or choose another embedder.`,
  });
}

function vectorsOf(text: string, count: number, dims: number | undefined, host: string): Float32Array[] {
  const bad = (what: string): BacopaError => badReply(host, what);
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw bad("it is not JSON");
  }
  const data = (answer as { readonly data?: unknown } | null)?.data;
  if (!Array.isArray(data)) throw bad("it holds no list of embeddings");
  if (data.length !== count) throw bad(`it holds ${data.length} embeddings for ${count} texts`);
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  data.forEach((entry: unknown, at) => {
    const { embedding, index = at } = (entry ?? {}) as { readonly embedding?: unknown; readonly index?: unknown };
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= count || vectors[index])
      throw bad("its embeddings are not numbered as the texts are");
    vectors[index] = numbersOf(embedding) ?? undefined;
  });
  const whole = vectors.filter((vector) => vector !== undefined);
  if (whole.length !== count) throw bad("an embedding is not a list of finite numbers");
  const wanted = dims ?? whole[0]?.length ?? 0;
  if (wanted === 0 || wanted > maxDims || whole.some(({ length }) => length !== wanted))
    throw bad(
      dims === undefined ? "its embeddings differ in length" : `its embeddings have not ${dims} dimensions as before`,
    );
  return whole;
}

/** Numbers, or little-endian 32-bit floats in base64. */
function numbersOf(embedding: unknown): Float32Array | undefined {
  let numbers: Float32Array | undefined;
  if (Array.isArray(embedding) && embedding.every((value) => typeof value === "number"))
    numbers = Float32Array.from(embedding);
  else if (typeof embedding === "string") {
    const bytes = Buffer.from(embedding, "base64");
    if (bytes.length % 4 === 0)
      numbers = Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
  }
  return numbers?.every(Number.isFinite) === true ? numbers : undefined;
}
