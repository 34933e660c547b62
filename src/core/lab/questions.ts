/**
 * An evaluation corpus as data: pages, and questions with gold evidence.
 *
 * The files come from outside, so they are unknown input: what is usable is returned, what is not is named.
 */

export const questionTypes = ["factoid", "analytical", "multihop", "none"] as const;
/** `none`: sounds on topic, but no page answers it. */
export type QuestionType = (typeof questionTypes)[number];

export const questionStyles = ["keyword", "question", "paraphrase", "symptom", "api-lookup"] as const;
export type QuestionStyle = (typeof questionStyles)[number];

export interface GoldPage {
  /** A `CorpusPage.id`. */
  readonly page: string;
  /** Verbatim visible text of the page, white space folded to one blank. */
  readonly evidence: readonly string[];
}

export interface Question {
  readonly id: string;
  readonly type: QuestionType;
  readonly style: QuestionStyle;
  readonly query: string;
  /** Empty for `none`. */
  readonly gold: readonly GoldPage[];
  /** Short strings that a correct answer holds. */
  readonly nuggets: readonly string[];
  /** One sentence in other words than the page's. */
  readonly answer: string;
}

/** One page of a corpus, as its manifest lists it. */
export interface CorpusPage {
  readonly id: string;
  /** Path inside the corpus folder. */
  readonly file: string;
  readonly url: string;
  readonly contentType: string;
  readonly charset: string;
}

export interface Parsed<T> {
  readonly entries: readonly T[];
  /** One sentence for each entry that was left out, with its place. */
  readonly problems: readonly string[];
}

/** @param jsonLines One question a line; empty lines are skipped. */
export function parseQuestions(jsonLines: string): Parsed<Question> {
  const lines = jsonLines.split("\n").map((line, index) => ({ line, at: `line ${index + 1}` }));
  return collect(
    lines.filter(({ line }) => line.trim() !== "").map(({ line, at }) => ({ value: parseJson(line), at })),
    questionOf,
  );
}

/** @param json A list of pages: `manifest.json` or `distractors.json` of a corpus. */
export function parseManifest(json: string): Parsed<CorpusPage> {
  const list = parseJson(json);
  if (!Array.isArray(list)) return { entries: [], problems: ["The manifest is not a list of pages."] };
  return collect(
    list.map((value: unknown, index) => ({ value, at: `entry ${index + 1}` })),
    corpusPageOf,
  );
}

function collect<T extends { readonly id: string }>(
  candidates: readonly { readonly value: unknown; readonly at: string }[],
  read: (value: unknown) => T | string,
): Parsed<T> {
  const entries = new Map<string, T>();
  const problems: string[] = [];
  for (const { value, at } of candidates) {
    const entry = read(value);
    if (typeof entry === "string") problems.push(`${at}: ${entry}`);
    else if (entries.has(entry.id)) problems.push(`${at}: the id ${entry.id} is used twice`);
    else entries.set(entry.id, entry);
  }
  return { entries: [...entries.values()], problems };
}

function questionOf(value: unknown): Question | string {
  if (!isRecord(value)) return "not a JSON object";
  const { id, type, style, query, gold, nuggets, answer } = value;
  if (!isText(id)) return "no id";
  if (!isOneOf(questionTypes, type)) return `${id} has an unknown type`;
  if (!isOneOf(questionStyles, style)) return `${id} has an unknown style`;
  if (!isText(query)) return `${id} has no query`;
  if (!Array.isArray(gold) || !gold.every(isGoldPage)) return `${id} has no list of gold pages with evidence`;
  if (!isTextList(nuggets)) return `${id} has no list of nuggets`;
  if (type === "none" ? gold.length > 0 : gold.length === 0)
    return `${id} of type ${type} has ${gold.length} gold pages`;
  return { id, type, style, query, gold, nuggets, answer: typeof answer === "string" ? answer : "" };
}

function corpusPageOf(value: unknown): CorpusPage | string {
  if (!isRecord(value)) return "not a JSON object";
  const { id, file, url, content_type: contentType, charset } = value;
  if (!isText(id)) return "no id";
  if (!isText(file) || !isText(url) || !isText(contentType)) return `${id} lacks its file, url or content_type`;
  if (file.startsWith("/") || file.split(/[/\\]/).includes("..")) return `${id} names a file outside the corpus`;
  return { id, file, url, contentType, charset: isText(charset) ? charset : "utf-8" };
}

function isGoldPage(value: unknown): value is GoldPage {
  return isRecord(value) && isText(value["page"]) && isTextList(value["evidence"]) && value["evidence"].length > 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isOneOf<T extends string>(known: readonly T[], value: unknown): value is T {
  return known.some((one) => one === value);
}
