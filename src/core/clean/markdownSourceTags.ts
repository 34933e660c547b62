/** Tags in Markdown prose: what they show stays as Markdown, the tags go. `Array<T>` and `<name>` are no tags. */

import { isPassive } from "./markdownSourceCuts.ts";

/** Names closed somewhere in a page: a name that is never closed is a placeholder or a type rather than a tag. */
export function closedNames(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/<\/([A-Za-z][\w.:-]{0,80})[ \t]*>/gu), ([, name]) => name ?? ""));
}

export function rewriteTags(prose: string, closed: ReadonlySet<string>): string {
  let out = "";
  let at = 0;
  const links: string[] = [];
  for (let open = prose.indexOf("<"); open >= 0; open = prose.indexOf("<", Math.max(at, open + 1))) {
    const tag = readTag(prose, open);
    if (tag === undefined || !isTag(tag, closed)) continue;
    out += prose.slice(at, open);
    at = tag.end;
    const line = lineBefore(prose, open);
    const isAlone = line.trim() === "" && /^[ \t]*(?:\n|$)/u.test(prose.slice(at, at + 200));
    out += shown(tag, { line, isAlone, endsLine: prose.charAt(at) === "\n", links });
  }
  return out + prose.slice(at);
}

interface Tag {
  readonly name: string;
  readonly closes: boolean;
  readonly selfClosed: boolean;
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number;
}

