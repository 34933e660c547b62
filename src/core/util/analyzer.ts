import { stem } from "./stem.ts";

/**
 * Turns text into search tokens, the same way for facts and for queries.
 *
 * A name of code gives itself, whole and lower-cased, then its parts: `fs.promises.readFile` gives
 * `fs.promises.readfile fs promises readfile read file`. English words are stemmed, stop words left out. Tokens come in reading order with repeats.
 * Every token starts with `tokenMark`, so that no token is the name of a property (`constructor`, `__proto__`).
 */
export function analyze(text: string): string[] {
  const tokens: string[] = [];
  collect(text, tokens, true);
  // A text of stop words alone ("how to", `this`, "if") is still worth a search.
  if (tokens.length === 0) collect(text, tokens, false);
  return tokens;
}

/** Changes whenever the same text may give other tokens: an index made by another version is rebuilt. */
export const analyzerVersion = 2;

/** First character of every token. */
export const tokenMark = "=";

/** Longer names (a URL with a query, minified code, base64) give their parts only. */
const maxWholeLength = 80;
/** Longer parts are cut: nobody types them, and they would fill the dictionary. */
const maxPartLength = 40;

/**
 * English words that tell no two facts apart. Words that are also names in code or change the meaning
 * (`not`, `no`, `without`, `all`, `new`, `default`) are kept.
 */
const stopWords = new Set(
  (
    "a an and are as at be been being but by can cannot could did do does doing for from had has have how i if in into " +
    "is it its me my of on or our shall should so such than that the their them then there these they this those to " +
    "was we were what when where which who whom whose why will with would you your " +
    "can't couldn't didn't doesn't don't hasn't haven't i'm i've i'd isn't it's shouldn't that's there's wasn't won't " +
    "wouldn't you're what's"
  ).split(" "),
);

const cjk = "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}";
const letters = `(?:(?![${cjk}])[\\p{L}\\p{N}\\p{M}_])+`;
/** What joins the words of one name: `a.b`, `a::b`, `a/b`, `node:fs`, `a->b`, `no-verify`, `Class#method`, `don't`. */
const joint = "(?:\\.|::?|/|->|-|#|['’])";

/** A name or word. A sign in front counts only where a name starts: the dash of `a --b` but not of `a--b`. */
function nameOf(word: string, start: string): string {
  return `(?:${start}(?:--?|@|\\.|\\$))?${word}(?:${joint}@?${word})*(?:\\+\\+|#(?![\\p{L}\\p{N}_])|#$)?`;
}

const asciiName = new RegExp(
  nameOf("[A-Za-z0-9_]+", "(?<![A-Za-z0-9_.\\-@$])").replaceAll("\\p{L}\\p{N}", "A-Za-z0-9"),
  "g",
);
const anyName = new RegExp(`[${cjk}]+|${nameOf(letters, "(?<![\\p{L}\\p{N}_.\\-@$])")}`, "gu");
const cjkRun = new RegExp(`^[${cjk}]`, "u");
const nonAscii = /[^\x00-\x7f]/u;

/** `1,000` and `1,000,000`, but not the list `1,2,3` or `10,20`. */
const groupedNumber = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,]*\d)/g;

function collect(text: string, tokens: string[], dropStopWords: boolean): void {
  const unicode = nonAscii.test(text);
  let normal = unicode ? text.normalize("NFKC") : text;
  if (normal.includes(",")) normal = normal.replace(groupedNumber, (number) => number.replaceAll(",", ""));
  for (const [name] of normal.matchAll(unicode ? anyName : asciiName)) {
    if (unicode && cjkRun.test(name)) collectPairs(name, tokens);
    else collectName(name, tokens, dropStopWords);
  }
}

