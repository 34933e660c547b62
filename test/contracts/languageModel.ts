import assert from "node:assert/strict";
import type { LanguageModel, ModelRequest } from "../../src/core/ports.ts";

export const sampleRequest: ModelRequest = {
  purpose: "facts",
  instructions: "Write facts.",
  content: "Section 1: max_tries defaults to 5.",
  schema: {
    name: "write_facts",
    description: "Facts.",
    schema: {
      type: "object",
      properties: { facts: { type: "array", items: { type: "string" } } },
      required: ["facts"],
      additionalProperties: false,
    },
  },
  maxTokens: 1_000,
};

/**
 * What every language model must do.
 *
 * @param open A model whose backend answers `{ facts: ["one"] }`, or is slow where `slow` is asked for, or cuts off where `cutOff` is.
 */
export function languageModelContract(
  open: (behavior: "answer" | "slow" | "cut-off") => Promise<{ model: LanguageModel; close: () => Promise<void> }>,
): void {
  it("names provider and model", async () => {
    const { model, close } = await open("answer");
    assert.match(model.id, /^[a-z]+:.+$/u);
    assert.ok(model.maxOutputTokens > 0);
    await close();
  });

  it("answers with parsed JSON and what it took", async () => {
    const { model, close } = await open("answer");
    const reply = await model.ask(sampleRequest, new AbortController().signal);
    assert.equal(reply.stop, "done");
    assert.deepEqual(reply.value, { facts: ["one"] });
    assert.ok(reply.usage.in > 0 && reply.usage.out > 0 && reply.usage.costUsd >= 0);
    await close();
  });

  it("tells an answer that did not fit", async () => {
    const { model, close } = await open("cut-off");
    const reply = await model.ask(sampleRequest, new AbortController().signal);
    assert.equal(reply.stop, "cut-off");
    assert.equal(reply.value, undefined);
    await close();
  });

  it("throws the signal's reason when it aborts while waiting", async () => {
    const { model, close } = await open("slow");
    const controller = new AbortController();
    const reason = new Error("stopped by the person");
    setTimeout(() => controller.abort(reason), 30);
    await assert.rejects(model.ask(sampleRequest, controller.signal), (error) => error === reason);
    await close();
  });

  it("asks nothing when the signal has aborted", async () => {
    const { model, close } = await open("answer");
    const reason = new Error("stopped before");
    await assert.rejects(model.ask(sampleRequest, AbortSignal.abort(reason)), (error) => error === reason);
    await close();
  });
}
