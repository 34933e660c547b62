/** What one save has come to so far, and how written units take the place of sections in it. */
import type { BacopaError } from "./errors.ts";
import type { SaveOptions } from "./library.ts";
import { offlineDistillerId } from "./distill/offline.ts";
import type { ModelUsage } from "./ports.ts";
import type { SizedStrategy } from "./strategy.ts";
import { needsModel, writesFacts } from "./strategy.ts";
import type { Fact, Figures, Page, SavedPage, Section, SectionState } from "./types.ts";
import type { VerifyResult } from "./verify/verify.ts";

export type Milliseconds = { -readonly [Stage in keyof Figures["ms"]]: number };

export interface Progress {
  page: Page | undefined;
  sections: readonly Section[];
  states: SectionState[];
  facts: readonly Fact[];
  keptSections: number;
  /** What the last write that succeeded holds. */
  stored: { readonly sections: number; readonly facts: number } | undefined;
  failure: BacopaError | undefined;
  dropped: Figures["dropped"];
  missingSpecifics: number;
  usage: { in: number; out: number; calls: number; costUsd: number };
  readonly ms: Milliseconds;
}

export function newProgress(): Progress {
  return {
    page: undefined,
    sections: [],
    states: [],
    facts: [],
    keptSections: 0,
    stored: undefined,
    failure: undefined,
    dropped: { code: 0, keywords: 0, unverified: 0 },
    missingSpecifics: 0,
    usage: { in: 0, out: 0, calls: 0, costUsd: 0 },
    ms: { fetch: 0, clean: 0, section: 0, searchable: 0, distill: 0, index: 0, total: 0 },
  };
}

/** Begins anew with what the stored page has for sections that did not change; nothing of it with `force`. */
export function startSections(
  progress: Progress,
  strategy: SizedStrategy,
  existing: SavedPage | undefined,
  options: SaveOptions,
): void {
  const isWritten = writesFacts(strategy.kind) || needsModel(strategy.kind);
  progress.states = progress.sections.map(() => ({ state: isWritten ? "waiting" : "kept" }));
  progress.facts = [];
  progress.keptSections = 0;
  if (strategy.kind === "contextual")
    progress.sections = progress.sections.map((section) => ({ ...section, context: undefined }));
  if (existing?.strategy !== strategy.name) return;
  if (writesFacts(strategy.kind)) keepUnchanged(progress, existing, options);
  if (strategy.kind === "contextual") keepContexts(progress, existing, options);
  if (strategy.kind === "agentic" && progress.sections === existing.sections) {
    progress.states = existing.sections.map(() => ({ state: "kept" }));
    progress.keptSections = existing.sections.length;
  }
}

/**
 * Sections whose text did not change keep their facts, moved to where the section is now.
 * Facts that a model wrote are never given up for offline ones: they were paid for.
 */
function keepUnchanged(progress: Progress, existing: SavedPage, options: SaveOptions): void {
  const wanted = options.distiller.kind === "offline" ? offlineDistillerId : options.distiller.model.id;
  const before = new Map<string, number>();
  existing.sections.forEach((section, index) => before.set(textOf(existing.page, section), index));
  const facts: Fact[] = [];
  progress.sections.forEach((section, index) => {
    const oldIndex = progress.page && before.get(textOf(progress.page, section));
    const oldSection = oldIndex === undefined ? undefined : existing.sections[oldIndex];
    const oldState = oldIndex === undefined ? undefined : existing.sectionStates[oldIndex];
    if (oldSection === undefined || oldState?.state !== "distilled") return;
    const old = existing.facts.filter((fact) => fact.sectionIndex === oldIndex);
    if (
      !old.every(
        ({ origin }) => origin.distiller === wanted || (options.distiller.kind === "offline" && !origin.extractive),
      )
    )
      return;
    const shift = section.start - oldSection.start;
    for (const fact of old) {
      facts.push({
        ...fact,
        sectionIndex: index,
        source: { ...fact.source, start: fact.source.start + shift, end: fact.source.end + shift },
      });
    }
    progress.states[index] = oldState;
    progress.keptSections++;
  });
  progress.facts = facts;
}

/** Sections whose text did not change keep the context that the model in use wrote for them; without a model, any. */
function keepContexts(progress: Progress, existing: SavedPage, { distiller }: SaveOptions): void {
  const { page } = progress;
  if (page === undefined) return;
  const before = new Map(existing.sections.map((section) => [textOf(existing.page, section), section.context]));
  progress.sections = progress.sections.map((section, index) => {
    const context = before.get(textOf(page, section));
    if (context === undefined) return section;
    if (distiller.kind === "model" && context.origin.distiller !== distiller.model.id) return section;
    progress.states[index] = { state: "kept" };
    progress.keptSections++;
    return { ...section, context };
  });
}

function textOf(page: Page, section: Section): string {
  return page.text.slice(section.start, section.end);
}

/** Adds checked facts and marks their sections; also those that gave none, which held only noise. */
export function takeFacts(progress: Progress, result: VerifyResult, distilled: readonly number[]): void {
  progress.facts = inPageOrder([...progress.facts, ...result.facts]);
  progress.dropped = result.dropped;
  progress.missingSpecifics = result.missing.reduce((total, { specifics }) => total + specifics.length, 0);
  markDistilled(progress, distilled);
}

export function markDistilled(progress: Progress, indexes: readonly number[]): void {
  for (const index of indexes) {
    const facts = progress.facts.filter(({ sectionIndex }) => sectionIndex === index).length;
    progress.states[index] = { state: "distilled", facts };
  }
}

export function inPageOrder(facts: readonly Fact[]): Fact[] {
  return facts.toSorted((a, b) => a.sectionIndex - b.sectionIndex || a.source.start - b.source.start);
}

export function fail(progress: Progress, failed: ReadonlyMap<number, BacopaError>): void {
  for (const [index, error] of failed) {
    progress.states[index] = { state: "failed", reason: error.reason };
    progress.failure ??= error;
  }
}

export function addUsage(progress: Progress, usage: ModelUsage & { readonly calls: number }): void {
  for (const figure of ["in", "out", "calls", "costUsd"] as const) progress.usage[figure] += usage[figure];
}

/** Whether the strategy's own units are there for at least a part of the page. */
export function hasUnits({ facts, states }: Progress, { kind }: SizedStrategy): boolean {
  return writesFacts(kind) ? facts.length > 0 : states.some(({ state }) => state === "kept");
}

export function figuresOf({ dropped, missingSpecifics, usage, ms }: Progress): Figures {
  return {
    dropped,
    missingSpecifics,
    tokens: { in: usage.in, out: usage.out },
    calls: usage.calls,
    costUsd: usage.costUsd,
    ms: { ...ms },
  };
}
