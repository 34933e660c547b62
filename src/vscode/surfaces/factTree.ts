/** The sidebar fact browser: page -> section -> fact; on top the jobs whose page is not there yet. */
import * as vscode from "vscode";
import { shownTarget } from "../../core/util/shownTarget.ts";
import type { Job } from "../../core/jobs.ts";
import { sectionFactId } from "../../core/index/units.ts";
import type { PageSummary } from "../../core/library.ts";
import { unitsInWords } from "../../core/strategy.ts";
import type { Fact, SavedPage, Section } from "../../core/types.ts";
import { factLabelInSection, sectionLabel } from "../../core/util/labels.ts";
import type { Services } from "../services.ts";
import { saveContent, saveUri, urlsIn } from "./saveCommands.ts";
import { progressText } from "./statusBar.ts";

export type Node =
  | { readonly kind: "job"; readonly job: Job }
  | {
      readonly kind: "page";
      readonly pageId: string;
      readonly summary: PageSummary;
      /** The open or failed job that works on it, which has no row of its own then. */
      readonly job: Job | undefined;
    }
  | {
      readonly kind: "section";
      readonly pageId: string;
      readonly factId: string;
      readonly saved: SavedPage;
      readonly section: Section;
    }
  | {
      readonly kind: "fact";
      readonly pageId: string;
      readonly factId: string;
      readonly saved: SavedPage;
      readonly fact: Fact;
    };

export function registerFactTree(services: Services): void {
  const { context, jobs, library, onDidChangePages } = services;
  const tree = new FactTree(services);
  const view = vscode.window.createTreeView("bacopa.facts", {
    treeDataProvider: tree,
    showCollapseAll: true,
    dragAndDropController: new DropToSave(services),
  });
  const setFilter = async (words: string): Promise<void> => {
    tree.filter = words.trim().toLowerCase();
    view.description = tree.filter === "" ? "" : vscode.l10n.t("filter: {0}", words.trim());
    await vscode.commands.executeCommand("setContext", "bacopa.filtered", tree.filter !== "");
    tree.refresh();
  };
  const pagesChanged = async (): Promise<void> => {
    tree.refresh();
    const damaged = await library.damaged();
    view.message =
      damaged.length === 0
        ? ""
        : vscode.l10n.t(
            "{0} damaged pages were put aside; save them again: {1}",
            damaged.length,
            damaged.map(({ pageId }) => pageId).join(", "),
          );
  };
  let shownJobs = "";
  context.subscriptions.push(
    tree,
    view,
    onDidChangePages(() => void pagesChanged().catch(() => undefined)),
    jobs.onDidChange((job) => {
      // A page is searchable long before its job ends: look again at each stage, but not at each section.
      const shown = jobs
        .list()
        .map(({ id, state, stage }) => `${id}${state}${stage ?? ""}`)
        .join();
      if (shown !== shownJobs) tree.refresh();
      else tree.refreshJob(job);
      shownJobs = shown;
    }),
    vscode.commands.registerCommand("bacopa.filterFacts", async () => {
      const words = await vscode.window.showInputBox({
        title: vscode.l10n.t("Filter Facts"),
        prompt: vscode.l10n.t("Shows pages and facts whose title, topic or statement holds all the words."),
        value: tree.filter,
      });
      if (words !== undefined) await setFilter(words);
    }),
    vscode.commands.registerCommand("bacopa.clearFilter", () => setFilter("")),
  );
}

class FactTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #services: Services;
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly #jobNodes = new Map<string, Node>();
  readonly onDidChangeTreeData = this.#changed.event;
  /** Lower-case words, all of which a shown fact or page holds. */
  filter = "";

  constructor(services: Services) {
    this.#services = services;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  refreshJob(job: Job): void {
    const node = this.#jobNodes.get(job.id);
    if (node === undefined) return;
    this.#jobNodes.set(job.id, Object.assign(node, { job }));
    this.#changed.fire(node);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) return this.#roots();
    if (node.kind === "page") return sectionsOf(await this.#services.library.page(node.pageId), this.filter);
    if (node.kind === "section") return factsOf(node.saved, node.section, this.filter);
    return [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case "job":
        return jobItem(node.job);
      case "page":
        return pageItem(node.summary, node.job);
      case "section":
        return sectionItem(node.saved, node.section);
      case "fact":
        return factItem(node.fact);
    }
  }

  /** Jobs whose page is not there yet, then the pages, each with the job that works on it. */
  async #roots(): Promise<Node[]> {
    const pages = await this.#services.library.pages();
    const open = this.#services.jobs.list().filter(({ state }) => state !== "done" && state !== "canceled");
    await vscode.commands.executeCommand("setContext", "bacopa.empty", pages.length === 0 && open.length === 0);
    const jobOf = new Map<string, Job>();
    const byUrl = new Map(pages.map(({ id, url }) => [url, id]));
    const alone: Job[] = [];
    for (const job of open) {
      const pageId = job.pageId ?? byUrl.get(job.record.target);
      if (pageId !== undefined && pages.some(({ id }) => id === pageId)) jobOf.set(pageId, job);
      else alone.push(job);
    }
    this.#jobNodes.clear();
    const nodes: Node[] = alone.map((job) => ({ kind: "job", job }));
    for (const summary of pages) {
      if (!(await this.#matches(summary))) continue;
      nodes.push({ kind: "page", pageId: summary.id, summary, job: jobOf.get(summary.id) });
    }
    for (const node of nodes) if ("job" in node && node.job !== undefined) this.#jobNodes.set(node.job.id, node);
    return nodes;
  }

  async #matches({ id, title }: PageSummary): Promise<boolean> {
    if (this.filter === "" || holds(title, this.filter)) return true;
    return sectionsOf(await this.#services.library.page(id), this.filter).length > 0;
  }
}

function sectionsOf(saved: SavedPage, filter: string): Node[] {
  const all = filter === "" || holds(saved.page.title, filter);
  return saved.sections
    .filter((section) => all || factsOf(saved, section, filter).length > 0)
    .map((section) => ({
      kind: "section",
      pageId: saved.page.id,
      factId: sectionFactId(saved.page.id, section.index),
      saved,
      section,
    }));
}

function factsOf(saved: SavedPage, section: Section, filter: string): Node[] {
  const all = filter === "" || holds(saved.page.title, filter);
  return saved.facts
    .filter((fact) => fact.sectionIndex === section.index && (all || holds(`${fact.topic} ${fact.statement}`, filter)))
    .map((fact) => ({ kind: "fact", pageId: saved.page.id, factId: fact.id, saved, fact }));
}

function holds(text: string, words: string): boolean {
  const lower = text.toLowerCase();
  return words.split(/\s+/).every((word) => lower.includes(word));
}

function jobItem(job: Job): vscode.TreeItem {
  const name = job.title ?? shownTarget(job.record.target);
  const item = new vscode.TreeItem(name);
  item.id = `job:${job.id}`;
  item.contextValue = `job-${job.state}`;
  item.description = jobText(job);
  item.tooltip = job.message ?? shownTarget(job.record.target);
  item.iconPath = jobIcon(job);
  item.accessibilityInformation = { label: vscode.l10n.t("Job {0}: {1}", name, job.message ?? jobText(job)) };
  return item;
}

function jobText(job: Job): string {
  return job.state === "failed" ? vscode.l10n.t("failed: {0}", job.report?.reason ?? "") : progressText(job);
}

function jobIcon({ state }: Job): vscode.ThemeIcon {
  if (state === "failed") return new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));
  return new vscode.ThemeIcon(state === "paused" ? "debug-pause" : "sync~spin");
}

function pageItem(
  { id, title, url, facts, sections, undistilled, strategy }: PageSummary,
  job: Job | undefined,
): vscode.TreeItem {
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `page:${id}`;
  item.contextValue = job === undefined ? "page" : `page job-${job.state}`;
  const units = strategy === "facts" ? factsText(facts) : unitsInWords(strategy, { facts, sections });
  const counts =
    undistilled === 0 ? units : vscode.l10n.t("{0}, {1} of {2} sections without", units, undistilled, sections);
  item.description = job === undefined ? counts : job.state === "failed" ? `${jobText(job)} · ${counts}` : jobText(job);
  item.tooltip = job?.message === undefined ? url : `${job.message}\n\n${url}`;
  if (job !== undefined) item.iconPath = jobIcon(job);
  else item.iconPath = new vscode.ThemeIcon(undistilled === 0 ? "file-text" : "circle-outline");
  const label = vscode.l10n.t("Page {0}, {1}", title, counts);
  item.accessibilityInformation = { label: job === undefined ? label : `${label}, ${job.message ?? jobText(job)}` };
  return item;
}

