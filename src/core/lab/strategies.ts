/**
 * Ways to turn a page into index units, so that they can be compared on the same pages, questions, index and embedder.
 */
import type { IndexUnit } from "../index/units.ts";
import { unitsOf } from "../index/units.ts";
import type { CountTokens, Embedder, LanguageModel, ModelUsage, Prompts } from "../ports.ts";
import { sectionFixed } from "../section/fixed.ts";
import { sectionRecursive } from "../section/recursive.ts";
import type { Fact, SavedPage, Section } from "../types.ts";
import { factText } from "../util/factText.ts";
import type { LabPage } from "./labPage.ts";
import type { LabUnit } from "./score.ts";

/** One unit as indexed and as returned. */
export interface StrategyUnit {
  readonly index: IndexUnit;
  /** Units with the same `lab.id` are returned once, at the best one's rank: small units that stand for one larger text. */
  readonly lab: LabUnit;
  /** Of the returned text. */
  readonly tokens: number;
  /** Where the strategy makes the unit's vector itself; else `index.meaningText` is embedded. */
  readonly vector?: Float32Array | undefined;
}

/** What a strategy may use. */
export interface StrategyTools {
  readonly countTokens: CountTokens;
  /** The run's embedder: also what cuts by meaning, or pools, must use this one. */
  readonly embedder: Embedder | undefined;
  readonly model: LanguageModel | undefined;
  readonly prompts: Prompts;
}

export interface StrategyUnits {
  readonly units: readonly StrategyUnit[];
  /** What a model cost; `undefined` without one. */
  readonly usage?: (ModelUsage & { readonly calls: number }) | undefined;
}

export interface Strategy {
  readonly name: string;
  /** Whether the page's brief is returned with its first hit: facts come with it, bare text does not. */
  readonly hasBrief: boolean;
  /** One sentence when the strategy cannot run with these tools: it is then left out by name. */
  readonly lacks?: ((tools: StrategyTools) => string | undefined) | undefined;
  unitsOf(page: LabPage, tools: StrategyTools, signal: AbortSignal): Promise<StrategyUnits>;
}

export const facts: Strategy = {
  name: "facts",
  hasBrief: true,
  unitsOf: (page, { countTokens }) => Promise.resolve({ units: factUnits(page, countTokens) }),
};

function factUnits({ corpusId, saved }: LabPage, countTokens: CountTokens): StrategyUnit[] {
  const byId = new Map(saved.facts.map((fact) => [fact.id, fact]));
  return unitsOf(saved).map((unit) => {
    const fact = byId.get(unit.id);
    return fact === undefined
      ? sectionStandIn(unit, corpusId, saved, countTokens)
      : { index: unit, lab: labUnitOf(fact, corpusId), tokens: fact.tokens };
  });
}

/** The page cut by `sectionsOf`, its text alone: no heading path and no title is searched or returned. */
function bareText(
  name: string,
  sectionsOf: (page: SavedPage, countTokens: CountTokens) => readonly Section[],
): Strategy {
  return {
    name,
    hasBrief: false,
    unitsOf: ({ corpusId, saved }, { countTokens }) => {
      const untitled: SavedPage = {
        ...saved,
        page: { ...saved.page, title: "", site: undefined },
        ...undistilled(sectionsOf(saved, countTokens).map((section) => ({ ...section, headingPath: [] }))),
      };
      return Promise.resolve({ units: textUnits(untitled, corpusId, (text) => text, countTokens) });
    },
  };
}

export const fixed = bareText("fixed", ({ page }, countTokens) =>
  sectionFixed(page.text, { size: 1000, overlap: 0, unit: "characters" }, countTokens),
);
export const recursive = bareText("recursive", ({ page }, countTokens) =>
  sectionRecursive(page.text, { maxTokens: 512 }, countTokens),
);
export const headings = bareText("headings", ({ sections }) => sections);

