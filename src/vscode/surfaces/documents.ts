/** Facts, pages and passages as read-only documents of the scheme `bacopa`. */
import * as vscode from "vscode";
import { answerDocument } from "../../core/chat/answerDocument.ts";
import { renderFactDocument, renderPageDocument } from "../../core/render.ts";
import type { Fact, FactId, PageId, SavedPage } from "../../core/types.ts";
import { adviceDocument } from "./advise.ts";
import type { Services } from "../services.ts";
import { signalOf } from "../host/abort.ts";
import { reported } from "../host/errors.ts";

export const documentScheme = "bacopa";

type DocumentKind = "fact" | "page" | "text" | "answer" | "advice";

/** `bacopa:/fact/<id>/<title>.md`: the title is only for the tab. */
function uriOf(kind: DocumentKind, id: string, title: string): vscode.Uri {
  const name =
    title
      .replace(/[/\\?#]+/g, " ")
      .trim()
      .slice(0, 60) || id;
  return vscode.Uri.from({ scheme: documentScheme, path: `/${kind}/${encodeURIComponent(id)}/${name}.md` });
}

export function pageTextUri(saved: SavedPage): vscode.Uri {
  return uriOf("text", saved.page.id, saved.page.title);
}

export function factUri({ id, topic }: Pick<Fact, "id" | "topic">): vscode.Uri {
  return uriOf("fact", id, topic);
}

/** The facts for a question; the document is made anew whenever it is opened. */
export function answerUri(question: string): vscode.Uri {
  return uriOf("answer", question, question);
}

/** Advice for what a person wrote of their pages and wishes. */
export function adviceUri(request: string): vscode.Uri {
  return uriOf("advice", request === "" ? "usual" : request, vscode.l10n.t("Advice"));
}

export function registerDocuments(services: Services): void {
  const { context, library, onDidChangePages } = services;
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const highlight = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.rangeHighlightForeground"),
    isWholeLine: true,
  });
  context.subscriptions.push(
    changed,
    highlight,
    vscode.workspace.registerTextDocumentContentProvider(documentScheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: async (uri, token) => {
        const [, kind = "", id = ""] = uri.path.split("/").map(decodeURIComponent);
        if (kind === "fact") {
          const { saved, fact } = await library.fact(id);
          return renderFactDocument(fact, saved);
        }
        if (kind === "advice") return adviceDocument(services, id);
        if (kind === "answer") return answerDocument(library, id, signalOf(token));
        const saved = await library.page(id);
        return kind === "page" ? renderPageDocument(saved) : saved.page.text;
      },
    }),
    onDidChangePages(() => {
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === documentScheme) changed.fire(uri);
    }),
    vscode.commands.registerCommand(
      "bacopa.openFact",
      reported(services, async (given: unknown) => {
        const { fact } = await library.fact(idOf(given));
        await showPreview(uriOf("fact", fact.id, fact.topic));
      }),
    ),
    vscode.commands.registerCommand(
      "bacopa.openPage",
      reported(services, async (given?: unknown) => {
        const saved = await pageGivenOrPicked(services, given);
        if (saved !== undefined) await showPreview(uriOf("page", saved.page.id, saved.page.title));
      }),
    ),
    vscode.commands.registerCommand(
      "bacopa.openPassage",
      reported(services, async (given: unknown) => {
        const { saved, fact } = await library.fact(idOf(given));
        const document = await vscode.workspace.openTextDocument(pageTextUri(saved));
        const range = rangeOf(document, fact);
        const editor = await vscode.window.showTextDocument(document, {
          preview: true,
          selection: new vscode.Range(range.start, range.start),
        });
        editor.setDecorations(highlight, [range]);
        editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      }),
    ),
    vscode.commands.registerCommand(
      "bacopa.openSource",
      reported(services, async (given?: unknown) => {
        const saved = await pageGivenOrPicked(services, given);
        if (saved !== undefined) await vscode.env.openExternal(vscode.Uri.parse(saved.page.url, true));
      }),
    ),
    vscode.commands.registerCommand(
      "bacopa.copyFact",
      reported(services, async (given: unknown) => {
        const { saved, fact } = await library.fact(idOf(given));
        await vscode.env.clipboard.writeText(renderFactDocument(fact, saved));
        vscode.window.setStatusBarMessage(vscode.l10n.t("Copied the fact."), 3000);
      }),
    ),
  );
}

/** What a command was called with: an id, or a node of the tree. */
export interface Given {
  readonly factId?: FactId;
  readonly pageId?: PageId;
}

export function idOf(given: unknown): FactId {
  if (typeof given === "string") return given;
  const { factId } = asGiven(given);
  if (factId === undefined) throw new Error("bacopa: a fact's id is missing");
  return factId;
}

export function pageIdGiven(given: unknown): PageId | undefined {
  return typeof given === "string" ? given : asGiven(given).pageId;
}

function asGiven(given: unknown): Given {
  if (typeof given !== "object" || given === null) return {};
  const factId = "factId" in given && typeof given.factId === "string" ? given.factId : undefined;
  const pageId = "pageId" in given && typeof given.pageId === "string" ? given.pageId : undefined;
  return { ...(factId !== undefined && { factId }), ...(pageId !== undefined && { pageId }) };
}

/** The page of a node or id; from the palette, the one a person picks. */
export async function pageGivenOrPicked({ library }: Services, given: unknown): Promise<SavedPage | undefined> {
  const pageId = pageIdGiven(given);
  if (pageId !== undefined) return library.page(pageId);
  const pages = await library.pages();
  const picked = await vscode.window.showQuickPick(
    pages.map(({ id, title, url, facts }) => ({
      label: title,
      description: vscode.l10n.t("{0} facts", facts),
      detail: url,
      id,
    })),
    { title: vscode.l10n.t("Choose a Saved Page"), matchOnDetail: true },
  );
  return picked && library.page(picked.id);
}

export async function showPreview(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand("markdown.showPreview", uri);
}

function rangeOf(document: vscode.TextDocument, { source }: Fact): vscode.Range {
  return new vscode.Range(document.positionAt(source.start), document.positionAt(source.end));
}
