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
 * Pages with fewer distinct words in their main content are accepted mostly by their title, since their few words say little,
 * unless the other side is so much larger that it has every word.
 */
const fewWords = 100;
const minShareOfFewWords = 0.3;
const maxGrowth = 10;
/** A larger page must find this share of its own words in the twin: a summary, an index or another page is no twin. */
const minShareWithTitle = 0.4;
const minShareWithoutTitle = 0.7;
/** And the other way round: the whole site in one file holds this page too. */
const minShareOfTwin = 0.4;
/** Markdown is about as long as the text it marks up; navigation that counts as main content explains the distance to 1. */
const minShareOfLength = 0.4;
/** Fewer distinct words than this in the HTML means that scripts fill the page: there is nothing to compare with. */
const wordsOfShell = 15;

// UTF-16 units: the start of each side is looked for in a longer piece of the other, since they run at different lengths.
const comparedMarkupLength = 1_000_000;
const comparedTextLength = 300_000;
const comparedStartLength = 30_000;

/** Whether an answer is the Markdown of the page: really Markdown, no error page, and of the same content. */
export function isTwinOf(twin: Twin, html: string): boolean {
  const type = twin.contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!/^text\/(?:plain|(?:x-)?markdown)$/u.test(type)) return false;
  if (twin.text.trim() === "" || looksLikeHtml(twin.text)) return false;
  const heading = /^#{1,2} +(.+)$/mu.exec(twin.text)?.[1];
  if (heading !== undefined && isNotFoundTitle(heading)) return false;

  // A page of megabytes is compared by its beginning: the comparison must not hold up the host.
  const page = html.slice(0, comparedMarkupLength);
  const signs = htmlSigns(page);
  const mainContent = mainText(page);
  const main = wordsOf(mainContent.slice(0, comparedStartLength));
  const twinWords = wordsOf(twin.text.slice(0, comparedTextLength));
  if (main.size < wordsOfShell && signs.scripts > 0 && signs.headings.length === 0) {
    return twinWords.size >= wordsOfShell && (type !== "text/plain" || markdownSigns(twin.text.slice(0, 200_000)) >= 1);
  }
  const titled = [...signs.headings, signs.title].some((title) => sharesTitle(title, twin.text));
  const whole = wordsOf(textOf(withoutInvisible(page)).slice(0, comparedTextLength));
  if (main.size < fewWords) {
    return (
      share(main, twinWords) >= (titled ? minShareOfFewWords : minShareWithoutTitle) &&
      twinWords.size <= whole.size * maxGrowth + fewWords
    );
  }
  if (twin.text.length < mainContent.length * minShareOfLength) return false;
  const twinStart = wordsOf(twin.text.slice(0, comparedStartLength));
  return (
    share(main, twinWords) >= (titled ? minShareWithTitle : minShareWithoutTitle) &&
    share(twinStart, whole) >= minShareOfTwin
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
