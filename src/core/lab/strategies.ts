/**
 * Ways to turn a page into index units, so that they can be compared on the same pages, questions, index and embedder.
 */
import { cutPage, lackOf } from "../cut.ts";
import { isLate, unitVectors } from "../embedding/unitVectors.ts";
import type { IndexUnit } from "../index/units.ts";
import { sectionIndexOf, unitsOf } from "../index/units.ts";
import type { SaveOptions } from "../library.ts";
import type { CountTokens, Embedder, LanguageModel, ModelUsage, Prompts } from "../ports.ts";
import { hasUnits, newProgress, startSections } from "../saveProgress.ts";
import { writeUnits } from "../saveWriting.ts";
import { createStages } from "../stages.ts";
import type { SizedStrategy } from "../strategy.ts";
import { needsModel, parseStrategy, strategyKinds } from "../strategy.ts";
import type { Fact, SavedPage } from "../types.ts";
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
  /** Milliseconds it took, where that was earlier: units made before and kept. */
  readonly ms?: number | undefined;
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

/**
 * The page cut as a save with this strategy would cut it, and its units as the library would index them.
 *
 * @param titled Also the page's title, address and heading path are searched and returned, as in a library; else the text
 *   alone, as the strategies are described.
 */
function cutStrategy(sized: SizedStrategy, titled: boolean): Strategy {
  return {
    name: titled ? `${sized.name}${titledMark}` : sized.name,
    hasBrief: false,
    lacks: ({ embedder, model }) => lackOf(sized, { embedder, hasModel: model !== undefined }),
    async unitsOf({ corpusId, saved }, tools, signal) {
      const { saved: made, usage } = await savedBy(sized, saved, tools, signal);
      const shown = titled ? made : bare(made);
      const units = unitsFor(shown, corpusId, titled, tools.countTokens);
      const { embedder } = tools;
      if (!isLate(made) || embedder === undefined) return { units, usage };
      const indexed = units.map(({ index }) => index);
      const vectors = await unitVectors(shown, indexed, embedder, signal);
      return { units: units.map((unit, at) => ({ ...unit, vector: vectors[at] })), usage };
    },
  };
}

/** The page as a save with the strategy would store it, by the same code. */
async function savedBy(
  sized: SizedStrategy,
  saved: SavedPage,
  { countTokens, embedder, model, prompts }: StrategyTools,
  signal: AbortSignal,
): Promise<{ readonly saved: SavedPage; readonly usage: StrategyUnits["usage"] }> {
  const { page } = saved;
  const loadTokenizer = (): Promise<CountTokens> => Promise.resolve(countTokens);
  const stages = createStages(loadTokenizer);
  const progress = newProgress();
  progress.page = page;
  progress.sections = await cutPage(page.text, sized, { stages, embedder }, signal);
  const options: SaveOptions = { distiller: model === undefined ? { kind: "offline" } : { kind: "model", model } };
  startSections(progress, sized, undefined, options);
  if (needsModel(sized.kind)) {
    const context = { stages, prompts, loadTokenizer };
    const waiting = progress.sections;
    const storeSoFar = (): Promise<void> => Promise.resolve();
    await writeUnits({ context, strategy: sized, page, waiting, options, storeSoFar }, progress, signal);
    if (progress.failure !== undefined && !hasUnits(progress, sized)) throw progress.failure;
  }
  const { sections, states: sectionStates, facts: written } = progress;
  return {
    saved: { ...saved, strategy: sized.name, sections, sectionStates, facts: written },
    usage: needsModel(sized.kind) ? progress.usage : undefined,
  };
}

/** Without what is searched beside the text itself. */
function bare(saved: SavedPage): SavedPage {
  return {
    ...saved,
    page: { ...saved.page, title: "", url: "", site: undefined },
    sections: saved.sections.map((section) => ({ ...section, headingPath: [] })),
    facts: saved.facts.map((fact) => ({ ...fact, topic: "", source: { ...fact.source, headingPath: [] } })),
  };
}

/** Behind a name: `headings+title`. */
const titledMark = "+title";

/**
 * The strategy of a name as `strategy.ts` describes it, with `+title` behind it where the page's title is to be searched
 * too; or one of the ablations.
 *
 * @returns A sentence where there is no such strategy or its sizes do not fit.
 */
export function parseStrategyName(name: string): Strategy | string {
  const known = [facts, ...factAblations].find((strategy) => strategy.name === name);
  if (known !== undefined) return known;
  const titled = name.endsWith(titledMark);
  const sized = parseStrategy(titled ? name.slice(0, -titledMark.length) : name);
  if (typeof sized === "string") return sized;
  if (sized.kind === "facts") return titled ? "Facts are searched with their title: write facts." : facts;
  return cutStrategy(sized, titled);
}

function strategyNamed(name: string): Strategy {
  const strategy = parseStrategyName(name);
  if (typeof strategy === "string") throw new TypeError(strategy);
  return strategy;
}

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

/** Each strategy once with its default sizes, facts last, and the sections that stand in for facts until these come. */
export const strategies: readonly Strategy[] = [
  ...strategyKinds.filter((kind) => kind !== "facts"),
  `headings${titledMark}`,
  "facts",
].map(strategyNamed);

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

function unitsFor(saved: SavedPage, corpusId: string, titled: boolean, countTokens: CountTokens): StrategyUnit[] {
  const { title, text } = saved.page;
  const byId = new Map(saved.facts.map((fact) => [fact.id, fact]));
  return unitsOf(saved).flatMap((index): StrategyUnit[] => {
    const fact = byId.get(index.id);
    if (fact !== undefined) {
      const lab = labUnitOf(fact, corpusId);
      const shown = titled ? lab.text : lab.text.replace(/^### \s*/u, "");
      return [{ index, lab: { ...lab, text: shown }, tokens: countTokens(shown) }];
    }
    const section = saved.sections[sectionIndexOf(index.id) ?? -1];
    if (section === undefined) return [];
    const { start, end } = section.returned ?? section;
    const path = titled ? [title, ...section.headingPath.filter((heading) => heading !== title)].join(" > ") : "";
    const shown = [path, section.context?.text ?? "", text.slice(start, end)]
      .filter((part) => part !== "")
      .join("\n\n");
    const id = section.returned === undefined ? index.id : `${index.pageId}.${start}-${end}`;
    return [{ index, lab: { id, page: corpusId, text: shown, span: { start, end } }, tokens: countTokens(shown) }];
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
