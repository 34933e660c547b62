/** What a page says about itself: title, site, version, description, dates, language. */
import { attribute, closest, findAll, fold, hasClass, plainText } from "./tree.ts";
import type { ElementNode } from "./tree.ts";
import type { ParsedHtml } from "./parseHtml.ts";

export interface Metadata {
  /** Of `<title>` or `og:title`, without the site's name. Empty when the page has none. */
  readonly title: string;
  /** As the page has it. */
  readonly fullTitle: string;
  readonly site: string | undefined;
  readonly version: string | undefined;
  readonly description: string | undefined;
  /** ISO date. */
  readonly modified: string | undefined;
  readonly language: string | undefined;
}

/**
 * @param headings The page's headings, in order: they tell the title from the site in `<title>`.
 */
export function readMetadata(page: ParsedHtml, headings: readonly string[]): Metadata {
  const metas = metaValues(page.html);
  const documentTitle = fold(
    plainText(
      findAll(page.head, (node) => node.tag === "title")[0] ?? page.head.children[0] ?? { kind: "text", value: "" },
    ),
  );
  const fullTitle =
    findAll(page.head, (node) => node.tag === "title").length > 0 ? documentTitle : (metas.get("og:title") ?? "");
  const siteName =
    metas.get("og:site_name") ?? metas.get("application-name") ?? metas.get("apple-mobile-web-app-title");
  const split = splitTitle(fullTitle, headings, siteName);
  const site = siteName ?? split.site;
  return {
    title: split.title,
    fullTitle,
    site: site === undefined ? undefined : withoutVersion(site),
    version: versionOf(page, metas, site ?? "", fullTitle),
    description: nonEmpty(metas.get("description") ?? metas.get("og:description") ?? metas.get("twitter:description")),
    modified: modifiedOf(page, metas),
    language: languageOf(page, metas),
  };
}

function metaValues(html: ElementNode): Map<string, string> {
  const values = new Map<string, string>();
  for (const meta of findAll(html, (node) => node.tag === "meta")) {
    const name = (
      attribute(meta, "name") ||
      attribute(meta, "property") ||
      attribute(meta, "itemprop") ||
      attribute(meta, "http-equiv")
    ).toLowerCase();
    const content = fold(attribute(meta, "content"));
    if (name !== "" && content !== "" && !values.has(name)) values.set(name, content);
  }
  return values;
}

const separators = /\s+(?:[|·•—–»«:]|-{1,2}|::)\s+|\s*[|»]\s*/u;

/** "Worker threads | Node.js v18 Documentation" is a title and a site. */
export function splitTitle(
  full: string,
  headings: readonly string[],
  siteName: string | undefined,
): { title: string; site: string | undefined } {
  const keys = headings.map(keyOf);
  const isHeading = (text: string): boolean => {
    const key = keyOf(text);
    // "5 Supervisor Behaviour": numbers and kinds ("Class Vec") may stand before the name.
    return (
      key !== "" &&
      keys.some(
        (heading) => heading === key || (key.length > 3 && heading.endsWith(key) && heading.length < key.length + 14),
      )
    );
  };
  if (isHeading(full) && (keys[0] === keyOf(full) || siteName === undefined)) return { title: full, site: undefined };
  const aside = /^(.*\S)\s+\(([^()]*\d[^()]*)\)$/u.exec(full);
  if (aside !== null && isHeading(aside[1] ?? "")) return { title: aside[1] ?? full, site: aside[2] };
  const parts = full
    .split(new RegExp(separators.source, "gu"))
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length < 2) return splitAtColon(full, headings);
  const at = parts.findIndex(isHeading);
  if (siteName !== undefined && siteName !== "") {
    const named = parts.findIndex((part) => keyOf(part) === keyOf(siteName));
    if (named === parts.length - 1) return { title: cutAt(full, parts, parts.length - 1), site: siteName };
    if (named === 0) return { title: parts.slice(1).join(" - "), site: siteName };
  }
  const manual = parts.findIndex((part) => /^[\w.:+-]+\(\d\w{0,3}\)$/u.test(part));
  if (at < 0 && manual >= 0)
    return { title: parts[manual] ?? full, site: parts.find((_part, index) => index !== manual) };
  if (at >= 0) return { title: parts[at] ?? full, site: at === parts.length - 1 ? parts[0] : parts.at(-1) };
  return { title: cutAt(full, parts, parts.length - 1), site: parts.at(-1) };
}

