/** Pages whose source is Markdown, MDX or plain text: what only a site generator reads goes or becomes plain Markdown. */
import type { CapturedPage, CleanPage } from "../types.ts";
import { blocks, codeBlocks, plainText } from "../util/markdown.ts";
import { cleanCharacters } from "./escape.ts";
import { outdentBodies } from "./markdownSourceIndented.ts";
import { markdownProse } from "./markdownSourceProse.ts";
import { closedNames } from "./markdownSourceTags.ts";
import { withoutBetween } from "./markdownSourceCuts.ts";
import { createRemovals } from "./removals.ts";
import type { Removals } from "./removals.ts";

export function cleanMarkdown(captured: CapturedPage): CleanPage {
  const source = cleanCharacters(captured.content.replace(/\r\n?/gu, "\n").replace(/^\uFEFF/u, ""));
  const removals = createRemovals();
  const { fields, body, raw } =
    captured.format === "text" ? { fields: noFields, body: source, raw: "" } : frontMatter(source);
  removals.note("front matter", raw);
  const text = captured.format === "text" ? body : rewritten(body, captured.url, removals);
  const headings = blocks(text).filter((block) => block.kind === "heading");
  const heading = headings.find((block) => block.depth === 1)?.title ?? "";
  const first = plainText(text.trimStart().split("\n", 1)[0] ?? "").slice(0, 120);
  const title = heading || (fields.get("title") ?? "") || (headings[0]?.title ?? "") || first || captured.url;
  const described = fields.get("description") ?? fields.get("summary");
  const version = fields.get("version");
  const date = fields.get("last_update") ?? fields.get("modified") ?? fields.get("lastmod") ?? fields.get("date");
  const modified = /^\d{4}-\d{2}-\d{2}/u.exec(date ?? "")?.[0];
  const titled = heading === "" && fields.has("title") ? `# ${title}\n\n${text.trimStart()}` : text;
  return {
    title,
    text: titled,
    coverage: coverageOf(body, titled),
    leftOut: removals.list(),
    ...(described === undefined || described === "" ? {} : { description: described }),
    ...(version === undefined || version === "" ? {} : { version }),
    ...(modified === undefined ? {} : { modified }),
  };
}

const noFields: ReadonlyMap<string, string> = new Map<string, string>();

/** The top-level `key: value` (YAML) or `key = value` (TOML) lines between the marks at the page's start. */
function frontMatter(source: string): { fields: ReadonlyMap<string, string>; body: string; raw: string } {
  const match = /^(?:---[ \t]*\n([^]*?)\n---|\+\+\+[ \t]*\n([^]*?)\n\+\+\+)[ \t]*(?:\n|$)/u.exec(source);
  const raw = match?.[1] ?? match?.[2] ?? "";
  // A rule at the start of a page is no front matter.
  if (match === null || !/^[\w-]+[ \t]*[:=]/mu.test(raw)) return { fields: noFields, body: source, raw: "" };
  const fields = new Map<string, string>();
  for (const [, key, value] of raw.matchAll(/^([\w-]+)[ \t]*[:=][ \t]*(.*)$/gmu)) {
    const quoted = /^(["'])(.*)\1$/u.exec((value ?? "").trim());
    const plain = quoted === null ? (value ?? "").replace(/\s+#.*$/u, "").trim() : (quoted[2] ?? "");
    if (key !== undefined && !/^[>|][+-]?$/u.test(plain)) fields.set(key.toLowerCase(), plain);
  }
  return { fields, body: source.slice(match[0].length), raw };
}

function rewritten(body: string, url: string, removals: Removals): string {
  const outdented = outdentBodies(body);
  const closed = closedNames(outdented);
  // Docusaurus reads `.md` as MDX, so closed components tell it as well as the name does.
  const isMdx = /\.mdx(?:[?#]|$)/iu.test(url) || [...closed].some((name) => /^[A-Z][a-z]/u.test(name));
  return outsideFences(outdented, (prose) =>
    markdownProse(prose, { closed, isMdx }, (what, found) => removals.note(what, found)),
  );
}

/** Rewrites what is not code; code stays as it is. */
function outsideFences(text: string, rewrite: (prose: string) => string): string {
  let out = "";
  let at = 0;
  for (const { start, end } of codeBlocks(text)) {
    const before = text.slice(at, start);
    const title = fenceTitle(text.slice(start, text.indexOf("\n", start)));
    const indent = /(?:^|\n)([ \t]*)$/u.exec(before.slice(-80))?.[1];
    const label = title === undefined || indent === undefined ? "" : `**${title}**\n\n${indent}`;
    out += rewrite(before) + label + text.slice(start, end);
    at = end;
  }
  return out + rewrite(text.slice(at));
}

/** The name a fence is shown under: `title="a.js"`, or a file's name after the language. */
function fenceTitle(line: string): string | undefined {
  const [, , info] = /^([`~])\1{2,}(?!\1)[ \t]*\S*[ \t]+(.{1,300})$/u.exec(line) ?? [];
  if (info === undefined) return undefined;
  const [, quoted] = /\b(?:title|filename|file|name)=["']([^"']+)["']/u.exec(info) ?? [];
  return quoted ?? /^[\w./-]*\.[A-Za-z]\w{0,9}(?=[ \t]|$)/u.exec(info)?.[0];
}

const word = /[\p{L}\p{N}]+/gu;

/** Words of the body that the text holds, 0..1; names of tags count as not kept. */
function coverageOf(body: string, text: string): number {
  const kept = new Map<string, number>();
  for (const [found] of text.matchAll(word)) kept.set(found, (kept.get(found) ?? 0) + 1);
  let all = 0;
  let held = 0;
  for (const [found] of withoutBetween(body, "<!--", "-->", () => undefined)
    .replace(/<\/?[A-Za-z][^<>]*>/gu, " ")
    .matchAll(word)) {
    all++;
    const left = kept.get(found) ?? 0;
    if (left > 0) held++;
    kept.set(found, left - 1);
  }
  return all === 0 ? 1 : held / all;
}
