/**
 * Whether a text holds a nugget: the short string that a correct answer must contain.
 *
 * A nugget of one word, or one with code marks in it, must occur as it is: case-insensitively, with no letter or digit
 * directly before or after, so that `3` does not match `30`. Markdown marks and the kind of quote are ignored.
 * A nugget of several plain words must have its content words, compared on their first five letters, in any order within
 * 25 consecutive words: a rewritten text need not keep the page's phrasing.
 */

/** A text made ready for many nuggets. */
export interface NuggetText {
  /** Lower case, without Markdown marks, one kind of quote, single blanks. */
  readonly plain: string;
  /** Positions (in words) of each word's first five letters, ascending. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
}

export type Nugget =
  | { readonly kind: "literal"; readonly text: string }
  /** Distinct first-five-letter stems of the content words. */
  | { readonly kind: "words"; readonly stems: readonly string[] };

const windowWords = 25;
const stemLength = 5;

export function compileNugget(nugget: string): Nugget {
  const words = wordsOf(nugget);
  if (words.length < 2 || !/\s/.test(nugget.trim()) || codeMarks.test(nugget)) {
    return { kind: "literal", text: plainOf(nugget) };
  }
  const content = words.filter((word) => !functionWords.has(word));
  return { kind: "words", stems: [...new Set((content.length === 0 ? words : content).map(stemOf))] };
}

/** Each form is made when the first nugget asks for it. */
export function nuggetText(text: string): NuggetText {
  let plain: string | undefined;
  let positions: ReadonlyMap<string, readonly number[]> | undefined;
  return {
    get plain() {
      return (plain ??= plainOf(text));
    },
    get positions() {
      return (positions ??= positionsOf(text));
    },
  };
}

export function holdsNugget(text: NuggetText, nugget: Nugget): boolean {
  return nugget.kind === "literal" ? occursWhole(text.plain, nugget.text) : occurTogether(text.positions, nugget.stems);
}

/** Share of the nuggets that the text holds; 0 when there are none. */
export function nuggetRecall(text: string, nuggets: readonly Nugget[]): number {
  if (nuggets.length === 0) return 0;
  const ready = nuggetText(text);
  return nuggets.filter((nugget) => holdsNugget(ready, nugget)).length / nuggets.length;
}

/** Brackets, operators, paths, flags and quoted parts: the spelling counts, not the words alone. */
const codeMarks = /[_(){}[\]<>=$`:/\\*#@|~+&%"]|'\S+'|(?:^|\s)--?\w|\w[.]\w/u;

/** The stop words of the corpus' own checker: words that carry no answer. */
const functionWords = new Set(
  (
    "a an and are as at be but by can could do does for from get has have how i if in into is it its my no not of " +
    "on one or our out should so some than that the their them then there they this to up use used using via was " +
    "we what when where which who why will with without would you your"
  ).split(" "),
);

function wordsOf(text: string): string[] {
  return (
    withoutMarks(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function positionsOf(text: string): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  wordsOf(text).forEach((word, position) => {
    const stem = stemOf(word);
    const known = positions.get(stem);
    if (known === undefined) positions.set(stem, [position]);
    else known.push(position);
  });
  return positions;
}

function stemOf(word: string): string {
  return word.slice(0, stemLength);
}

function plainOf(text: string): string {
  return withoutMarks(text)
    .toLowerCase()
    .replace(/[“”„«»"‘’‚]/gu, "'")
    .replace(/\s+/gu, " ")
    .trim();
}

/** Link targets, backslash escapes, emphasis and code marks go; underscores stay, since names hold them. */
function withoutMarks(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\]\([^)]*\)/gu, "]")
    .replace(/\\(?=[\p{P}\p{S}])/gu, "")
    .replace(/[*`]/gu, "");
}

function occursWhole(text: string, literal: string): boolean {
  if (literal === "") return false;
  for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + 1)) {
    if (
      !endsInWord(text.slice(Math.max(0, at - 2), at)) &&
      !beginsWithWord(text.slice(at + literal.length, at + literal.length + 2))
    ) {
      return true;
    }
  }
  return false;
}

function endsInWord(before: string): boolean {
  return /[\p{L}\p{N}]$/u.test(before);
}

function beginsWithWord(after: string): boolean {
  return /^[\p{L}\p{N}]/u.test(after);
}

/** Whether each stem has a place such that all places lie within `windowWords` consecutive words. */
function occurTogether(positions: ReadonlyMap<string, readonly number[]>, stems: readonly string[]): boolean {
  const places: { readonly position: number; readonly stem: number }[] = [];
  for (const [index, stem] of stems.entries()) {
    const found = positions.get(stem);
    if (found === undefined) return false;
    for (const position of found) places.push({ position, stem: index });
  }
  places.sort((a, b) => a.position - b.position);
  const last = new Array<number>(stems.length).fill(-Infinity);
  for (const { position, stem } of places) {
    last[stem] = position;
    if (position - Math.min(...last) < windowWords) return true;
  }
  return false;
}
