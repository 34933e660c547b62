/**
 * Just enough of a document for the plotting library to build an SVG in: it makes elements, sets attributes and text.
 *
 * A whole DOM for Node (linkedom: 400 kB bundled, more than the plots themselves) would be carried for these few calls.
 * Style elements and attributes are not written out: a strict content security policy forbids them, and the report's
 * own style sheet has what they say.
 */
const svgNamespace = "http://www.w3.org/2000/svg";

export class SvgText {
  readonly text: string;
  parentNode: SvgElement | null = null;

  constructor(text: string) {
    this.text = text;
  }

  get textContent(): string {
    return this.text;
  }

  get outerHTML(): string {
    return escapeXml(this.text);
  }
}

type SvgNode = SvgElement | SvgText;

export class SvgElement {
  readonly tagName: string;
  readonly namespaceURI = svgNamespace;
  readonly ownerDocument: SvgDocument;
  parentNode: SvgElement | null = null;
  readonly childNodes: SvgNode[] = [];
  readonly style = { setProperty: ignored, removeProperty: ignored, getPropertyValue: () => "" };
  readonly #attributes = new Map<string, string>();

  constructor(tagName: string, ownerDocument: SvgDocument) {
    this.tagName = tagName;
    this.ownerDocument = ownerDocument;
  }

  get firstChild(): SvgNode | null {
    return this.childNodes[0] ?? null;
  }

  get nextSibling(): SvgNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name, String(value));
  }

  setAttributeNS(_namespace: string, name: string, value: unknown): void {
    this.setAttribute(name, value);
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.#attributes.has(name);
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  appendChild<Node extends SvgNode>(node: Node): Node {
    return this.insertBefore(node, null);
  }

  append(...nodes: readonly (SvgNode | string)[]): void {
    for (const node of nodes) this.appendChild(typeof node === "string" ? new SvgText(node) : node);
  }

  insertBefore<Node extends SvgNode>(node: Node, before: SvgNode | null): Node {
    node.parentNode?.removeChild(node);
    const at = before === null ? -1 : this.childNodes.indexOf(before);
    this.childNodes.splice(at < 0 ? this.childNodes.length : at, 0, node);
    node.parentNode = this;
    return node;
  }

  removeChild<Node extends SvgNode>(node: Node): Node {
    const at = this.childNodes.indexOf(node);
    if (at >= 0) this.childNodes.splice(at, 1);
    node.parentNode = null;
    return node;
  }

  get textContent(): string {
    return this.childNodes.map((node) => node.textContent).join("");
  }

  set textContent(text: string) {
    for (const node of [...this.childNodes]) this.removeChild(node);
    if (text !== "") this.appendChild(new SvgText(text));
  }

  querySelectorAll(tagName: string): SvgElement[] {
    return this.childNodes.flatMap((node) =>
      node instanceof SvgElement
        ? [...(node.tagName === tagName ? [node] : []), ...node.querySelectorAll(tagName)]
        : [],
    );
  }

  querySelector(tagName: string): SvgElement | null {
    return this.querySelectorAll(tagName)[0] ?? null;
  }

  get outerHTML(): string {
    if (this.tagName === "style") return "";
    const attributes = [...this.#attributes]
      .filter(([name]) => name !== "style")
      .map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
    const inner = this.childNodes.map((node) => node.outerHTML).join("");
    return `<${this.tagName}${attributes.join("")}>${inner}</${this.tagName}>`;
  }
}

export class SvgDocument {
  readonly documentElement = new SvgElement("svg", this);
  readonly defaultView = null;

  createElementNS(_namespace: string, tagName: string): SvgElement {
    return new SvgElement(tagName, this);
  }

  createElement(tagName: string): SvgElement {
    return new SvgElement(tagName, this);
  }

  createTextNode(text: string): SvgText {
    return new SvgText(text);
  }
}

function ignored(): void {
  // What a style would say is in the report's style sheet.
}

/** For text and attributes alike. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/gu, (mark) => `&#${mark.charCodeAt(0)};`);
}
