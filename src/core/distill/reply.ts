import type { Brief, FactDraft } from "../types.ts";

/** What one answer of the model held, after checking. A model's reply is unknown input until this parser has seen it. */
export interface ParsedReply {
  /** In the order of the reply. `number` is the fact that a repair replaces, `undefined` for a new one. */
  readonly drafts: readonly ReplyDraft[];
  /** Sections the model says hold nothing worth a fact. */
  readonly noise: readonly number[];
  readonly brief: Brief | undefined;
  readonly problems: ReplyProblems;
}

export interface ReplyDraft extends FactDraft {
  readonly replaces: number | undefined;
}

/** How much of a reply was thrown away, and why. */
export interface ReplyProblems {
  /** Facts of a section that the model was not given. */
  readonly unknownSection: number;
  /** Facts that repeat another one of the reply. */
  readonly duplicate: number;
  /** Facts without a usable topic, statement or body, or of the wrong type. */
  readonly malformed: number;
  /** Facts and list entries beyond the limits below. */
  readonly oversize: number;
}

/** Generous bounds: a good fact stays far below, a runaway answer does not fill the library. Characters and entries. */
const limits = {
  topic: 300,
  statement: 2_000,
  body: 60_000,
  questions: 12,
  question: 400,
  keywords: 80,
  keyword: 200,
  symbols: 120,
  symbol: 200,
  factsPerSection: 60,
  covers: 1_000,
  caveats: 8,
  caveat: 400,
} as const;

const stringList = { type: "array", items: { type: "string" } } as const;

const factProperties = {
  section: { type: "integer", description: "The number of the section the fact is written from." },
  topic: { type: "string", description: "Product and subject in 2 to 8 words." },
  statement: { type: "string", description: "What the fact teaches, in one or two sentences that stand alone." },
  questions: { ...stringList, description: "3 to 6 questions the fact answers, as developers type them." },
  keywords: { ...stringList, description: "Words and phrases copied from the section." },
  symbols: { ...stringList, description: "API names, options, commands the fact is about, as the page spells them." },
  body: { type: "string", description: "Markdown: every specific of the section on this subject, code verbatim." },
} as const;

const factKeys = Object.keys(factProperties);

/** The shape of the answer to `facts.md`. Every field is required, as structured output wants it. */
export const factsSchema = {
  name: "write_facts",
  description: "Facts of the given sections, the sections that hold only noise, and the page's brief.",
  schema: {
    type: "object",
    properties: {
      facts: {
        type: "array",
        items: { type: "object", properties: factProperties, required: factKeys, additionalProperties: false },
      },
      noise: {
        type: "array",
        items: { type: "integer" },
        description: "Numbers of the sections that hold nothing worth a fact.",
      },
      brief: {
        type: "object",
        properties: {
          covers: { type: "string", description: "One sentence; empty when no brief is asked for." },
          caveats: { ...stringList, description: "One sentence each; empty when there are none." },
        },
        required: ["covers", "caveats"],
        additionalProperties: false,
      },
    },
    required: ["facts", "noise", "brief"],
    additionalProperties: false,
  },
} as const;

/** The shape of the answer to `repair.md`. */
export const repairSchema = {
  name: "repair_facts",
  description: "Corrected facts, and facts for what was left out.",
  schema: {
    type: "object",
    properties: {
      facts: {
        type: "array",
        items: {
          type: "object",
          properties: {
            replaces: { type: "integer", description: "The number of the fact this one replaces, 0 for a new fact." },
            ...factProperties,
          },
          required: ["replaces", ...factKeys],
          additionalProperties: false,
        },
      },
    },
    required: ["facts"],
    additionalProperties: false,
  },
} as const;

/**
 * Keeps the good part of a reply and counts the rest.
 *
 * @param value Parsed JSON from the model.
 * @param sectionIndexes The sections the model was given; facts of any other are dropped.
 * @returns `undefined` when nothing of the reply can be used: no object, no list of facts, or only malformed facts.
 */
