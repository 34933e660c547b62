/** Choosing who writes the facts: the question at the first save, the commands, and jobs that an ended window left. */
import * as vscode from "vscode";
import type { Job } from "../../core/jobs.ts";
import type { PageId, SavedPage } from "../../core/types.ts";
import { chooseDistiller, editorDecision, mayResume, rememberDecision } from "../distillers.ts";
import { reported } from "../host/errors.ts";
import { settings } from "../host/settings.ts";
import type { DistillerSetting } from "../host/settings.ts";
import { editorModelId } from "../models/editorModel.ts";
import type { Services } from "../services.ts";

export function registerDistillers(services: Services): void {
  const { context, jobs, secrets, log } = services;
  const command = (name: string, run: () => Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(`bacopa.${name}`, reported(services, run));
  const resume = setTimeout(() => void resumeJobs(services), resumeDelayMs);
  const look = setInterval(() => void resumeJobs(services), lookForJobsMs);
  let asked = false;
  context.subscriptions.push(
    {
      dispose: () => {
        clearTimeout(resume);
        clearInterval(look);
      },
    },
    command("chooseDistiller", () => pickDistiller(services)),
    command("setApiKey", async () => {
      if (await setApiKey(services)) await offerDistilling(services, anthropicName());
    }),
    command("removeApiKey", async () => {
      const there = (await secrets.anthropicKey()) !== undefined;
      await secrets.removeAnthropicKey();
      const message = there ? vscode.l10n.t("Removed the key.") : vscode.l10n.t("No key was stored.");
      vscode.window.setStatusBarMessage(message, 5000);
    }),
    vscode.commands.registerCommand("bacopa.showLog", () => log.show()),
    // What kept a job waiting may be there by now: access to a model, the model itself, a key, another choice.
    context.languageModelAccessInformation.onDidChange(() => void liftJobs(services)),
    vscode.lm.onDidChangeChatModels(() => void liftJobs(services)),
    context.secrets.onDidChange(() => void liftJobs(services)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("bacopa.distiller")) void liftJobs(services);
      if (event.affectsConfiguration("bacopa.library.scope")) void offerReload(services);
    }),
    jobs.onDidChange((job) => {
      if (asked || job.state !== "running" || settings.distiller() !== "auto") return;
      asked = true;
      void askOnce(services, job).catch((error: unknown) => log.warn("asking for a model failed", String(error)));
    }),
  );
}

/** Activation stays free of reading: what an ended window left is looked for a little later. */
const resumeDelayMs = 1500;
/** A window that was killed leaves its jobs to those that go on. */
const lookForJobsMs = 15_000;

async function resumeJobs({ context, jobs, secrets, log }: Services): Promise<void> {
  try {
    const verdict = await mayResume({ context, secrets });
    await jobs.adopt(() => verdict);
  } catch (error) {
    log.warn("unfinished jobs could not be read", String(error));
  }
}

async function liftJobs({ context, jobs, secrets, log }: Services): Promise<void> {
  if (!jobs.list().some(({ state }) => state === "paused")) return;
  try {
    const verdict = await mayResume({ context, secrets });
    jobs.lift(() => verdict);
  } catch (error) {
    log.warn("waiting jobs could not be looked at", String(error));
  }
}

/** The library is opened once a window; another one needs another start. */
async function offerReload({ folder, libraryFolder }: Services): Promise<void> {
  if (libraryFolder() === folder) return;
  const reload = vscode.l10n.t("Reload Window");
  const message = vscode.l10n.t("The other library opens when this window is reloaded. No page is moved.");
  if ((await vscode.window.showInformationMessage(message, reload)) === reload)
    await vscode.commands.executeCommand("workbench.action.reloadWindow");
}

/**
 * Asks once, while the first save goes on offline. A yes has the pages that were saved meanwhile distilled by the model.
 */
async function askOnce(services: Services, first: Job): Promise<void> {
  const { context, secrets, jobs } = services;
  if (editorDecision(context) !== undefined || (await secrets.anthropicKey())) return;
  const [model] = await vscode.lm.selectChatModels();
  if (model === undefined) return;
  const saved = new Set<PageId>();
  const note = ({ state, report }: Job): void => {
    if (state === "done" && typeof report?.pageId === "string") saved.add(report.pageId);
  };
  const watch = jobs.onDidChange(note);
  for (const job of jobs.list()) if (job.record.createdAt >= first.record.createdAt) note(job);
  const use = vscode.l10n.t("Use {0}", model.name);
  const other = vscode.l10n.t("Choose Another…");
  const offline = vscode.l10n.t("Use Offline");
  try {
    const answer = await vscode.window.showInformationMessage(
      vscode.l10n.t(
        "Bacopa can have {0} rewrite your saved pages as facts. The text of each page you save is then sent to its provider ({1}), and may count towards your plan there. Offline, facts are cut from the page on this machine and nothing is sent.",
        model.name,
        model.vendor,
      ),
      use,
      other,
      offline,
    );
    if (answer === offline) await rememberDecision(context, "offline");
    if (answer === other) await pickDistiller(services);
    if (answer !== use) return;
    await rememberDecision(context, editorModelId(model));
    for (const pageId of saved) await jobs.add({ kind: "distill", target: pageId });
  } finally {
    watch.dispose();
  }
}

