type Note = (what: string, text: string) => void;

/**
 * Markdown between fences with the marks of site generators rewritten: containers become bold labels, tags that carry a
 * title become it, comments, imports and shortcodes go.
 */
export function markdownProse(prose: string, note: Note): string {
  const drop =
    (what: string) =>
    (found: string): string => {
      note(what, found);
      return "";
    };
  const held: string[] = [];
  return prose
    .replace(/[\uE000\uE001]/gu, "")
    .replace(
      /(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[^]){0,2000}?[^`]\1(?!`)/gu,
      (code) => `\uE000${held.push(code) - 1}\uE001`,
    )
    .replace(/<!--[^]*?-->/gu, drop("comment"))
    .replace(/\{\/\*[^]*?\*\/\}/gu, drop("comment"))
    .replace(
      /^(?:import\s[^\n]*\sfrom\s*["'][^"'\n]*["'];?|import\s+["'][^"'\n]*["'];?|export\s+(?:const|default|function)\s[^\n]*)$/gmu,
      drop("script"),
    )
    .replace(/\{%[^%\n]*%\}|\{\{[<%][^\n]*?[%>]\}\}|\{:[ \t]*[.#][^}\n]*\}/gu, drop("shortcode"))
    .replace(/\[?!\[[^\]\n]*\]\([^)\n]*(?:shields\.io|badge)[^)\n]*\)(?:\]\([^)\n]*\))?/giu, drop("badge"))
    .replace(
      /^([ \t]*):{3,}[ \t]*(\w[\w-]*)[ \t]*(?:\[([^\]\n]*)\]|(?:\{[^}\n]*\})?[ \t]*([^\n]*))$/gmu,
      (_, indent: string, kind: string, inBrackets?: string, after?: string) =>
        `${indent}**${inBrackets ?? (after === undefined || after === "" ? label(kind) : after)}**\n`,
    )
    .replace(/^[ \t]*:{3,}[ \t]*$/gmu, "")
    .replace(
      /^([ \t]*)(?:!!!|\?\?\?\+?)[ \t]+(\w+)[^"\n]*(?:"([^"\n]*)")?[ \t]*\n((?:[ \t]*\n|\1(?: {4}|\t)[^\n]*(?:\n|$))*)/gmu,
      (_, indent: string, kind: string, title: string | undefined, body: string) =>
        `${indent}**${title ?? label(kind)}**\n\n${outdent(body)}`,
    )
    .replace(/^[ \t]*===[+!]?[ \t]+"([^"\n]+)"[ \t]*$/gmu, "**$1**")
    .replace(/^([ \t]*>[ \t]*)\[!(\w+)\][ \t]*$/gmu, (_, mark: string, kind: string) => `${mark}**${label(kind)}**`)
    .replace(/^[?!]>[ \t]*/gmu, "> ")
    .replace(/<sup>([^<]{1,40})<\/sup>/giu, "^$1")
    .replace(/<(?:br|hr)\s*\/?>/giu, " ")
    .replace(/<img\b[^<>]*?\balt=["']([^"']*)["'][^<>]*>/giu, "$1")
    .replace(/<a\b[^<>]*?\bhref=["']([^"']*)["'][^<>]*>([^<]*)<\/a>/giu, "[$2]($1)")
    .replace(/<summary>([^]*?)<\/summary>/giu, "\n**$1**\n")
    .replace(
      /<[A-Za-z][\w.]*\b[^<>]*?\b(?:title|label|header|summary|path|name)=["']([^"'\n]+)["'][^<>]*>/gu,
      "\n**$1**\n",
    )
    .replace(/<\/?(?:[A-Z][\w.]*|details|kbd|div|span|p|center|b|i|u|small|sub|figure|figcaption|a|img)\b[^<>]*>/gu, "")
    .replace(/\uE000(\d+)\uE001/gu, (_, index: string) => held[Number(index)] ?? "");
}

function label(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase();
}

function outdent(body: string): string {
  return body.replace(/^(?: {4}|\t)/gmu, "");
}