/** Characters; a longer tag is text. */
const maxTag = 4000;
const tagName = /<(\/?)([A-Za-z][\w.:-]{0,80})/uy;
const attributeToken =
  /\s*(?:([A-Za-z_@:][\w.:@-]{0,80})(?:\s*=\s*(?:"([^"]{0,2000})"|'([^']{0,2000})'|\{((?:[^{}]|\{[^{}]{0,1000}\}){0,2000})\}|([^\s"'<>=`{}]{1,1000})))?|\{[^{}]{0,1000}\})/uy;
const tagEnd = /\s*(\/?)>/uy;

function readTag(text: string, start: number): Tag | undefined {
  tagName.lastIndex = start;
  const head = tagName.exec(text);
  if (head === null) return undefined;
  const attributes = new Map<string, string>();
  let at = tagName.lastIndex;
  while (at - start < maxTag) {
    tagEnd.lastIndex = at;
    const end = tagEnd.exec(text);
    if (end !== null) {
      const [, slash, name] = head;
      return {
        name: name ?? "",
        closes: slash === "/",
        selfClosed: end[1] === "/",
        attributes,
        end: tagEnd.lastIndex,
      };
    }
    if (!/[\s{]/u.test(text.charAt(at)) && attributes.size === 0) return undefined;
    attributeToken.lastIndex = at;
    const found = attributeToken.exec(text);
    if (found === null) return undefined;
    const [, name, double, single, expression, bare] = found;
    if (name !== undefined) attributes.set(name, double ?? single ?? literal(expression) ?? bare ?? "");
    at = attributeToken.lastIndex;
  }
  return undefined;
}

/** The text of a JSX expression that is a literal; other expressions show nothing that can be known. */
function literal(expression: string | undefined): string | undefined {
  if (expression === undefined) return undefined;
  const [, , quoted, plain] = /^\s*(?:(["'`])([^"'`$]*)\1|([\w.-]+))\s*$/u.exec(expression) ?? [];
  return quoted ?? plain ?? "";
}

const voidElements = /^(?:br|hr|wbr|img)$/u;
const blockElements =
  /^(?:address|article|aside|blockquote|center|details|dd|div|dl|dt|fieldset|figcaption|figure|footer|h[1-6]|header|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/u;
const inlineElements =
  /^(?:a|abbr|b|bdi|bdo|big|button|cite|code|del|dfn|em|font|i|iframe|ins|kbd|label|mark|q|s|samp|small|source|span|strike|strong|sub|sup|svg|path|time|tt|u|var|video|picture|script|style)$/u;

function isTag({ name, closes, selfClosed, attributes }: Tag, closed: ReadonlySet<string>): boolean {
  const low = name === name.toUpperCase() ? name.toLowerCase() : name;
  if (voidElements.test(low)) return true;
  if (closes || closed.has(name)) return blockElements.test(low) || inlineElements.test(low) || /[A-Z.:-]/u.test(name);
  if (/^[A-Z]/u.test(name) || name.includes(".")) return selfClosed;
  return (blockElements.test(low) || inlineElements.test(low)) && (selfClosed || attributes.size > 0);
}

interface Place {
  /** The line up to the tag. */
  readonly line: string;
  readonly isAlone: boolean;
  readonly endsLine: boolean;
  /** Targets of the open `<a>`. */
  readonly links: string[];
}

function shown(tag: Tag, place: Place): string {
  const name = /^[A-Z]+[1-6]?$/u.test(tag.name) ? tag.name.toLowerCase() : tag.name;
  const isCell = /^[ \t>]*\||\s\|\s/u.test(place.line);
  const indent = /^[ \t]*/u.exec(place.line)?.[0] ?? "";
  const gap = isCell ? "; " : `\n\n${indent}`;
  switch (name) {
    case "br":
      if (isCell) return "; ";
      return /^ {0,3}#/u.test(place.line) ? " " : place.endsLine ? "" : `\n${indent}`;
    case "hr":
      return isCell ? "; " : "\n\n---\n\n";
    case "img":
      return tag.attributes.get("alt") ?? "";
    case "a": {
      if (!tag.closes) {
        const target = tag.selfClosed ? "" : (tag.attributes.get("href") ?? "");
        const href = isPassive(target) ? target : "";
        if (!tag.selfClosed) place.links.push(href);
        return href === "" ? "" : "[";
      }
      const href = place.links.pop() ?? "";
      return href === "" ? "" : `](${href})`;
    }
    case "sup":
      return tag.closes ? "" : "^";
    case "code":
    case "tt":
    case "samp":
      return "`";
    case "b":
    case "strong":
      return "**";
    case "summary":
      return tag.closes ? `**${gap}` : `${place.line.trim() === "" ? "" : gap}**`;
    case "td":
    case "th":
      return tag.closes ? "" : " ";
    case "li":
      return tag.closes ? "" : `${place.line.trim() === "" ? "" : `\n${indent}`}- `;
    default:
  }
  if (/^h[1-6]$/u.test(name))
    return tag.closes
      ? gap
      : isCell
        ? ""
        : `${place.line.trim() === "" ? "" : gap}${"#".repeat(Number(name.slice(1)))} `;
  if (/^[A-Z]|[.-]/u.test(name)) return component(tag, place);
  return blockElements.test(name) && !place.isAlone && place.line.trim() !== "" ? gap : "";
}

const admonition = /^(?:Note|Tip|Warning|Info|Caution|Danger|Important|Check|Aside|Callout|Admonition|Alert)$/u;
const field = /Field|Param|Propert|Argument|Attribute|Option/u;

/** What a component's attributes show to a reader: its title as a bold label, the rest after it. */
function component({ name, closes, attributes }: Tag, { isAlone, line }: Place): string {
  if (closes) return "";
  const first = (...names: readonly string[]): string | undefined =>
    names.map((key) => attributes.get(key)).find((value) => value !== undefined && value !== "");
  const isField = field.test(name);
  const kind = admonition.test(name) ? capitalized(first("type", "kind", "variant") ?? name) : undefined;
  const title =
    first("title", "label", "header", "heading", "summary") ??
    (isField ? first("name", "path", "query", "body", "header") : undefined) ??
    (/Tab/u.test(name) ? first("value", "name") : undefined) ??
    kind;
  const href = attributes.get("href");
  const rest = [
    ...["description", "caption", "alt", "text"].map((key) => attributes.get(key) ?? ""),
    ...(isField
      ? ["type", "default"].map((key) => (attributes.has(key) ? `${key}: ${attributes.get(key) ?? ""}` : ""))
      : []),
    isField && attributes.has("required") && attributes.get("required") !== "false" ? "required" : "",
  ]
    .filter((text) => text !== "")
    .join("; ");
  if (title === undefined) return rest;
  const label = `**${href === undefined ? title : `[${title}](${href})`}**${rest === "" ? "" : ` ${rest}`}`;
  return isAlone || line.trim() === "" ? `${label}\n\n` : label;
}

function capitalized(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase();
}

/** At most the last thousand characters: a longer line is no Markdown to be kept in shape. */
function lineBefore(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - 1000), at);
  return near.slice(near.lastIndexOf("\n") + 1);
}
