import * as vscode from "vscode";
import { reported } from "../host/errors.ts";
import type { Services } from "../services.ts";
import { answerUri, showPreview } from "./documents.ts";

/** *Ask Saved Docs…*: the facts for a question as a document. No chat, no model, no sign-in. */
export function registerAsk(services: Services): void {
  services.context.subscriptions.push(
    vscode.commands.registerCommand(
      "bacopa.askSavedDocs",
      reported(services, async (given: unknown) => {
        const question =
          typeof given === "string"
            ? given
            : await vscode.window.showInputBox({
                title: vscode.l10n.t("Ask Saved Docs"),
                prompt: vscode.l10n.t(
                  "A question to the pages you saved. The answer is their facts; no model is asked.",
                ),
                placeHolder: vscode.l10n.t("What is the default …?"),
              });
        if (question !== undefined && question.trim() !== "") await showPreview(answerUri(question.trim()));
      }),
    ),
  );
}
