import * as vscode from "vscode";
import { shownTarget } from "../../core/util/shownTarget.ts";
import type { EmbeddingState } from "../../core/embedding/embedding.ts";
import type { Job } from "../../core/jobs.ts";
import type { Services } from "../services.ts";

/** One item for jobs and one for the embedder. */
export function registerStatusBar(services: Services): void {
  showJobs(services);
  showEmbedding(services);
}

/** Shown only while a slow embedder is at work, stopped or failing. */
function showEmbedding({ context, library }: Services): void {
  const item = vscode.window.createStatusBarItem("bacopa.embedding", vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t("Bacopa Embedding");
  const update = (): void => {
    const shown = embeddingText(library.embedding.state);
    if (shown === undefined) {
      item.hide();
      return;
    }
    item.text = `${shown.icon} ${shown.text}`;
    item.tooltip = `Bacopa: ${shown.tooltip}`;
    item.command = shown.command;
    item.accessibilityInformation = { label: `Bacopa: ${shown.text}`, role: "status" };
    item.show();
  };
  context.subscriptions.push(item, library.embedding.onDidChange(update));
}

interface EmbeddingText {
  readonly icon: string;
  readonly text: string;
  readonly tooltip: string;
  readonly command: string;
}

/** `undefined`: nothing to tell. */
export function embeddingText({ state, name = "", done, total, message }: EmbeddingState): EmbeddingText | undefined {
  const counts = vscode.l10n.t("embedding {0} of {1}", done, total);
  switch (state) {
    case "none":
    case "idle":
    case "ready":
      return undefined;
    case "opening":
      // The built-in table is there before the item would be.
      if (name === "docs-static") return undefined;
      return {
        icon: "$(sync~spin)",
        text: vscode.l10n.t("opening the embedder"),
        tooltip: name,
        command: "bacopa.chooseEmbedder",
      };
    case "embedding":
      return {
        icon: "$(sync~spin)",
        text: counts,
        tooltip: vscode.l10n.t("Searches go by words until {0} has seen every entry. Click to pause.", name),
        command: "bacopa.pauseEmbedding",
      };
    case "waiting":
      return {
        icon: "$(watch)",
        text: counts,
        tooltip: vscode.l10n.t("Another window is embedding with {0}.", name),
        command: "bacopa.chooseEmbedder",
      };
    case "paused":
      return {
        icon: "$(debug-pause)",
        text: counts,
        tooltip: vscode.l10n.t("Embedding with {0} is paused. Click to go on.", name),
        command: "bacopa.resumeEmbedding",
      };
    case "failed":
      return {
        icon: "$(warning)",
        text: vscode.l10n.t("embedding failed"),
        tooltip: message ?? name,
        command: "bacopa.chooseEmbedder",
      };
  }
}

/** One status bar item, shown only while a job is queued, running or waiting for the person. */
function showJobs({ context, jobs }: Services): void {
  const item = vscode.window.createStatusBarItem("bacopa.jobs", vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t("Bacopa Jobs");
  item.command = "bacopa.facts.focus";
  const update = (): void => {
    const open = jobs.list().filter(({ state }) => state === "queued" || state === "running" || state === "paused");
    const [current] = open.filter(({ state }) => state === "running").concat(open);
    if (current === undefined) {
      item.hide();
      return;
    }
    const more = open.length > 1 ? ` +${open.length - 1}` : "";
    item.text = `${current.state === "paused" ? "$(debug-pause)" : "$(sync~spin)"} ${progressText(current)}${more}`;
    item.tooltip = `Bacopa: ${current.title ?? shownTarget(current.record.target)}`;
    item.accessibilityInformation = { label: `Bacopa: ${progressText(current)}`, role: "status" };
    item.show();
  };
  context.subscriptions.push(item, jobs.onDidChange(update));
}

/** What a job is doing, in a few words. */
export function progressText(job: Job): string {
  if (job.state === "paused") return vscode.l10n.t("waiting for you");
  switch (job.stage) {
    case undefined:
      return vscode.l10n.t("queued");
    case "fetch":
      return vscode.l10n.t("fetching");
    case "clean":
    case "section":
    case "index":
      return vscode.l10n.t("reading");
    case "distill":
      return `${vscode.l10n.t("distilling {0} of {1} sections", job.sectionsDone ?? 0, job.sections ?? "?")}${usageText(job)}`;
    case "verify":
      return `${vscode.l10n.t("checking")}${usageText(job)}`;
    case "done":
      return vscode.l10n.t("done");
  }
}

/** Tokens so far, and money where the provider's price is known: a model of the editor counts towards a plan. */
function usageText({ usage }: Job): string {
  if (usage === undefined) return "";
  const tokens = vscode.l10n.t("{0} tokens", (usage.in + usage.out).toLocaleString("en"));
  return usage.costUsd > 0 ? `, ${tokens}, $${usage.costUsd.toFixed(2)}` : `, ${tokens}`;
}
