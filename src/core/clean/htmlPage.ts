/** An HTML page as Markdown: content found, noise taken out and told, everything else kept. */
import type { CapturedPage, CleanPage } from "../types.ts";
import { dropHiddenAddressed } from "./addressedText.ts";
import { markdownOf } from "./blocks.ts";
import { coverageOf } from "./coverage.ts";
import { cleanCharacters, escapeInline } from "./escape.ts";
import { splitManPage } from "./manPage.ts";
import { markFootnotes } from "./footnotes.ts";
import { findMain, withHeading } from "./mainContent.ts";
import { measure, proseWords } from "./measure.ts";
import { readMetadata } from "./metadata.ts";
import type { Metadata } from "./metadata.ts";
import { removeNoise } from "./noise.ts";
import { parseHtml } from "./parseHtml.ts";
import { prepare } from "./prepare.ts";
import { createRemovals } from "./removals.ts";
import type { Removals } from "./removals.ts";
import { attribute, descendants, find, findAll, fold, plainText } from "./tree.ts";
import type { ElementNode } from "./tree.ts";
import { labelVariants } from "./variants.ts";

export function cleanHtml(captured: CapturedPage): CleanPage {
  const page = parseHtml(captured.content);
  const removals = createRemovals();
  const metadata = readMetadata(page, headingsOf(page.body));
  dropHiddenAddressed(page.body, removals);
  labelVariants(page.body);
  prepare(page.body, removals);
  const titleHeading = findTitleHeading(page.body, metadata);
  dropSiteHeading(page.body, titleHeading, removals);
  const footnotes = markFootnotes(page.body);
  const measures = measure(page.body);
  removeNoise(page.body, { measures, pageProse: proseWords(measures(page.body)), removals, titleHeading });
  const cleaned = measure(page.body);
  // A heading that does not say what the title says may name the site.
  const namingHeading =
    titleHeading !== undefined && keyOf(headingText(titleHeading)).includes(keyOf(metadata.title))
      ? titleHeading
      : undefined;
  const main = withHeading(findMain(page.body, cleaned), namingHeading, cleaned);
  noteFrame(page.body, main, removals);
  splitManPage(main);
  const heading = firstHeading(main) || firstTitle(main);
  const title = cleanCharacters(metadata.title !== "" ? betterTitle(metadata.title, heading) : heading) || captured.url;
  const base = baseOf(page.html, captured.url);
  const written = markdownOf([main], {
    base,
    style: "rich",
    footnotes,
    lineBreak: "\n",
    hasRawTex: /mathjax|tex2jax|katex/iu.test(captured.content),
  });
  const text = withTitle(written, title);
  return {
    title,
    text: text === "" ? "" : `${text}\n`,
    coverage: coverageOf(main, text),
    leftOut: removals.list(),
    ...(metadata.site === undefined ? {} : { site: cleanCharacters(metadata.site) }),
    ...(metadata.version === undefined ? {} : { version: cleanCharacters(metadata.version) }),
    ...(metadata.description === undefined ? {} : { description: cleanCharacters(metadata.description) }),
    ...(metadata.modified === undefined ? {} : { modified: metadata.modified }),
    ...(metadata.language === undefined ? {} : { language: metadata.language }),
  };
}

/**
 * The heading that names the page: the first h1, unless that names the site (its words are in `<title>`, beside the
 * title) and another heading says what the title says.
 */
function findTitleHeading(body: ElementNode, metadata: Metadata): ElementNode | undefined {
  const title = keyOf(metadata.title);
  const first = find(body, (node) => node.tag === "h1" && keyOf(plainText(node)) !== "");
  if (first !== undefined) {
    const key = keyOf(headingText(first));
    if (key.includes(title) || !keyOf(metadata.fullTitle).includes(key)) return first;
  }
  return (
    find(body, (node) => /^h[1-4]$/u.test(node.tag) && title !== "" && keyOf(headingText(node)) === title) ?? first
  );
}

/** Takes out h1s that name the site rather than the page. */
function dropSiteHeading(body: ElementNode, title: ElementNode | undefined, removals: Removals): void {
  if (title === undefined) return;
  for (const node of findAll(body, (inner) => inner.tag === "h1" || inner === title)) {
    if (node === title) return;
    removals.take(node, "site header");
  }
}

/** Letters and digits alone, to compare titles by. */
function keyOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Texts of the page's headings, the first hundred. */
function headingsOf(body: ElementNode): string[] {
  const texts: string[] = [];
  for (const node of descendants(body)) {
    if (!/^h[1-4]$/u.test(node.tag)) continue;
    const text = headingText(node);
    if (text !== "") texts.push(text);
    if (texts.length >= 100) break;
  }
  return texts;
}

function firstHeading(root: ElementNode): string {
  const heading = find(root, (node) => node.tag === "h1" && plainText(node) !== "");
  return heading === undefined ? "" : headingText(heading);
}

function firstTitle(root: ElementNode): string {
  const heading = find(root, (node) => /^h[12]$/u.test(node.tag) && plainText(node) !== "");
  return heading === undefined ? "" : headingText(heading);
}

/** Text of a heading without the mark of its anchor. */
function headingText(heading: ElementNode): string {
  return fold(plainText(heading).replace(/\s*[#¶§🔗⚓]+\s*$/u, ""));
}

/** The heading when the metadata's title is only a cut or decorated form of it. */
function betterTitle(title: string, heading: string): string {
  if (heading === "" || heading.length > 120) return title;
  return keyOf(title) === keyOf(heading) && heading.length >= title.length ? heading : title;
}

/** Notes what stands beside the main content. */
function noteFrame(body: ElementNode, main: ElementNode, removals: Removals): void {
  if (main === body) return;
  const path = new Set<ElementNode>();
  for (let at: ElementNode | undefined = main; at !== undefined; at = at.parent) path.add(at);
  for (const node of path) {
    if (node === main) continue;
    for (const child of node.children) {
      if (child.kind === "text") removals.note("outside of the content", child.value);
      else if (!path.has(child)) removals.note("outside of the content", plainText(child));
    }
    if (node === body) break;
  }
}

function baseOf(html: ElementNode, url: string): string {
  const base = findAll(html, (node) => node.tag === "base" && attribute(node, "href") !== "")[0];
  const href = base === undefined ? "" : attribute(base, "href");
  return href !== "" && URL.canParse(href, url) ? new URL(href, url).href : url;
}

/** Gives a page without an h1 its title as one; a first heading that is the title is raised. */
function withTitle(text: string, title: string): string {
  if (text === "") return "";
  if (/^# /mu.test(withoutFences(text))) return text;
  const first = /^(#{2,6}) (.+)$/mu.exec(withoutFences(text));
  if (first !== null && keyOf(first[2] ?? "") === keyOf(title)) {
    const line = `${first[1] ?? ""} ${first[2] ?? ""}`;
    const at = text.indexOf(line);
    if (at === 0 || text.charAt(at - 1) === "\n")
      return `${text.slice(0, at)}# ${first[2] ?? ""}${text.slice(at + line.length)}`;
  }
  return `# ${escapeInline(title.replace(/\s+/gu, " "))}\n\n${text}`;
}

function withoutFences(text: string): string {
  return text.replace(/^(`{3,}(?!`))[^`\n]*\n[^]*?^\1`*$/gmu, "");
}
