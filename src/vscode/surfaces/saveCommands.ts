/** The commands that save, refresh and remove. Each returns at once; a job goes on in the background. */
import * as vscode from "vscode";
import { shownTarget } from "../../core/util/shownTarget.ts";
import type { Job } from "../../core/jobs.ts";
import type { Services } from "../services.ts";
import { reported } from "../host/errors.ts";
import { pageGivenOrPicked } from "./documents.ts";

export function registerSaveCommands(services: Services): void {
  const { context, jobs, library } = services;
  const command = (name: string, run: (...given: unknown[]) => Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(`bacopa.${name}`, reported(services, run));
  context.subscriptions.push(
    command("savePage", (given) => savePages(services, given)),
    command("saveFromClipboard", async () => {
      const text = await vscode.env.clipboard.readText();
      const urls = urlsIn(text);
      if (urls.length > 0) await saveUrls(services, urls);
      else if (text.trim() === "")
        await say(vscode.l10n.t("The clipboard holds no text. Copy a link or page content first."));
      else await saveContent(services, text);
    }),
    command("saveContent", async (content) => {
      if (typeof content === "string") await saveContent(services, content);
    }),
    command("saveLinkUnderCursor", async (given) => {
      const url = typeof given === "string" ? given : linkUnderCursor(vscode.window.activeTextEditor);
      if (url === undefined) await say(vscode.l10n.t("There is no web address under the cursor."));
      else await saveUrls(services, [url]);
    }),
    command("saveFile", async (given) => {
      const uri = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
      if (uri === undefined) await say(vscode.l10n.t("Open a file first, or choose one in the explorer."));
      else if (uri.scheme === "file") await jobs.add({ kind: "save", target: uri.fsPath });
      else {
        const bytes = await vscode.workspace.fs.readFile(uri);
        await jobs.add({ kind: "save", target: uri.path, text: new TextDecoder().decode(bytes), url: uri.toString() });
      }
    }),
    command("saveSelection", async () => {
      const editor = vscode.window.activeTextEditor;
      const text = editor?.document.getText(editor.selection) ?? "";
      if (text.trim() === "") await say(vscode.l10n.t("Select some text first."));
      else await saveContent(services, text);
    }),
    command("refreshPage", async (given) => {
      const saved = await pageGivenOrPicked(services, given);
      if (saved !== undefined) await refresh(services, saved.page);
    }),
    command("refreshAll", async () => {
      for (const page of await library.pages()) await refresh(services, page);
    }),
    command("distillPage", async (given) => {
      const saved = await pageGivenOrPicked(services, given);
      if (saved !== undefined)
        await jobs.add({ kind: "distill", target: saved.page.id, title: saved.page.title, force: true });
    }),
    command("removePage", async (given) => {
      const saved = await pageGivenOrPicked(services, given);
      if (saved === undefined) return;
      await library.remove(saved.page.id);
      services.pagesChanged();
      const undo = vscode.l10n.t("Undo");
      const choice = await vscode.window.showInformationMessage(
        vscode.l10n.t('Removed "{0}".', saved.page.title),
        undo,
      );
      if (choice !== undo) return;
      await library.restore(saved);
      services.pagesChanged();
    }),
    command("cancelJob", (given) => withJob(given, (id) => jobs.cancel(id))),
    command("resumeJob", (given) => withJob(given, (id) => jobs.resume(id))),
    jobs.onDidChange((job) => void tellEnd(services, job)),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      void vscode.commands.executeCommand(
        "setContext",
        "bacopa.linkUnderCursor",
        linkUnderCursor(textEditor) !== undefined,
      );
    }),
  );
}

async function savePages(services: Services, given: unknown): Promise<void> {
  const typed = typeof given === "string" ? given : await askForUrls();
  await saveUrls(services, urlsIn(typed ?? ""));
}

async function saveUrls({ jobs }: Services, urls: readonly string[]): Promise<void> {
  for (const url of urls) await jobs.add({ kind: "save", target: url });
}

/** Pasted content becomes a page; the person can name it and say where it is from. */
async function saveContent({ jobs }: Services, content: string): Promise<void> {
  const title = await vscode.window.showInputBox({
    title: vscode.l10n.t("Save as a Page (1/2)"),
    prompt: vscode.l10n.t("The page's title."),
    value: proposedTitle(content),
    ignoreFocusOut: true,
  });
  if (title === undefined) return;
  const url = await vscode.window.showInputBox({
    title: vscode.l10n.t("Save as a Page (2/2)"),
    prompt: vscode.l10n.t("Where it is from. May be left empty."),
    placeHolder: "https://",
    ignoreFocusOut: true,
    validateInput: (value) =>
      value === "" || urlsIn(value).length === 1
        ? undefined
        : vscode.l10n.t("Give one address that begins with https://, or nothing."),
  });
  if (url === undefined) return;
  await jobs.add({
    kind: "save",
    target: title || vscode.l10n.t("Pasted page"),
    text: content,
    ...(title !== "" && { title }),
    ...(url !== "" && { url }),
  });
}

/** The first heading, `<title>` or line, at most 80 characters. */
export function proposedTitle(content: string): string {
  const found =
    /<title[^>]*>([^<]{1,200})<\/title>/i.exec(content) ??
    /<h1[^>]*>([^<]{1,200})</i.exec(content) ??
    /^#{1,2} +(.{1,200})$/m.exec(content);
  const line = found?.[1] ?? (content.includes("<") ? "" : content.trim().split("\n", 1)[0]) ?? "";
  return line.replace(/\s+/g, " ").trim().slice(0, 80);
}

async function refresh(
  { jobs }: Services,
  { id, title }: { readonly id: string; readonly title: string },
): Promise<void> {
  await jobs.add({ kind: "refresh", target: id, title });
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

const urlPattern = /https?:\/\/[^\s<>"'`\\^{|}]+/gi;

export function linkUnderCursor(editor: vscode.TextEditor | undefined): string | undefined {
  if (editor === undefined) return undefined;
  const { line, character } = editor.selection.active;
  for (const match of editor.document.lineAt(line).text.slice(0, 10_000).matchAll(urlPattern)) {
    const url = match[0].replace(/[.,;:!?)\]]+$/, "");
    if (match.index <= character && character <= match.index + url.length && URL.canParse(url)) return url;
  }
  return undefined;
}

async function withJob(given: unknown, act: (id: string) => Promise<void>): Promise<void> {
  if (typeof given === "string") await act(given);
  else if (typeof given === "object" && given !== null && "job" in given) {
    const { job } = given;
    if (typeof job === "object" && job !== null && "id" in job && typeof job.id === "string") await act(job.id);
  }
}

/** A failed job says why once, with its next step. A done one says nothing: the tree shows it. */
async function tellEnd({ jobs, log }: Services, job: Job): Promise<void> {
  if (job.state !== "failed") return;
  log.warn("save failed", { target: shownTarget(job.record.target), reason: job.report?.reason, message: job.message });
  const retry = vscode.l10n.t("Try Again");
  const showLog = vscode.l10n.t("Show Log");
  const choice = await vscode.window.showWarningMessage(
    job.message ?? vscode.l10n.t("The page could not be saved."),
    retry,
    showLog,
  );
  if (choice === retry) await jobs.resume(job.id);
  if (choice === showLog) log.show();
}

async function say(message: string): Promise<void> {
  await vscode.window.showInformationMessage(message);
}