/** Scripts without blanks between words: each two neighboring characters are a token. */
function collectPairs(run: string, tokens: string[]): void {
  const characters = Array.from(run);
  if (characters.length === 1) tokens.push(tokenMark + run);
  for (let i = 0; i + 1 < characters.length; i++) {
    tokens.push(tokenMark + (characters[i] ?? "") + (characters[i + 1] ?? ""));
  }
}

const sign = /^(?:--?|[@.$])/;
const possessive = /['’]s$/i;
/** Nothing to take apart: `queue`, `Queue`, `GET`, `404`. Most names of any text; the rest of the work is for the others. */
const simple = /^(?:[A-Z]?[a-z]+|[A-Z]+|\d+)$/;
const numeric = /^\d+(?:\.\d+)*$/;
const joints = /::?|->|[./\-#'’@$]+/;

function collectName(found: string, tokens: string[], dropStopWords: boolean): void {
  const name = found.includes("'") || found.includes("’") ? found.replaceAll("’", "'").replace(possessive, "") : found;
  const whole = name.toLowerCase();
  if (dropStopWords && stopWords.has(whole)) return;
  if (simple.test(name)) {
    tokens.push(tokenOf(whole.slice(0, maxPartLength)));
    return;
  }
  const seen = new Set<string>();
  const add = (part: string): void => {
    if (part === "" || seen.has(part)) return;
    seen.add(part);
    push(part, tokens);
  };
  if (whole.length <= maxWholeLength) add(whole);
  if (numeric.test(whole)) return;
  const bare = name.replace(sign, "");
  if (bare.length <= maxWholeLength) add(bare.toLowerCase());
  const addPart = (part: string): void => {
    const lower = part.toLowerCase();
    // A single letter inside a name (`x.y`, `e.g.`) says nothing; standing alone it can be a language (C, R).
    if (lower.length > 1 && !(dropStopWords && stopWords.has(lower))) add(lower);
  };
  for (const segment of segmentsOf(bare.replace(/(?:\+\+|#)$/, ""))) {
    addPart(segment);
    for (const part of partsOf(segment)) addPart(part);
  }
}

/** The names between the joints; the digits of a version stay together: `python-3.11` gives `python` and `3.11`. */
function segmentsOf(name: string): string[] {
  const version = /^(.*?)(\d+(?:\.\d+)+)$/.exec(name);
  if (version === null) return name.split(joints);
  return [...(version[1] ?? "").split(joints), version[2] ?? ""];
}

const caseBorder = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const trailingDigits = /^(\p{L}{3,})\d+$/u;

/** The parts of a camelCase or snake_case name; `python3` also gives `python`. */
function* partsOf(segment: string): Generator<string> {
  if (/^\d{1,3}(?:_\d{3})+$/.test(segment)) yield segment.replaceAll("_", "");
  for (const word of segment.split(/_+/)) {
    yield word;
    for (const part of word.split(caseBorder)) {
      yield part;
      yield trailingDigits.exec(part)?.[1] ?? "";
    }
  }
}

/** Marks on Latin and Greek letters; in other scripts they make another letter (`й` is not `и`). */
const marks = /(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;

/** Tokens of plain words, which are most of any text, so that each is stemmed once. */
const plainTokens = new Map<string, string>();
const maxPlainTokens = 20_000;

function tokenOf(word: string): string {
  let token = plainTokens.get(word);
  if (token === undefined) {
    token = tokenMark + stem(word);
    if (plainTokens.size >= maxPlainTokens) plainTokens.clear();
    plainTokens.set(word, token);
  }
  return token;
}

/** A word with diacritics gives itself and its folded form: `naïve` is found by `naive` and the other way round. */
function push(word: string, tokens: string[]): void {
  const cut = word.length > maxPartLength && !joints.test(word) ? word.slice(0, maxPartLength) : word;
  tokens.push(tokenOf(cut));
  if (!nonAscii.test(cut)) return;
  const folded = cut.normalize("NFD").replace(marks, "").normalize("NFC");
  if (folded !== cut && folded !== "") tokens.push(tokenOf(folded));
}
