import type { PageId } from "../types.ts";
import { sha256Hex } from "../util/hash.ts";

/** Longest readable part of a page id, characters. */
const maxSlugLength = 48;

/**
 * `<slug>-<10 hex digits>` of a canonical URL: the slug is for people (the last parts of the path, ASCII, lower case),
 * the hash makes it unique. Safe as a file name on every system.
 */
export function pageIdOf(url: string): PageId {
  // One page, whether it came by http or https, with or without a slash at the end.
  const identity = url.replace(/^https?:\/\//iu, "//").replace(/\/$/u, "");
  return `${slugOf(url)}-${sha256Hex(identity, 10)}`;
}

function slugOf(url: string): string {
  const parts = slugParts(url);
  let slug = "";
  // From the end: the last part of a path says most about the page.
  for (const part of parts.reverse()) {
    const longer = slug === "" ? part : `${part}-${slug}`;
    if (longer.length > maxSlugLength && slug !== "") break;
    slug = longer.slice(0, maxSlugLength);
  }
  return slug.replace(/^-+|-+$/gu, "") || "page";
}

function slugParts(url: string): string[] {
  if (!URL.canParse(url)) return [asciiWords(url)];
  const parsed = new URL(url);
  const route = `${parsed.pathname}/${parsed.hash.slice(1)}/${parsed.search.slice(1)}`;
  const parts = route
    .split("/")
    .map((segment) => asciiWords(decoded(segment).replace(/\.(?:html?|xhtml|mdx?|markdown|txt|php|aspx?)$/iu, "")))
    .filter((part) => part !== "" && part !== "index");
  // The upper folders of a local file say where a person keeps things, not what the page is.
  if (parsed.protocol === "file:") return parts.slice(-2);
  return parts.length > 0 ? parts : [asciiWords(parsed.hostname)].filter((part) => part !== "");
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // a stray percent sign is part of the name
  }
}

function asciiWords(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mark}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-+|-+$/gu, "");
}
