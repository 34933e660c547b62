/**
 * Keeps text that is addressed to assistants out of a cleaned page and tells where the page had it: in its text, in its
 * particulars, and where readers do not look (comments, attributes, metadata, parts that are never shown).
 */
import type { CapturedPage, CleanPage, LeftOut } from "../types.ts";
import { isAddressed } from "../util/addressed/addressed.ts";
import { addressedKind, withoutAddressed } from "../util/addressed/removal.ts";
import { smuggledTexts } from "../util/addressed/encoded.ts";
import { createRemovals } from "./removals.ts";
import { attribute, countWords, descendants, find, plainText } from "./tree.ts";
import type { ElementNode } from "./tree.ts";
import type { Removals } from "./removals.ts";

/** A cleaned page without text addressed to assistants; `leftOut` begins with what there was of it. */
export function withoutAddressedText(cleaned: CleanPage, captured: CapturedPage): CleanPage {
  const { text, removed } = withoutAddressed(cleaned.text);
  const found = createRemovals();
  for (const piece of removed) found.note(addressedKind, piece);
  for (const piece of unseenTexts(captured)) if (isAddressed(piece, "unseen")) found.note(addressedKind, piece);
  const { title, description, site, ...rest } = cleaned;
  const keep = (particular: string | undefined): string | undefined => {
    if (particular === undefined || !isAddressed(particular, "unseen")) return particular;
    found.note(addressedKind, particular);
    return undefined;
  };
  const kept = { title: keep(title), description: keep(description), site: keep(site) };
  const already = cleaned.leftOut.filter(({ what }) => what === addressedKind);
  const entries = [...found.list(), ...already.filter((entry) => !isTold(found.list(), entry))];
  return {
    ...rest,
    title: kept.title ?? (/^#{1,6} (.+)$/mu.exec(text)?.[1] || captured.url),
    text: visible(text),
    leftOut: [...entries, ...cleaned.leftOut.filter(({ what }) => what !== addressedKind)],
    ...(kept.description === undefined ? {} : { description: kept.description }),
    ...(kept.site === undefined ? {} : { site: kept.site }),
  };
}

function isTold(entries: readonly LeftOut[], { excerpt }: LeftOut): boolean {
  const start = excerpt.slice(0, 40);
  return entries.some((entry) => entry.excerpt.startsWith(start));
}

/** Without characters that spell an invisible text: no reader would miss them. Flags of regions in emoji stay. */
function visible(text: string): string {
  if (!/[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]/u.test(text)) return text;
  return text.replace(/(\u{1F3F4}[\u{E0020}-\u{E007F}]{1,7})|(?:[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}])+/gu, "$1");
}

/** Shorter texts hold no order, characters. */
const minLength = 12;
/** A page of a million attributes must not take seconds: this many characters are looked at, the longest texts last. */
const maxLooked = 2_000_000;