/** Heading sections with the page's title and their heading path, searched and returned: what is searchable before facts come. */
export const headingsTitled: Strategy = {
  name: "headings+title",
  hasBrief: false,
  unitsOf: ({ corpusId, saved }, { countTokens }) => {
    const prefixOf = ({ headingPath }: Section): string =>
      [saved.page.title, ...headingPath.filter((heading) => heading !== saved.page.title)].join(" > ");
    const units = textUnits(
      { ...saved, ...undistilled(saved.sections) },
      corpusId,
      (text, section) => `${prefixOf(section)}\n\n${text}`,
      countTokens,
    );
    return Promise.resolve({ units });
  },
};

/** Facts with a part of what is searched left out; what is returned stays the same. */
export const factAblations: readonly Strategy[] = [
  ablation("facts-questions", (unit) => ({
    ...unit,
    questions: "",
    meaningText: [unit.topic, unit.statement].join("\n"),
  })),
  ablation("facts-keywords", (unit) => ({ ...unit, keywords: "", symbols: [] })),
  ablation("facts-title", (unit) => ({ ...unit, title: "", headings: "" })),
  ablation("facts-body", (unit, fact) => ({ ...unit, statement: fact?.statement ?? "", text: "" })),
  ablation("facts-statement-only", (unit, fact) => ({
    ...unit,
    statement: fact?.statement ?? "",
    questions: "",
    keywords: "",
    symbols: [],
    topic: "",
    headings: "",
    title: "",
    text: "",
    meaningText: fact?.statement ?? "",
  })),
  ablation("facts+body", (unit, fact) => ({ ...unit, text: fact?.body ?? unit.text })),
];

export const strategies: readonly Strategy[] = [fixed, recursive, headings, headingsTitled, facts];

function ablation(name: string, change: (unit: IndexUnit, fact: Fact | undefined) => IndexUnit): Strategy {
  return {
    ...facts,
    name,
    unitsOf: (page, { countTokens }) => {
      const byId = new Map(page.saved.facts.map((fact) => [fact.id, fact]));
      const units = factUnits(page, countTokens).map((unit) => ({
        ...unit,
        index: change(unit.index, byId.get(unit.index.id)),
      }));
      return Promise.resolve({ units });
    },
  };
}

function undistilled(sections: readonly Section[]): Pick<SavedPage, "sections" | "sectionStates" | "facts"> {
  return { sections, sectionStates: sections.map(() => ({ state: "waiting" })), facts: [] };
}

function textUnits(
  saved: SavedPage,
  corpusId: string,
  returned: (text: string, section: Section) => string,
  countTokens: CountTokens,
): StrategyUnit[] {
  return unitsOf(saved).flatMap((index, position) => {
    const section = saved.sections[position];
    if (section === undefined) return [];
    const text = returned(saved.page.text.slice(section.start, section.end), section);
    const lab = { id: index.id, page: corpusId, text, span: { start: section.start, end: section.end } };
    return [{ index, lab, tokens: countTokens(text) }];
  });
}

function sectionStandIn(index: IndexUnit, corpusId: string, saved: SavedPage, countTokens: CountTokens): StrategyUnit {
  const lab = { id: index.id, page: corpusId, text: `### ${index.topic}\n\n${index.text}`, span: undefined };
  const section = saved.sections.find(({ start, end }) => saved.page.text.slice(start, end) === index.text);
  const span = section === undefined ? undefined : { start: section.start, end: section.end };
  return { index, lab: { ...lab, span }, tokens: countTokens(lab.text) };
}

function labUnitOf(fact: Fact, corpusId: string): LabUnit {
  const { start, end } = fact.source;
  // Facts from a file whose source could not be found have an empty span: they are scored by their text alone.
  return {
    id: fact.id,
    page: corpusId,
    text: factText({ ...fact, extractive: fact.origin.extractive }),
    span: start < end ? { start, end } : undefined,
  };
}