/** "PostgreSQL: Documentation: 15: 13.3. Explicit Locking": only a heading of the page tells where to cut. */
function splitAtColon(full: string, headings: readonly string[]): { title: string; site: string | undefined } {
  for (const heading of headings.slice(0, 5)) {
    if (heading.length < 3 || heading.length >= full.length) continue;
    if (full.endsWith(heading) && /[:/]\s*$/u.test(full.slice(0, -heading.length)))
      return { title: heading, site: full.slice(0, -heading.length).replace(/[\s:/]+$/u, "") };
    if (full.startsWith(heading) && /^\s*[:/]/u.test(full.slice(heading.length)))
      return { title: heading, site: full.slice(heading.length).replace(/^[\s:/]+/u, "") };
  }
  return { title: full, site: undefined };
}

function keyOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The title up to its last part, separators within it kept as they are. */
function cutAt(full: string, parts: readonly string[], count: number): string {
  const last = parts[count] ?? "";
  const end = full.lastIndexOf(last);
  return full.slice(0, end < 0 ? full.length : end).replace(/[\s|·•—–»«:-]+$/u, "");
}

const versionNumber =
  /(?<![\w.])v?(\d{1,4}(?:\.\d{1,5}){1,3}(?:[-.]?(?:alpha|beta|rc|dev|post|a|b)\.?\d*)?)(?![\w.]*\d)/iu;

function withoutVersion(site: string): string | undefined {
  const name = site
    .replace(/\s*\(?v?\d+(?:\.\d+|\.x)+[\w.+~-]*\)?/giu, " ")
    .replace(/\s+(?:version|versión|versão|バージョン|v\.)\s*$/iu, "")
    .replace(/\s+/gu, " ")
    .replace(/^[\s:|·-]+|[\s:|·-]+$/gu, "");
  return nonEmpty(name);
}

