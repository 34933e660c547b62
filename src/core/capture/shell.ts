import { attribute } from "./canonicalUrl.ts";
import { countWords } from "./words.ts";

/** What a page's HTML is made of, apart from its text. Read by regular expressions: a shell needs no tree. */
export interface HtmlSigns {
  /** Words a reader without JavaScript sees, navigation included. */
  readonly visibleWords: number;
  readonly scripts: number;
  /** A container that scripts fill (`<div id="root">`, `<app-root>`) and that holds nothing. */
  readonly emptyRoot: boolean;
  /** Text of all `<noscript>` elements. */
  readonly noscript: string;
  readonly frames: boolean;
  /** Target of a `<meta http-equiv=refresh>`. */
  readonly refresh: string | undefined;
  readonly passwordField: boolean;
  /** A form that asks who you are: a field for a user name or e-mail address, or an action such as `/login`. */
  readonly loginForm: boolean;
  readonly title: string;
  /** Texts of the h1 elements, at most three. */
  readonly headings: readonly string[];
}

export function htmlSigns(html: string): HtmlSigns {
  const noscript: string[] = [];
  const markup = html
    .replace(/<!--[^]*?-->/gu, "")
    .replace(/<(script|style|template|svg)\b[^>]*>[^]*?<\/\1\s*>/giu, (element) =>
      /^<script/iu.test(element) ? "<script></script>" : "",
    )
    .replace(/<noscript\b[^>]*>([^]*?)<\/noscript\s*>/giu, (_, inner: string) => {
      noscript.push(textOf(inner));
      return "";
    });
  const body = /<body\b[^>]*>([^]*)/iu.exec(markup)?.[1] ?? markup.replace(/<head\b[^]*?<\/head\s*>/iu, "");
  const inputs = [...body.matchAll(/<input\b[^>]{0,1000}>/giu)].map(([tag]) => tag);
  return {
    visibleWords: countWords(textOf(body)),
    scripts: markup.match(/<script>/gu)?.length ?? 0,
    emptyRoot: emptyRoot.test(body),
    noscript: noscript.join(" ").trim(),
    frames: /<frameset\b/iu.test(markup) || (/<iframe\b/iu.test(body) && countWords(textOf(body)) < 5),
    refresh: metaRefresh(markup),
    passwordField: inputs.some((tag) => attribute(tag, "type")?.toLowerCase() === "password"),
    loginForm:
      inputs.some(asksWhoYouAre) ||
      /<form\b[^>]*\baction\s*=\s*["']?[^"'>]*(?:log-?in|sign-?in|session|sso|saml|oauth)/iu.test(body),
    title: textOf(/<title\b[^>]*>([^]*?)<\/title\s*>/iu.exec(markup)?.[1] ?? ""),
    headings: [...body.matchAll(/<h1\b[^>]*>([^]*?)<\/h1\s*>/giu)].slice(0, 3).map((match) => textOf(match[1] ?? "")),
  };
}

/** The usual names of the element that a framework fills: React, Vue, Next, Nuxt, Gatsby, Svelte, Angular, docsify, Ember. */
const emptyRoot =
  /<(div|main|section)\b[^>]*\bid\s*=\s*["']?(?:root|app|main|application|app-root|app-container|__next|__nuxt|__layout|___gatsby|gatsby-focus-wrapper|__docusaurus|svelte|react-root|react-app|ember-app|swagger-ui|redoc-container|container)["']?[^>]*>\s*(?:<[a-z]+\b[^>]*>\s*){0,3}(?:(?:loading|please wait|laden|chargement|cargando|загрузка)[\s.…]*)?(?:<\/[a-z]+>\s*){0,3}<\/\1\s*>|<((?!no)[a-z][a-z0-9]*-[a-z0-9-]*)\b[^>]*>\s*(?:loading[\s.…]*)?<\/\2\s*>|<redoc\b[^>]*>\s*<\/redoc>/iu;

function asksWhoYouAre(tag: string): boolean {
  const type = attribute(tag, "type")?.toLowerCase() ?? "text";
  if (type !== "text" && type !== "email" && type !== "tel") return false;
  const names = `${attribute(tag, "name") ?? ""} ${attribute(tag, "id") ?? ""} ${attribute(tag, "autocomplete") ?? ""}`;
  return /\b(?:user_?name|user_?id|login|email|e-mail|identifier|account)\b/iu.test(names);
}

/** The target of a refresh within ten seconds: older sites redirect that way. */
export function metaRefresh(markup: string): string | undefined {
  for (const [tag] of markup.matchAll(/<meta\b[^>]{0,2000}>/giu)) {
    if (attribute(tag, "http-equiv")?.toLowerCase() !== "refresh") continue;
    const match = /^\s*(\d*)(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/iu.exec(attribute(tag, "content") ?? "");
    if (match !== null && Number(match[1]) <= 10) return match[2]?.trim();
  }
  return undefined;
}

/** Visible text of markup, roughly: tags out, the commonest character references resolved. */
export function textOf(markup: string): string {
  return markup
    .replace(/<[^>]*>/gu, " ")
    .replace(/&nbsp;|&#160;/giu, " ")
    .replace(/&amp;/giu, "&")
    .replace(/&#0?39;|&apos;|&rsquo;/giu, "'")
    .replace(/&[a-z]+;|&#\w+;/giu, " ")
    .replace(/\s+/gu, " ")
    .trim();
}
