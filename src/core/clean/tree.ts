/**
 * A small tree of an HTML page: what cleaning works on. Never deeper than `maxDepth`, so that the stages after
 * parsing may recurse.
 */

/** Levels kept. Real pages stay under 100; browsers stop at 512. */
export const maxDepth = 256;

export interface TextNode {
  readonly kind: "text";
  value: string;
}

export interface ElementNode {
  readonly kind: "element";
  tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Class names in lower case, without the hash that CSS modules append (`tocCollapsible_ETCw` is `toccollapsible`). */
  readonly classes: ReadonlySet<string>;
  children: TreeNode[];
  parent: ElementNode | undefined;
}

export type TreeNode = TextNode | ElementNode;

export function element(
  tag: string,
  attributes: ReadonlyMap<string, string>,
  children: TreeNode[] = [],
  parent?: ElementNode,
): ElementNode {
  const node: ElementNode = {
    kind: "element",
    tag,
    attributes,
    classes: classesOf(attributes.get("class") ?? ""),
    children,
    parent,
  };
  for (const child of children) if (child.kind === "element") child.parent = node;
  return node;
}

/** A made-up element, e.g. the label of a tab panel. */
export function made(tag: string, children: TreeNode[], className?: string): ElementNode {
  return element(tag, className === undefined ? new Map() : new Map([["class", className]]), children);
}

export function textNode(value: string): TextNode {
  return { kind: "text", value };
}

const noClasses: ReadonlySet<string> = new Set();

function classesOf(value: string): ReadonlySet<string> {
  if (value.trim() === "") return noClasses;
  const classes = new Set<string>();
  // A hostile page may have megabytes of classes; the first few thousand characters name the element well enough.
  for (const name of value.slice(0, 4096).split(/\s+/u)) {
    if (name === "") continue;
    classes.add(name.toLowerCase());
    const plain = /^(.*?[a-zA-Z])_{1,2}(?=[\w-]*[A-Z0-9])[\w-]{4,8}$/u.exec(name)?.[1];
    if (plain !== undefined) {
      classes.add(plain.toLowerCase());
      const local = /^[\w-]+?_{1,2}([a-zA-Z]\w*)$/u.exec(plain)?.[1];
      if (local !== undefined) classes.add(local.toLowerCase());
    }
    const module = /-?module__[\w-]+?__(\w+)$/u.exec(name)?.[1];
    if (module !== undefined) classes.add(module.toLowerCase());
  }
  return classes;
}

export function isElement(node: TreeNode | undefined, ...tags: readonly string[]): node is ElementNode {
  return node?.kind === "element" && (tags.length === 0 || tags.includes(node.tag));
}

export function attribute(node: ElementNode, name: string): string {
  return node.attributes.get(name) ?? "";
}

export function hasClass(node: ElementNode, ...names: readonly string[]): boolean {
  if (node.classes.size === 0) return false;
  return names.some((name) => node.classes.has(name));
}

/** Whether a class of the element matches. */
export function classMatches(node: ElementNode, pattern: RegExp): boolean {
  if (node.classes.size === 0) return false;
  for (const name of node.classes) if (pattern.test(name)) return true;
  return false;
}

export function elementsOf(node: ElementNode): ElementNode[] {
  return node.children.filter((child) => child.kind === "element");
}

/** Every element under (and without) the root, in document order. Children of an element for which `enter` is false are left out. */
export function descendants(root: ElementNode, enter?: (node: ElementNode) => boolean): ElementNode[] {
  const found: ElementNode[] = [];
  collect(root, found, enter);
  return found;
}

function collect(node: ElementNode, found: ElementNode[], enter: ((node: ElementNode) => boolean) | undefined): void {
  for (const child of node.children) {
    if (child.kind !== "element") continue;
    found.push(child);
    if (child.children.length > 0 && (enter === undefined || enter(child))) collect(child, found, enter);
  }
}

export function find(root: ElementNode, test: (node: ElementNode) => boolean): ElementNode | undefined {
  for (const child of root.children) {
    if (child.kind !== "element") continue;
    if (test(child)) return child;
    const inner = find(child, test);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

export function findAll(root: ElementNode, test: (node: ElementNode) => boolean): ElementNode[] {
  const found: ElementNode[] = [];
  collectIf(root, found, test);
  return found;
}

function collectIf(node: ElementNode, found: ElementNode[], test: (node: ElementNode) => boolean): void {
  for (const child of node.children) {
    if (child.kind !== "element") continue;
    if (test(child)) found.push(child);
    collectIf(child, found, test);
  }
}

export function closest(node: ElementNode, test: (ancestor: ElementNode) => boolean): ElementNode | undefined {
  for (let at: ElementNode | undefined = node; at !== undefined; at = at.parent) if (test(at)) return at;
  return undefined;
}

export function remove(node: ElementNode): void {
  replace(node, []);
}

export function replace(node: ElementNode, by: readonly TreeNode[]): void {
  const parent = node.parent;
  if (parent === undefined) return;
  const index = parent.children.indexOf(node);
  if (index < 0) return;
  for (const child of by) if (child.kind === "element") child.parent = parent;
  parent.children.splice(index, 1, ...by);
  node.parent = undefined;
}

/** Takes out many nodes; one by one each would be looked for among its siblings. */
export function removeAll(nodes: ReadonlySet<ElementNode>): void {
  const parents = new Set<ElementNode>();
  for (const { parent } of nodes) if (parent !== undefined) parents.add(parent);
  for (const parent of parents) {
    const kept = parent.children.filter((child) => child.kind === "text" || !nodes.has(child));
    parent.children.length = 0;
    for (const child of kept) parent.children.push(child);
  }
  for (const node of nodes) node.parent = undefined;
}

export function setChildren(node: ElementNode, children: TreeNode[]): void {
  node.children = children;
  for (const child of children) if (child.kind === "element") child.parent = node;
}

const blockTags: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre " +
    "search section summary table tbody td tfoot th thead tr ul listing xmp plaintext"
  ).split(" "),
);

export function isBlockTag(tag: string): boolean {
  return blockTags.has(tag) && tag !== "br";
}

/** Text of a node, white space as it stands; block borders and `<br>` become a line feed. */
export function rawText(root: TreeNode): string {
  if (root.kind === "text") return root.value;
  const parts: string[] = [];
  collectText(root, parts);
  return parts.join("");
}

function collectText(node: ElementNode, parts: string[]): void {
  const breaks = blockTags.has(node.tag);
  if (breaks) parts.push("\n");
  for (const child of node.children) {
    if (child.kind === "text") parts.push(child.value);
    else collectText(child, parts);
  }
  if (breaks) parts.push("\n");
}

/** Text of a node, white space folded to single blanks. */
export function plainText(node: TreeNode): string {
  return fold(rawText(node));
}

export function fold(text: string): string {
  return text.replace(/[\s\u200B\uFEFF\u00AD]+/gu, (run) => (/\s/u.test(run) ? " " : "")).trim();
}

/** Runs of letters and digits. */
export const wordPattern = /[\p{L}\p{N}]+/gu;

export function countWords(text: string): number {
  let words = 0;
  wordPattern.lastIndex = 0;
  while (wordPattern.test(text)) words += 1;
  return words;
}
