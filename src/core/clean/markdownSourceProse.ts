import { withoutActiveLinks, withoutBetween, withoutSilentElements } from "./markdownSourceCuts.ts";
import { rewriteTags } from "./markdownSourceTags.ts";

type Note = (what: string, text: string) => void;

export interface ProseContext {
  /** Names of tags that are closed somewhere on the page. */
  readonly closed: ReadonlySet<string>;
  /** Lines of `import` and `export` are script there, and text elsewhere. */
  readonly isMdx: boolean;
}

const esm =
  /^(?:import[ \t]+(?:(?:[\w$*, \t]|\{[^{}]{0,2000}\}){1,2000}[ \t]from[ \t]*)?["'][^"'\n]*["'];?[ \t]*|export[ \t]+(?:const|let|default|function|async)\b[^\n]*(?:\n[^\n]+)*)$/gmu;

/**
 * Markdown between fences with the marks of site generators rewritten: containers become bold labels, tags that carry a
 * title become it, comments, imports and shortcodes go.
 */
export function markdownProse(prose: string, { closed, isMdx }: ProseContext, note: Note): string {
  const drop =
    (what: string) =>
    (found: string): string => {
      note(what, found);
      return "";
    };
  const held: string[] = [];
  const withoutCode = prose
    .replace(/[\uE000\uE001]/gu, "")
    .replace(
      /(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[^]){0,2000}?[^`]\1(?!`)/gu,
      (code) => `\uE000${held.push(code) - 1}\uE001`,
    );
  const comment = drop("comment");
  const seen = withoutBetween(withoutBetween(withoutCode, "<!--", "-->", comment), "{/*", "*/}", comment);
  return withoutSilentElements(seen, drop("script"))
    .replace(esm, (found) => (isMdx ? drop("script")(found) : found))
    .replace(/\{%[^%\n]{0,2000}%\}|\{\{[<%][^\n{}]{0,2000}?[%>]\}\}|\{:[ \t]*[.#][^}\n]{0,500}\}/gu, (found) => {
      const visible = shortcodeText(found);
      return visible === "" ? drop("shortcode")(found) : `**${visible}**\n`;
    })
    .replace(
      /^([ \t]*):{3,}[ \t]*(\w[\w-]*)[ \t]*(?:\[([^\]\n]*)\]|(?:\{[^}\n]*\})?[ \t]*([^\n]*))$/gmu,
      (_, indent: string, kind: string, inBrackets?: string, after?: string) =>
        `${indent}**${inBrackets ?? (after === undefined || after === "" ? label(kind) : after)}**\n`,
    )
    .replace(/^[ \t]*:{3,}[ \t]*$/gmu, "")
    .replace(/^([ \t]*>[ \t]*)\[!(\w+)\][ \t]*$/gmu, (_, mark: string, kind: string) => `${mark}**${label(kind)}**`)
    .replace(/^[?!]>[ \t]*/gmu, "> ")
    .replace(/^[^]*$/u, (text) => withoutActiveLinks(rewriteTags(text, closed)))
    .replace(/\uE000(\d+)\uE001/gu, (_, index: string) => held[Number(index)] ?? "");
}

function label(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase();
}

/** What a shortcode shows of its arguments: a title or a tab's name. References and includes show nothing of their own. */
function shortcodeText(shortcode: string): string {
  const [, name, rest] = /^\{[{%][<%]?[ \t]*([\w/-]+)([^]*?)[%>]\}+$/u.exec(shortcode) ?? [];
  if (name === undefined || rest === undefined) return "";
  const named = /\b(?:title|header|label|caption|text|name|alt)=["']([^"'\n]+)["']/u.exec(rest)?.[1];
  if (named !== undefined && !/^(?:include|partial|link|raw)/u.test(name)) return named;
  return /tab|notice|callout|alert|admonition|details|expand|step|note|warning/iu.test(name)
    ? (/(?<!=)["']([^"'\n]+)["']/u.exec(rest)?.[1] ?? "")
    : "";
}
