import { attribute } from "./canonicalUrl.ts";
import { stripElements } from "./stripElements.ts";
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
  let scripts = 0;
  const markup = stripElements(html, ["script", "style", "template", "svg", "noscript", "noframes"], (name, inner) => {
    if (name === "script") scripts++;
    if (name === "noscript") noscript.push(textOf(inner));
    return "";
  });
  let title = "";
  const headless = stripElements(markup, ["title", "head"], (name, inner) => {
    title ||= name === "title" ? textOf(inner) : textOf(/<title\b[^<>]*>([^<]*)/iu.exec(inner)?.[1] ?? "");
    return "";
  });
  const body = headless.slice(Math.max(0, headless.search(/<body\b/iu)));
  const headings: string[] = [];
  stripElements(body, ["h1"], (_name, inner) => {
    headings.push(textOf(inner));
    return "";
  });
  const inputs = [...body.matchAll(/<input\b[^<>]{0,1000}>/giu)].map(([tag]) => tag);
  const visibleWords = countWords(textOf(body));
  return {
    visibleWords,
    scripts,
    emptyRoot: emptyRoot.test(body),
    noscript: noscript.join(" ").trim(),
    frames: /<frameset\b/iu.test(markup) || (/<iframe\b/iu.test(body) && visibleWords < 5),
    refresh: metaRefresh(markup),
    passwordField: inputs.some((tag) => attribute(tag, "type")?.toLowerCase() === "password"),
    loginForm: inputs.some(asksWhoYouAre) || loginAction.test(body),
    title: title.slice(0, 300),
    headings: headings.slice(0, 3),
  };
}

const loginAction =
  /<form\b[^<>]{0,500}?\saction\s*=\s*["']?[^"'<>]{0,300}?(?:log-?in|sign-?in|session|\bsso\b|saml|oauth)/iu;

/** The usual names of the element that a framework fills: React, Vue, Next, Nuxt, Gatsby, Svelte, Angular, docsify,
 * Ember; and custom elements that are named as an application, not as a widget of it. */
const emptyRoot =
  /<(div|main|section)\b[^<>]{0,500}\bid\s*=\s*["']?(?:root|app|main|application|app-root|app-container|__next|__nuxt|__layout|___gatsby|gatsby-focus-wrapper|__docusaurus|svelte|react-root|react-app|ember-app|swagger-ui|redoc-container|container)(?=["'\s>])[^<>]{0,500}>\s*(?:<[a-z]+\b[^<>]{0,500}>\s*){0,3}(?:(?:loading|please wait|laden|chargement|cargando|загрузка)[\s.…]*)?(?:<\/[a-z]+>\s*){0,3}<\/\1\s*>|<(redoc|(?:[a-z0-9]{1,30}-){0,3}(?:app|root|docs?|api|reference|viewer)(?:-[a-z0-9]{1,30}){0,3})(?=[\s>])[^<>]{0,500}>\s*(?:loading[\s.…]*)?<\/\2\s*>/iu;

function asksWhoYouAre(tag: string): boolean {
  const type = attribute(tag, "type")?.toLowerCase() ?? "text";
  if (type !== "text" && type !== "email" && type !== "tel") return false;
  const names = `${attribute(tag, "name") ?? ""} ${attribute(tag, "id") ?? ""} ${attribute(tag, "autocomplete") ?? ""}`;
  return /\b(?:user_?name|user_?id|login|email|e-mail|identifier|account)\b/iu.test(names);
}

/** The target of a refresh within ten seconds: older sites redirect that way. */
export function metaRefresh(markup: string): string | undefined {
  for (const [tag] of markup.matchAll(/<meta\b[^<>]{0,2000}>/giu)) {
    if (attribute(tag, "http-equiv")?.toLowerCase() !== "refresh") continue;
    const match = /^\s*(\d*)(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/iu.exec(attribute(tag, "content") ?? "");
    if (match !== null && Number(match[1]) <= 10) return match[2]?.trim();
  }
  return undefined;
}

/** Visible text of markup, roughly: tags out, the commonest character references resolved. */
export function textOf(markup: string): string {
  return markup
    .replace(/<[^<>]*>/gu, " ")
    .replace(/&nbsp;|&#160;/giu, " ")
    .replace(/&amp;/giu, "&")
    .replace(/&#0?39;|&apos;|&rsquo;/giu, "'")
    .replace(/&[a-z]+;|&#\w+;/giu, " ")
    .replace(/\s+/gu, " ")
    .trim();
}
