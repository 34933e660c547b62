/** How `@bacopa` shows facts, sources, and that nothing covers a question. */
import * as vscode from "vscode";
import type { Turn } from "../../core/chat/conversation.ts";
import type { FollowUp } from "../../core/chat/followUps.ts";
import type { NumberedHit } from "../../core/chat/retrieve.ts";
import { renderFactForPerson } from "../../core/render.ts";
import { factLabel } from "../../core/util/labels.ts";
import type { Services } from "../services.ts";
import { factUri } from "./documents.ts";
import { commandLink, escapeMarkdown, linkMarkdown } from "./links.ts";

/** Kept with each answer; JSON. */
export interface AnswerMetadata extends Pick<Turn, "factIds" | "shownIds" | "citedIds"> {
  readonly followUps: readonly FollowUp[];
}

/** Of an answer that shows no fact. */
export const noFacts: AnswerMetadata = { factIds: [], shownIds: [], citedIds: [], followUps: [] };

export interface Conversation {
  readonly services: Services;
  readonly request: vscode.ChatRequest;
  readonly stream: vscode.ChatResponseStream;
  readonly turns: readonly Turn[];
  readonly signal: AbortSignal;
  readonly token: vscode.CancellationToken;
}

/** The facts an answer rests on: links to each fact, its passage and its page. */
export function showSources(stream: vscode.ChatResponseStream, facts: readonly NumberedHit[]): void {
  if (facts.length === 0) return;
  for (const { hit } of facts) stream.reference(factUri(hit.fact));
  const lines = facts.map(({ number, hit }) => `${number}. ${linksOf(hit)}`);
  stream.markdown(linkMarkdown(`\n\n---\n\n${lines.join("\n")}\n`));
}

function linksOf({ fact, page, source }: NumberedHit["hit"]): string {
  return [
    commandLink(escapeMarkdown(factLabel({ ...fact, ...source }).label), "bacopa.openFact", fact.id),
    commandLink(vscode.l10n.t("passage"), "bacopa.openPassage", fact.id),
    commandLink(escapeMarkdown(page.title), "bacopa.openSource", page.id),
  ].join(" · ");
}

/** Facts in full, as the answer. Their text comes from pages, so it is shown without trust: no command in it works. */
export function showFacts(stream: vscode.ChatResponseStream, facts: readonly NumberedHit[]): void {
  for (const { number, hit } of facts) {
    stream.markdown(`${renderFactForPerson(hit)}\n\n`);
    stream.markdown(linkMarkdown(`**${number}** · ${linksOf(hit)}\n\n`));
    stream.reference(factUri(hit.fact));
  }
}

export function tellUncovered(
  stream: vscode.ChatResponseStream,
  question: string,
  facts: readonly NumberedHit[],
): void {
  const closest = facts.slice(0, 3);
  stream.markdown(nothingCovers());
  if (closest.length > 0) {
    stream.markdown(
      linkMarkdown(
        ` ${vscode.l10n.t("Closest is:")}\n\n${closest.map(({ number, hit }) => `${number}. ${linksOf(hit)}`).join("\n")}\n\n`,
      ),
    );
  }
  offerSaving(stream, question);
}

export function nothingCovers(): string {
  return vscode.l10n.t("Nothing saved covers this.");
}

export function offerSaving(stream: vscode.ChatResponseStream, question: string): void {
  const url = /https?:\/\/[^\s<>"')]+/.exec(question)?.[0];
  stream.button({
    command: "bacopa.savePage",
    title: url === undefined ? vscode.l10n.t("Save a Docs Page…") : vscode.l10n.t("Save This Page"),
    ...(url !== undefined && { arguments: [url] }),
  });
}
