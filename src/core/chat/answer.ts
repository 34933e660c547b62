import { inertLine } from "../util/inertMarkdown.ts";

/** A piece of the model's answer as a surface shows it. */
export type AnswerPart =
  | { readonly kind: "text"; readonly text: string }
  /** `[n]` in the answer, where there is such a fact. */
  | { readonly kind: "reference"; readonly number: number }
  /** The model found that the facts do not answer the question. */
  | { readonly kind: "uncovered" };

const uncoveredWord = "NOTHING-SAVED";

/**
 * Reads an answer as it streams: finds the references outside of code, makes the rest inert Markdown (a model repeats what
 * pages tell it to), and says when the model found nothing. Parts come out in order, a sentence or a line at a time; what
 * could still become code or a link waits for its end.
 */
export class AnswerReader {
  readonly #facts: number;
  #rest = "";
  #begun = false;
  /** Whether the marks around the word that said so are still to come. */
  #skipsMarks = false;
  /** The marks that opened the fence we are in, and the columns it is indented by. */
  #fence: { readonly marks: string; readonly indent: number } | undefined;
  #startsLine = true;

  /** @param facts How many facts the answer may cite, numbered from 1. */
  constructor(facts: number) {
    this.#facts = facts;
  }

  push(text: string): AnswerPart[] {
    this.#rest += text;
    return this.#read(false);
  }

  end(): AnswerPart[] {
    return this.#read(true);
  }

  #read(last: boolean): AnswerPart[] {
    const parts: AnswerPart[] = [];
    if (!this.#begun) {
      const start = this.#rest.trimStart().replace(/^[*_`#\s]+/, "");
      if (
        !last &&
        start.length < uncoveredWord.length + 4 &&
        uncoveredWord.startsWith(start.slice(0, uncoveredWord.length))
      )
        return parts;
      this.#begun = true;
      if (start.startsWith(uncoveredWord)) {
        parts.push({ kind: "uncovered" });
        this.#rest = start.slice(uncoveredWord.length);
        this.#skipsMarks = true;
      }
    }
    if (this.#skipsMarks) {
      this.#rest = this.#rest.replace(/^[*_`.:\s]+/, "");
      this.#skipsMarks = this.#rest === "";
    }
    for (let end = this.#rest.indexOf("\n"); end >= 0; end = this.#rest.indexOf("\n")) {
      parts.push(...this.#line(this.#rest.slice(0, end)), { kind: "text", text: "\n" });
      this.#rest = this.#rest.slice(end + 1);
      this.#startsLine = true;
    }
    const ready = last ? this.#rest.length : this.#readyLength();
    if (ready > 0) {
      parts.push(...this.#line(this.#rest.slice(0, ready)));
      this.#rest = this.#rest.slice(ready);
      this.#startsLine = false;
    }
    return joined(parts);
  }

  /** How much of an unfinished line can be shown: up to a blank where no code, link or table row is open. */
  #readyLength(): number {
    const rest = this.#rest;
    if (this.#fence !== undefined || (this.#startsLine && /^[\s>\d*+\-.)]*(?:`|~|$)/u.test(rest))) return 0;
    const start = rest.slice(0, rest.lastIndexOf(" ") + 1);
    if (start.trim() === "" || /[|`\\]/u.test(start)) return 0;
    return isClosed(start, "[", "]") && isClosed(start, "(", ")") ? start.length : 0;
  }

  #line(line: string): AnswerPart[] {
    if (this.#fence !== undefined) return [{ kind: "text", text: this.#codeLine(line, this.#fence) }];
    const [, lead, marks, info] = (this.#startsLine ? fenceStart.exec(line) : null) ?? [];
    if (lead !== undefined && marks !== undefined && info !== undefined) {
      this.#fence = { marks, indent: lead.length };
      // At the line's start every reader takes it for a fence.
      return [{ kind: "text", text: marks + (/^[\w+#.-]{1,40}/u.exec(info.trim())?.[0] ?? "") }];
    }
    return this.#references(inertLine(line, { isMathRisky: true, startsLine: this.#startsLine }));
  }

  #codeLine(line: string, { marks, indent }: { readonly marks: string; readonly indent: number }): string {
    const blanks = /^[ \t>]*/u.exec(line)?.[0].length ?? 0;
    const code = line.slice(Math.min(indent, blanks));
    const run = /^ {0,3}(`+|~+)[ \t]*$/u.exec(code)?.[1];
    if (run?.startsWith(marks) !== true) return code;
    this.#fence = undefined;
    return run;
  }

  #references(inert: string): AnswerPart[] {
    const parts: AnswerPart[] = [];
    let at = 0;
    for (const match of inert.matchAll(codeOrReference)) {
      const numbers = match[2]?.split(/[,;]/u).map(Number) ?? [];
      if (numbers.length === 0 || !numbers.every((number) => number >= 1 && number <= this.#facts)) continue;
      parts.push({ kind: "text", text: inert.slice(at, match.index) });
      at = match.index + match[0].length;
      for (const number of numbers) parts.push({ kind: "reference", number });
    }
    return [...parts, { kind: "text", text: inert.slice(at) }];
  }
}

const fenceStart = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?=[^`]*$)|~{3,})(.*)$/u;
const codeOrReference = /(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)|\[(\d{1,2}(?:\s*[,;]\s*\d{1,2})*)\](?!\()/gu;

function isClosed(text: string, open: string, close: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === open) depth++;
    else if (character === close && depth > 0) depth--;
  }
  return depth === 0;
}

/** Pieces of text beside each other as one. */
function joined(parts: readonly AnswerPart[]): AnswerPart[] {
  const all: AnswerPart[] = [];
  for (const part of parts) {
    const before = all.at(-1);
    if (part.kind === "text" && part.text === "") continue;
    if (part.kind === "text" && before?.kind === "text") {
      all[all.length - 1] = { kind: "text", text: before.text + part.text };
    } else all.push(part);
  }
  return all;
}
