/** The commands that save. Each returns at once; a job goes on in the background. */
import * as vscode from "vscode";
import { shownTarget } from "../../core/util/shownTarget.ts";
import type { Job } from "../../core/jobs.ts";
import type { Services } from "../services.ts";
import { reported, runAction } from "../host/errors.ts";

export function registerSaveCommands(services: Services): void {
  const { context, jobs } = services;
  const command = (name: string, run: (...given: unknown[]) => Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(`bacopa.${name}`, reported(services, run));
  context.subscriptions.push(
    command("savePage", async (given) => {
      const typed = typeof given === "string" ? given : await askForUrls();
      await saveUrls(services, urlsIn(typed ?? ""));
    }),
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
    // The explorer gives the file that was clicked, then all that are selected.
    command("saveFile", async (given, selected) => {
      const many = Array.isArray(selected) ? selected.filter((uri) => uri instanceof vscode.Uri) : [];
      const uri = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
      if (many.length > 1) for (const each of many) await saveUri(services, each);
      else if (uri !== undefined) await saveUri(services, uri);
      else await say(vscode.l10n.t("Open a file first, or choose one in the explorer."));
    }),
    command("saveSelection", async () => {
      const editor = vscode.window.activeTextEditor;
      const texts = editor?.selections.map((selection) => editor.document.getText(selection)) ?? [];
      const text = texts.filter((part) => part !== "").join("\n\n");
      if (text.trim() === "") await say(vscode.l10n.t("Select some text first."));
      else await saveContent(services, text);
    }),
    jobs.onDidChange((job) => void tellEnd(services, job)),
    watchLinks(),
  );
}

async function saveUrls({ jobs }: Services, urls: readonly string[]): Promise<void> {
  for (const url of urls) await jobs.add({ kind: "save", target: url });
}

/** Saves a web page or a file, also one of a file system that is not on this machine's disk. */
export async function saveUri({ jobs }: Services, uri: vscode.Uri): Promise<void> {
  if (uri.scheme === "http" || uri.scheme === "https") await jobs.add({ kind: "save", target: uri.toString(true) });
  else if (uri.scheme === "file") await jobs.add({ kind: "save", target: uri.fsPath });
  else {
    // An untitled document has no bytes but those of its editor.
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    const text = open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    await jobs.add({ kind: "save", target: uri.path, text, url: uri.toString() });
  }
}

/** Pasted content becomes a page; the person can name it and say where it is from. */
export async function saveContent({ jobs }: Services, content: string): Promise<void> {
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

async function askForUrls(): Promise<string | undefined> {
  const clipboard = await vscode.env.clipboard.readText();
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t("Save Docs Page"),
    prompt: vscode.l10n.t(
      "The address of a documentation page; several may be given, one a line or separated by blanks.",
    ),
    placeHolder: "https://",
    value: urlsIn(clipboard).join(" "),
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === "" || urlsIn(withLineEnds(value, clipboard)).length > 0
        ? undefined
        : vscode.l10n.t("Give an address that begins with https://"),
  });
  return typed === undefined ? undefined : withLineEnds(typed, clipboard);
}

/**
 * An input box has one line: addresses pasted one a line arrive glued together. The clipboard still has their line ends;
 * where it changed since, a new address begins where one cannot go on.
 */
export function withLineEnds(typed: string, clipboard: string): string {
  if (typed.trim() === clipboard.replace(/[\r\n]+/gu, "").trim()) return clipboard;
  return typed.replace(/(?<=[\p{L}\p{N}_-])(?=https?:\/\/)/giu, "\n");
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

/** How long an editor rests before its links are looked for. */
const restMs = 150;

/**
 * Keeps the context key of the menu entry: whether an address is on the screen. Not whether one is under the cursor: a
 * right-click moves the cursor and opens the menu before that would be known.
 */
function watchLinks(): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  let told = false;
  const look = (): void => {
    const editor = vscode.window.activeTextEditor;
    const shown = editor?.visibleRanges.map((range) => editor.document.getText(range)).join("\n") ?? "";
    const there = /https?:\/\//iu.test(shown);
    if (there !== told) void vscode.commands.executeCommand("setContext", "bacopa.linkVisible", there);
    told = there;
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(look, restMs);
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(later),
    vscode.window.onDidChangeTextEditorVisibleRanges(later),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === vscode.window.activeTextEditor?.document) later();
    }),
    { dispose: () => clearTimeout(timer) },
  );
}

/** A failed job says why once, with what can be done about it. A done one says nothing: the tree shows it. */
async function tellEnd(services: Services, job: Job): Promise<void> {
  const { jobs, log } = services;
  if (jobs.isQuiet(job.id)) return;
  const { report, message, action, title, record } = job;
  const partly = job.state === "done" && report !== undefined && report.failedSections > 0;
  if (job.state !== "failed" && !partly) return;
  log.warn("save failed", { target: shownTarget(record.target), reason: report?.reason, message });
  const why = message ?? vscode.l10n.t("The page could not be saved.");
  const retry = vscode.l10n.t("Try Again");
  const showLog = vscode.l10n.t("Show Log");
  const choice = await vscode.window.showWarningMessage(
    partly
      ? vscode.l10n.t(
          '{0} of {1} sections of "{2}" have no facts yet and are searched as they are. {3}',
          report.failedSections,
          report.sections,
          title ?? "",
          why,
        )
      : why,
    ...(action === undefined ? [] : [action.title]),
    retry,
    showLog,
  );
  if (choice === showLog) log.show();
  else if (choice === retry) {
    if (report?.pageId !== null && report?.pageId !== undefined) {
      jobs.dismiss(job.id);
      // What is stored need not be fetched again.
      await jobs.add({ kind: "distill", target: report.pageId, ...(title !== undefined && { title }) });
    } else await jobs.resume(job.id);
  } else if (choice !== undefined && action !== undefined) await runAction(action);
}

async function say(message: string): Promise<void> {
  await vscode.window.showInformationMessage(message);
}
