/** What a save has written for the sections of a page, by the page's strategy: facts, propositions, contexts, or the cut itself. */
import { distillWithModel } from "./distill/distillWithModel.ts";
import { repairWithModel } from "./distill/repair.ts";
import { BacopaError } from "./errors.ts";
import type { SaveOptions } from "./library.ts";
import type { LanguageModel } from "./ports.ts";
import type { SaveContext, SaveEvent, SaveStage } from "./save.ts";
import { addUsage, fail, inPageOrder, markDistilled, takeFacts } from "./saveProgress.ts";
import type { Progress } from "./saveProgress.ts";
import { cutByModel } from "./section/agentic.ts";
import { writeContexts } from "./section/contextual.ts";
import type { ModelWork } from "./section/contextual.ts";
import { codeDrafts, writePropositions } from "./section/propositions.ts";
import type { Stages } from "./stages.ts";
import type { SizedStrategy } from "./strategy.ts";
import type { Brief, FactDraft, FactOrigin, Page, Section } from "./types.ts";
import { sha256Hex } from "./util/hash.ts";
import { verify } from "./verify/verify.ts";
import type { VerifyResult } from "./verify/verify.ts";

export interface WritingInput {
  readonly context: Pick<SaveContext, "stages" | "prompts" | "loadTokenizer">;
  readonly strategy: SizedStrategy;
  readonly page: Page;
  readonly waiting: readonly Section[];
  readonly options: SaveOptions;
  /** Keeps what has arrived. */
  readonly storeSoFar: () => Promise<void>;
}

/** Writes what the waiting sections still lack into the progress. The brief, where a model wrote one. */
export async function writeUnits(
  input: WritingInput,
  progress: Progress,
  signal: AbortSignal,
): Promise<Brief | undefined> {
  const { context, strategy, page, waiting, options } = input;
  const { distiller } = options;
  if (strategy.kind === "facts") {
    if (distiller.kind === "model") return distillByModel(input, distiller.model, progress, signal);
    await distillWithoutModel(context.stages, page, waiting, progress, signal);
    return undefined;
  }
  if (distiller.kind === "offline") {
    const missing = noModel(strategy);
    fail(progress, new Map(waiting.map(({ index }) => [index, missing])));
    return undefined;
  }
  const { model } = distiller;
  const countTokens = await context.loadTokenizer();
  const told = (sectionsDone: number): void =>
    options.onEvent?.({
      stage: "distill",
      title: page.title,
      pageId: page.id,
      sectionsDone,
      sections: waiting.length,
    });
  told(0);
  const work: ModelWork = { page, sections: waiting, model, prompts: context.prompts, countTokens, onProgress: told };
  switch (strategy.sizes.kind) {
    case "contextual":
      await addContexts(work, progress, signal);
      break;
    case "propositions":
      await addPropositions(work, progress, signal);
      break;
    case "agentic": {
      const pieces = await context.stages.pieces({ text: page.text, strategy: strategy.name }, signal);
      const limits = strategy.sizes;
      const cut = await cutByModel({ page, pieces, limits, model, prompts: context.prompts, countTokens }, signal);
      addUsage(progress, cut.usage);
      if (cut.sections !== undefined) {
        progress.sections = cut.sections;
        progress.states = cut.sections.map(() => ({ state: "kept" }));
        progress.failure = cut.error;
      } else if (cut.error !== undefined) {
        const { error } = cut;
        fail(progress, new Map(waiting.map(({ index }) => [index, error])));
      }
      break;
    }
    default:
      throw new TypeError(`Nothing is written for ${strategy.name}`);
  }
  return undefined;
}

export function noModel({ kind }: Pick<SizedStrategy, "kind">): BacopaError {
  return new BacopaError("model-missing", {
    message: `${kind} without a language model`,
    userMessage: `The strategy ${kind} needs a language model: set an Anthropic key or choose a model of the editor, or take a strategy that needs none, such as facts or recursive.`,
    hint: "Do not retry without a model; the saved pages stay as they are.",
  });
}