function factsText(facts: number): string {
  return facts === 1 ? vscode.l10n.t("1 fact") : vscode.l10n.t("{0} facts", facts);
}

function sectionItem(saved: SavedPage, section: Section): vscode.TreeItem {
  const state = saved.sectionStates[section.index];
  const facts = saved.facts.filter(({ sectionIndex }) => sectionIndex === section.index).length;
  const name = sectionLabel(saved, section) ?? vscode.l10n.t("Introduction");
  const item = new vscode.TreeItem(
    name,
    facts > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  item.id = `section:${saved.page.id}:${section.index}`;
  item.contextValue = "section";
  item.tooltip = section.headingPath.join(" > ");
  let told: string;
  switch (state?.state) {
    case "failed":
      told = vscode.l10n.t("failed: {0}", state.reason);
      item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
      break;
    case "distilled":
      told = facts === 0 ? vscode.l10n.t("nothing but noise") : factsText(facts);
      item.iconPath = new vscode.ThemeIcon("symbol-namespace");
      break;
    case "kept":
      told = vscode.l10n.t("{0} tokens", section.tokens);
      item.iconPath = new vscode.ThemeIcon("symbol-namespace");
      break;
    case "waiting":
    case undefined:
      told = vscode.l10n.t("waiting");
      item.iconPath = new vscode.ThemeIcon("circle-outline");
  }
  item.description = told;
  if (facts === 0)
    item.command = {
      command: "bacopa.openPassage",
      title: "",
      arguments: [sectionFactId(saved.page.id, section.index)],
    };
  item.accessibilityInformation = { label: vscode.l10n.t("Section {0}, {1}", name, told) };
  return item;
}

function factItem(fact: Fact): vscode.TreeItem {
  const { label, detail } = factLabelInSection(fact);
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  item.id = `fact:${fact.id}`;
  item.contextValue = "fact";
  item.description = detail;
  item.tooltip = `${fact.topic}\n\n${fact.statement}`;
  item.iconPath = new vscode.ThemeIcon(fact.unverified.length === 0 ? "lightbulb" : "question");
  item.command = { command: "bacopa.openFact", title: "", arguments: [fact.id] };
  const doubt = fact.unverified.length === 0 ? "" : `, ${vscode.l10n.t("not all of it was found in the page")}`;
  item.accessibilityInformation = { label: `${vscode.l10n.t("Fact {0}: {1}", label, detail)}${doubt}` };
  return item;
}

/** Saves what is dropped on the tree: page content copied from a browser, links, files. */
class DropToSave implements vscode.TreeDragAndDropController<Node> {
  readonly dragMimeTypes = [];
  readonly dropMimeTypes = ["text/html", "text/uri-list", "text/plain"];
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  async handleDrop(_target: Node | undefined, dropped: vscode.DataTransfer): Promise<void> {
    const html = await dropped.get("text/html")?.asString();
    const uris = (await dropped.get("text/uri-list")?.asString())
      ?.split(/\r?\n/)
      .filter((line) => line !== "" && !line.startsWith("#"));
    // A dragged link carries both kinds; its HTML is then no more than the link.
    if (uris !== undefined && uris.length > 0) {
      for (const uri of uris) await saveUri(this.#services, vscode.Uri.parse(uri, true));
      return;
    }
    const content = html ?? (await dropped.get("text/plain")?.asString());
    if (content === undefined || content.trim() === "") return;
    const [url] = urlsIn(content);
    if (url === undefined) await saveContent(this.#services, content);
    else await vscode.commands.executeCommand("bacopa.savePage", content);
  }
}
