/** A piece of the model's answer as a surface shows it. */
export type AnswerPart =
  | { readonly kind: "text"; readonly text: string }
  /** `[n]` in the answer, where there is such a fact. */
  | { readonly kind: "reference"; readonly number: number }
  /** The model found that the facts do not answer the question. */
  | { readonly kind: "uncovered" };

const uncoveredWord = "NOTHING-SAVED";

/** Longest run kept back: a reference list such as `[12, 13]` or a fence of backticks that may still go on. */
const maxKeptBack = 24;

/**
 * Reads an answer as it streams: finds the references outside of code, takes images out (a picture's address can carry
 * data away), and says when the model found nothing. Pieces come out in order and nothing is lost.
 */
export class AnswerReader {
  readonly #facts: number;
  #rest = "";
  #begun = false;
  /** The backticks or tildes that opened the code we are in. */
  #code = "";
  #atLineStart = true;

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
        this.#rest = start.slice(uncoveredWord.length).replace(/^[*_`.:\s]+/, "");
      }
    }
    let plain = "";
    const flush = (): void => {
      if (plain !== "") parts.push({ kind: "text", text: plain });
      plain = "";
    };
    while (this.#rest !== "") {
      const found = this.#next(last);
      if (found === undefined) break;
      if (typeof found === "string") plain += found;
      else {
        flush();
        parts.push(...found);
      }
    }
    flush();
    return parts;
  }

  /** Takes the next piece off the rest: text, or references. `undefined`: more must come first. */
  #next(last: boolean): string | AnswerPart[] | undefined {
    const rest = this.#rest;
    const special = this.#code === "" ? rest.search(/[`~[!]/) : rest.search(/[`~]/);
    if (special !== 0) return this.#take(special === -1 ? rest.length : special);
    const open = !last && rest.length < maxKeptBack;
    const run = /^(?:`+|~+)/.exec(rest)?.[0];
    if (run !== undefined) {
      if (open && run.length === rest.length) return undefined;
      this.#mark(run);
      return this.#take(run.length);
    }
    if (rest.startsWith("!")) {
      if (open && rest.length === 1) return undefined;
      // `![` becomes `[`: what was a picture is a link that a person may follow or not.
      if (rest[1] === "[") this.#rest = rest.slice(1);
      else return this.#take(1);
      return "";
    }
    const reference = /^\[(\d{1,2}(?:\s*[,;]\s*\d{1,2})*)\](?!\()/.exec(rest);
    // `[1](` would be a link of the model's own: wait for the character after the bracket.
    if (open && /^\[[\d\s,;]*\]?$/.test(rest)) return undefined;
    const numbers = reference?.[1]?.split(/[,;]/).map(Number) ?? [];
    if (reference === null || !numbers.every((number) => number >= 1 && number <= this.#facts)) return this.#take(1);
    this.#rest = rest.slice(reference[0].length);
    this.#atLineStart = false;
    return numbers.map((number) => ({ kind: "reference", number }));
  }

  #take(length: number): string {
    const text = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    this.#atLineStart = /(?:^|\n)[ \t>]*$/.test(text) && (text.includes("\n") || this.#atLineStart);
    return text;
  }

  #mark(run: string): void {
    if (this.#code === "") {
      const fence = run.length >= 3 && this.#atLineStart;
      if (fence || run.startsWith("`")) this.#code = run;
      return;
    }
    const closes = this.#code.length >= 3 ? run.startsWith(this.#code) : run === this.#code;
    if (closes) this.#code = "";
  }
}
