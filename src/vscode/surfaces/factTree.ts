/** The sidebar fact browser: jobs on top, then page -> section -> fact. */
import * as vscode from "vscode";
import { shownTarget } from "../../core/util/shownTarget.ts";
import type { Job } from "../../core/jobs.ts";
import { sectionFactId } from "../../core/index/units.ts";
import type { PageSummary } from "../../core/library.ts";
import type { Fact, SavedPage, Section } from "../../core/types.ts";
import type { Services } from "../services.ts";
import { progressText } from "./statusBar.ts";

export type Node =
  | { readonly kind: "job"; readonly job: Job }
  | { readonly kind: "page"; readonly pageId: string; readonly summary: PageSummary }
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
    if (node === undefined) return [...this.#jobs(), ...(await this.#pages())];
    if (node.kind === "page") return sectionsOf(await this.#services.library.page(node.pageId), this.filter);
    if (node.kind === "section") return factsOf(node.saved, node.section, this.filter);
    return [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case "job":
        return jobItem(node.job);
      case "page":
        return pageItem(node.summary);
      case "section":
        return sectionItem(node.saved, node.section);
      case "fact":
        return factItem(node.fact);
    }
  }

  #jobs(): Node[] {
    this.#jobNodes.clear();
    const open = this.#services.jobs.list().filter(({ state }) => state !== "done" && state !== "canceled");
    return open.map((job) => {
      const node: Node = { kind: "job", job };
      this.#jobNodes.set(job.id, node);
      return node;
    });
  }

  async #pages(): Promise<Node[]> {
    const pages = await this.#services.library.pages();
    const jobs = this.#services.jobs.list().filter(({ state }) => state !== "done" && state !== "canceled");
    await vscode.commands.executeCommand("setContext", "bacopa.empty", pages.length === 0 && jobs.length === 0);
    const shown: Node[] = [];
    for (const summary of pages) {
      if (this.filter !== "" && !holds(summary.title, this.filter)) {
        const saved = await this.#services.library.page(summary.id);
        if (sectionsOf(saved, this.filter).length === 0) continue;
      }
      shown.push({ kind: "page", pageId: summary.id, summary });
    }
    return shown;
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
  const item = new vscode.TreeItem(job.title ?? shownTarget(job.record.target));
  item.id = `job:${job.id}`;
  item.contextValue = `job-${job.state}`;
  item.description = job.state === "failed" ? (job.report?.reason ?? "") : progressText(job);
  item.tooltip = job.message ?? shownTarget(job.record.target);
  item.iconPath =
    job.state === "failed"
      ? new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"))
      : new vscode.ThemeIcon(job.state === "paused" ? "debug-pause" : "sync~spin");
  item.accessibilityInformation = {
    label: vscode.l10n.t("Job {0}: {1}", job.title ?? shownTarget(job.record.target), job.message ?? progressText(job)),
  };
  return item;
}

function pageItem({ id, title, url, facts, sections, undistilled }: PageSummary): vscode.TreeItem {
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `page:${id}`;
  item.contextValue = "page";
  item.description =
    undistilled === 0
      ? vscode.l10n.t("{0} facts", facts)
      : vscode.l10n.t("{0} facts, {1} of {2} sections waiting", facts, undistilled, sections);
  item.tooltip = url;
  item.iconPath = new vscode.ThemeIcon(undistilled === 0 ? "file-text" : "circle-outline");
  item.accessibilityInformation = { label: vscode.l10n.t("Page {0}, {1} facts", title, facts) };
  return item;
}

function sectionItem(saved: SavedPage, section: Section): vscode.TreeItem {
  const state = saved.sectionStates[section.index];
  const facts = saved.facts.filter(({ sectionIndex }) => sectionIndex === section.index).length;
  const name = section.headingPath.at(-1) ?? saved.page.title;
  const item = new vscode.TreeItem(
    name,
    facts > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  item.id = `section:${saved.page.id}:${section.index}`;
  item.contextValue = "section";
  item.tooltip = section.headingPath.join(" > ");
  switch (state?.state) {
    case "failed":
      item.description = vscode.l10n.t("failed: {0}", state.reason);
      item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
      break;
    case "distilled":
      item.description = facts === 0 ? vscode.l10n.t("nothing but noise") : String(facts);
      item.iconPath = new vscode.ThemeIcon("symbol-namespace");
      break;
    case "kept":
      item.description = vscode.l10n.t("{0} tokens", section.tokens);
      item.iconPath = new vscode.ThemeIcon("symbol-namespace");
      break;
    case "waiting":
    case undefined:
      item.description = vscode.l10n.t("waiting");
      item.iconPath = new vscode.ThemeIcon("circle-outline");
  }
  if (facts === 0)
    item.command = {
      command: "bacopa.openPassage",
      title: "",
      arguments: [sectionFactId(saved.page.id, section.index)],
    };
  item.accessibilityInformation = { label: vscode.l10n.t("Section {0}, {1}", name, item.description) };
  return item;
}

function factItem(fact: Fact): vscode.TreeItem {
  const item = new vscode.TreeItem(shortTopic(fact), vscode.TreeItemCollapsibleState.None);
  item.id = `fact:${fact.id}`;
  item.contextValue = "fact";
  item.description = fact.statement;
  item.tooltip = `${fact.topic}\n\n${fact.statement}`;
  item.iconPath = new vscode.ThemeIcon(fact.unverified.length === 0 ? "lightbulb" : "question");
  item.command = { command: "bacopa.openFact", title: "", arguments: [fact.id] };
  item.accessibilityInformation = { label: vscode.l10n.t("Fact {0}: {1}", fact.topic, fact.statement) };
  return item;
}

/** The part of a topic that the tree above does not say already: its last step, or what the fact is about. */
function shortTopic({ topic, symbols, source }: Fact): string {
  const last = topic.split(" > ").at(-1) ?? topic;
  const section = source.headingPath.at(-1);
  return last === section && symbols.length > 0 ? symbols.slice(0, 3).join(", ") : last;
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
      for (const uri of uris) await this.#services.jobs.add({ kind: "save", target: uri });
      return;
    }
    const content = html ?? (await dropped.get("text/plain")?.asString());
    if (content !== undefined && content.trim() !== "")
      await vscode.commands.executeCommand("bacopa.saveContent", content);
  }
}
