/**
 * Marks that stand in for Markdown while a block is written: whether `**` can be read as emphasis depends on what
 * comes before and after, so it is decided when the block is complete.
 */

// Noncharacters, which `cleanCharacters` takes out of page text.
export const emphasisOpen = "\uFDD0";
export const emphasisClose = "\uFDD1";
export const strongOpen = "\uFDD2";
export const strongClose = "\uFDD3";
export const strikeOpen = "\uFDD4";
export const strikeClose = "\uFDD5";
export const lineFeed = "\uFDD6";
export const codeBorder = "\uFDD7";
const markText: Readonly<Record<string, string>> = {
  [emphasisOpen]: "*",
  [emphasisClose]: "*",
  [strongOpen]: "**",
  [strongClose]: "**",
  [strikeOpen]: "~~",
  [strikeClose]: "~~",
};

/** Turns marks into Markdown where they would be read as such, and folds blanks. */
export function finish(text: string): string {
  const folded = moveBlanksOut(text.replace(/[ \t\n]+/gu, " "))
    .replace(new RegExp(` ?${lineFeed} ?`, "gu"), lineFeed)
    .replace(new RegExp(`^(?:${lineFeed}| )+|(?:${lineFeed}| )+$`, "gu"), "");
  const resolved = resolveMarks(joinCode(folded));
  return resolved
    .replace(new RegExp(`${lineFeed}{2,}`, "gu"), "\n\n")
    .replaceAll(lineFeed, "\n")
    .replace(/ {2,}/gu, " ")
    .trim();
}

/** Two code spans side by side would be read as one fence: they become one span. */
function joinCode(text: string): string {
  if (!text.includes(codeBorder)) return text;
  return text
    .replace(new RegExp("(?<!`)`(?!`)" + codeBorder + codeBorder + "`(?!`)", "gu"), "")
    .replace(new RegExp("`" + codeBorder + codeBorder + "`", "gu"), "` `")
    .replaceAll(codeBorder, "");
}

/** `<b>word </b>` is `**word** `. */
function moveBlanksOut(text: string): string {
  if (!/[\uFDD0-\uFDD5]/u.test(text)) return text;
  let moved = text;
  for (let round = 0; round < 4; round += 1) {
    const next = moved
      .replace(/([\uFDD0\uFDD2\uFDD4])([ \uFDD6]+)/gu, "$2$1")
      .replace(/([ \uFDD6]+)([\uFDD1\uFDD3\uFDD5])/gu, "$2$1");
    if (next === moved) break;
    moved = next;
  }
  return moved.replace(/ {2,}/gu, " ");
}

function resolveMarks(text: string): string {
  if (!/[\uFDD0-\uFDD5]/u.test(text)) return text;
  // Empty pairs and pairs that would touch (`**a****b**`) are no emphasis.
  const cleaned = text
    .replace(/\uFDD3\uFDD2|\uFDD1\uFDD0|\uFDD5\uFDD4/gu, "")
    .replace(/\uFDD0\uFDD1|\uFDD2\uFDD3|\uFDD4\uFDD5/gu, "");
  const characters = Array.from(cleaned);
  const keep = new Map<number, string>();
  const stack: { readonly mark: string; readonly at: number; readonly isGood: boolean }[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const mark = characters[at] ?? "";
    if (mark < emphasisOpen || mark > strikeClose || mark.length !== 1) continue;
    const isOpen = mark === emphasisOpen || mark === strongOpen || mark === strikeOpen;
    const before = neighbor(characters, at, -1);
    const after = neighbor(characters, at, 1);
    if (isOpen) {
      stack.push({ mark, at, isGood: flanks(before, after) });
      continue;
    }
    const opened = stack.pop();
    if (opened === undefined) continue;
    if (opened.isGood && flanks(after, before)) {
      keep.set(opened.at, markText[opened.mark] ?? "");
      keep.set(at, markText[mark] ?? "");
    }
  }
  return characters
    .map((character, at) => (/^[\uFDD0-\uFDD5]$/u.test(character) ? (keep.get(at) ?? "") : character))
    .join("");
}

function neighbor(characters: readonly string[], at: number, step: 1 | -1): string {
  for (let index = at + step; ; index += step) {
    const character = characters[index];
    if (character === undefined) return " ";
    if (!/^[\uFDD0-\uFDD5]$/u.test(character)) return character === lineFeed ? " " : character;
  }
}

/** CommonMark's flanking rule: inside must not be blank; beside a mark inside there must be a blank or mark outside. */
function flanks(outside: string, inside: string): boolean {
  if (/\s/u.test(inside)) return false;
  if (!/[\p{P}\p{S}]/u.test(inside)) return true;
  return /[\s\p{P}\p{S}]/u.test(outside);
}
