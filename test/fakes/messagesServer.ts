/**
 * A local server that speaks the Anthropic Messages API, streamed and plain, as scripted by a test.
 * It checks what the real one checks: path, key, version and the request's required fields.
 */
import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const serverKey = "sk-test-3141592653";

/** What the server does with one request. */
export type Step =
  /** The answer as JSON text. */
  | { readonly json: unknown; readonly stopReason?: string; readonly usage?: Partial<ReportedUsage> }
  /** The answer as it stands; use it for broken JSON and cut-off answers. */
  | { readonly text: string; readonly stopReason?: string; readonly usage?: Partial<ReportedUsage> }
  | {
      readonly status: number;
      readonly type: string;
      readonly message: string;
      readonly headers?: Record<string, string>;
    }
  | { readonly status: number; readonly html: string }
  /** Says nothing for a time, then does the next thing. */
  | { readonly waitMs: number; readonly then: Step }
  /** Closes the connection: before a byte, or after the first half of the answer. */
  | { readonly drop: "at once" | "midway" }
  /** Begins an answer and falls silent. */
  | { readonly stall: true }
  /** An `error` event within a streamed answer, as the API sends it when it gets overloaded midway. */
  | { readonly errorEvent: string };

interface ReportedUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: RequestBody;
}

export interface RequestBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream?: boolean;
  readonly system?: readonly { readonly text: string; readonly cache_control?: unknown }[];
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: unknown;
  readonly tool_choice?: unknown;
  readonly output_config?: {
    readonly effort?: string;
    readonly format?: { readonly type: string; readonly schema: unknown };
  };
}

export interface MessagesServer {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** Connections closed by the client before the answer ended. */
  readonly hangUps: () => number;
  close(): Promise<void>;
}

/**
 * @param script One step a request; the last one repeats. Or a function of the request and its number, from 0.
 * @param key The one that is accepted.
 * @param streams `false`: answers a streamed request with plain JSON, as some gateways do.
 */
export async function startMessagesServer(
  script: readonly Step[] | ((request: RequestBody, call: number) => Step),
  { streams = true, key = serverKey } = {},
): Promise<MessagesServer> {
  const requests: ReceivedRequest[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let hangUps = 0;

  const server = createServer((request, response) => {
    void receive(request).then((raw) => {
      const refusal = refuse(request, raw, key);
      if (refusal !== undefined) {
        fail(response, refusal);
        return;
      }
      const body = JSON.parse(raw) as RequestBody;
      const call = requests.push({ headers: request.headers, body }) - 1;
      response.on("close", () => {
        if (!response.writableFinished) hangUps++;
      });
      const step =
        typeof script === "function" ? script(body, call) : (script[Math.min(call, script.length - 1)] as Step);
      perform(step, body, response);
    });
  });

  function perform(step: Step, body: RequestBody, response: ServerResponse): void {
    if ("waitMs" in step) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (!response.destroyed) perform(step.then, body, response);
      }, step.waitMs);
      timers.add(timer);
    } else if ("status" in step) fail(response, step);
    else if ("drop" in step && step.drop === "at once") response.destroy();
    else if ("drop" in step || "stall" in step || "errorEvent" in step) {
      const event = stream(response);
      event("message_start", { message: { ...envelope(body), content: [], stop_reason: null } });
      event("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
      event("content_block_delta", { index: 0, delta: { type: "text_delta", text: '{"facts":[' } });
      if ("errorEvent" in step) {
        event("error", { error: { type: step.errorEvent, message: "Overloaded" } });
        response.end();
      } else if ("drop" in step) setTimeout(() => response.destroy(), 20);
    } else answer(step, body, response);
  }

  function answer(step: Step & { stopReason?: string }, body: RequestBody, response: ServerResponse): void {
    const text = "json" in step ? JSON.stringify(step.json) : "text" in step ? step.text : "";
    const usage = "usage" in step ? step.usage : undefined;
    const message = envelope(body, text, step.stopReason ?? "end_turn", usage);
    if (body.stream !== true || !streams) {
      response.writeHead(200, { "content-type": "application/json", "request-id": message.id });
      response.end(JSON.stringify(message));
      return;
    }
    const event = stream(response);
    event("message_start", { message: { ...message, content: [], stop_reason: null } });
    event("ping", {});
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
    const half = Math.ceil(text.length / 2);
    for (const piece of [text.slice(0, half), text.slice(half)]) {
      event("content_block_delta", { index: 0, delta: { type: "text_delta", text: piece } });
    }
    event("content_block_stop", { index: 0 });
    event("message_delta", {
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens: message.usage.output_tokens },
    });
    event("message_stop", {});
    response.end();
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    hangUps: () => hangUps,
    close() {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function receive(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

type Refusal = Extract<Step, { status: number }>;

function refuse(request: IncomingMessage, raw: string, accepted: string): Refusal | undefined {
  const error = (status: number, type: string, message: string): Refusal => ({ status, type, message });
  if (request.method !== "POST" || request.url?.split("?", 1)[0] !== "/v1/messages")
    return error(404, "not_found_error", "Not found");
  const key = request.headers["x-api-key"] ?? request.headers.authorization?.replace(/^Bearer /u, "");
  if (key !== accepted) return error(401, "authentication_error", `invalid x-api-key ${String(key)}`);
  if (!/^20\d\d-\d\d-\d\d$/u.test(String(request.headers["anthropic-version"]))) {
    return error(400, "invalid_request_error", "anthropic-version: header is required");
  }
  const body = JSON.parse(raw) as Partial<RequestBody>;
  if (typeof body.model !== "string" || typeof body.max_tokens !== "number" || !Array.isArray(body.messages)) {
    return error(400, "invalid_request_error", "model, max_tokens, messages: Field required");
  }
  if (body.tool_choice !== undefined)
    return error(400, "invalid_request_error", "tool_choice: forced tool use is not supported");
  return undefined;
}

function fail(response: ServerResponse, step: Refusal): void {
  if ("html" in step) {
    response.writeHead(step.status, { "content-type": "text/html" }).end(step.html);
    return;
  }
  response.writeHead(step.status, { "content-type": "application/json", "request-id": "req_fail", ...step.headers });
  response.end(
    JSON.stringify({ type: "error", error: { type: step.type, message: step.message }, request_id: "req_fail" }),
  );
}

function envelope(body: RequestBody, text = "", stopReason: string | null = null, usage: Partial<ReportedUsage> = {}) {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: body.model,
    content: [{ type: "text", text }],
    stop_reason: stopReason,
    stop_sequence: null,
    usage: {
      input_tokens: 1_000,
      output_tokens: 200,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      ...usage,
    },
  };
}

function stream(response: ServerResponse): (type: string, data: object) => void {
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": "msg_1" });
  return (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}
