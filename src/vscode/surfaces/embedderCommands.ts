/** Choosing who ranks by meaning, the endpoint's key, and stopping or resuming the work of a slow one. */
import * as vscode from "vscode";
import type { EmbedderSpec } from "../../adapters/embedders/choose.ts";
import { reported } from "../host/errors.ts";
import { settings } from "../host/settings.ts";
import type { Services } from "../services.ts";

export function registerEmbedders(services: Services): void {
  const { context, library } = services;
  const command = (name: string, run: () => Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(`bacopa.${name}`, reported(services, run));
  context.subscriptions.push(
    command("chooseEmbedder", () => pickEmbedder(services)),
    command("setEmbeddingsKey", () => askKey(services)),
    command("pauseEmbedding", () => {
      library.embedding.pause();
      return Promise.resolve();
    }),
    command("resumeEmbedding", () => {
      library.embedding.resume();
      return Promise.resolve();
    }),
  );
}

type Kind = EmbedderSpec["kind"];

async function pickEmbedder(services: Services): Promise<void> {
  const current = settings.embedder().kind;
  const item = (kind: Kind, label: string, detail: string): vscode.QuickPickItem & { kind_: Kind } => ({
    label: kind === current ? `$(check) ${label}` : label,
    detail,
    kind_: kind,
  });
  const picked = await vscode.window.showQuickPick(
    [
      item("docs-static", vscode.l10n.t("Built-in Table"), vscode.l10n.t("No model, no network, no wait.")),
      item(
        "onnx",
        vscode.l10n.t("Model in a Folder…"),
        vscode.l10n.t("An ONNX model with its tokenizer, run on this machine. Nothing is sent."),
      ),
      item(
        "http",
        vscode.l10n.t("Endpoint…"),
        vscode.l10n.t(
          "OpenAI-compatible: Ollama, LM Studio, hosted. The texts of saved facts and of every search are sent there.",
        ),
      ),
      item("none", vscode.l10n.t("None"), vscode.l10n.t("Words alone.")),
    ],
    {
      title: vscode.l10n.t("Choose Embedder"),
      placeHolder: vscode.l10n.t("Who ranks facts by meaning. Words go on while saved pages are embedded again."),
    },
  );
  if (picked === undefined) return;
  const values =
    picked.kind_ === "onnx" ? await askFolder() : picked.kind_ === "http" ? await askEndpoint(services) : {};
  if (values === undefined) return;
  const configuration = vscode.workspace.getConfiguration("bacopa.embedder");
  // The kind last, so that the embedder changes once and with everything it needs.
  for (const [name, value] of [...Object.entries(values), ["kind", picked.kind_] as const])
    await configuration.update(name, value, vscode.ConfigurationTarget.Global);
}

async function askFolder(): Promise<Record<string, string> | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t("Folder with model.onnx and tokenizer.json"),
      canSelectFolders: true,
      canSelectFiles: false,
    })) ?? [];
  return folder && { folder: folder.fsPath };
}

async function askEndpoint({ secrets }: Services): Promise<Record<string, string> | undefined> {
  const before = vscode.workspace.getConfiguration("bacopa.embedder");
  const url = await vscode.window.showInputBox({
    title: vscode.l10n.t("Address of the Embeddings Endpoint"),
    prompt: vscode.l10n.t("The texts of saved facts and of every search are sent to it."),
    value: before.get<string>("url") || "http://localhost:11434/v1",
    ignoreFocusOut: true,
    validateInput: (value) =>
      /^https?:\/\/\S+$/i.test(value.trim()) ? undefined : vscode.l10n.t("Begin with http:// or https://."),
  });
  if (url === undefined) return undefined;
  const model = await vscode.window.showInputBox({
    title: vscode.l10n.t("Model of the Embeddings Endpoint"),
    value: before.get<string>("model") || "nomic-embed-text",
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === "" ? vscode.l10n.t("Name a model.") : undefined),
  });
  if (model === undefined) return undefined;
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url.trim()).hostname);
  if (!isLocal && (await secrets.embeddingsKey()) === undefined) await askKeyInto(secrets);
  return { url: url.trim(), model: model.trim() };
}

async function askKey({ secrets }: Services): Promise<void> {
  if (await askKeyInto(secrets)) vscode.window.setStatusBarMessage(vscode.l10n.t("Stored the key."), 5000);
}

/** It goes to the secret storage and nowhere else. */
async function askKeyInto(secrets: Services["secrets"]): Promise<boolean> {
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t("Set Embeddings Key"),
    prompt: vscode.l10n.t(
      "Kept in the editor's secret storage and sent to the chosen endpoint only. Leave it empty where none is needed.",
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => (/\s/.test(value.trim()) ? vscode.l10n.t("Paste the key, without blanks.") : undefined),
  });
  if (key === undefined) return false;
  await secrets.setEmbeddingsKey(key.trim());
  return true;
}