export function parseReply(value: unknown, sectionIndexes: readonly number[]): ParsedReply | undefined {
  if (!isRecord(value) || !Array.isArray(value["facts"])) return undefined;
  const given = new Set(sectionIndexes);
  const problems = { unknownSection: 0, duplicate: 0, malformed: 0, oversize: 0 };
  const perSection = new Map<number, number>();
  const seen = new Set<string>();
  const drafts: ReplyDraft[] = [];
  const facts = value["facts"] as readonly unknown[];
  for (const fact of facts) {
    const draft = parseFact(fact, problems);
    if (draft === undefined) continue;
    if (!given.has(draft.sectionIndex)) {
      problems.unknownSection++;
      continue;
    }
    const key = JSON.stringify([draft.sectionIndex, draft.statement, draft.body]);
    if (seen.has(key)) {
      problems.duplicate++;
      continue;
    }
    const count = (perSection.get(draft.sectionIndex) ?? 0) + 1;
    if (count > limits.factsPerSection) {
      problems.oversize++;
      continue;
    }
    seen.add(key);
    perSection.set(draft.sectionIndex, count);
    drafts.push(draft);
  }
  if (facts.length > 0 && drafts.length === 0 && problems.malformed + problems.oversize > 0) return undefined;
  const named = new Set(Array.isArray(value["noise"]) ? (value["noise"] as readonly unknown[]) : []);
  const noise = sectionIndexes.filter((index) => named.has(index));
  return { drafts, noise, brief: parseBrief(value["brief"]), problems };
}

type Counts = { -readonly [Problem in keyof ReplyProblems]: number };

function parseFact(value: unknown, problems: Counts): ReplyDraft | undefined {
  const sectionIndex = isRecord(value) ? value["section"] : undefined;
  if (!isRecord(value) || !isIndex(sectionIndex)) {
    problems.malformed++;
    return undefined;
  }
  const topic = cleanLine(value["topic"]);
  const statement = cleanLine(value["statement"]);
  const body = typeof value["body"] === "string" ? withoutControls(value["body"]).trim() : undefined;
  if (topic === undefined || topic === "" || statement === undefined || statement === "" || body === undefined) {
    problems.malformed++;
    return undefined;
  }
  if (topic.length > limits.topic || statement.length > limits.statement || body.length > limits.body) {
    problems.oversize++;
    return undefined;
  }
  const list = (name: string, entries: number, length: number) => parseList(value[name], entries, length, problems);
  const replaces = value["replaces"];
  return {
    sectionIndex,
    topic,
    statement,
    questions: list("questions", limits.questions, limits.question),
    keywords: list("keywords", limits.keywords, limits.keyword),
    symbols: list("symbols", limits.symbols, limits.symbol),
    body,
    replaces: isIndex(replaces) && replaces > 0 ? replaces : undefined,
  };
}

/** Distinct one-line strings; entries of another type, too long or too many are left out. */
function parseList(value: unknown, entries: number, length: number, problems: Counts): string[] {
  if (!Array.isArray(value)) return [];
  const kept = new Set<string>();
  for (const entry of value as readonly unknown[]) {
    const line = cleanLine(entry);
    if (line === undefined || line === "") continue;
    if (line.length > length || (kept.size >= entries && !kept.has(line))) problems.oversize++;
    else kept.add(line);
  }
  return [...kept];
}

function parseBrief(value: unknown): Brief | undefined {
  if (!isRecord(value)) return undefined;
  const covers = cleanLine(value["covers"]);
  if (covers === undefined || covers === "" || covers.length > limits.covers) return undefined;
  const uncounted = { unknownSection: 0, duplicate: 0, malformed: 0, oversize: 0 };
  return { covers, caveats: parseList(value["caveats"], limits.caveats, limits.caveat, uncounted) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isIndex(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function cleanLine(value: unknown): string | undefined {
  return typeof value === "string" ? withoutControls(value).replace(/\s+/gu, " ").trim() : undefined;
}

/** Takes out control characters (tab and line feed stay) and lone surrogates, which no file or index should hold. */
function withoutControls(text: string): string {
  return text.replace(/\r\n?/gu, "\n").replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|\p{Surrogate}/gu, "");
}
