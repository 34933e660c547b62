/**
 * Markdown of a page or a model as Markdown that does nothing by itself: no picture is fetched, no HTML is rendered, and
 * a link leads to the web, to mail or within the text. Every surface that renders text from outside goes through here.
 */
import { linesOf, scan } from "./markdownScan.ts";
import type { Line } from "./markdownScan.ts";

/**
 * The same text for a reader, without anything active.
 *
 * Readers of Markdown differ in what they take for code, and what is code for one may be a picture for the next. So code
 * is written anew in the one form all of them read alike (fences at the line's start with marks longer than any inside,
 * inline code on one line), and outside of it every mark that could open a picture, a tag or a link to somewhere else is
 * escaped. Linear in the text.
 */
export function inertMarkdown(markdown: string): string {
  const text = markdown.replace(/\r\n?/gu, "\n").replaceAll("\0", "\uFFFD");
  const code = codeIn(text);
  const prose: string[] = [];
  let at = 0;
  for (const block of code) {
    prose.push(text.slice(at, block.start));
    at = block.end;
  }
  prose.push(text.slice(at));
  // Between dollar signs some readers see a formula, also where a part of it is code for us.
  const isMathRisky = /\$/u.test(prose.join("")) && hasActiveCode(text, code);
  let out = "";
  for (const [index, part] of prose.entries()) {
    const block = code[index];
    const written = inertProse(block === undefined ? part : part.replace(openMarks, ""), isMathRisky);
    if (index === 0) out = block === undefined ? written : written.trimEnd();
    else out += block === undefined ? written : written.trimEnd();
    if (block === undefined) continue;
    out += `${out === "" ? "" : "\n\n"}${fenced(block)}${/^\n\n/u.test(prose[index + 1] ?? "") ? "" : "\n"}`;
    if (!/^\n/u.test(prose[index + 1] ?? "") && prose[index + 1] !== "") out += "\n";
  }
  return out;
}

interface Code {
  readonly start: number;
  readonly end: number;
  readonly language: string;
  readonly content: string;
}

/** Marks of the list or quote that code stands in, in front of its first line. */
const openMarks = /(?:^|\n)[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t>]*)*$/u;
/** Deeper lists and quotes are written as prose: each level reads its lines again. */
const maxNesting = 24;

/** Code blocks in order, fenced and indented, also inside lists and quotes. */
function codeIn(text: string): Code[] {
  const found: Code[] = [];
  const visit = (lines: readonly Line[], depth: number): void => {
    for (const block of scan(text, lines)) {
      if (block.kind === "code") {
        const content = block.code.map(({ start, end, pad }) => " ".repeat(pad ?? 0) + text.slice(start, end));
        found.push({ start: block.start, end: block.end, language: block.language, content: content.join("\n") });
      } else if (depth < maxNesting) for (const inner of block.inner) visit(inner, depth + 1);
    }
  };
  visit(linesOf(text, { start: 0, end: text.length }), 0);
  return found;
}

