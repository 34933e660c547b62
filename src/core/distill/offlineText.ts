/** Markdown as words: what a reader sees of it, sentence by sentence. */
import { sentences } from "../util/sentences.ts";

// A target is never empty: `timer[Symbol.dispose]()` is code, not a link.
const linkOrImage = /!?\[((?:[^[\]]|\[[^\]]{0,200}\]){0,1000})\](?:\((?:[^()\\\n]|\\.|\([^()\n]*\))+\)|\[[^\]]*\])/gu;
const escaped = /\\([\\`*_{}[\]()#+\-.!<>|~$&:"'/@=])/gu;
const listMarker = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/u;

/** Visible text of a piece of Markdown on one line: marks and link targets removed, code kept in its ticks. */
export function readable(markdown: string): string {
  // Most cells and headings hold no mark at all.
  if (!/[#>*+\-`[<_\\¶]|^\s*\d/mu.test(markdown)) return markdown.replace(/\s+/gu, " ").trim();
  return markdown
    .replace(/^\s*#{1,6}\s+/gmu, "")
    .replace(/^\s*(?:>\s?)+/gmu, "")
    .replace(listMarker, "")
    .replace(linkOrImage, "$1")
    .replace(/(?<!\\)<\/?[a-zA-Z][^<>\n]{0,200}>|<!--.*?-->/gu, (tag) =>
      /^<(?:https?|[a-z]+[-_ ]?[a-z]*>$)/u.test(tag) ? tag : " ",
    )
    .split(/(`+[^`]*`+)/u)
    .map((part) => (part.startsWith("`") ? part : withoutEmphasis(part)))
    .join("")
    .replace(/\s+/gu, " ")
    .replace(/\s*¶\s*$/u, "")
    .trim();
}

function withoutEmphasis(text: string): string {
  return text
    .replace(/(?<!\\)\*{1,3}/gu, "")
    .replace(/(?<![\p{L}\p{N}\\_])_{1,2}(?=[^\s_])/gu, "")
    .replace(/(?<=[^\s_\\])_{1,2}(?![\p{L}\p{N}_])/gu, "")
    .replace(escaped, "$1");
}

/** As `readable`, without the ticks around code. */
export function plain(markdown: string): string {
  return readable(markdown).replace(/`+/gu, "").trim();
}

/** Sentences of a readable text, in order. */
export function sentencesOf(text: string): string[] {
  return sentences(text)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((sentence) => sentence !== "");
}

export function wordCount(text: string): number {
  return text.split(/\s+/u).filter((word) => word !== "").length;
}

/** Without its closing mark. */
export function withoutStop(sentence: string): string {
  return sentence.replace(/\s*[.:;!。]+["')\]]*$/u, "").trim();
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Bookkeeping between the words of a page: "Added in: v10.5.0", "Figure 5.1: …", "Defined in admin.ts:98". */
const meta =
  /^(?:added in|new in|changed in|since|deprecated since|available (?:since|in)|source(?: code)?|defined in|figure \d|table \d|listing \d|filename|stability|type|return type|section titled|import|inherited from|overrides|specified by|see also|history|version|implementation of|aliases?|tags?|category|file)\b/iu;

export function isMeta(sentence: string): boolean {
  return (meta.test(sentence) || /^(?:returns?|throws|raises):/iu.test(sentence)) && wordCount(sentence) <= 12;
}

const qualifiers =
  /^(?:(?:static|async|abstract|class|interface|function|method|property|event|module|macro|type|enum|struct|trait|coroutine|awaitable|exception|const|public|protected|def|fn)[:]?\s+|\(static\)\s*)+/iu;

/** A signature without the words that say what kind of thing it is: "class asyncio.Lock" as "asyncio.Lock". */
export function withoutQualifiers(signature: string): string {
  return signature.replace(qualifiers, "");
}

/** A heading that is a signature, an option or a dotted name, not a phrase. */
export function looksLikeName(heading: string): boolean {
  if (heading.length > 200) return false;
  const bare = withoutQualifiers(heading);
  return (
    /^[\w$.:#@/-]+[!?]?\(.*\)/u.test(bare) ||
    /^--?[a-z][\w-]*/u.test(bare) ||
    /^(?=\S*(?:_|\w\.\w|[a-z][A-Z]|::))[\w$.:#@-]+[!?]?$/u.test(bare)
  );
}

/** Headings that say nothing without the one above them. */
const generic =
  /^(?:examples?|usage|parameters?|arguments?|args|returns?|return values?|options?|notes?|see also|description|details?|overview|introduction|summary|synopsis|syntax|remarks?|values?|properties|methods?|fields?|attributes?|throws|raises|errors?|exceptions?|constructors?|functions?|members?|types?|configuration|settings?|commands?|reference|requirements|prerequisites|background|declaration|signature|source|implementation|caveats?|warnings?|limitations?|advanced|basics?|general|more|other|misc(?:ellaneous)?)$/iu;

export function isGeneric(heading: string): boolean {
  return generic.test(
    heading
      .replace(/^[\d.]+\s+/u, "")
      .replace(/[:.]$/u, "")
      .trim(),
  );
}
