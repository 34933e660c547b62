/** Which questions to write: how many of each type and style, and about which places of which pages. */
import type { SavedPage, Section } from "../types.ts";
import { randomFrom } from "./bootstrap.ts";
import { questionStyles, questionTypes } from "./questions.ts";
import type { QuestionStyle, QuestionType } from "./questions.ts";

/** A place that a question is to be written from. */
export interface Excerpt {
  readonly saved: SavedPage;
  readonly section: Section;
}

export interface QuestionTask {
  readonly type: Exclude<QuestionType, "none">;
  readonly style: QuestionStyle;
  /** Two for `multihop`, else one. */
  readonly excerpts: readonly Excerpt[];
}

/** Shares of 1. A set for comparing strategies needs all kinds: the winner differs between them. */
const typeShares: Readonly<Record<QuestionType, number>> = {
  factoid: 0.45,
  analytical: 0.25,
  multihop: 0.2,
  none: 0.1,
};
const styleShares: Readonly<Record<QuestionStyle, number>> = {
  keyword: 0.15,
  question: 0.35,
  paraphrase: 0.15,
  symptom: 0.15,
  "api-lookup": 0.2,
};

/** How many questions of each type make up `count`: largest remainders, and one of each type as soon as `count` allows. */
export function typeCounts(count: number): Readonly<Record<QuestionType, number>> {
  return shareOut(count, questionTypes, typeShares);
}

/** Sections below this teach too little for a question of their own, tokens. */
const minExcerptTokens = 60;

export interface PlanInput {
  readonly pages: readonly SavedPage[];
  readonly wanted: readonly { readonly type: QuestionTask["type"]; readonly style: QuestionStyle }[];
  /** `<page id>.<section index>` of places that have had their question. */
  readonly used: Set<string>;
  readonly seed: number;
}

/** Kinds of answerable questions, shuffled styles within each type. */
export function wantedKinds(count: number, seed: number): PlanInput["wanted"] {
  const random = randomFrom(seed);
  const counts = typeCounts(count);
  return questionTypes.flatMap((type) => {
    if (type === "none") return [];
    const styles = shareOut(counts[type], questionStyles, styleShares);
    const all = questionStyles.flatMap((style) => Array.from({ length: styles[style] }, () => ({ type, style })));
    return shuffled(all, random);
  });
}

/**
 * Gives each wanted question a place: pages in turn, so that a long page does not take them all, and no place twice while others are
 * left. Fewer tasks than wanted come back when the pages hold too few places.
 */
export function planTasks({ pages, wanted, used, seed }: PlanInput): QuestionTask[] {
  const random = randomFrom(seed);
  const pools = shuffled(
    pages.map((saved) => ({
      saved,
      sections: shuffled(
        saved.sections.filter(
          ({ index, tokens }) => tokens >= minExcerptTokens && !used.has(`${saved.page.id}.${index}`),
        ),
        random,
      ),
    })),
    random,
  );
  let turn = 0;
  const take = (from: (typeof pools)[number] | undefined): Excerpt | undefined => {
    const section = from?.sections.pop();
    if (from === undefined || section === undefined) return undefined;
    used.add(`${from.saved.page.id}.${section.index}`);
    return { saved: from.saved, section };
  };
  const nextPool = (least: number): (typeof pools)[number] | undefined => {
    for (let step = 0; step < pools.length; step++) {
      const pool = pools[turn++ % pools.length];
      if (pool !== undefined && pool.sections.length >= least) return pool;
    }
    return undefined;
  };
  // Two places of one page are the scarcest: they choose first.
  const inOrder = wanted.toSorted((a, b) => Number(b.type === "multihop") - Number(a.type === "multihop"));
  return inOrder.flatMap(({ type, style }): QuestionTask | [] => {
    const pool = nextPool(type === "multihop" ? 2 : 1);
    const excerpts = type === "multihop" ? [take(pool), take(pool)] : [take(pool)];
    const found = excerpts.filter((excerpt) => excerpt !== undefined);
    return found.length === excerpts.length ? { type, style, excerpts: found } : [];
  });
}

function shareOut<Name extends string>(
  count: number,
  names: readonly Name[],
  shares: Readonly<Record<Name, number>>,
): Readonly<Record<Name, number>> {
  const exact = names.map((name) => ({ name, exact: count * shares[name] }));
  const whole = new Map(
    exact.map(({ name, exact: share }) => [
      name,
      count >= names.length ? Math.max(1, Math.floor(share)) : Math.floor(share),
    ]),
  );
  const byRemainder = exact.toSorted((a, b) => b.exact - Math.floor(b.exact) - (a.exact - Math.floor(a.exact)));
  const sum = (): number => [...whole.values()].reduce((total, value) => total + value, 0);
  for (let at = 0; sum() < count && byRemainder.length > 0; at++) {
    const name = byRemainder[at % byRemainder.length]?.name;
    if (name !== undefined) whole.set(name, (whole.get(name) ?? 0) + 1);
  }
  const largest = names.toSorted((a, b) => shares[b] - shares[a]);
  for (let at = 0; sum() > count; at++) {
    const name = largest[at % largest.length];
    const value = name === undefined ? 0 : (whole.get(name) ?? 0);
    if (name !== undefined && value > 0) whole.set(name, value - 1);
  }
  // `fromEntries` forgets the keys' type; they are exactly `names`.
  return Object.fromEntries(names.map((name) => [name, whole.get(name) ?? 0])) as Record<Name, number>;
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const copy = [...list];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [copy[last], copy[other]];
    if (a !== undefined && b !== undefined) [copy[last], copy[other]] = [b, a];
  }
  return copy;
}