function fenced({ language, content }: Code): string {
  const marks = "`".repeat(Math.max(3, longestRun(content) + 1));
  const name = /^[\w+#.-]{1,40}$/u.test(language) ? language : "";
  return `${marks}${name}\n${content}\n${marks}`;
}

function longestRun(content: string): number {
  let longest = 0;
  for (const [run] of content.matchAll(/`+/gu)) longest = Math.max(longest, run.length);
  return longest;
}

const tildes = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t>]+)*)(~{3,})/u;

/** What would be active if a reader took it for prose. */
const active = /[<\]]|!\[/u;

function hasActiveCode(text: string, code: readonly Code[]): boolean {
  if (code.some(({ content }) => active.test(content))) return true;
  return Array.from(text.matchAll(/`[^`\n]+`/gu)).some(([span]) => active.test(span));
}

function inertProse(prose: string, isMathRisky: boolean): string {
  return joinedCode(prose.split("\n").map(withoutDepth))
    .map((line) => inertLine(line, { isMathRisky, startsLine: true }))
    .join("\n");
}

/** A line without the marks of more than 24 nested quotes and lists: readers that call themselves for each level break. */
function withoutDepth(line: string): string {
  return line.replace(tooDeep, "$1").replace(/^([ \t]{100})[ \t]+/u, "$1");
}

const tooDeep =
  /^((?:[ \t]{0,8}(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){24})(?:[ \t]{0,8}(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/u;

/** Lines, with inline code that goes on in the next line joined on one: where a block begins is a reader's own opinion. */
function joinedCode(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    const open = last === undefined || last.length > maxJoined ? undefined : openRun(last);
    if (last !== undefined && open !== undefined && goesOn(line, open)) {
      joined[joined.length - 1] = `${last} ${line.trimStart()}`;
    } else joined.push(line);
  }
  return joined;
}

/** Characters of a line that inline code may still join. */
const maxJoined = 2_000;

/** Backticks of the first run in a line that no run of the same length closes. */
function openRun(line: string): number | undefined {
  if (!line.includes("`") || line.includes("|") || /^\s*#/u.test(line)) return undefined;
  const runs = Array.from(line.matchAll(/`+/gu), ([run]) => run.length);
  for (let at = 0; at < runs.length; at++) {
    const close = runs.indexOf(runs[at] ?? 0, at + 1);
    if (close < 0) return runs[at];
    at = close;
  }
  return undefined;
}

function goesOn(line: string, open: number): boolean {
  if (!/^ {0,3}[\p{L}(]/u.test(line) || line.includes("|")) return false;
  return Array.from(line.matchAll(/`+/gu)).some(([run]) => run.length === open);
}

interface Run {
  readonly at: number;
  readonly length: number;
}

/**
 * One line outside of code blocks, as inert Markdown.
 *
 * @param isMathRisky Whether to write dollar signs so that no reader sees a formula.
 * @param startsLine `false` for the rest of a line whose start is written.
 */
export function inertLine(
  line: string,
  { isMathRisky, startsLine }: { readonly isMathRisky: boolean; readonly startsLine: boolean },
): string {
  const closings = closingsOf(line);
  // A reader of tables cuts a row at its pipes before it looks for code.
  const isCutByPipes = [...closings].some(([at, { content }]) => at >= 0 && /(?<!\\)\|/u.test(content));
  // Some readers strike out from tilde to tilde, or read one as text together with the backtick after it.
  const hasActive = [...closings.values()].some(({ content }) => active.test(content));
  let out = "";
  let at = 0;
  const fence = startsLine ? tildes.exec(line) : null;
  if (fence !== null) {
    out = (fence[1] ?? "") + (fence[2] ?? "").replaceAll("~", entity);
    at = fence[0].length;
  }
  while (at < line.length) {
    marks.lastIndex = at;
    const next = marks.exec(line)?.index ?? line.length;
    out += line.slice(at, next);
    at = next;
    if (at >= line.length) break;
    const mark = line.charAt(at);
    if (mark === "\\") {
      // A backslash escapes a mark; before anything else it is itself.
      const escaped = line.charAt(at + 1);
      const isMark = /[!-/:-@[-`{-~]/u.test(escaped);
      if (!isMark) out += "\\";
      else
        out +=
          /[`<!]/u.test(escaped) || (escaped === "$" && isMathRisky) || (escaped === "~" && hasActive)
            ? entity(escaped)
            : `\\${escaped}`;
      at += isMark ? 2 : 1;
    } else if (mark === "`") {
      const span = closings.get(at);
      if (span !== undefined && !(active.test(span.content) && (isCutByPipes || isMisread(span.content, line, at)))) {
        out += codeSpan(span.content);
        at = span.end;
      } else {
        const { length } = /^`+/u.exec(line.slice(at, at + 1000))?.[0] ?? "`";
        out += entity("`").repeat(length);
        at += length;
      }
    } else if (mark === "$" || mark === "~") {
      out += (mark === "$" ? isMathRisky : hasActive) ? entity(mark) : mark;
      at++;
    } else {
      const [written, length] = inertMark(mark, line, at);
      out += written;
      at += length;
    }
  }
  return out;
}

/**
 * Whether a reader may take inline code for prose: a bare address in front swallows the backtick, and marks of emphasis
 * in code behind several backticks pair with marks outside.
 */
function isMisread(content: string, line: string, at: number): boolean {
  if (/~|\\$/u.test(content) || (content.includes("`") && /[*_]/u.test(content))) return true;
  const before = line.slice(Math.max(0, at - 2_000), at);
  return /\/\/|www\.|@|:/iu.test(before.slice(before.search(/\S*$/u)));
}

/** A mark as letters. A backslash would not do: at the end of a bare address it is a part of that. */
function entity(mark: string): string {
  return mark === "<" ? "&lt;" : `&#${mark.charCodeAt(0)};`;
}

const marks = /[\\`$<![\]~]/gu;

/** Inline code of a line by where its first backtick stands. */
function closingsOf(line: string): ReadonlyMap<number, { readonly content: string; readonly end: number }> {
  const found = new Map<number, { readonly content: string; readonly end: number }>();
  if (!line.includes("`")) return found;
  const runs: Run[] = Array.from(line.matchAll(/`+/gu), ({ index, 0: { length } }) => ({ at: index, length }));
  const byLength = new Map<number, number[]>();
  for (const [index, { length }] of runs.entries()) {
    const known = byLength.get(length);
    if (known === undefined) byLength.set(length, [index]);
    else known.push(index);
  }
  const passed = new Map<number, number>();
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index];
    if (run === undefined) break;
    if (isEscaped(line, run.at)) continue;
    const same = byLength.get(run.length) ?? [];
    let place = passed.get(run.length) ?? 0;
    while ((same[place] ?? Infinity) <= index) place++;
    passed.set(run.length, place);
    const close = same[place];
    const end = close === undefined ? undefined : runs[close];
    if (close === undefined || end === undefined) continue;
    found.set(run.at, { content: line.slice(run.at + run.length, end.at), end: end.at + end.length });
    index = close;
  }
  return found;
}

function isEscaped(line: string, at: number): boolean {
  let slashes = 0;
  while (line.charAt(at - 1 - slashes) === "\\") slashes++;
  return slashes % 2 === 1;
}

function codeSpan(content: string): string {
  const ticks = "`".repeat(longestRun(content) + 1);
  const isPadded = /^ .*[^ ].* $/u.test(content) || !/^`|`$/u.test(content);
  return isPadded ? `${ticks}${content}${ticks}` : `${ticks} ${content} ${ticks}`;
}

const webLink = /<https?:\/\/[^\s<>`\\]{1,2000}>/iuy;
const lineBreak = /<br ?\/?>/iuy;
const linkedPicture = /\[!\[([^[\]`\\<!]{0,500})\]\([^()\s]{0,2000}(?:[ \t]+"[^"]{0,500}")?\)\]/uy;
/** Where a link may lead: the web, mail, a place in the text, a relative path. Anything with another scheme is none. */
const target =
  /\](?:\(|:)[ \t]{0,20}<?(?:(?:https?:\/\/|mailto:|#)|\)|(?:\.{0,2}\/)?[\w\-.~%/]{1,2000}(?:[?#][^\s:&\\<>()]{0,2000})?(?:[ \t][^:&\\]{0,200})?\))/iuy;

/** A mark outside of code as it may stand, and how many characters of the line it stands for. */
function inertMark(mark: string, line: string, at: number): readonly [written: string, length: number] {
  const matches = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(line);
  };
  const next = line.charAt(at + 1);
  switch (mark) {
    case "<": {
      // At the line's start it would begin a block of HTML.
      const kept = matches(webLink) ?? (/[^\s>*+\-\d.)]/u.test(line.slice(0, at)) ? matches(lineBreak) : null);
      if (kept !== null) return [kept[0], kept[0].length];
      return [/[a-z/!?]/iu.test(next) || next === "" ? entity("<") : "<", 1];
    }
    case "!":
      // A picture becomes a link to it; `vec![1]` stays.
      if (next !== "[") return ["!", 1];
      if (line.charAt(at - 1) === "!") return [entity("!"), 1];
      return [/^!\[[^[\]]{0,500}\][([]/u.test(line.slice(at, at + 510)) ? "" : entity("!"), 1];
    case "[": {
      const badge = matches(linkedPicture);
      return badge === null ? ["[", 1] : [`[${badge[1] ?? ""}]`.slice(0, -1), badge[0].length - 1];
    }
    default:
      if (next !== "(" && next !== ":") return [mark, 1];
      if (next === ":" && !beginsLine(line, at)) return ["]", 1];
      return matches(target) === null ? [`]${entity(next)}`, 2] : ["]", 1];
  }
}

/** Whether the bracket closed at `at` was opened at the line's start, or in an earlier line: then it may define a link. */
function beginsLine(line: string, at: number): boolean {
  const open = line.indexOf("[");
  return open < 0 || open > at || !/[^\s>*+\-\d.)]/u.test(line.slice(0, Math.min(open, 100)));
}