/** Contexts whose numbers and names the page holds; a sentence that states another is taken out. */
async function addContexts(work: ModelWork, progress: Progress, signal: AbortSignal): Promise<void> {
  const { page, model, prompts, countTokens } = work;
  const { contexts, failed, usage } = await writeContexts(work, signal);
  addUsage(progress, usage);
  const origin: FactOrigin = {
    distiller: model.id,
    promptHash: sha256Hex(prompts("contextual"), 12),
    extractive: false,
  };
  const whole: Section = { index: 0, start: 0, end: page.text.length, headingPath: [], tokens: 0 };
  const byIndex = new Map([...contexts].map(([section, text]) => [section.index, text]));
  let unverified = 0;
  progress.sections = progress.sections.map((section, index) => {
    const written = byIndex.get(section.index);
    if (written === undefined) return section;
    progress.states[index] = { state: "kept" };
    const draft: FactDraft = { ...emptyDraft, statement: written };
    const { facts } = verify({ drafts: [draft], page, sections: [whole], origin, countTokens });
    const wrong = facts[0]?.unverified ?? [];
    unverified += wrong.length;
    const text = wrong
      .reduce((rest, sentence) => rest.replace(sentence, ""), written)
      .replace(/\s+/gu, " ")
      .trim();
    return text === "" ? section : { ...section, context: { text, tokens: countTokens(text), origin } };
  });
  progress.dropped = { ...progress.dropped, unverified };
  fail(progress, new Map([...failed].map(([{ index }, error]) => [index, error])));
}

const emptyDraft: FactDraft = {
  sectionIndex: 0,
  topic: "",
  statement: "",
  questions: [],
  keywords: [],
  symbols: [],
  body: "",
};

/** Claims whose numbers and names stand in their section, and the section's code. A claim that states another is left out. */
async function addPropositions(work: ModelWork, progress: Progress, signal: AbortSignal): Promise<void> {
  const { page, model, prompts, countTokens } = work;
  const { sections } = progress;
  const { drafts, failed, usage } = await writePropositions(work, signal);
  addUsage(progress, usage);
  const origin: FactOrigin = {
    distiller: model.id,
    promptHash: sha256Hex(prompts("propositions"), 12),
    extractive: false,
  };
  const claims = verify({ drafts: [...drafts.values()].flat(), page, sections, origin, countTokens });
  const code = verify({
    drafts: codeDrafts(page, [...drafts.keys()]),
    page,
    sections,
    origin: { ...origin, extractive: true },
    countTokens,
  });
  const facts = [...claims.facts.filter((fact) => fact.unverified.length === 0), ...code.facts];
  takeFacts(
    progress,
    { ...claims, facts },
    [...drafts.keys()].map(({ index }) => index),
  );
  fail(progress, new Map([...failed].map(([{ index }, error]) => [index, error])));
}

async function distillWithoutModel(
  stages: Stages,
  page: Page,
  waiting: readonly Section[],
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const result = await stages.distillOffline({ page, sections: progress.sections, waiting }, signal);
  takeFacts(
    progress,
    result,
    waiting.map(({ index }) => index),
  );
}

async function distillByModel(
  { context, page, waiting, options, storeSoFar }: WritingInput,
  model: LanguageModel,
  progress: Progress,
  signal: AbortSignal,
): Promise<Brief | undefined> {
  const { sections } = progress;
  const { prompts } = context;
  const countTokens = await context.loadTokenizer();
  const promptHash = sha256Hex(prompts("facts"), 12);
  const origin: FactOrigin = { distiller: model.id, promptHash, extractive: false };
  const check = (drafts: readonly FactDraft[]): VerifyResult => verify({ drafts, page, sections, origin, countTokens });

  const kept = progress.facts;
  const arrived: FactDraft[] = [];
  let done = 0;
  let writing = Promise.resolve();
  const event = (stage: SaveStage): SaveEvent => ({
    stage,
    title: page.title,
    pageId: page.id,
    sectionsDone: done,
    sections: waiting.length,
  });
  options.onEvent?.(event("distill"));
  const distilled = await distillWithModel(
    {
      page,
      sections: waiting,
      model,
      prompts,
      countTokens,
      onBatch: ({ drafts, sectionIndexes, usage }) => {
        done += sectionIndexes.length;
        options.onEvent?.({ ...event("distill"), usage });
        arrived.push(...drafts);
        if (done === waiting.length) return;
        // Facts replace their sections as they arrive; a later kill keeps what was paid for.
        progress.facts = inPageOrder([...kept, ...check(arrived).facts]);
        markDistilled(progress, sectionIndexes);
        writing = writing.then(storeSoFar);
        writing.catch(() => undefined); // seen below, when the model is done
      },
    },
    signal,
  );
  await writing;
  signal.throwIfAborted();

  options.onEvent?.({ ...event("verify"), usage: distilled.usage });
  const repaired = await repairWithModel(
    { page, sections, drafts: distilled.drafts, check, model, prompts, countTokens },
    signal,
  );
  addUsage(progress, distilled.usage);
  addUsage(progress, repaired.usage);
  const failed = new Map(distilled.failed.map(({ sectionIndex, error }) => [sectionIndex, error]));
  progress.facts = kept;
  takeFacts(
    progress,
    repaired.result,
    waiting.map(({ index }) => index).filter((index) => !failed.has(index)),
  );
  fail(progress, failed);
  return distilled.brief;
}
