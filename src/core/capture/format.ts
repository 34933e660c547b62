import type { PageFormat } from "../types.ts";

/**
 * What a text is, by what it looks like first and by what is said of it second: servers send Markdown as `text/plain`
 * and HTML as anything.
 *
 * @param contentType As declared, or `undefined`.
 * @param url For the extension of its path.
 */
export function sniffFormat(text: string, contentType: string | undefined, url: string | undefined): PageFormat {
  const start = text.slice(0, 20_000);
  if (isHtmlDocument(start)) return "html";
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const declared = declaredFormat(type, extensionOf(url));
  if (declared === "markdown") return "markdown";
  const markdown = markdownSigns(text.slice(0, 200_000));
  const tags = blockTags(start);
  if (declared === "html") return tags === 0 && markdown > 0 && !/<[a-z!/]/iu.test(start) ? "markdown" : "html";
  // A README may open with a centered logo in HTML and go on in Markdown.
  if (tags >= 2 && markdown < 2 && /^\s*<[a-z!]/iu.test(start)) return "html";
  if (hasFrontMatter(start) || markdown >= 2) return "markdown";
  return "text";
}

/** Whether a text is an HTML document, not Markdown with HTML in it. */
export function isHtmlDocument(text: string): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>]|<frameset[\s>])/iu.test(
    text,
  );
}

/** Whether a text opens with a YAML or TOML block of metadata. */
function hasFrontMatter(text: string): boolean {
  return /^(?:---[ \t]*\n(?:[^\n]*\n){0,200}?[\w-]+[ \t]*:[^]*?\n---[ \t]*(?:\n|$)|\+\+\+[ \t]*\n[^]*?\n\+\+\+[ \t]*(?:\n|$))/u.test(
    text,
  );
}

/** How many different Markdown constructs a text uses, 0..7. */
export function markdownSigns(text: string): number {
  const prose = text.replace(/^(`{3,}(?!`)|~{3,}(?!~))[^]*?^\1/gmu, "");
  const fence = /^ {0,3}(?:`{3,}|~{3,})[^`\n]{0,200}$/mu.test(text);
  const signs = [
    /^#{1,6} +\S/mu, // a heading; also a shell comment, so one sign is not enough
    /\[[^[\]\n]{1,300}\]\([^()\s]{1,500}(?: "[^"\n]{0,300}")?\)/u,
    /(?:^|\s)(?:\*\*|__)\S[^\n]{0,300}?(?:\*\*|__)/mu,
    /^\|? *:?-{3,}:? *\|/mu,
    /^(?:[-*+]|\d{1,3}\.) +\S[^\n]*\n(?:[-*+]|\d{1,3}\.) +\S/mu,
    /(?:^|[\s(])`[^`\n]{1,200}`/mu,
  ];
  return signs.filter((sign) => sign.test(prose)).length + (fence ? 1 : 0);
}

function blockTags(text: string): number {
  return (
    text.match(/<\/(?:p|div|section|article|main|h[1-6]|ul|ol|table|pre|nav|header|body|html)\s*>/giu)?.length ?? 0
  );
}

function declaredFormat(type: string, extension: string): PageFormat | undefined {
  if (/^text\/(?:x-)?(?:markdown|web-markdown|mdx)$/u.test(type)) return "markdown";
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (/^(?:md|mdx|markdown|mkd|mdown)$/u.test(extension)) return "markdown";
  if (type === "" && /^(?:html?|xhtml)$/u.test(extension)) return "html";
  return undefined;
}

function extensionOf(url: string | undefined): string {
  const path = url === undefined ? "" : URL.canParse(url) ? new URL(url).pathname : url;
  return /\.([a-z0-9]+)$/iu.exec(path)?.[1]?.toLowerCase() ?? "";
}
