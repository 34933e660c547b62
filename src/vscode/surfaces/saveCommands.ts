import * as vscode from "vscode";
import type { Job } from "../../core/jobs.ts";
import type { Services } from "../services.ts";

/** The commands that save something. Each returns at once; a job goes on in the background. */
export function registerSaveCommands(services: Services): void {
  const { context } = services;
  context.subscriptions.push(
    vscode.commands.registerCommand("bacopa.savePage", (given?: unknown) => savePages(services, given)),
    services.jobs.onDidChange((job) => void tellFailure(services, job)),
  );
}

async function savePages(services: Services, given: unknown): Promise<void> {
  const typed = typeof given === "string" ? given : await askForUrls();
  for (const url of urlsIn(typed ?? "")) await services.jobs.add({ kind: "save", target: url });
}

async function askForUrls(): Promise<string | undefined> {
  const clipboard = await vscode.env.clipboard.readText();
  return vscode.window.showInputBox({
    title: vscode.l10n.t("Save Docs Page"),
    prompt: vscode.l10n.t("The address of a documentation page; several may be given, separated by blanks."),
    placeHolder: "https://",
    value: urlsIn(clipboard).join(" "),
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === "" || urlsIn(value).length > 0
        ? undefined
        : vscode.l10n.t("Give an address that begins with https://"),
  });
}

/** The http(s) addresses in a text, each once. Text that holds anything else has none. */
export function urlsIn(text: string): string[] {
  const words = text.trim().split(/\s+/u);
  const urls = words.filter((word) => /^https?:\/\//i.test(word) && URL.canParse(word));
  return urls.length === words.length ? [...new Set(urls)] : [];
}

async function tellFailure(services: Services, job: Job): Promise<void> {
  if (job.state !== "failed") return;
  const retry = vscode.l10n.t("Try Again");
  const log = vscode.l10n.t("Show Log");
  services.log.warn("save failed", { target: job.record.target, reason: job.report?.reason, message: job.message });
  const choice = await vscode.window.showWarningMessage(
    job.message ?? vscode.l10n.t("The page could not be saved."),
    retry,
    log,
  );
  if (choice === retry) await services.jobs.resume(job.id);
  if (choice === log) services.log.show();
}
