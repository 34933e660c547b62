import assert from "node:assert/strict";
import { inspect } from "node:util";
import { createAnthropicModel, defaultModel } from "../../../src/adapters/models/anthropic.ts";
import type { AnthropicOptions } from "../../../src/adapters/models/anthropic.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import type { Reason } from "../../../src/core/errors.ts";
import { languageModelContract, sampleRequest } from "../../contracts/languageModel.ts";
import { serverKey, startMessagesServer } from "../../fakes/messagesServer.ts";
import type { MessagesServer, Step } from "../../fakes/messagesServer.ts";

const answer: Step = { json: { facts: ["one"] } };
const never = new AbortController().signal;

describe("Anthropic model", () => {
  let server: MessagesServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function serve(script: readonly Step[], options: Partial<AnthropicOptions> = {}, serverOptions = {}) {
    server = await startMessagesServer(script, serverOptions);
    return createAnthropicModel({ apiKey: serverKey, baseUrl: server.url, maxRetries: 0, ...options });
  }

  async function failureOf(script: readonly Step[], options: Partial<AnthropicOptions> = {}): Promise<BacopaError> {
    const model = await serve(script, options);
    try {
      await model.ask(sampleRequest, never);
    } catch (error) {
      assert.ok(error instanceof BacopaError, inspect(error));
      return error;
    }
    throw new assert.AssertionError({ message: "the request should have failed" });
  }

  describe("as a language model", () => {
    languageModelContract(async (behavior) => {
      const step: Step =
        behavior === "answer"
          ? answer
          : behavior === "slow"
            ? { waitMs: 5_000, then: answer }
            : { text: '{"facts":["on', stopReason: "max_tokens" };
      return { model: await serve([step]), close: () => Promise.resolve() };
    });
  });

  describe("requests", () => {
    it("ask for the answer's shape, cache the instructions and send the key and the version", async () => {
      const model = await serve([answer]);
      await model.ask(sampleRequest, never);
      const [request] = server?.requests ?? [];
      assert.equal(request?.headers["x-api-key"], serverKey);
      assert.match(String(request.headers["anthropic-version"]), /^\d{4}-\d\d-\d\d$/u);
      assert.equal(request.body.model, defaultModel);
      assert.deepEqual(request.body.system, [
        { type: "text", text: "Write facts.", cache_control: { type: "ephemeral" } },
      ]);
      assert.equal(request.body.output_config?.format?.type, "json_schema");
      assert.equal(request.body.output_config.effort, "medium");
      assert.equal(request.body.stream, true);
    });

    it("leave room for thinking above the answer's limit, within what the model can give", async () => {
      const model = await serve([answer]);
      await model.ask({ ...sampleRequest, maxTokens: 1_000 }, never);
      await model.ask({ ...sampleRequest, maxTokens: 500_000 }, never);
      assert.deepEqual(
        server?.requests.map(({ body }) => body.max_tokens),
        [17_000, 128_000],
      );
    });

    it("send no effort to a model that does not take it", async () => {
      const model = await serve([answer], { model: "claude-haiku-4-5" });
      await model.ask(sampleRequest, never);
      assert.equal(server?.requests[0]?.body.output_config?.effort, undefined);
      assert.equal(server?.requests[0]?.body.max_tokens, 1_000);
    });

    it("go on without streaming at a server that does not stream", async () => {
      const model = await serve([answer], {}, { streams: false });
      const first = await model.ask(sampleRequest, never);
      const second = await model.ask(sampleRequest, never);
      assert.deepEqual([first.value, second.value], [{ facts: ["one"] }, { facts: ["one"] }]);
      assert.deepEqual(
        server?.requests.map(({ body }) => body.stream === true),
        [true, false, false],
      );
    });
  });

  describe("cost", () => {
    it("counts cached tokens at their own prices", async () => {
      const usage = {
        input_tokens: 1_000,
        output_tokens: 2_000,
        cache_creation_input_tokens: 4_000,
        cache_read_input_tokens: 8_000,
      };
      const model = await serve([{ json: {}, usage }], { model: "claude-sonnet-5-5" });
      const reply = await model.ask(sampleRequest, never);
      assert.equal(reply.usage.in, 13_000);
      assert.equal(reply.usage.out, 2_000);
      assert.ok(Math.abs(reply.usage.costUsd - (1_000 * 2 + 2_000 * 10 + 4_000 * 2.5 + 8_000 * 0.1) / 1e6) < 1e-12);
    });

    it("is 0 for a model without a known price, with a note in the log", async () => {
      const notes: string[] = [];
      const note = (event: string) => void notes.push(event);
      const model = await serve([answer], { model: "claude-next-9", log: { debug: note, info: note, warn: note } });
      assert.equal((await model.ask(sampleRequest, never)).usage.costUsd, 0);
      assert.equal(notes.length, 1);
    });
  });

  describe("failures", () => {
    const error = (status: number, type: string, message = "no"): Step => ({ status, type, message });
    const cases: [string, Step, Reason, boolean][] = [
      ["401", error(401, "authentication_error"), "model-auth", false],
      ["403", error(403, "permission_error"), "model-auth", false],
      ["400", error(400, "invalid_request_error", "effort: not supported"), "model-rejected", false],
      [
        "400 for a prompt that is too long",
        error(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
        "model-too-large",
        false,
      ],
      [
        "400 for used-up credit",
        error(400, "invalid_request_error", "Your credit balance is too low"),
        "model-rejected",
        false,
      ],
      [
        "400 of the content filter",
        error(400, "invalid_request_error", "Output blocked by content filtering policy"),
        "model-refused",
        false,
      ],
      ["404", error(404, "not_found_error", "model: claude-x"), "model-rejected", false],
      ["413", error(413, "request_too_large"), "model-too-large", false],
      ["413 from a proxy, without JSON", { status: 413, html: "<h1>Too large</h1>" }, "model-too-large", false],
      ["429", error(429, "rate_limit_error"), "model-rate-limited", true],
      ["500", error(500, "api_error"), "model-overloaded", true],
      ["502 from a proxy, without JSON", { status: 502, html: "<h1>Bad gateway</h1>" }, "model-overloaded", true],
      ["529", error(529, "overloaded_error"), "model-overloaded", true],
      ["a dropped connection", { drop: "at once" }, "model-unavailable", true],
      ["a refusal", { text: "", stopReason: "refusal" }, "model-refused", false],
      ["broken JSON", { text: '{"facts": [' }, "model-bad-reply", true],
      ["an empty answer", { text: "" }, "model-bad-reply", true],
    ];
    for (const [name, step, reason, retryable] of cases) {
      it(`${name}: ${reason}`, async () => {
        const failure = await failureOf([step]);
        assert.equal(failure.reason, reason, failure.message);
        assert.equal(failure.retryable, retryable);
        assert.match(failure.userMessage, /\. \S.*[.]$|: .*[.]$/u, "one sentence on what happened, one on what to do");
      });
    }

    it("nobody at the address: model-unavailable, with the system's code", async () => {
      const model = createAnthropicModel({ apiKey: serverKey, baseUrl: "http://127.0.0.1:9", maxRetries: 0 });
      await assert.rejects(model.ask(sampleRequest, never), (failure) => {
        assert.ok(BacopaError.is(failure, "model-unavailable"));
        assert.match(failure.message, /ECONNREFUSED|bad port/u);
        return true;
      });
    });

    it("no answer in time: model-unavailable", async () => {
      const failure = await failureOf([{ waitMs: 2_000, then: answer }], { timeoutMs: 60 });
      assert.equal(failure.reason, "model-unavailable");
      assert.match(failure.userMessage, /in time/u);
    });

    it("an answer that falls silent midway: model-unavailable", async () => {
      const failure = await failureOf([{ stall: true }], { timeoutMs: 80 });
      assert.equal(failure.reason, "model-unavailable");
      assert.match(failure.userMessage, /in time/u);
    });

    it("never show the key, even when the server repeats it", async () => {
      const failure = await failureOf([error(401, "authentication_error", `bad key ${serverKey}`)]);
      assert.ok(!inspect(failure, { depth: 10, showHidden: true }).includes(serverKey));
    });
  });

  describe("retries", () => {
    it("wait as long as retry-after says", async () => {
      const model = await serve(
        [{ status: 429, type: "rate_limit_error", message: "slow down", headers: { "retry-after": "0.2" } }, answer],
        { maxRetries: 1 },
      );
      const started = performance.now();
      await model.ask(sampleRequest, never);
      assert.ok(performance.now() - started >= 190);
      assert.equal(server?.requests.length, 2);
    });

    it("ask once more when an answer breaks off midway", async () => {
      const model = await serve([{ drop: "midway" }, answer]);
      assert.deepEqual((await model.ask(sampleRequest, never)).value, { facts: ["one"] });
    });

    it("ask once more when the server gets overloaded midway, then give up", async () => {
      const failure = await failureOf([{ errorEvent: "overloaded_error" }]);
      assert.equal(failure.reason, "model-overloaded");
      assert.equal(server?.requests.length, 2);
    });
  });

  it("does not ask again when an answer is stopped for good midway", async () => {
    const failure = await failureOf([{ errorEvent: "invalid_request_error" }]);
    assert.equal(failure.reason, "model-rejected");
    assert.equal(server?.requests.length, 1);
  });

  it("closes the connection when the signal aborts", async () => {
    const model = await serve([{ stall: true }]);
    const controller = new AbortController();
    const asked = model.ask(sampleRequest, controller.signal);
    await until(() => server?.requests.length === 1);
    controller.abort();
    await assert.rejects(asked, { name: "AbortError" });
    await until(() => server?.hangUps() === 1);
  });
});

/** Waits for something that another party does; the test's own time limit is the bound. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
