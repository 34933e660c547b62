/** Where the Markdown of an HTML page may be found, and whether what was found is that. Pure. */
import { attribute } from "../../core/capture/canonicalUrl.ts";
import { isHtmlDocument, markdownSigns } from "../../core/capture/format.ts";
import { isNotFoundTitle } from "../../core/capture/phrases.ts";
import { htmlSigns, textOf } from "../../core/capture/shell.ts";
import { stripElements } from "../../core/capture/stripElements.ts";

/** Addresses tried for one page. More would be impolite. */
const maxCandidates = 2;

/**
 * Addresses of the page's Markdown, the most promising first: declared by the page, declared by a `Link` header,
 * then the twin by the usual conventions.
 */
export function markdownCandidates(page: URL, html: string, linkHeader: string | undefined): string[] {
  const found = [...declaredAlternates(html), ...linkedAlternates(linkHeader)]
    .filter((href) => URL.canParse(href, page.href))
    .map((href) => new URL(href, page).href);
  const candidates = [...found, ...conventionalTwins(page)].filter((candidate) => candidate !== page.href);
  return [...new Set(candidates)].slice(0, maxCandidates);
}

function declaredAlternates(html: string): string[] {
  return [...html.matchAll(/<link\b[^<>]{0,2000}>/giu)]
    .map(([tag]) => tag)
    .filter(
      (tag) =>
        /\balternate\b/iu.test(attribute(tag, "rel") ?? "") &&
        /^text\/(?:x-)?markdown\b/iu.test(attribute(tag, "type") ?? ""),
    )
    .map((tag) => attribute(tag, "href") ?? "")
    .filter((href) => href !== "");
}

function linkedAlternates(header: string | undefined): string[] {
  return (header ?? "")
    .split(/,(?=\s*<)/u)
    .filter(
      (link) =>
        /;\s*rel\s*=\s*"?[^";]*\balternate\b/iu.test(link) && /;\s*type\s*=\s*"?text\/(?:x-)?markdown\b/iu.test(link),
    )
    .map((link) => /<([^>]*)>/u.exec(link)?.[1] ?? "")
    .filter((href) => href !== "");
}

function conventionalTwins(page: URL): string[] {
  const at = (pathname: string) => new URL(pathname + page.search, page.origin).href;
  const { pathname } = page;
  const route = /^#!?(\/[^?&#]*)/u.exec(page.hash)?.[1];
  if (route !== undefined) {
    // docsify and its like render `<base>/<route>.md` in the browser.
    const base = pathname.replace(/[^/]*$/u, "").replace(/\/$/u, "");
    return [at(route.endsWith("/") ? `${base}${route}README.md` : `${base}${route}.md`)];
  }
  if (/\.(?:mdx?|markdown|txt)$/iu.test(pathname)) return [];
  if (pathname.endsWith("/")) {
    const without = pathname.slice(0, -1);
    return without === "" ? [at("/index.md")] : [at(`${pathname}index.md`), at(`${without}.md`)];
  }
  const withoutHtml = pathname.replace(/\.html?$/iu, "");
  return withoutHtml === pathname ? [at(`${pathname}.md`)] : [at(`${pathname}.md`), at(`${withoutHtml}.md`)];
}

export interface Twin {
  readonly text: string;
  readonly contentType: string | undefined;
}

/**
 * Pages with fewer words are accepted by their title alone, since their few words say little; in words of the main content.
 * A larger page must find this share of its own words in the twin: a summary, an index or another page is no twin.
 */
const fewWords = 100;
const minShareWithTitle = 0.4;
const minShareWithoutTitle = 0.7;
/** And the other way round: the whole site in one file holds this page too. */
const minShareOfTwin = 0.4;
/** Fewer distinct words than this in the HTML means that scripts fill the page: there is nothing to compare with. */
const wordsOfShell = 15;

/** Whether an answer is the Markdown of the page: really Markdown, no error page, and of the same content. */
export function isTwinOf(twin: Twin, html: string): boolean {
  const type = twin.contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!/^text\/(?:plain|(?:x-)?markdown)$/u.test(type)) return false;
  if (twin.text.trim() === "" || looksLikeHtml(twin.text)) return false;
  const heading = /^#{1,2} +(.+)$/mu.exec(twin.text)?.[1];
  if (heading !== undefined && isNotFoundTitle(heading)) return false;

  const signs = htmlSigns(html);
  const twinWords = wordsOf(twin.text);
  const main = wordsOf(mainText(html));
  if (main.size < wordsOfShell && signs.scripts > 0 && signs.headings.length === 0) {
    return twinWords.size >= wordsOfShell && (type !== "text/plain" || markdownSigns(twin.text.slice(0, 200_000)) >= 1);
  }
  const titled = [...signs.headings, signs.title].some((title) => sharesTitle(title, twin.text));
  if (main.size < fewWords) return titled || share(main, twinWords) >= minShareWithoutTitle;
  const whole = wordsOf(textOf(withoutInvisible(html)));
  return (
    share(main, twinWords) >= (titled ? minShareWithTitle : minShareWithoutTitle) &&
    share(twinWords, whole) >= minShareOfTwin
  );
}

function looksLikeHtml(text: string): boolean {
  return isHtmlDocument(text.slice(0, 20_000)) || (/^\s*</u.test(text) && markdownSigns(text.slice(0, 200_000)) === 0);
}

/** Whether the page's title, or the part of it before the site's name, is a heading or the front matter title of the twin. */
function sharesTitle(title: string, markdown: string): boolean {
  const known = new Set(
    [...markdown.slice(0, 20_000).matchAll(/^(?:#{1,2} +|title: *["']?|.+(?=\n=+ *$))(.*?)["']?(?: *#+)? *$/gmu)].map(
      (match) => key(match[1] === "" ? match[0] : (match[1] ?? "")),
    ),
  );
  const parts = [title, ...title.split(/\s+[|·•»›–—-]+\s+/u)];
  return parts.some((part) => key(part) !== "" && known.has(key(part)));
}

function key(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

function withoutInvisible(html: string): string {
  return stripElements(html, ["script", "style", "template", "svg", "noscript", "head"]);
}

function mainText(html: string): string {
  const visible = withoutInvisible(html);
  const contents: string[] = [];
  stripElements(visible, ["main", "article"], (_name, inner) => {
    contents.push(inner);
    return "";
  });
  const main = contents.length > 0 ? contents.join(" ") : visible;
  return textOf(stripElements(main, ["nav", "header", "footer", "aside", "button", "form"]));
}

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}_]{3,}/gu);
  return new Set(words ?? []);
}

/** Share of the first set's words that the second has, 0..1. */
function share(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let common = 0;
  for (const word of words) if (others.has(word)) common++;
  return words.size === 0 ? 0 : common / words.size;
}
