/** `@bacopa`: translates between the chat and core/chat, which finds the facts, words the request and reads the answer. */
import { join } from "node:path";
import * as vscode from "vscode";
import { createFilePrompts } from "../../adapters/filePrompts.ts";
import { AnswerReader } from "../../core/chat/answer.ts";
import type { Turn } from "../../core/chat/conversation.ts";
import { followUps } from "../../core/chat/followUps.ts";
import type { FollowUp } from "../../core/chat/followUps.ts";
import { chatMessages } from "../../core/chat/prompt.ts";
import { retrieve } from "../../core/chat/retrieve.ts";
import type { NumberedHit, Retrieved } from "../../core/chat/retrieve.ts";
import type { Prompts } from "../../core/ports.ts";
import type { FactId } from "../../core/types.ts";
import { signalOf } from "../host/abort.ts";
import { editorModelError } from "../models/editorModelErrors.ts";
import type { Services } from "../services.ts";
import { passageLocation } from "./links.ts";
import { runCommand } from "./participantCommands.ts";
import { noFacts, nothingCovers, offerSaving, showFacts, showSources, tellUncovered } from "./participantView.ts";
import type { AnswerMetadata, Conversation } from "./participantView.ts";

export function registerParticipant(services: Services): void {
  const { context, log } = services;
  const participant = vscode.chat.createChatParticipant("bacopa.docs", async (request, { history }, stream, token) => {
    const signal = signalOf(token);
    const conversation = { services, request, stream, turns: turnsOf(history), signal, token };
    try {
      const metadata = await (request.command === undefined ? answer(conversation) : runCommand(conversation));
      return { metadata };
    } catch (error) {
      if (token.isCancellationRequested) return;
      log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
      const userMessage = error instanceof Error && "userMessage" in error ? error.userMessage : undefined;
      const message =
        typeof userMessage === "string"
          ? userMessage
          : vscode.l10n.t("Something went wrong inside Bacopa. The log has the details.");
      return { errorDetails: { message } };
    }
  });
  participant.iconPath = vscode.Uri.joinPath(context.extensionUri, "media", "icon.png");
  participant.followupProvider = {
    provideFollowups: ({ metadata }) => [...metadataOf(metadata).followUps],
  };
  context.subscriptions.push(participant);
}

/** Facts given to the model for one question. */
const factLimit = 6;
/** Most tokens of facts; a small model gets less, so that question, rules and answer have room. */
const maxFactTokens = 6000;

async function answer(conversation: Conversation): Promise<AnswerMetadata> {
  const { services, request, stream, turns, signal } = conversation;
  const question = request.prompt.trim();
  if (question === "") {
    stream.markdown(
      vscode.l10n.t("Ask a question about the pages you saved. `/list` shows them, `/save` adds one by its address."),
    );
    return noFacts;
  }
  stream.progress(vscode.l10n.t("Searching the saved pages"));
  const maxTokens = Math.min(maxFactTokens, Math.floor(request.model.maxInputTokens / 2));
  const found = await retrieve(services.library, question, turns, { limit: factLimit, maxTokens }, signal);
  let read: Read = { shownIds: [], citedIds: [] };
  if (found.covered) read = await answerByModel(conversation, question, found);
  else tellUncovered(stream, question, found.facts);
  return {
    ...read,
    factIds: idsOf(found.facts),
    followUps: found.covered ? followUps(found.facts, [question, ...turns.map((turn) => turn.question)]) : [],
  };
}

/** What of the facts the person has read. */
type Read = Pick<AnswerMetadata, "shownIds" | "citedIds">;