function versionOf(page: ParsedHtml, metas: Map<string, string>, site: string, fullTitle: string): string | undefined {
  for (const name of [
    "docsearch:version",
    "docusaurus_version",
    "version",
    "doc-version",
    "release",
    "algolia:version",
  ]) {
    const value = metas.get(name);
    if (value !== undefined && /\d/u.test(value) && value.length < 30 && !/[,]/u.test(value))
      return value.replace(/^v(?=\d)/u, "");
  }
  // "13.3. Explicit Locking" is a section, so the title itself names no version.
  const inSite =
    versionNumber.exec(site)?.[1] ??
    /\(.*?\b(\d+(?:\.\d+)+)\b.*?\)/u.exec(fullTitle)?.[1] ??
    /(?:\bSE|: )\s?(\d{1,3})(?=$|:| )/u.exec(site)?.[1];
  if (inSite !== undefined) return inSite;
  for (const node of findAll(page.body, (inner) => inner.classes.size > 0 || inner.attributes.has("id"))) {
    if (
      !hasClass(
        node,
        "version",
        "projectnumber",
        "navbar-version",
        "doc-version",
        "rst-current-version",
        "library-version",
        "nav-text",
        "sidebar-projectversion",
        "api-version",
      ) &&
      !/^(?:projectnumber|version)$/u.test(attribute(node, "id"))
    )
      continue;
    const text = plainText(node);
    if (text.length > 40) continue;
    const found = versionNumber.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  const said = findAll(page.body, (node) => /^(?:span|div|p|li|dd)$/u.test(node.tag) && node.children.length <= 3)
    .map((node) =>
      ownText(node).length <= 40
        ? /^(?:\w+ )?version:?\s*v?(\d+(?:\.[\w-]+)+)(?:\s|$)/iu.exec(ownText(node))?.[1]
        : undefined,
    )
    .find((version) => version !== undefined);
  return said;
}

const isoDate = /(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?/u;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

function modifiedOf(page: ParsedHtml, metas: Map<string, string>): string | undefined {
  for (const name of [
    "article:modified_time",
    "og:updated_time",
    "last-modified",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "updated_at",
    "ms.date",
    "revised",
  ]) {
    const date = dateIn((metas.get(name) ?? "").replace(/^(\d{2})\/(\d{2})\/(\d{4})$/u, "$3-$1-$2"));
    if (date !== undefined) return date;
  }
  for (const node of findAll(page.body, (inner) =>
    /^(?:p|div|span|footer|time|small|li|em|relative-time)$/u.test(inner.tag),
  )) {
    if (node.tag === "time" || node.tag === "relative-time") {
      if (
        attribute(node, "itemprop") === "dateModified" ||
        closest(node, (ancestor) => hasClass(ancestor, "theme-last-updated", "lastupdated", "last-updated")) !==
          undefined
      ) {
        const date = dateIn(attribute(node, "datetime") || plainText(node));
        if (date !== undefined) return date;
      }
      continue;
    }
    const text = ownText(node);
    if (text.length > 160 || !/(?:last|page|was) (?:updated?|modified|changed|reviewed)|^updated\b/iu.test(text))
      continue;
    const inner = findAll(node, (child) => child.tag === "time")[0];
    const date =
      (inner === undefined ? undefined : dateIn(attribute(inner, "datetime"))) ?? dateIn(plainText(node).slice(0, 300));
    if (date !== undefined) return date;
  }
  return undefined;
}

function ownText(node: ElementNode): string {
  return fold(
    node.children
      .map((child) =>
        child.kind === "text" ? child.value : child.children.length < 4 ? ` ${plainText(child).slice(0, 80)} ` : "",
      )
      .join(""),
  );
}

/** A date in a text, as `YYYY-MM-DD`; times are kept when they come in ISO form with a zone. */
export function dateIn(text: string): string | undefined {
  const iso = isoDate.exec(text)?.[1];
  if (iso !== undefined) return isValid(iso) ? iso : undefined;
  const named = /(\d{1,2})(?:st|nd|rd|th)?[ -]([A-Z][a-z]{2,8})\.?,?[ -](\d{4})/u.exec(text);
  const american = /([A-Z][a-z]{2,8})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})/u.exec(text);
  const day = named?.[1] ?? american?.[2];
  const month = months.indexOf((named?.[2] ?? american?.[1] ?? "").slice(0, 3).toLowerCase()) + 1;
  const year = named?.[3] ?? american?.[3];
  if (day !== undefined && year !== undefined && month > 0) {
    const date = `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
    return isValid(date) ? date : undefined;
  }
  const slashed = /(\d{4})[/.](\d{1,2})[/.](\d{1,2})/u.exec(text);
  if (slashed !== null) {
    const date = `${slashed[1] ?? ""}-${(slashed[2] ?? "").padStart(2, "0")}-${(slashed[3] ?? "").padStart(2, "0")}`;
    return isValid(date) ? date : undefined;
  }
  return undefined;
}

function isValid(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

function languageOf(page: ParsedHtml, metas: Map<string, string>): string | undefined {
  const declared =
    attribute(page.html, "lang") ||
    attribute(page.html, "xml:lang") ||
    (metas.get("content-language") ?? "") ||
    attribute(page.body, "lang");
  const tag = declared.trim().split(/[,\s]/u)[0]?.replaceAll("_", "-") ?? "";
  return /^[a-zA-Z]{2,3}(?:-[a-zA-Z\d]{2,8}){0,3}$/u.test(tag) ? tag : undefined;
}

function nonEmpty(text: string | undefined): string | undefined {
  const folded = fold(text ?? "");
  return folded === "" ? undefined : folded;
}
