/** Escapes text so that Markdown renders the same letters. Escapes only where a mark would be read as one. */

/** Characters no page text needs: replaced before marks of our own (noncharacters) are put into it. */
const unwanted =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u200B\uFEFF\u00AD\uFDD0-\uFDEF\uFFFE\uFFFF\uE000-\uF8FF]/gu;
const loneSurrogate = /[\uD800-\uDFFF]/gu;

/** Control characters, zero-width marks and icon-font glyphs out, lone surrogates replaced. */
export function cleanCharacters(text: string): string {
  return text.replace(unwanted, "").replace(loneSurrogate, "\uFFFD");
}

/** As `cleanCharacters`, for code: non-breaking blanks become blanks, since a compiler rejects them. */
export function cleanCodeCharacters(text: string): string {
  return cleanCharacters(text.replace(/\r\n?/gu, "\n")).replace(/[\u00A0\u202F\u2007]/gu, " ");
}

const special = /[\\`*_<&[~|]/gu;
const wordCharacter = /[\p{L}\p{N}]/u;

/**
 * Escapes inline text.
 *
 * @param before The character the text follows, `""` at the start of a block.
 */
export function escapeInline(text: string, before = ""): string {
  // One tilde strikes nothing out; it takes two to pair.
  const hasPair = text.indexOf("~") !== text.lastIndexOf("~");
  return text.replace(special, (mark: string, at: number) => {
    const previous = at === 0 ? before : text.charAt(at - 1);
    const next = text.charAt(at + 1);
    return (mark === "~" ? hasPair : needsEscape(mark, previous, next, text, at)) ? `\\${mark}` : mark;
  });
}

function needsEscape(mark: string, previous: string, next: string, text: string, at: number): boolean {
  switch (mark) {
    case "\\":
      return next === "" || /[!-/:-@[-`{-~\n]/u.test(next);
    case "`":
      return true;
    case "*":
      return !(/^\s$/u.test(previous) && /^\s$/u.test(next) && at > 1);
    case "_":
      return !(wordCharacter.test(previous) && wordCharacter.test(next)) && !(previous === " " && next === " ");
    case "<":
      return next === "" || /[a-zA-Z/!?]/u.test(next);
    case "&":
      return /^&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z]\w{1,31});/u.test(text.slice(at, at + 36));
    case "[":
      return /^\[(?:\^|[^\]\n]{0,400}\](?:[([:]|$))/u.test(text.slice(at, at + 404));
    default:
      return false;
  }
}

/** Escapes what would start a block at the start of a line. */
export function escapeLineStart(line: string): string {
  return line
    .replace(/^(\s{0,3})(#{1,6}(?:\s|$)|>|[-+](?:\s|$)|[-=]+\s*$|~{3,}|\|)/u, "$1\\$2")
    .replace(/^(\s{0,3}\d{1,9})([.)])(?=\s|$)/u, "$1\\$2")
    .replace(/^(\s{0,3})(:?-{3,}:?\s*\|)/u, "$1\\$2");
}

/** Code in one line, with a fence longer than any run of backticks in it. */
export function codeSpan(code: string): string {
  const text = cleanCodeCharacters(code).replace(/\s*\n\s*/gu, " ");
  if (text.trim() === "") return text === "" ? "" : " ";
  const lead = /^ +/u.exec(text)?.[0] ?? "";
  const trail = /\s+$/u.exec(text)?.[0] ?? "";
  const core = text.slice(lead.length, text.length - trail.length);
  const fence = "`".repeat(longestRun(core, "`") + 1);
  const pad = core.startsWith("`") || core.endsWith("`") ? " " : "";
  return `${lead === "" ? "" : " "}${fence}${pad}${core}${pad}${fence}${trail === "" ? "" : " "}`;
}

/** A fenced code block. The fence is longer than any run of backticks in the code. */
export function codeFence(code: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(code, "`") + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    run = text.charAt(at) === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
