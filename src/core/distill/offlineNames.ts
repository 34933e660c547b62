/** What a group is about, by name: the product, the page, the headings above it. */
import type { Page } from "../types.ts";
import type { Group } from "./offlinePacking.ts";
import { isGeneric, looksLikeName, plain, readable, withoutQualifiers, wordCount } from "./offlineText.ts";

export interface Names {
  /** Product or site, e.g. `HTTPX`; may be empty. */
  readonly product: string;
  /** What the page is about, without the product's name around it. */
  readonly page: string;
}

/** What one group is about. */
export interface Subject extends Names {
  /** Nearest headings that say something, outermost first, without the page's own title. */
  readonly headings: readonly string[];
  /** What the group defines, each as one line. */
  readonly terms: readonly string[];
  /** All of that in one name, e.g. `max_retries` or `Worker.postMessage(value)`. */
  readonly term: string | undefined;
  /** An earlier group holds the start of the same subsection or definition. */
  readonly continues: boolean;
}

/** A group of many small definitions is named by the first of them. */
const maxNamedTerms = 4;

const separators = /\s+[|·•–—―»:]+\s+|\s+-+\s+|\s*[|»]\s*|:\s+/u;
const filler = /\b(?:documentation|docs|manual|reference manual|user guide|api reference|help center|developers?)\b/giu;

/** @param page Title as `<page> - <site>` or the like; `site` when the page says it. */
export function namesOf(page: Pick<Page, "title" | "site">): Names {
  const title = tidyHeading(plain(page.title).replace(/^["']|["']$/gu, ""));
  const parts = title
    .split(separators)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const site = page.site === undefined ? undefined : tidyProduct(plain(page.site));
  if (site !== undefined && site !== "") {
    const own = parts.filter((part) => tidyProduct(part).toLowerCase() !== site.toLowerCase());
    return { product: site, page: own.join(": ") || title };
  }
  const last = parts.at(-1);
  if (parts.length < 2 || last === undefined || wordCount(last) > 6) return { product: "", page: title };
  return { product: tidyProduct(last), page: parts.slice(0, -1).join(": ") };
}

function tidyProduct(name: string): string {
  const tidy = name.replace(filler, " ").replace(/\s+/gu, " ").trim();
  return tidy;
}

export function subjectOf(names: Names, group: Group): Subject {
  const known = new Set([names.page.toLowerCase(), names.product.toLowerCase()]);
  const headings = group.headingPath
    .map(tidyHeading)
    .filter((heading) => heading !== "" && !known.has(heading.toLowerCase()) && !sameTitle(heading, names.page));
  const terms = group.terms.map(tidyTerm).filter((term) => term !== "");
  const more = terms.length > maxNamedTerms ? " …" : "";
  const term = terms.length > 1 ? terms.slice(0, maxNamedTerms).map(shortTerm).join(", ") + more : terms[0];
  return { ...names, headings, terms, term, continues: group.continues };
}

function tidyHeading(heading: string): string {
  return plain(heading)
    .replace(/^(?:\d+|[A-Z])(?:\.\d+)*\.?\s+(?=\S)/u, "")
    .replace(/[:¶#]+$/u, "")
    .trim();
}

function sameTitle(left: string, right: string): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  return letters(left) === letters(right);
}

/** A definition's name as one line; long signatures are cut after their closing parenthesis. */
function tidyTerm(term: string): string {
  const line = readable(term).replace(/\s*[:：]$/u, "");
  return line.length > 160 ? `${line.slice(0, 157).replace(/\s+\S*$/u, "")}…` : line;
}

/**
 * The shortest name that says what a group is about: the product before the term or the nearest heading,
 * the heading above it when that one is generic.
 */
export function shortName(subject: Subject): string {
  const { product, page, headings, term, terms } = subject;
  const nearest = headings.at(-1);
  const above = headings.at(-2);
  const called = terms.length === 1 && term !== undefined ? shortTerm(term) : term;
  let name = called ?? nearest ?? page;
  if (term === undefined && nearest !== undefined && isGeneric(nearest))
    name = `${above ?? page}, ${lowerFirst(nearest)}`;
  return withProduct(product === "" && name !== page ? shorten(page) : product, name);
}

function shorten(title: string): string {
  return wordCount(title) > 6 ? "" : title;
}

export function withProduct(product: string, name: string): string {
  if (product === "") return name;
  return name.toLowerCase().includes(product.toLowerCase()) ? name : `${product} ${name}`;
}

/** Lower-cases the first letter of an ordinary word: "Timeout errors" but not "HTTP" or "PostgreSQL". */
export function lowerFirst(text: string): string {
  return /^\p{Lu}\p{Ll}*(?:[\s,;.:?]|$)/u.test(text) && !/^I\b/u.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;
}

/** Product, page and the two nearest headings: "HTTPX: Timeouts > Setting timeouts". */
export function topicOf(subject: Subject): string {
  const { product, page, headings } = subject;
  const path = [page, ...headings.slice(-2)].filter((part) => part !== "");
  const joined = path.join(" > ");
  return product === "" || page.toLowerCase().includes(product.toLowerCase()) ? joined : `${product}: ${joined}`;
}

/** A signature's name in ticks: `asyncio.create_task(coro, *, name=None)` becomes `asyncio.create_task()`. */
export function shortTerm(term: string): string {
  const bare = withoutQualifiers(term.replace(/`/gu, ""));
  const call = /(?:^|\s)([\w$.:#@-]+[!?]?)\(/u.exec(bare);
  if (call?.[1] !== undefined) return bare.length <= 24 && !/\s/u.test(bare) ? `\`${bare}\`` : `\`${call[1]}()\``;
  const named = /^(--?[\w-]+|[\w$.:-]*[_.:][\w$.:-]*|[a-z]+[A-Z]\w*)(?:\s|=|,|$)/u.exec(bare);
  if (named?.[1] !== undefined) return `\`${named[1]}\``;
  return (term.includes("`") || looksLikeName(bare)) && !/\s/u.test(bare) ? `\`${bare}\`` : term;
}