interface DistillerItem extends vscode.QuickPickItem {
  readonly setting?: DistillerSetting;
  readonly model?: vscode.LanguageModelChat;
}

async function pickDistiller(services: Services): Promise<void> {
  const { context, secrets } = services;
  const [models, key] = await Promise.all([vscode.lm.selectChatModels(), secrets.anthropicKey()]);
  const current = settings.distiller();
  const decision = editorDecision(context);
  const mark = (is: boolean, label: string): string => (is ? `$(check) ${label}` : label);
  const items: DistillerItem[] = [
    {
      label: mark(current === "auto", vscode.l10n.t("Automatic")),
      detail: vscode.l10n.t(
        "The Anthropic API when a key is set, else a model of the editor if you allowed one, else offline.",
      ),
      setting: "auto",
    },
    {
      label: mark(current === "anthropic", vscode.l10n.t("Anthropic API")),
      description: key === undefined ? vscode.l10n.t("asks for a key") : vscode.l10n.t("key is set"),
      detail: vscode.l10n.t("Sends the text of saved pages to the Anthropic API, with your own key."),
      setting: "anthropic",
    },
    {
      label: mark(current === "offline", vscode.l10n.t("Offline")),
      detail: vscode.l10n.t("Cuts facts from the page on this machine. Nothing is sent."),
      setting: "offline",
    },
    { label: vscode.l10n.t("Models of the editor"), kind: vscode.QuickPickItemKind.Separator },
    ...models.map((model): DistillerItem => ({
      label: mark(current === "editor" && editorModelId(model) === decision, model.name),
      description: model.vendor,
      detail: vscode.l10n.t("Sends the text of saved pages to this model's provider."),
      setting: "editor",
      model,
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Choose Distiller"),
    placeHolder: vscode.l10n.t("Who rewrites saved pages as facts"),
    matchOnDetail: true,
  });
  if (picked?.setting === undefined) return;
  if (picked.setting === "anthropic" && key === undefined && !(await setApiKey(services))) return;
  // Choosing a model is the permission; choosing Automatic asks again at the next save.
  if (picked.model !== undefined) await rememberDecision(context, editorModelId(picked.model));
  await storeSetting(picked.setting);
  await offerDistilling(
    services,
    picked.model?.name ?? (key === undefined && picked.setting === "auto" ? undefined : anthropicName()),
  );
}

function anthropicName(): string {
  return vscode.l10n.t("the Anthropic API");
}

/** Changes the setting where it is set now: the workspace's own value would hide one of the user. */
async function storeSetting(value: DistillerSetting): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("bacopa");
  const inWorkspace = configuration.inspect("distiller")?.workspaceValue !== undefined;
  await configuration.update(
    "distiller",
    value,
    inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global,
  );
}

/** Whether a key was given. It goes to the secret storage and nowhere else. */
async function setApiKey({ secrets }: Services): Promise<boolean> {
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t("Set Anthropic API Key"),
    prompt: vscode.l10n.t(
      "Kept in the editor's secret storage. Saved pages are then sent to the Anthropic API to be distilled.",
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === "" || /\s/.test(value.trim()) ? vscode.l10n.t("Paste the key, without blanks.") : undefined,
  });
  if (key === undefined) return false;
  await secrets.setAnthropicKey(key.trim());
  vscode.window.setStatusBarMessage(vscode.l10n.t("Stored the key."), 5000);
  return true;
}

/**
 * After a switch: offers to distill the pages whose facts another distiller made. Facts of a model are never given up for
 * offline ones.
 * @param name Of the distiller, for a person.
 */
async function offerDistilling(services: Services, name: string | undefined): Promise<void> {
  const { context, secrets, library, jobs } = services;
  const distiller = await chooseDistiller({ context, secrets });
  if (distiller.kind === "offline") return;
  const others: SavedPage[] = [];
  for (const { id } of await library.pages()) {
    const saved = await library.page(id);
    if (saved.strategy === "facts" && saved.facts.some(({ origin }) => origin.distiller !== distiller.model.id))
      others.push(saved);
  }
  if (others.length === 0) return;
  const offline = others.filter(({ facts }) => facts.some(({ origin }) => origin.extractive));
  const all = vscode.l10n.t("Distill {0} Again", others.length);
  const onlyOffline = vscode.l10n.t("Only the {0} Made Offline", offline.length);
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      "{0} saved pages have facts of another distiller. Distill them again with {1}?",
      others.length,
      name ?? distiller.model.id,
    ),
    all,
    ...(offline.length > 0 && offline.length < others.length ? [onlyOffline] : []),
  );
  const chosen = answer === all ? others : answer === onlyOffline ? offline : [];
  for (const { page } of chosen) await jobs.add({ kind: "distill", target: page.id, title: page.title });
}
