import * as vscode from "vscode";
import { shownTarget } from "../../core/util/shownTarget.ts";
import type { Job } from "../../core/jobs.ts";
import type { Services } from "../services.ts";

/** One status bar item, shown only while a job is queued, running or waiting for the person. */
export function registerStatusBar({ context, jobs }: Services): void {
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