async function answerByModel(conversation: Conversation, question: string, { facts }: Retrieved): Promise<Read> {
  const { services, request, stream, turns, token, signal } = conversation;
  const reader = new AnswerReader(facts.length);
  const cited = new Set<number>();
  const outcome = { written: false, uncovered: false };
  const show = async (parts: ReturnType<AnswerReader["push"]>): Promise<void> => {
    for (const part of parts) {
      switch (part.kind) {
        case "text":
          stream.markdown(part.text);
          outcome.written = true;
          break;
        case "uncovered":
          outcome.uncovered = true;
          stream.markdown(`${nothingCovers()} `);
          break;
        case "reference":
          cited.add(part.number);
          await showReference(conversation, facts, part.number);
      }
    }
  };
  const messages = chatMessages(promptsOf(services), question, facts, turns).map(({ role, text }) =>
    role === "user" ? vscode.LanguageModelChatMessage.User(text) : vscode.LanguageModelChatMessage.Assistant(text),
  );
  try {
    const response = await request.model.sendRequest(
      messages,
      { justification: vscode.l10n.t("Bacopa answers your question from facts of the pages you saved.") },
      token,
    );
    for await (const text of response.text) {
      signal.throwIfAborted();
      await show(reader.push(text));
    }
    await show(reader.end());
  } catch (error) {
    signal.throwIfAborted();
    const failure = editorModelError(error, request.model.name, false);
    services.log.warn(`chat answer failed: ${failure.reason}: ${failure.message}`);
    const why = outcome.written
      ? vscode.l10n.t("The model stopped before the end. The facts themselves:")
      : vscode.l10n.t("{0} did not answer. The facts themselves:", request.model.name);
    stream.markdown(`\n\n${why}\n\n`);
    return showInstead();
  }
  if (outcome.uncovered) offerSaving(stream, question);
  if (!outcome.written && !outcome.uncovered) {
    stream.markdown(`${vscode.l10n.t("The model gave no answer. The facts themselves:")}\n\n`);
    return showInstead();
  }
  const used = facts.filter(({ number }) => cited.has(number));
  showSources(stream, used.length > 0 ? used : facts);
  return { shownIds: [], citedIds: idsOf(used) };

  function showInstead(): Read {
    const shown = freshOrAll(facts);
    showFacts(stream, shown);
    return { shownIds: idsOf(shown), citedIds: [] };
  }
}

function idsOf(facts: readonly NumberedHit[]): FactId[] {
  return facts.map(({ hit }) => hit.fact.id);
}

/** What stands in for a model's answer is never empty: where all facts were used before, they are shown again. */
function freshOrAll(facts: readonly NumberedHit[]): readonly NumberedHit[] {
  const fresh = facts.filter(({ seen }) => !seen);
  return fresh.length > 0 ? fresh : facts;
}

function promptsOf({ context }: Services): Prompts {
  return createFilePrompts(join(context.extensionPath, "prompts"));
}

/** A number in the answer becomes a link to the passage in the saved page. */
async function showReference(
  { services, stream }: Conversation,
  facts: readonly NumberedHit[],
  number: number,
): Promise<void> {
  const hit = facts[number - 1]?.hit;
  if (hit === undefined) return;
  try {
    const { saved, fact } = await services.library.fact(hit.fact.id);
    stream.anchor(passageLocation(saved, fact), String(number));
  } catch {
    stream.markdown(` (${number})`); // The page was removed while the model wrote.
  }
}

/** The turns of this participant so far, oldest first. */
function turnsOf(history: vscode.ChatContext["history"]): Turn[] {
  const turns: Turn[] = [];
  let question = "";
  for (const turn of history) {
    if (turn instanceof vscode.ChatRequestTurn) question = turn.prompt;
    else {
      const { factIds, shownIds, citedIds } = metadataOf(turn.result.metadata);
      const text = turn.response.map((part) =>
        part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : "",
      );
      turns.push({ question, answer: turn.command === undefined ? text.join("") : "", factIds, shownIds, citedIds });
    }
  }
  return turns;
}

/** Metadata comes back from the editor's storage, so it is unknown input. */
function metadataOf(metadata: vscode.ChatResult["metadata"]): AnswerMetadata {
  const strings = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];
  const followUpsOf = (value: unknown): FollowUp[] =>
    Array.isArray(value)
      ? value.flatMap((entry: unknown) => {
          if (typeof entry !== "object" || entry === null || !("prompt" in entry) || !("label" in entry)) return [];
          const { prompt, label } = entry;
          return typeof prompt === "string" && typeof label === "string" ? [{ prompt, label }] : [];
        })
      : [];
  return {
    factIds: strings(metadata?.["factIds"]),
    shownIds: strings(metadata?.["shownIds"]),
    citedIds: strings(metadata?.["citedIds"]),
    followUps: followUpsOf(metadata?.["followUps"]),
  };
}
