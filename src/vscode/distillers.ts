/** Who writes the facts of a save, by the setting and by what is there. */
import type * as vscode from "vscode";
import { BacopaError } from "../core/errors.ts";
import type { Distiller } from "../core/library.ts";
import type { Secrets } from "./host/secrets.ts";
import { settings } from "./host/settings.ts";

export interface DistillerInit {
  readonly secrets: Secrets;
  readonly context: vscode.ExtensionContext;
}

/** @throws BacopaError `model-missing` when the one that is set cannot be had. */
export async function chooseDistiller({ secrets }: DistillerInit): Promise<Distiller> {
  const wanted = settings.distiller();
  const key = wanted === "offline" || wanted === "editor" ? undefined : await secrets.anthropicKey();
  if (key !== undefined && key !== "") {
    const { createAnthropicModel } = await import("../adapters/models/anthropic.ts");
    const [baseUrl, model] = [settings.anthropicBaseUrl(), settings.anthropicModel()];
    return {
      kind: "model",
      model: createAnthropicModel({ apiKey: key, ...(baseUrl && { baseUrl }), ...(model && { model }) }),
    };
  }
  if (wanted === "anthropic") {
    throw new BacopaError("model-missing", {
      message: "No Anthropic key is stored",
      userMessage: "The Anthropic distiller needs a key. Set one, or choose another distiller.",
      action: { title: "Set Anthropic API Key", command: "bacopa.setApiKey" },
    });
  }
  return { kind: "offline" };
}
