/** Who writes the facts of a save, by the setting, by what is there, and by what the person allowed. */
import * as vscode from "vscode";
import { BacopaError } from "../core/errors.ts";
import type { Distiller } from "../core/library.ts";
import type { Secrets } from "./host/secrets.ts";
import { settings } from "./host/settings.ts";
import { createEditorModel, editorModelId } from "./models/editorModel.ts";

export interface DistillerInit {
  readonly secrets: Secrets;
  readonly context: vscode.ExtensionContext;
}

/**
 * Undecided about the editor's models, `auto` is offline: the person is asked beside the save, never before it,
 * so that a page is searchable at once (`surfaces/distillerCommands.ts`).
 *
 * @throws BacopaError `model-missing` when the one that is set cannot be had.
 */
export async function chooseDistiller({ secrets, context }: DistillerInit): Promise<Distiller> {
  const choice = await chosen({ secrets, context });
  switch (choice.kind) {
    case "offline":
      return { kind: "offline" };
    case "anthropic": {
      if (choice.key === undefined) throw keyMissing();
      const { createAnthropicModel } = await import("../adapters/models/anthropic.ts");
      const [baseUrl, model] = [settings.anthropicBaseUrl(), settings.anthropicModel()];
      return {
        kind: "model",
        model: createAnthropicModel({ apiKey: choice.key, ...(baseUrl && { baseUrl }), ...(model && { model }) }),
      };
    }
    case "editor":
      if (choice.model === undefined) throw modelMissing();
      return { kind: "model", model: createEditorModel(choice.model) };
  }
}

/** Whether a job that an ended window left may go on by itself; else what the person is told about it. */
export async function mayResume(init: DistillerInit): Promise<true | string> {
  const choice = await chosen(init);
  if (choice.kind !== "editor") return true;
  const { model } = choice;
  if (model === undefined || !(await isThere(model)))
    return vscode.l10n.t(
      "The editor's language model is not there yet. Resume when it is, or choose another distiller.",
    );
  if (init.context.languageModelAccessInformation.canSendRequest(model) === true) return true;
  return vscode.l10n.t("Going on sends the rest of the page to {0}. Resume to allow it.", model.name);
}

/** The editor lists models of its last start before their provider is there; such a one answers a request with nothing. */
async function isThere(model: vscode.LanguageModelChat): Promise<boolean> {
  try {
    return (await model.countTokens("a")) > 0;
  } catch {
    return false;
  }
}

type Choice =
  | { readonly kind: "offline" }
  | { readonly kind: "anthropic"; readonly key: string | undefined }
  | { readonly kind: "editor"; readonly model: vscode.LanguageModelChat | undefined };

async function chosen({ secrets, context }: DistillerInit): Promise<Choice> {
  const wanted = settings.distiller();
  switch (wanted) {
    case "offline":
      return { kind: "offline" };
    case "anthropic":
      return { kind: "anthropic", key: await keyOf(secrets) };
    case "editor":
      return { kind: "editor", model: await allowedModel(context, "any") };
    case "auto": {
      const key = await keyOf(secrets);
      if (key !== undefined) return { kind: "anthropic", key };
      const decision = editorDecision(context);
      if (decision === undefined || decision === "offline") return { kind: "offline" };
      return { kind: "editor", model: await allowedModel(context, "allowed") };
    }
  }
}

async function keyOf(secrets: Secrets): Promise<string | undefined> {
  return (await secrets.anthropicKey()) || undefined;
}

const decisionKey = "bacopa.editorModel";

/** What the person said about the editor's models: a model's id as in `editorModelId`, `offline`, or nothing yet. */
export function editorDecision({ globalState }: Pick<vscode.ExtensionContext, "globalState">): string | undefined {
  return globalState.get<string>(decisionKey);
}

export async function rememberDecision(
  { globalState }: Pick<vscode.ExtensionContext, "globalState">,
  decision: string | undefined,
): Promise<void> {
  await globalState.update(decisionKey, decision);
}

/** @param otherwise Whether any model will do where the one that was allowed is gone. */
async function allowedModel(
  context: vscode.ExtensionContext,
  otherwise: "any" | "allowed",
): Promise<vscode.LanguageModelChat | undefined> {
  const models = await vscode.lm.selectChatModels();
  const decision = editorDecision(context);
  return models.find((model) => editorModelId(model) === decision) ?? (otherwise === "any" ? models[0] : undefined);
}

function keyMissing(): BacopaError {
  return new BacopaError("model-missing", {
    message: "No Anthropic key is stored",
    userMessage: "The Anthropic distiller needs a key. Set one, or choose another distiller.",
    action: { title: vscode.l10n.t("Set Anthropic API Key"), command: "bacopa.setApiKey" },
    hint: "Ask the person to set a key or to choose another distiller; do not retry.",
  });
}

function modelMissing(): BacopaError {
  return new BacopaError("model-missing", {
    message: "The editor offers no language model that was chosen",
    userMessage: "The language model you chose is not there. Sign in to its provider, or choose another distiller.",
    action: { title: vscode.l10n.t("Choose Distiller"), command: "bacopa.chooseDistiller" },
    hint: "Ask the person to choose another distiller; do not retry.",
  });
}
