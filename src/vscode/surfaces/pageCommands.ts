/** The commands on saved pages and on jobs: refresh, distill again, remove with undo; cancel, resume, dismiss. */
import * as vscode from "vscode";
import type { Job } from "../../core/jobs.ts";
import type { SavedPage } from "../../core/types.ts";
import type { Services } from "../services.ts";
import { reported } from "../host/errors.ts";
import { pageGivenOrPicked } from "./documents.ts";

export function registerPageCommands(services: Services): void {
  const { context, jobs } = services;
  const command = (name: string, run: (...given: unknown[]) => Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(`bacopa.${name}`, reported(services, run));
  context.subscriptions.push(
    command("refreshPage", async (given) => {
      const saved = await pageGivenOrPicked(services, given);
      if (saved !== undefined) await jobs.add({ kind: "refresh", target: saved.page.id, title: saved.page.title });
    }),
    command("refreshAll", () => refreshAll(services)),
    command("distillPage", async (given) => {
      const saved = await pageGivenOrPicked(services, given);
      if (saved !== undefined)
        await jobs.add({ kind: "distill", target: saved.page.id, title: saved.page.title, force: true });
    }),
    command("removePage", async (given) => {
      const saved = await pageGivenOrPicked(services, given);
      if (saved !== undefined) await remove(services, saved);
    }),
    command("cancelJob", (given) => withJob(given, (id) => jobs.cancel(id))),
    command("resumeJob", (given) => withJob(given, (id) => jobs.resume(id))),
    command("dismissJob", (given) =>
      withJob(given, (id) => {
        jobs.dismiss(id);
        return Promise.resolve();
      }),
    ),
  );
}

/** Reads every page's source again, with one notice for all that shows progress and can be canceled. */
async function refreshAll({ library, jobs }: Services): Promise<void> {
  const pages: SavedPage[] = [];
  for (const { id } of await library.pages()) pages.push(await library.page(id));
  // What was pasted has no source to read again.
  const readable = pages.filter(({ page }) => /^(?:https?|file):/iu.test(page.requested));
  if (readable.length === 0) {
    await vscode.window.showInformationMessage(vscode.l10n.t("No saved page has a source to read again."));
    return;
  }
  const ended = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t("Refreshing {0} pages", readable.length),
      cancellable: true,
    },
    async (progress, token) => {
      const ids: string[] = [];
      let over = 0;
      token.onCancellationRequested(() => ids.forEach((id) => void jobs.cancel(id)));
      const running: Promise<Job>[] = [];
      for (const { page } of readable) {
        if (token.isCancellationRequested) break;
        const { job, ended } = await jobs.add({ kind: "refresh", target: page.id, title: page.title }, "quiet");
        ids.push(job.id);
        void ended.then(() =>
          progress.report({
            increment: 100 / readable.length,
            message: vscode.l10n.t("{0} of {1}", ++over, readable.length),
          }),
        );
        running.push(ended);
      }
      return Promise.all(running);
    },
  );
  await tellRefreshed(ended, pages.length - readable.length);
}

async function tellRefreshed(ended: readonly Job[], withoutSource: number): Promise<void> {
  const of = (state: Job["state"]): Job[] => ended.filter((job) => job.state === state);
  const changed = of("done").filter(({ report }) => report !== undefined && report.keptSections < report.sections);
  const failed = of("failed");
  const parts = [vscode.l10n.t("Refreshed {0} pages, {1} of them changed.", of("done").length, changed.length)];
  if (of("canceled").length > 0) parts.push(vscode.l10n.t("{0} were canceled.", of("canceled").length));
  if (withoutSource > 0) parts.push(vscode.l10n.t("{0} were pasted and have no source.", withoutSource));
  if (failed.length === 0) {
    await vscode.window.showInformationMessage(parts.join(" "));
    return;
  }
  parts.push(vscode.l10n.t("{0} failed and keep their facts: {1}", failed.length, failed[0]?.message ?? ""));
  await vscode.window.showWarningMessage(parts.join(" "));
}

async function remove({ library, jobs, pagesChanged }: Services, saved: SavedPage): Promise<void> {
  // A job that goes on would bring the page back.
  for (const job of jobs.list()) if (job.pageId === saved.page.id) await jobs.cancel(job.id);
  await library.remove(saved.page.id);
  pagesChanged();
  const undo = vscode.l10n.t("Undo");
  const choice = await vscode.window.showInformationMessage(vscode.l10n.t('Removed "{0}".', saved.page.title), undo);
  if (choice !== undo) return;
  await library.restore(saved);
  pagesChanged();
}

/** @param given A job's id, or a node of the tree that has a job. */
async function withJob(given: unknown, act: (id: string) => Promise<void>): Promise<void> {
  if (typeof given === "string") await act(given);
  else if (typeof given === "object" && given !== null && "job" in given) {
    const { job } = given;
    if (typeof job === "object" && job !== null && "id" in job && typeof job.id === "string") await act(job.id);
  }
}
