/**
 * Tab panels: each gets the label of its tab as a line before it, and none stays hidden, so that a reader of the
 * text knows which variant is which.
 */
import {
  attribute,
  classMatches,
  closest,
  elementsOf,
  find,
  findAll,
  hasClass,
  made,
  plainText,
  remove,
  removeAll,
  setChildren,
  textNode,
} from "./tree.ts";
import type { ElementNode } from "./tree.ts";

/** Labels all panels below the root. The tab strips go: their words are the labels. */
export function labelVariants(root: ElementNode): void {
  labelPanelsByRole(root);
  for (const node of findAll(root, isTabSet)) labelTabSet(node);
  for (const node of findAll(root, (inner) => hasClass(inner, "vp-code-group"))) labelCodeGroup(node);
  labelSourceSets(root);
}

function label(panel: ElementNode, text: string): void {
  const first = elementsOf(panel)[0];
  if (text === "" || (first !== undefined && /^(?:h[1-6]|summary)$/u.test(first.tag) && plainText(first) === text))
    return;
  const line = made("div", [textNode(text)], "variant-label");
  // A panel may be the code block itself.
  if (panel.tag === "pre") {
    const parent = panel.parent;
    if (parent === undefined) return;
    line.parent = parent;
    parent.children.splice(parent.children.indexOf(panel), 0, line);
    return;
  }
  setChildren(panel, [line, ...panel.children]);
}

