import Anthropic, {
  AnthropicError,
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from "@anthropic-ai/sdk";
import type { Message, MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages";
import type { LanguageModel, Log, ModelReply, ModelRequest } from "../../core/ports.ts";
import { BacopaError } from "../../core/errors.ts";
import { errorOf, refused } from "./anthropicErrors.ts";
import type { Failure } from "./anthropicErrors.ts";
import { costOf, maxOutputTokensOf, pricesOf, takesEffort, thinksByDefault } from "./anthropicModels.ts";

/** The newest mid-tier model the SDK knows (`Model` in its types), October 2026. */
export const defaultModel = "claude-sonnet-5-5";

export interface AnthropicOptions {
  /** Never appears in a message, a log or an error. */
  readonly apiKey: string;
  /** Default `https://api.anthropic.com`. */
  readonly baseUrl?: string | undefined;
  /** Default {@link defaultModel}. */
  readonly model?: string | undefined;
  /** Largest answer to ask for, tokens. Default: what the model can give. */
  readonly maxOutputTokens?: number | undefined;
  /** How long to wait for the first byte, and then between two events of an answer. Default 600,000, the SDK's own. */
  readonly timeoutMs?: number | undefined;
  /** Retries of the SDK on 408, 409, 429, 5xx and lost connections, honoring `retry-after`. Default 4. */
  readonly maxRetries?: number | undefined;
  /** How much the model thinks and writes; sent to models that take it. Default `medium`. */
  readonly effort?: "low" | "medium" | "high" | undefined;
  readonly log?: Log | undefined;
}

/**
 * Claude through the Messages API.
 *
 * The answer's shape is asked for with structured output (`output_config.format`), since Claude Sonnet 5.5 and later refuse a
 * forced tool with 400. Answers are streamed: the SDK refuses long answers otherwise, and idle connections get cut.
 */
export function createAnthropicModel(options: AnthropicOptions): LanguageModel {
  const model = options.model ?? defaultModel;
  const maxOutputTokens = Math.min(options.maxOutputTokens ?? Infinity, maxOutputTokensOf(model));
  const timeoutMs = options.timeoutMs ?? 600_000;
  const prices = pricesOf(model);
  const client = new Anthropic({
    apiKey: options.apiKey,
    ...(options.baseUrl === undefined ? {} : { baseURL: options.baseUrl }),
    // The SDK sends the key as a bearer token. Gateways and local servers written for the documented header want this one.
    ...(options.baseUrl === undefined ? {} : { defaultHeaders: { "x-api-key": options.apiKey } }),
    maxRetries: options.maxRetries ?? 4,
    timeout: timeoutMs,
    // The SDK logs whole requests and bodies to the console when ANTHROPIC_LOG asks for it; page text stays out of logs.
    logLevel: "off",
  });
  if (prices === undefined) options.log?.warn("model price unknown, cost is shown as 0", { model });
  let streams = true;

  /** Streams one answer. A server that answers a streamed request with plain JSON is asked without streaming from then on. */
  async function send(params: MessageCreateParamsNonStreaming, signal: AbortSignal): Promise<Message> {
    if (!streams) return client.messages.create(params, { signal, timeout: timeoutMs });
    const idle = new AbortController();
    const stream = client.messages.stream(params, { signal: AbortSignal.any([signal, idle.signal]) });
    let timer: NodeJS.Timeout | undefined;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => idle.abort(), timeoutMs);
    };
    stream.on("connect", heard).on("streamEvent", heard);
    try {
      return await stream.finalMessage();
    } catch (error) {
      if (stream.response?.headers.get("content-type")?.startsWith("application/json") === true && !signal.aborted) {
        streams = false;
        return await send(params, signal);
      }
      if (idle.signal.aborted && !signal.aborted) throw new APIConnectionError({ message: "The answer stalled." });
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The SDK retries until an answer begins; an answer that breaks off midway is asked for once more here. */
  async function sendWithRestart(params: MessageCreateParamsNonStreaming, signal: AbortSignal): Promise<Message> {
    try {
      return await send(params, signal);
    } catch (error) {
      if (signal.aborted || !brokeOffMidway(error)) throw error;
      options.log?.warn("the model's answer broke off, asking again", { model });
      return await send(params, signal);
    }
  }

  return {
    id: `anthropic:${model}`,
    maxOutputTokens,
    async ask(request, signal) {
      signal.throwIfAborted();
      let message: Message;
      try {
        message = await sendWithRestart(paramsOf(request, model, maxOutputTokens, options.effort ?? "medium"), signal);
      } catch (error) {
        signal.throwIfAborted();
        throw errorOf(failureOf(error, options.apiKey), model);
      }
      signal.throwIfAborted();
      return replyOf(message, costOf(message.usage, prices), model);
    },
  };
}

/**
 * Tokens added to the answer's limit where the model thinks before it writes, since thinking counts toward the limit.
 * A bound, not a budget: unused tokens cost nothing.
 */
const thinkingAllowance = 16_000;

function paramsOf(
  request: ModelRequest,
  model: string,
  maxOutputTokens: number,
  effort: "low" | "medium" | "high",
): MessageCreateParamsNonStreaming {
  const allowance = thinksByDefault(model) ? thinkingAllowance : 0;
  return {
    model,
    max_tokens: Math.min(request.maxTokens + allowance, maxOutputTokens),
    system: [{ type: "text", text: request.instructions, cache_control: { type: "ephemeral" } }],
    messages: [{ role: "user", content: contentOf(request) }],
    output_config: {
      format: { type: "json_schema", schema: { ...request.schema.schema, description: request.schema.description } },
      ...(takesEffort(model) ? { effort } : {}),
    },
  };
}

/** The shared part first, with a mark of its own: the prefix up to it is read from the cache by the calls that follow. */
function contentOf({ context, content }: ModelRequest): MessageCreateParamsNonStreaming["messages"][number]["content"] {
  if (context === undefined) return content;
  return [
    { type: "text", text: context, cache_control: { type: "ephemeral" } },
    { type: "text", text: content },
  ];
}

/**
 * Whether an answer ended before its time for a passing reason. The SDK has already retried what failed before the answer began,
 * and it gives those failures a status or a class of their own.
 */
function brokeOffMidway(error: unknown): boolean {
  if (error instanceof APIUserAbortError || error instanceof APIConnectionError) return false;
  if (error instanceof APIError) return error.status === undefined && error.type !== "invalid_request_error";
  return error instanceof AnthropicError;
}

/** Keeps what matters of an SDK error; its objects hold response bodies, and a gateway may echo the key in one. */
function failureOf(error: unknown, apiKey: string): Failure {
  const api = error instanceof APIError ? error : undefined;
  const text = api?.apiMessage ?? (error instanceof Error ? error.message : String(error));
  const reached = error instanceof Error && error.cause instanceof Error ? ` (${rootOf(error.cause)})` : "";
  return {
    status: typeof api?.status === "number" ? api.status : undefined,
    type: api?.type ?? undefined,
    text: `${text}${reached}`.replaceAll(apiKey, "[key]").slice(0, 300),
    timedOut: error instanceof APIConnectionTimeoutError || /timed out|stalled/iu.test(text),
    requestId: api?.requestID ?? undefined,
  };
}

/** The innermost cause's code or message, e.g. `ECONNREFUSED`. */
function rootOf(error: Error): string {
  let root = error;
  for (let depth = 0; depth < 5 && root.cause instanceof Error; depth++) root = root.cause;
  return "code" in root && typeof root.code === "string" ? root.code : root.message;
}

function replyOf(message: Message, costUsd: number, model: string): ModelReply {
  const { usage } = message;
  const counted = {
    in: usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
    out: usage.output_tokens,
    costUsd,
  };
  switch (message.stop_reason) {
    case "max_tokens":
    case "model_context_window_exceeded":
      return { stop: "cut-off", value: undefined, usage: counted };
    case "refusal":
      throw refused(model, message.stop_details?.category ?? "no category given");
    case "end_turn":
    case "tool_use":
    case "stop_sequence":
    case "pause_turn":
    case null: {
      return { stop: "done", value: valueOf(message, model), usage: counted };
    }
    default:
      // A stop reason newer than the SDK: the answer decides.
      return { stop: "done", value: valueOf(message, model), usage: counted };
  }
}

function valueOf(message: Message, model: string): unknown {
  // A gateway may turn structured output into a tool call; its input is the answer then.
  for (const block of message.content) if (block.type === "tool_use") return block.input;
  const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new BacopaError("model-bad-reply", {
      message: `${model} answered ${text.length} characters that are not JSON`,
      userMessage:
        "The language model gave an answer Bacopa could not read. Save the page again, or choose another model.",
      hint: "The page's own text can still be searched; saving it again retries what failed.",
      retryable: true,
      // The parser's message quotes the answer, which is page text; only its kind is kept.
      cause: cause instanceof Error ? cause.name : undefined,
    });
  }
}
