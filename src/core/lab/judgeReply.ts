/** The shape of the judge's answer, and the check of it: a model's reply is unknown input. */
import { judgedText, sectionTextOf } from "./judgeCase.ts";
import type { JudgeCase, JudgedCase, JudgedFact, Verdict } from "./judgeCase.ts";
import { matchingKey } from "./matching.ts";

const quotes = (description: string) => ({ type: "array", items: { type: "string" }, description }) as const;
const score = { type: "integer", description: "1 to 5" } as const;

const factProperties = {
  fact: { type: "integer", description: "The fact's number within its case." },
  unsupported: quotes("Claims of the fact that the section does not make, quoted from the fact."),
  supported: score,
  unclear: quotes("Phrases that need the page to be understood, quoted from the fact."),
  selfContained: score,
  noise: quotes("Noise, quoted from the fact."),
  noiseFree: score,
} as const;

const caseProperties = {
  case: { type: "integer", description: "The number of the case." },
  missing: quotes("Specifics of the section that are in no fact, quoted from the section."),
  kept: score,
  facts: {
    type: "array",
    items: {
      type: "object",
      properties: factProperties,
      required: Object.keys(factProperties),
      additionalProperties: false,
    },
  },
} as const;

export const judgeSchema = {
  name: "judge_facts",
  description: "A verdict on every case and every fact.",
  schema: {
    type: "object",
    properties: {
      cases: {
        type: "array",
        items: {
          type: "object",
          properties: caseProperties,
          required: Object.keys(caseProperties),
          additionalProperties: false,
        },
      },
    },
    required: ["cases"],
    additionalProperties: false,
  },
} as const;

/** More than a rubric of at most 8 quotes asks for is a runaway answer. */
const maxQuotes = 8;
const maxQuoteLength = 600;

/**
 * Verdicts by case. A case whose verdict is incomplete is left out, so that it is asked for again; quotes that stand nowhere are
 * dropped and counted.
 *
 * @returns `undefined` when there is no usable verdict at all.
 */
export function parseJudgeReply(
  value: unknown,
  cases: readonly JudgeCase[],
): ReadonlyMap<JudgeCase, JudgedCase> | undefined {
  const entries = isRecord(value) ? value["cases"] : undefined;
  if (!Array.isArray(entries)) return undefined;
  const verdicts = new Map<JudgeCase, JudgedCase>();
  for (const entry of entries as readonly unknown[]) {
    const number = isRecord(entry) ? entry["case"] : undefined;
    const about = typeof number === "number" ? cases[number - 1] : undefined;
    if (!isRecord(entry) || about === undefined || verdicts.has(about)) continue;
    const judged = judgedCase(entry, about);
    if (judged !== undefined) verdicts.set(about, judged);
  }
  return verdicts.size === 0 && cases.length > 0 ? undefined : verdicts;
}

function judgedCase(entry: Readonly<Record<string, unknown>>, about: JudgeCase): JudgedCase | undefined {
  const unproven = { count: 0 };
  const kept = verdictOf(entry["kept"], entry["missing"], matchingKey(sectionTextOf(about)), unproven);
  const given = Array.isArray(entry["facts"]) ? (entry["facts"] as readonly unknown[]).filter(isRecord) : [];
  const facts = about.facts.map((fact, at): JudgedFact | undefined => {
    const verdict = given.find((one) => one["fact"] === at + 1);
    if (verdict === undefined) return undefined;
    const key = matchingKey(judgedText(fact));
    const supported = verdictOf(verdict["supported"], verdict["unsupported"], key, unproven);
    const selfContained = verdictOf(verdict["selfContained"], verdict["unclear"], key, unproven);
    const noiseFree = verdictOf(verdict["noiseFree"], verdict["noise"], key, unproven);
    if (supported === undefined || selfContained === undefined || noiseFree === undefined) return undefined;
    return { factId: fact.id, topic: fact.topic, supported, selfContained, noiseFree };
  });
  const judged = facts.filter((fact) => fact !== undefined);
  if (kept === undefined || judged.length < about.facts.length) return undefined;
  const { page, section } = about;
  return { pageId: page.id, sectionIndex: section.index, kept, facts: judged, unproven: unproven.count };
}

/** @param within Matching key of the text that the quotes come from. */
function verdictOf(given: unknown, quotes: unknown, within: string, unproven: { count: number }): Verdict | undefined {
  if (typeof given !== "number" || !Number.isInteger(given) || given < 1 || given > 5) return undefined;
  const all = Array.isArray(quotes) ? (quotes as readonly unknown[]).filter((one) => typeof one === "string") : [];
  const kept: string[] = [];
  for (const quote of all.slice(0, maxQuotes)) {
    const line = quote.replace(/\s+/gu, " ").trim();
    if (line === "" || line.length > maxQuoteLength) continue;
    const key = matchingKey(line);
    // A quote of signs alone (an operator) has no key; it proves nothing and hurts nothing.
    if (key !== "" && within.includes(key)) kept.push(line);
    else unproven.count++;
  }
  return { score: given, quotes: kept };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
