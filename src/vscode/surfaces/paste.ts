/**
 * *Paste Page Content*: what was copied in a browser, with its tables and code.
 *
 * Extensions read the clipboard as plain text only, and a view hears of no paste. But what is pasted into an editor is
 * shown to paste providers in all its forms. So an empty editor takes the paste, its HTML becomes the page, and the editor
 * closes again.
 */
import * as vscode from "vscode";
import { reported } from "../host/errors.ts";
import type { Services } from "../services.ts";
import { saveContent } from "./saveCommands.ts";

/** The desktop pastes by itself as soon as the editor is there; longer than this, the clipboard holds no rich text. */
const desktopWaitMs = 1500;

export function registerPaste(services: Services): void {
  const scratch = new ScratchEditor();
  services.context.subscriptions.push(
    vscode.languages.registerDocumentPasteEditProvider({ scheme: "untitled", language: "plaintext" }, scratch, {
      pasteMimeTypes: ["text/html", "text/plain"],
      providedPasteEditKinds: [vscode.DocumentDropOrPasteEditKind.Empty.append("bacopa", "page")],
    }),
    vscode.commands.registerCommand(
      "bacopa.pasteContent",
      reported(services, async () => {
        await scratch.withPasted(async (content = "") => {
          if (content.trim() === "")
            await vscode.window.showInformationMessage(
              vscode.l10n.t("The clipboard holds no text. Copy a link or page content first."),
            );
          else if (/^https?:\/\/\S+$/iu.test(content.trim()))
            await vscode.commands.executeCommand("bacopa.savePage", content.trim());
          else await saveContent(services, content);
        });
      }),
    ),
  );
}

class ScratchEditor implements vscode.DocumentPasteEditProvider {
  #waiting:
    { readonly document: vscode.TextDocument; readonly take: (content: string | undefined) => void } | undefined;

  async provideDocumentPasteEdits(
    document: vscode.TextDocument,
    _ranges: readonly vscode.Range[],
    transfer: vscode.DataTransfer,
  ): Promise<undefined> {
    const waiting = this.#waiting;
    if (waiting?.document !== document) return undefined;
    const html = await transfer.get("text/html")?.asString();
    waiting.take(isRich(html) ? html : await transfer.get("text/plain")?.asString());
    return undefined;
  }

  /**
   * The clipboard's HTML, else its text; `undefined` when the person closed the editor without pasting. The editor closes after
   * `use`: closing it moves the focus, which would leave the questions about the page without it.
   */
  async withPasted(use: (content: string | undefined) => Promise<void>): Promise<void> {
    const document = await vscode.workspace.openTextDocument({ language: "plaintext", content: "" });
    const subscriptions: vscode.Disposable[] = [];
    const content = new Promise<string | undefined>((take) => {
      this.#waiting = { document, take };
      subscriptions.push(vscode.workspace.onDidCloseTextDocument((closed) => closed === document && take(undefined)));
    });
    try {
      await vscode.window.showTextDocument(document, { preview: true });
      await use(await (vscode.env.uiKind === vscode.UIKind.Web ? this.#byHand(content) : this.#byCommand(content)));
    } finally {
      this.#waiting = undefined;
      for (const subscription of subscriptions) subscription.dispose();
      if (!document.isClosed) {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
      }
    }
  }

  /** A browser gives rich content to the person's own keys alone. */
  async #byHand(content: Promise<string | undefined>): Promise<string | undefined> {
    const message = vscode.l10n.t("Paste here: Bacopa takes the page's content and closes this editor.");
    const status = vscode.window.setStatusBarMessage(message);
    void vscode.window.showInformationMessage(message);
    try {
      return await content;
    } finally {
      status.dispose();
    }
  }

  async #byCommand(content: Promise<string | undefined>): Promise<string | undefined> {
    await vscode.commands.executeCommand("editor.action.clipboardPasteAction");
    const late = new Promise<string>((resolve) => {
      setTimeout(() => void vscode.env.clipboard.readText().then(resolve), desktopWaitMs);
    });
    return Promise.race([content, late]);
  }
}

/** Editors put their own text on the clipboard as HTML too, colored word by word: there the plain text is the source. */
function isRich(html: string | undefined): html is string {
  return html !== undefined && /<(?:p|h[1-6]|table|pre|ul|ol|dl|blockquote|article|section|a)\b/iu.test(html);
}