/** What a page says where nobody sees it. */
function unseenTexts({ content, format }: CapturedPage): string[] {
  const texts: string[] = [];
  let looked = 0;
  const add = (text: string | undefined): void => {
    if (text === undefined || text.length < minLength || looked > maxLooked) return;
    looked += text.length;
    texts.push(text);
  };
  for (const { text } of smuggledTexts(content)) add(text);
  if (format === "text") return texts;
  eachBetween(content, "<!--", "-->", add);
  eachBetween(content, "{/*", "*/}", format === "markdown" ? add : () => undefined);
  // `[//]: # (a comment)` and titles of links.
  if (format === "markdown") {
    for (const [, comment] of content.matchAll(/^\[[^\]\n]{1,80}\]:[ \t]*#[ \t]*[("'](.{1,2000})[)"'][ \t]*$/gmu))
      add(comment);
    for (const [, front] of content.matchAll(/^(?:---|\+\+\+)[ \t]*\r?\n([^]{0,20000}?)\r?\n(?:---|\+\+\+)[ \t]*$/gu))
      add(front);
  }
  for (const [, address] of content.matchAll(/(?:(?:href|src)\s*=\s*["']?|\]\(\s*<?)(data:[^\s"'<>)]{12,50000})/giu))
    add(address);
  for (const match of content.matchAll(tellingAttribute)) add(decoded(match[1] ?? match[2] ?? ""));
  for (const name of ["template", "noscript", "noframes", "object", "iframe", "title"])
    for (const match of content.matchAll(
      new RegExp(`<${name}\\b[^>]{0,2000}>([^<]{${minLength},20000}(?:<(?!/?${name}\\b)[^<]{0,5000}){0,200})`, "giu"),
    ))
      add(decoded((match[1] ?? "").replace(/<[^<>]{0,500}>/gu, " ")));
  for (const match of content.matchAll(/<script\b[^>]{0,500}application\/ld\+json[^>]{0,500}>([^<]{1,100000})/giu))
    add(match[1]);
  return texts;
}

/** Attributes that hold words: what tools read aloud or show on demand, metadata, data of scripts. */
const tellingAttribute =
  /[\s"'](?:alt|title|aria-[a-z]+|placeholder|content|summary|label|value|longdesc|srcdoc|data-[\w-]+)\s*=\s*(?:"([^"]{12,20000})"|'([^']{12,20000})')/giu;

function decoded(text: string): string {
  return text.replace(/&(?:quot|#0*34);/giu, '"').replace(/&(?:apos|#0*39);/giu, "'");
}

function eachBetween(text: string, open: string, close: string, take: (text: string) => void): void {
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at)) {
    const end = text.indexOf(close, at + open.length);
    if (end < 0) return;
    take(text.slice(at + open.length, end));
    at = end + close.length;
  }
}

/** An element that is hidden and larger than this is folded content, of which only the telling sentences go. Words. */
const maxHiddenWords = 400;

/** Takes hidden elements out that are addressed to assistants: less is enough there than in text that is shown. */
export function dropHiddenAddressed(body: ElementNode, removals: Removals): void {
  for (const node of descendants(body)) {
    if (!isHidden(node) || find(node, (inner) => inner.tag === "h1") !== undefined) continue;
    const text = plainText(node);
    if (text.length < minLength || countWords(text) > maxHiddenWords) continue;
    if (isAddressed(text, "unseen")) removals.take(node, addressedKind);
  }
}

const hidingStyle =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0?(?:\.0\d*)?\s*(?:;|!|$|%)|font-size\s*:\s*(?:0|[12](?:\.\d+)?px|0?\.\d+(?:px|em|rem|pt))|(?:left|right|top|bottom|text-indent|margin-left|margin-top)\s*:\s*-\d{3,}|clip\s*:\s*rect\(\s*[01]|clip-path\s*:\s*(?:inset|circle)\(|(?:max-)?(?:height|width)\s*:\s*[01](?:px)?\s*(?:;|!|$)|transform\s*:[^;]*(?:scale\(\s*0|translate[xy]?\(\s*-\d{3,})|color\s*:\s*(?:#f{3,8}\b|#fefefe\b|white\b|transparent\b|rgba?\([^)]*,\s*0?(?:\.0\d*)?\s*\)|rgb\(\s*25[0-5]))/iu;
const hidingClass =
  /^(?:sr-only|visually-?hidden|screen-?reader(?:-text|-only)?|hidden|hide|d-none|invisible|is-hidden|u-hidden|offscreen|off-screen|opacity-0|a11y-hidden|ng-hide|display-none|text-transparent|text-white)$/u;

function isHidden(node: ElementNode): boolean {
  if (node.attributes.size === 0) return false;
  if (node.attributes.has("hidden") || attribute(node, "aria-hidden") === "true" || node.attributes.has("inert"))
    return true;
  for (const name of node.classes) if (hidingClass.test(name)) return true;
  const style = attribute(node, "style").slice(0, 2_000);
  return (
    (style !== "" && hidingStyle.test(style)) ||
    (node.tag === "font" && /^#?f{3,6}$|^white$/iu.test(attribute(node, "color")))
  );
}