function labelPanelsByRole(root: ElementNode): void {
  const panels: ElementNode[] = [];
  const tabs: ElementNode[] = [];
  const byId = new Map<string, ElementNode>();
  const lists: ElementNode[] = [];
  for (const node of findAll(root, () => true)) {
    const role = attribute(node, "role");
    if (role === "tabpanel") panels.push(node);
    else if (role === "tab") tabs.push(node);
    else if (role === "tablist") lists.push(node);
    const id = attribute(node, "id");
    if (id !== "" && !byId.has(id)) byId.set(id, node);
  }
  if (panels.length === 0) return;
  const tabOf = new Map<string, ElementNode>();
  for (const tab of tabs) {
    for (const target of [
      attribute(tab, "aria-controls"),
      attribute(tab, "href").replace(/^#/u, ""),
      attribute(tab, "data-tab"),
    ])
      if (target !== "" && !tabOf.has(target)) tabOf.set(target, tab);
  }
  const usedTabs = new Set<ElementNode>();
  const unnamed: ElementNode[] = [];
  for (const panel of panels) {
    const tab = tabOf.get(attribute(panel, "id")) ?? byId.get(attribute(panel, "aria-labelledby"));
    if (tab === undefined) {
      unnamed.push(panel);
      continue;
    }
    usedTabs.add(tab);
    label(panel, plainText(tab));
  }
  const listOf = (node: ElementNode): ElementNode | undefined =>
    closest(node, (inner) => attribute(inner, "role") === "tablist");
  const tabsOf = new Map<ElementNode | undefined, ElementNode[]>();
  for (const tab of tabs) {
    const list = listOf(tab);
    const known = tabsOf.get(list);
    if (known === undefined) tabsOf.set(list, [tab]);
    else known.push(tab);
  }
  labelByOrder(lists, unnamed, (list) => (tabsOf.get(list) ?? []).filter((tab) => !usedTabs.has(tab)), usedTabs);
  const gone = new Set<ElementNode>();
  for (const tab of usedTabs) {
    const list = listOf(tab);
    if (list !== undefined) gone.add(list);
    if (find(tab, (node) => /^h[1-6]$/u.test(node.tag)) === undefined && !/^h[1-6]$/u.test(tab.tag)) gone.add(tab);
  }
  removeAll(gone);
}

/** Steps of looking for the panels that belong to tab lists by their order; a page that needs more keeps the rest as it is. */
const maxSteps = 1_000_000;

/** Without ids the order tells: the panels that follow a tab list belong to its tabs, one by one. */
function labelByOrder(
  lists: readonly ElementNode[],
  panels: readonly ElementNode[],
  freeTabs: (list: ElementNode) => readonly ElementNode[],
  usedTabs: Set<ElementNode>,
): void {
  /** How many panels without a name stand below a node. */
  const below = new Map<ElementNode, number>();
  let steps = 0;
  const count = (panel: ElementNode, by: number): void => {
    for (let at: ElementNode | undefined = panel; at !== undefined && steps < maxSteps; at = at.parent) {
      steps++;
      below.set(at, (below.get(at) ?? 0) + by);
    }
  };
  for (const panel of panels) count(panel, 1);
  const unnamed = new Set(panels);
  for (const list of lists) {
    const own = freeTabs(list);
    if (own.length === 0 || unnamed.size === 0 || steps >= maxSteps) continue;
    const container = closest(list, (node) => node !== list && (below.get(node) ?? 0) > 0);
    if (container === undefined) continue;
    let next = 0;
    for (const panel of unnamed) {
      const tab = own[next];
      if (tab === undefined || steps >= maxSteps) break;
      if (closest(panel, (ancestor) => (steps++, ancestor === container)) === undefined) continue;
      label(panel, plainText(tab));
      usedTabs.add(tab);
      unnamed.delete(panel);
      count(panel, -1);
      next++;
    }
  }
}

/** MkDocs, sphinx-design, sphinx-inline-tabs: labels of radio buttons, in one box or each before its panel. */
function isTabSet(node: ElementNode): boolean {
  return (
    hasClass(node, "tabbed-set", "sd-tab-set", "tab-set", "tabset", "tabs-container", "code-tabs") && node.tag !== "ul"
  );
}

function labelTabSet(set: ElementNode): void {
  const labels: ElementNode[] = [];
  const panels: ElementNode[] = [];
  for (const node of findAll(set, (inner) => closest(inner, isTabSet) === set)) {
    if (node.tag === "label" || classMatches(node, /^(?:tab-label|sd-tab-label|tabbed-label)$/u)) labels.push(node);
    else if (classMatches(node, /^(?:tabbed-block|tabbed-content|sd-tab-content|tab-content|tab-pane)$/u))
      panels.push(node);
  }
  const blocks = panels.filter((panel) => hasClass(panel, "tabbed-block"));
  const real = blocks.length > 0 ? blocks : panels;
  if (labels.length !== real.length) return;
  real.forEach((panel, index) => {
    const tab = labels[index];
    if (tab === undefined) return;
    label(panel, plainText(tab));
    remove(tab);
  });
}

function labelCodeGroup(group: ElementNode): void {
  const labels = findAll(group, (node) => node.tag === "label");
  const blocks = elementsOf(find(group, (node) => hasClass(node, "blocks")) ?? group).filter(
    (node) => find(node, (inner) => inner.tag === "pre") !== undefined,
  );
  if (labels.length !== blocks.length) return;
  blocks.forEach((block, index) => {
    const tab = labels[index];
    if (tab !== undefined) label(block, plainText(tab));
  });
  for (const strip of findAll(group, (node) => hasClass(node, "tabs"))) remove(strip);
}

/** Dokka: one panel a platform, chosen by `data-togglable`. */
function labelSourceSets(root: ElementNode): void {
  for (const bookmark of findAll(root, (node) => hasClass(node, "platform-bookmarks-row"))) {
    const container = bookmark.parent;
    if (container === undefined) continue;
    const names = new Map(
      findAll(bookmark, (node) => node.attributes.has("data-toggle")).map((node) => [
        attribute(node, "data-toggle"),
        plainText(node),
      ]),
    );
    const panels = findAll(container, (node) => node.attributes.has("data-togglable") && hasClass(node, "content"));
    if (names.size > 1) for (const panel of panels) label(panel, names.get(attribute(panel, "data-togglable")) ?? "");
    remove(bookmark);
  }
}
