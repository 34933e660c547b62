/** *Compare Strategies*: the lab over the saved pages, in the background, and its report beside the code. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { keptQuestionsFile, keptResultsFile } from "../../adapters/lab/questionFile.ts";
import type { LabReport, LabTask } from "../../adapters/worker/labProtocol.ts";
import { runLab } from "../../adapters/worker/labRun.ts";
import { signalOf } from "../host/abort.ts";
import { reported } from "../host/errors.ts";
import type { Services } from "../services.ts";

export function registerCompareStrategies(services: Services): void {
  services.context.subscriptions.push(
    vscode.commands.registerCommand(
      "bacopa.compareStrategies",
      reported(services, async (given: unknown) => {
        const questions = await chosenQuestions(services.folder, given);
        if (questions !== "canceled") await compareAndShow(services, questions);
      }),
    ),
  );
}

type Questions = LabTask["questions"];

/** @param given A file, from another extension or a test. */
async function chosenQuestions(folder: string, given: unknown): Promise<Questions | "canceled"> {
  if (given === "self-made") return undefined;
  if (typeof given === "string") return { kind: "file", file: given };
  const kept = keptQuestionsFile(folder);
  const items = [
    ...(existsSync(kept)
      ? [
          {
            label: vscode.l10n.t("Questions kept for this library"),
            detail: vscode.l10n.t("Written from these pages before."),
            questions: { kind: "kept", file: kept } as const,
          },
        ]
      : []),
    {
      label: vscode.l10n.t("A file of questions…"),
      detail: vscode.l10n.t("One JSON question a line."),
      questions: "file" as const,
    },
    {
      label: vscode.l10n.t("The facts' own questions"),
      detail: vscode.l10n.t("Easy, and in favor of facts: enough to see whether something is badly broken."),
      questions: undefined,
    },
  ];
  const choice = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Compare Strategies: which questions?"),
  });
  if (choice === undefined) return "canceled";
  if (choice.questions !== "file") return choice.questions;
  const [file] = (await vscode.window.showOpenDialog({ filters: { Questions: ["jsonl"] } })) ?? [];
  return file === undefined ? "canceled" : { kind: "file", file: file.fsPath };
}

async function compareAndShow({ context, folder, log }: Services, questions: Questions): Promise<void> {
  const task: LabTask = {
    library: folder,
    questions,
    docsStatic: join(context.extensionPath, "media", "docs-static"),
    prompts: join(context.extensionPath, "prompts"),
  };
  const report = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t("Comparing strategies"), cancellable: true },
    (progress, token) =>
      runLab(
        join(context.extensionPath, "dist", "lab.cjs"),
        task,
        ({ strategy, done, of }) =>
          progress.report({
            message: vscode.l10n.t("{0} ({1} of {2})", strategy, done + 1, of),
            increment: done === 0 ? 0 : 100 / of,
          }),
        signalOf(token),
      ),
  );
  for (const problem of report.problems) log.info(problem);
  await keep(folder, report).catch((error: unknown) => log.warn("the results could not be kept", String(error)));
  show(report);
}

/** So that advice can start from what was measured. */
async function keep(folder: string, { results }: LabReport): Promise<void> {
  const file = keptResultsFile(folder);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${results}\n`);
}

/** No script may run, nothing may be fetched: the report's own policy says so, and scripts are off here as well. */
function show({ html }: LabReport): void {
  const panel = vscode.window.createWebviewPanel(
    "bacopa.report",
    vscode.l10n.t("Strategies Compared"),
    vscode.ViewColumn.Active,
    { enableScripts: false, localResourceRoots: [], enableFindWidget: true },
  );
  panel.webview.html = html;
}
