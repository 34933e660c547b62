import { append } from "../util/append.ts";
import { codeBlocks } from "../util/markdown.ts";
import { sentences } from "../util/sentences.ts";

/** Contents of inline code, in order, without the padding blank of double backticks. */
export function inlineCodesOf(markdown: string): string[] {
  const codes: string[] = [];
  for (const [, marks, code] of markdown.matchAll(inlineCode)) {
    if (code === undefined || marks === undefined) continue;
    codes.push(marks.length > 1 ? code.trim() : code);
  }
  return codes;
}

const inlineCode = /(?<!`)(`{1,3})(?!`)([^\n]*?[^`\n])\1(?!`)/gu;

/** A text's sentences outside its code fences, without list and heading marks. A table row is one sentence. */
export function sentencesOf(markdown: string): string[] {
  const found: string[] = [];
  let at = 0;
  const add = (prose: string) => {
    for (const line of prose.split("\n")) {
      const content = line.replace(/^[\s>]*(?:[-*+]|\d+[.)]|#{1,6})?\s+/u, "").trim();
      if (content === "" || /^[|:\s-]+$/u.test(content)) continue;
      if (content.startsWith("|")) found.push(content);
      else
        append(
          found,
          sentences(content).map(({ start, end }) => content.slice(start, end).trim()),
        );
    }
  };
  for (const fence of codeBlocks(markdown)) {
    add(markdown.slice(at, fence.start));
    at = fence.end;
  }
  add(markdown.slice(at));
  return found;
}
