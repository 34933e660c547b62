/**
 * Is the judge any good? Hand-made facts and spoiled twins of them: the judge must rank each spoiled one below its good twin.
 */
import type { CountTokens } from "../ports.ts";
import type { Fact } from "../types.ts";
import { criteria } from "./judgeCase.ts";
import type { Criterion, JudgeCase, JudgedCase } from "./judgeCase.ts";

export interface CalibrationFact {
  readonly topic: string;
  readonly statement: string;
  readonly body: string;
}

export interface SpoiledFact extends CalibrationFact {
  /** What was done to it. */
  readonly how: string;
  /** What the judge should find at fault. */
  readonly criterion: Criterion;
}

export interface CalibrationPair {
  readonly id: string;
  readonly page: { readonly title: string; readonly url: string };
  readonly headingPath: readonly string[];
  readonly section: string;
  readonly good: CalibrationFact;
  readonly spoiled: readonly SpoiledFact[];
}

export interface CalibrationCase {
  readonly pair: CalibrationPair;
  /** `undefined`: the good one. */
  readonly spoiled: SpoiledFact | undefined;
  readonly case: JudgeCase;
}

/**
 * Rounds of cases. No round holds two facts of one pair, so that a judge cannot compare twins, and each mixes good and spoiled ones.
 */
export function calibrationRounds(pairs: readonly CalibrationPair[], countTokens: CountTokens): CalibrationCase[][] {
  const most = Math.max(0, ...pairs.map(({ spoiled }) => spoiled.length + 1));
  const rounds: CalibrationCase[][] = Array.from({ length: most }, () => []);
  pairs.forEach((pair, place) => {
    const variants = [undefined, ...pair.spoiled];
    variants.forEach((spoiled, index) => {
      rounds[(index + place) % most]?.push({ pair, spoiled, case: caseOf(pair, spoiled, countTokens) });
    });
  });
  return rounds;
}

export interface PairOutcome {
  readonly id: string;
  readonly how: string;
  readonly criterion: Criterion;
  /** Sums of the four scores, 4 to 20. */
  readonly goodTotal: number;
  readonly spoiledTotal: number;
  /** Whether the spoiled fact is below its twin. */
  readonly isBelow: boolean;
  /** Whether the criterion that was spoiled fell. */
  readonly isFound: boolean;
}

/** One outcome a spoiled fact; those whose verdict is missing are left out. */
export function calibrationOutcomes(cases: readonly CalibrationCase[], judged: readonly JudgedCase[]): PairOutcome[] {
  const byPage = new Map(judged.map((one) => [one.pageId, one]));
  const scoresOf = (one: CalibrationCase | undefined): Readonly<Record<Criterion, number>> | undefined => {
    const verdict = one === undefined ? undefined : byPage.get(one.case.page.id);
    const [fact] = verdict?.facts ?? [];
    if (verdict === undefined || fact === undefined) return undefined;
    return {
      kept: verdict.kept.score,
      supported: fact.supported.score,
      selfContained: fact.selfContained.score,
      noiseFree: fact.noiseFree.score,
    };
  };
  const totalOf = (scores: Readonly<Record<Criterion, number>>): number =>
    criteria.reduce((sum, criterion) => sum + scores[criterion], 0);
  return cases.flatMap((one): PairOutcome | [] => {
    if (one.spoiled === undefined) return [];
    const twin = cases.find(({ pair, spoiled }) => pair.id === one.pair.id && spoiled === undefined);
    const [good, bad] = [scoresOf(twin), scoresOf(one)];
    if (good === undefined || bad === undefined) return [];
    const { how, criterion } = one.spoiled;
    const [goodTotal, spoiledTotal] = [totalOf(good), totalOf(bad)];
    const isFound = bad[criterion] < good[criterion];
    return { id: one.pair.id, how, criterion, goodTotal, spoiledTotal, isBelow: spoiledTotal < goodTotal, isFound };
  });
}

/** @param json A list of pairs; a spoiled fact takes from the good one what it does not change. @throws SyntaxError when it is none. */
export function parsePairs(json: string): CalibrationPair[] {
  const list: unknown = JSON.parse(json);
  if (!Array.isArray(list)) throw new SyntaxError("The calibration set is not a list of pairs");
  return (list as readonly unknown[]).map((entry, index) => pairOf(entry, index));
}

function pairOf(entry: unknown, index: number): CalibrationPair {
  const fail = (what: string): never => {
    throw new SyntaxError(`Pair ${index + 1} of the calibration set has no ${what}`);
  };
  const record = asRecord(entry) ?? fail("fields");
  const text = (from: Readonly<Record<string, unknown>>, name: string): string => {
    const value = from[name];
    return typeof value === "string" && value !== "" ? value : fail(name);
  };
  const page = asRecord(record["page"]) ?? fail("page");
  const given = asRecord(record["good"]) ?? fail("good fact");
  const good = { topic: text(given, "topic"), statement: text(given, "statement"), body: text(given, "body") };
  const path = record["headingPath"];
  const spoiled = Array.isArray(record["spoiled"]) ? (record["spoiled"] as readonly unknown[]) : fail("spoiled facts");
  return {
    id: text(record, "id"),
    page: { title: text(page, "title"), url: text(page, "url") },
    headingPath: Array.isArray(path) ? path.filter((heading) => typeof heading === "string") : [],
    section: text(record, "section"),
    good,
    spoiled: spoiled.map((one) => {
      const fact = asRecord(one) ?? fail("spoiled fact");
      const criterion = criteria.find((known) => known === fact["criterion"]) ?? fail("criterion");
      return { ...good, ...changesOf(fact), how: text(fact, "how"), criterion };
    }),
  };
}

function changesOf(fact: Readonly<Record<string, unknown>>): Partial<CalibrationFact> {
  return Object.fromEntries(
    ["topic", "statement", "body"].flatMap((name) => (typeof fact[name] === "string" ? [[name, fact[name]]] : [])),
  );
}

function caseOf(pair: CalibrationPair, spoiled: SpoiledFact | undefined, countTokens: CountTokens): JudgeCase {
  const id = spoiled === undefined ? `${pair.id}.good` : `${pair.id}.${pair.spoiled.indexOf(spoiled)}`;
  const { topic, statement, body } = spoiled ?? pair.good;
  const source = { start: 0, end: pair.section.length, headingPath: pair.headingPath };
  const fact: Fact = {
    id: `${id}.fact`,
    pageId: id,
    sectionIndex: 0,
    source,
    topic,
    statement,
    questions: [],
    keywords: [],
    symbols: [],
    body,
    tokens: countTokens(`${topic}\n\n${statement}\n\n${body}`),
    unverified: [],
    origin: { distiller: "hand", extractive: false },
  };
  const section = { index: 0, ...source, tokens: countTokens(pair.section) };
  return { page: { id, ...pair.page, text: pair.section }, section, facts: [fact] };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
