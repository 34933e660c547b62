/** A chat model that the editor offers (`vscode.lm`), behind the port that distilling uses. */
import * as vscode from "vscode";
import { BacopaError } from "../../core/errors.ts";
import type { LanguageModel, ModelReply, ModelRequest } from "../../core/ports.ts";
import { withToken } from "../host/abort.ts";
import { editorModelError } from "./editorModelErrors.ts";
import { parseJsonReply } from "./jsonReply.ts";

/**
 * The editor does not say how long an answer may get. 4,096 tokens is what the shortest of its models give; batches are
 * fitted to it, and an answer that is cut off all the same splits its batch.
 */
const maxOutputTokens = 4096;

/** Longest wait for a whole answer, milliseconds. */
const timeoutMs = 10 * 60_000;

export function createEditorModel(chat: vscode.LanguageModelChat): LanguageModel {
  // Forcing a tool gives well-formed JSON where the model can do it. Whether it can is not told, so it is tried.
  let tools: "untried" | "work" | "fail" = "untried";

  async function ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const messages = messagesOf(request);
    return withToken(signal, async (token) => {
      const tokensIn = await countTokens(chat, messages, token);
      if (tokensIn > chat.maxInputTokens) throw tooLarge(chat, tokensIn);
      const options = {
        justification: vscode.l10n.t("Bacopa sends the text of pages you save, to rewrite it as facts."),
      };
      const answer =
        tools === "fail"
          ? await receive(await chat.sendRequest(messages, options, token))
          : await receiveByTool(request, messages, options, token);
      const tokensOut = await chat.countTokens(answer.text, token);
      signal.throwIfAborted();
      return { ...replyOf(answer, chat), usage: { in: tokensIn, out: tokensOut, costUsd: 0 } };
    });
  }

  async function receiveByTool(
    { schema }: ModelRequest,
    messages: vscode.LanguageModelChatMessage[],
    options: vscode.LanguageModelChatRequestOptions,
    token: vscode.CancellationToken,
  ): Promise<Answer> {
    const tool = { name: schema.name, description: schema.description, inputSchema: schema.schema };
    try {
      const answer = await receive(
        await chat.sendRequest(
          messages,
          { ...options, tools: [tool], toolMode: vscode.LanguageModelChatToolMode.Required },
          token,
        ),
      );
      if (answer.value !== undefined) tools = "work";
      return answer;
    } catch (error) {
      const permanent = error instanceof vscode.LanguageModelError && error.code !== "Unknown" && error.code !== "";
      if (tools === "work" || permanent || token.isCancellationRequested) throw error;
      const answer = await receive(await chat.sendRequest(messages, options, token));
      tools = "fail";
      return answer;
    }
  }

  return {
    id: editorModelId(chat),
    maxOutputTokens: Math.min(maxOutputTokens, chat.maxInputTokens),
    async ask(request, signal) {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        return await ask(request, AbortSignal.any([signal, timeout]));
      } catch (error) {
        signal.throwIfAborted();
        throw editorModelError(error, chat.name, timeout.aborted);
      }
    },
  };
}

/** `vscode-<vendor>:<id>`, as kept in each fact's origin. */
export function editorModelId({ vendor, id }: Pick<vscode.LanguageModelChat, "vendor" | "id">): string {
  return `vscode-${vendor}:${id}`;
}

interface Answer {
  readonly text: string;
  /** The forced tool's input, where the model called it. */
  readonly value: unknown;
}

async function receive({ stream }: vscode.LanguageModelChatResponse): Promise<Answer> {
  let text = "";
  let value: unknown;
  for await (const part of stream) {
    if (part instanceof vscode.LanguageModelTextPart) text += part.value;
    else if (part instanceof vscode.LanguageModelToolCallPart) value ??= part.input;
  }
  return { text: value === undefined ? text : JSON.stringify(value), value };
}

function replyOf({ text, value }: Answer, { name }: vscode.LanguageModelChat): Pick<ModelReply, "stop" | "value"> {
  if (typeof value === "object" && value !== null) return { stop: "done", value };
  const parsed = parseJsonReply(text);
  if (parsed.kind === "value") return { stop: "done", value: parsed.value };
  if (parsed.kind === "cut-off") return { stop: "cut-off", value: undefined };
  if (text === "")
    throw new BacopaError("model-unavailable", {
      message: `${name} answered nothing`,
      userMessage: `${name} gave no answer. Distill the page again, or choose another distiller.`,
      action: { title: vscode.l10n.t("Choose Distiller"), command: "bacopa.chooseDistiller" },
      hint: "The saved pages can still be searched.",
      retryable: true,
    });
  throw new BacopaError("model-bad-reply", {
    message: `${name} answered ${text.length} characters without JSON`,
    userMessage: `${name} did not answer in the form Bacopa needs. Save the page again, or choose another distiller.`,
    action: { title: vscode.l10n.t("Choose Distiller"), command: "bacopa.chooseDistiller" },
    hint: "The saved pages can still be searched.",
    retryable: true,
  });
}

/** There is no system role in this API: the instructions are the first message. */
function messagesOf({ instructions, context, content, schema }: ModelRequest): vscode.LanguageModelChatMessage[] {
  const shape = [
    `Answer by calling the tool \`${schema.name}\`. If you cannot call tools, answer with one JSON object and nothing else, no code fence, in this shape (JSON Schema):`,
    JSON.stringify(schema.schema),
  ].join("\n");
  return [
    vscode.LanguageModelChatMessage.User(`${instructions}\n\n## Form of the answer\n\n${shape}`),
    ...(context === undefined ? [] : [vscode.LanguageModelChatMessage.User(context)]),
    vscode.LanguageModelChatMessage.User(content),
  ];
}

async function countTokens(
  chat: vscode.LanguageModelChat,
  messages: readonly vscode.LanguageModelChatMessage[],
  token: vscode.CancellationToken,
): Promise<number> {
  const counts = await Promise.all(messages.map((message) => chat.countTokens(message, token)));
  return counts.reduce((sum, count) => sum + count, 0);
}

function tooLarge({ name, maxInputTokens }: vscode.LanguageModelChat, tokens: number): BacopaError {
  return new BacopaError("model-too-large", {
    message: `${name} takes ${maxInputTokens} tokens, the request has ${tokens}`,
    userMessage: `This part of the page is too large for ${name}. Choose a model that takes longer texts.`,
    action: { title: vscode.l10n.t("Choose Distiller"), command: "bacopa.chooseDistiller" },
    hint: "Do not retry with the same model. The saved pages can still be searched.",
  });
}
