/** The hover over an API name: what saved pages say about it. Nothing outside of this machine is asked. */
import * as vscode from "vscode";
import { factsAbout } from "../../core/hover/factsAbout.ts";
import { hoverFactOf } from "../../core/hover/hoverFact.ts";
import { importsOf } from "../../core/hover/imports.ts";
import type { Import } from "../../core/hover/imports.ts";
import { namesAt } from "../../core/hover/nameAt.ts";
import { SymbolTable } from "../../core/hover/symbolTable.ts";
import { syncSymbols } from "../../core/hover/syncSymbols.ts";
import type { FactId } from "../../core/types.ts";
import { settings } from "../host/settings.ts";
import type { Services } from "../services.ts";
import { documentScheme } from "./documents.ts";
import { commandLink, escapeMarkdown, linkMarkdown } from "./links.ts";

export function registerHover(services: Services): void {
  const provider = new FactHoverProvider(services);
  services.context.subscriptions.push(provider, vscode.languages.registerHoverProvider({ pattern: "**" }, provider));
}

class FactHoverProvider implements vscode.HoverProvider, vscode.Disposable {
  readonly #services: Services;
  readonly #table = new SymbolTable();
  readonly #stop = new AbortController();
  readonly #changes: vscode.Disposable;
  readonly #imports = new WeakMap<
    vscode.TextDocument,
    { readonly version: number; readonly found: readonly Import[] }
  >();
  /** The first reading of the pages; begun by the first hover. */
  #read: Promise<void> | undefined;

  constructor(services: Services) {
    this.#services = services;
    this.#changes = services.onDidChangePages(() => {
      if (this.#read !== undefined) this.#read = this.#read.then(() => this.#sync());
    });
  }

  dispose(): void {
    this.#stop.abort();
    this.#changes.dispose();
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    // A saved page would explain itself.
    if (document.uri.scheme === documentScheme || !settings.hoverEnabled(document)) return undefined;
    const names = namesAt(document.lineAt(position.line).text, position.character);
    if (names.length === 0) return undefined;
    const first = this.#read === undefined;
    this.#read ??= this.#sync();
    // Later changes are read in the background; a hover shows what is known now.
    if (first || this.#table.isEmpty) await this.#read;
    if (token.isCancellationRequested) return undefined;
    const context = { imports: this.#importsOf(document), languageId: document.languageId };
    for (const name of names) {
      const facts = factsAbout(this.#table, name, context);
      if (facts.length === 0) continue;
      const contents = await this.#contents(facts, name.name);
      if (contents.length === 0) continue;
      return new vscode.Hover(contents, new vscode.Range(position.line, name.start, position.line, name.end));
    }
    return undefined;
  }

  async #sync(): Promise<void> {
    try {
      await syncSymbols(this.#table, this.#services.library, this.#stop.signal);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#services.log.warn("the hover could not read the library", String(error));
    }
  }

  #importsOf(document: vscode.TextDocument): readonly Import[] {
    const { version } = document;
    const known = this.#imports.get(document);
    if (known?.version === version) return known.found;
    const found = importsOf(document.getText(), document.languageId);
    this.#imports.set(document, { version, found });
    return found;
  }

  async #contents(factIds: readonly FactId[], name: string): Promise<vscode.MarkdownString[]> {
    const contents: vscode.MarkdownString[] = [];
    for (const factId of factIds) {
      const found = await this.#services.library.fact(factId).catch(() => undefined);
      if (found === undefined) continue;
      const { fact, saved } = found;
      const shown = hoverFactOf(fact, saved, name);
      // What a page or a model wrote gets no trust: no command, HTML or picture in it works.
      const text = new vscode.MarkdownString(shown.statement);
      if (shown.code !== undefined) text.appendCodeblock(shown.code.text, shown.code.language || "plaintext");
      contents.push(text, this.#links(fact.id, saved.page.id, shown.topic, shown.page));
    }
    return contents;
  }

  #links(
    factId: FactId,
    pageId: string,
    topic: string,
    { title, version }: { readonly title: string; readonly version: string | undefined },
  ): vscode.MarkdownString {
    const page = version === undefined || title.includes(version) ? title : `${title}, ${version}`;
    return linkMarkdown(
      [
        `$(lightbulb) ${commandLink(escapeMarkdown(topic), "bacopa.openFact", factId)}`,
        commandLink(vscode.l10n.t("Passage"), "bacopa.openPassage", factId),
        commandLink(escapeMarkdown(page), "bacopa.openSource", pageId),
      ].join(" · "),
    );
  }
}
