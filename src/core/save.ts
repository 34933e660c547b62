/**
 * One save, from the target to a searchable, distilled and checked page:
 * capture -> clean -> section -> (searchable) -> distill -> verify -> store.
 * This file and library.ts alone know the order of the stages.
 */
import { capture, rawText } from "./capture/capture.ts";
import { pageOf } from "./capture/page.ts";
import { cutPage, lackOf, noEmbedder } from "./cut.ts";
import { briefOf, carriedBrief } from "./distill/brief.ts";
import { offlineDistillerId } from "./distill/offline.ts";
import { BacopaError } from "./errors.ts";
import type { ErrorAction } from "./errors.ts";
import type { SaveOptions } from "./library.ts";
import type { Clock, CountTokens, Embedder, Log, ModelUsage, PageSource, Prompts } from "./ports.ts";
import { renderPageHead } from "./render.ts";
import { figuresOf, hasUnits, newProgress, startSections } from "./saveProgress.ts";
import type { Milliseconds, Progress } from "./saveProgress.ts";
import { noModel, writeUnits } from "./saveWriting.ts";
import type { Stages } from "./stages.ts";
import { needsModel, parseStrategy } from "./strategy.ts";
import type { SizedStrategy } from "./strategy.ts";
import type { Brief, Figures, LeftOut, Page, PageId, SavedPage, Section } from "./types.ts";
import { shownTarget } from "./util/shownTarget.ts";

export type SaveStage = "fetch" | "clean" | "section" | "index" | "distill" | "verify" | "done";

/** Progress of one save. */
export interface SaveEvent {
  readonly stage: SaveStage;
  readonly title?: string | undefined;
  /** The page, once its sections can be searched. */
  readonly pageId?: PageId | undefined;
  /** Sections distilled so far. */
  readonly sectionsDone?: number | undefined;
  readonly sections?: number | undefined;
  /** What a model has used so far. */
  readonly usage?: ModelUsage | undefined;
}

/** What came of one save; the JSON of `bacopa save`. */
export interface SaveReport extends Figures {
  readonly pageId: PageId | null;
  readonly url: string | null;
  readonly title: string | null;
  readonly state: "done" | "failed" | "canceled";
  /** A `Reason` of errors.ts. With `state: "done"`: why some sections have no facts yet. */
  readonly reason?: string | undefined;
  /** The reason in words, with the next step. */
  readonly message?: string | undefined;
  /** The same for a person at a command line, where the next step is another one there. */
  readonly commandLine?: string | undefined;
  /** What an agent should do next. */
  readonly hint?: string | undefined;
  /** What the editor can offer. */
  readonly action?: ErrorAction | undefined;
  readonly sections: number;
  readonly facts: number;
  /** Sections whose distillation failed; saving again retries only these. */
  readonly failedSections: number;
  /** Sections that had not changed and kept their facts. */
  readonly keptSections: number;
  readonly distiller: string;
  readonly strategy: string;
  readonly coverage: number;
  readonly leftOut: readonly LeftOut[];
}

/** What `savePage` needs of its library. */
export interface SaveContext {
  readonly sources: readonly PageSource[];
  readonly prompts: Prompts;
  readonly clock: Clock;
  readonly log: Log;
  readonly stages: Stages;
  /** For batching sections by size: only a save by a model needs the tokenizer in this thread. */
  readonly loadTokenizer: () => Promise<CountTokens>;
  /** For strategies that cut or pool by meaning. @throws BacopaError when the chosen one cannot be opened. */
  embedder(signal: AbortSignal): Promise<Embedder | undefined>;
  existing(pageId: PageId): Promise<StoredPage | undefined>;
  /** Writes the page and puts it into the index. Its new revision, or `undefined` when the page is another than `over` says. */
  store(saved: SavedPage, over: Over, signal: AbortSignal): Promise<string | undefined>;
}

/** A page as it was read, with the revision it had. */
export interface StoredPage {
  readonly saved: SavedPage;
  readonly revision: string;
}

/** What a write may take the place of: this very revision, or no page (`undefined`). */
export interface Over {
  readonly revision: string | undefined;
}

/** What a person gives with a page beside its address. */
export type PageGiven = Pick<SaveOptions, "url" | "content" | "title">;

type Obtain = (ms: Milliseconds) => Promise<Page>;

/** Where the page comes from; `saved` is the stored page that a refresh began with. */
interface Basis {
  readonly obtain: Obtain;
  readonly saved?: SavedPage;
}

/** Saves one page. Never throws for a page's or a model's fault: the report says what happened. */
export function savePage(
  context: SaveContext,
  target: string,
  options: SaveOptions,
  signal: AbortSignal,
): Promise<SaveReport> {
  const obtain: Obtain = (ms) => readPage(context, target, options, signal, { ms, onEvent: options.onEvent });
  return saveWith(context, target, { obtain }, options, signal);
}

/** Distills what a stored page still lacks (everything, with `force`), without fetching it again. */
export function distillSaved(
  context: SaveContext,
  saved: SavedPage,
  options: SaveOptions,
  signal: AbortSignal,
): Promise<SaveReport> {
  return saveWith(context, saved.page.url, { obtain: () => Promise.resolve(saved.page), saved }, options, signal);
}

/** Reads a saved page's source again. A source that says "not changed" costs one request; unchanged sections keep their facts. */
export function refreshSaved(
  context: SaveContext,
  saved: SavedPage,
  options: SaveOptions,
  signal: AbortSignal,
): Promise<SaveReport> {
  const { requested, title } = saved.page;
  const obtain: Obtain = (ms) => {
    if (!hasSource(requested)) throw noSource(title);
    return readPage(context, requested, givenAgain(saved.page), signal, { ms, onEvent: options.onEvent, known: saved });
  };
  return saveWith(context, requested, { obtain, saved }, options, signal);
}

/** Reads the source of a page again of which no more is known, because its files are damaged. */
export function refreshLost(
  context: SaveContext,
  source: Pick<Page, "requested" | "url">,
  options: SaveOptions,
  signal: AbortSignal,
): Promise<SaveReport> {
  const obtain: Obtain = (ms) => {
    if (!hasSource(source.requested)) throw noSource(source.url);
    return readPage(context, source.requested, givenAgain(source), signal, { ms, onEvent: options.onEvent });
  };
  return saveWith(context, source.requested, { obtain }, options, signal);
}

function hasSource(requested: string): boolean {
  return /^(?:https?|file):/iu.test(requested);
}

/** A file that was saved under a web address keeps it. */
function givenAgain({ requested, url }: Pick<Page, "requested" | "url">): PageGiven {
  return /^https?:/i.test(requested) ? {} : { url };
}

async function saveWith(
  context: SaveContext,
  target: string,
  basis: Basis,
  options: SaveOptions,
  signal: AbortSignal,
): Promise<SaveReport> {
  const started = context.clock.elapsed();
  const progress = newProgress();
  let state: SaveReport["state"] = "done";
  try {
    const strategy = chosenStrategy(options, basis.saved);
    await run(context, basis, strategy, options, progress, started, signal);
    if (progress.failure !== undefined && !hasUnits(progress, strategy)) state = "failed";
  } catch (error) {
    if (signal.aborted) state = "canceled";
    else if (error instanceof BacopaError) {
      progress.failure = error;
      state = "failed";
      if (error.reason === "superseded") {
        state = "canceled";
        progress.stored = undefined; // what was written is gone again
      }
    } else throw error;
  }
  progress.ms.total = context.clock.elapsed() - started;
  options.onEvent?.({ stage: "done", title: progress.page?.title });
  return reportOf(progress, target, options, state);
}

/** @throws BacopaError `bad-usage`, `model-missing`. */
function chosenStrategy(options: SaveOptions, saved: SavedPage | undefined): SizedStrategy {
  const strategy = parseStrategy(options.strategy ?? "facts");
  if (typeof strategy === "string")
    throw new BacopaError("bad-usage", { message: "unusable strategy", userMessage: strategy });
  // A page that has the strategy already keeps what does not change.
  if (needsModel(strategy.kind) && options.distiller.kind === "offline" && saved?.strategy !== strategy.name)
    throw noModel(strategy);
  return strategy;
}

async function run(
  context: SaveContext,
  basis: Basis,
  strategy: SizedStrategy,
  options: SaveOptions,
  progress: Progress,
  started: number,
  signal: AbortSignal,
): Promise<void> {
  const { clock, stages } = context;
  const page = await basis.obtain(progress.ms);
  progress.page = page;

  options.onEvent?.({ stage: "section", title: page.title });
  const cutting = clock.elapsed();
  progress.sections = await sectionsFor(context, basis, page, strategy, options, signal);
  progress.ms.section = clock.elapsed() - cutting;

  // Searchable from here on: sections stand in for the facts that are still to come.
  options.onEvent?.({ stage: "index", title: page.title, sections: progress.sections.length });
  let indexing = clock.elapsed();
  const savedWith = (brief: Brief): SavedPage => {
    const { sections, states: sectionStates, facts } = progress;
    return { page, strategy: strategy.name, sections, sectionStates, facts, brief, figures: figuresOf(progress) };
  };
  const { brief, ...first } = await storeFirst(context, basis, page, strategy, savedWith, options, progress, signal);
  let over: Over = first;
  const stored = (): void => {
    progress.stored = { sections: progress.sections.length, facts: progress.facts.length };
  };
  stored();
  progress.ms.index = clock.elapsed() - indexing;
  progress.ms.searchable = clock.elapsed() - started;
  options.onEvent?.({ stage: "index", title: page.title, pageId: page.id, sections: progress.sections.length });

  const waiting = progress.sections.filter((_, index) => progress.states[index]?.state === "waiting");
  if (waiting.length === 0) return;

  const distilling = clock.elapsed();
  const storeSoFar = async (): Promise<void> => {
    const revision = await context.store(savedWith(brief), over, signal);
    if (revision === undefined) return; // another wrote meanwhile: the last write sees to it
    over = { revision };
    stored();
  };
  const finalBrief = await writeUnits({ context, strategy, page, waiting, options, storeSoFar }, progress, signal);
  progress.ms.distill = clock.elapsed() - distilling;
  signal.throwIfAborted();
  if (progress.failure === undefined && !hasUnits(progress, strategy)) progress.failure = noFacts(page);

  indexing = clock.elapsed();
  const counted = finalBrief === undefined ? brief : await withTokens(finalBrief, page, stages, signal);
  await storeLast(context, savedWith(counted), over, signal);
  stored();
  progress.ms.index += clock.elapsed() - indexing;
}

/** The page's sections: those it has where its text stayed and a model chose them, else cut anew. */
async function sectionsFor(
  context: SaveContext,
  basis: Basis,
  page: Page,
  strategy: SizedStrategy,
  options: SaveOptions,
  signal: AbortSignal,
): Promise<readonly Section[]> {
  if (strategy.kind === "agentic" && options.force !== true) {
    const known = (await context.existing(page.id))?.saved ?? basis.saved;
    const isCut = known?.sectionStates.every(({ state }) => state === "kept") === true;
    if (known?.strategy === strategy.name && known.page.text === page.text && isCut) return known.sections;
  }
  const usesEmbedder = strategy.kind === "semantic" || strategy.kind === "late";
  const embedder = usesEmbedder ? await context.embedder(signal) : undefined;
  if (lackOf(strategy, { embedder, hasModel: true }) !== undefined) throw noEmbedder(strategy, embedder);
  return cutPage(page.text, strategy, { stages: context.stages, embedder }, signal);
}

/**
 * The first write of a save: what did not change keeps its facts. Looks again when another window wrote meanwhile,
 * so that facts which a save of that window has promised are not lost.
 *
 * @throws BacopaError `superseded` when a page to be refreshed was removed or got another text meanwhile.
 */
async function storeFirst(
  context: SaveContext,
  basis: Basis,
  page: Page,
  strategy: SizedStrategy,
  savedWith: (brief: Brief) => SavedPage,
  options: SaveOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<{ readonly brief: Brief; readonly revision: string }> {
  const { clock, stages } = context;
  for (;;) {
    const current = await context.existing(page.id);
    if (basis.saved?.page.id === page.id) {
      const { text } = current?.saved.page ?? {};
      if (text !== page.text && text !== basis.saved.page.text) throw superseded(page, current);
    }
    const existing = options.force === true ? undefined : current?.saved;
    startSections(progress, strategy, existing, options);
    // A model read the whole page for its brief; it stays as long as facts of a model stay.
    const isWritten = existing !== undefined && progress.facts.some(({ origin }) => !origin.extractive);
    const written = isWritten ? carriedBrief(existing.brief, existing.page, page) : undefined;
    const brief = await withTokens(written ?? briefOf(page, progress.sections, clock.now()), page, stages, signal);
    const revision = await context.store(savedWith(brief), { revision: current?.revision }, signal);
    if (revision !== undefined) return { brief, revision };
    signal.throwIfAborted();
  }
}

/**
 * The last write of a save. Gives way when the page was removed or got another text meanwhile, and to a better
 * distillation of the same text by another window.
 */
async function storeLast(context: SaveContext, saved: SavedPage, over: Over, signal: AbortSignal): Promise<void> {
  let expected = over;
  while ((await context.store(saved, expected, signal)) === undefined) {
    signal.throwIfAborted();
    const current = await context.existing(saved.page.id);
    if (current?.saved.page.text !== saved.page.text) throw superseded(saved.page, current);
    if (isBetter(current.saved, saved)) return;
    expected = { revision: current.revision };
  }
}

/** Whether another distillation of the same text has facts that this one lacks: of more sections, or of a model. */
function isBetter(other: SavedPage, saved: SavedPage): boolean {
  const lacking = ({ sectionStates }: SavedPage): number =>
    sectionStates.filter(({ state }) => state === "waiting" || state === "failed").length;
  const byModel = ({ facts }: SavedPage): boolean => facts.some(({ origin }) => !origin.extractive);
  if (lacking(other) !== lacking(saved)) return lacking(other) < lacking(saved);
  return byModel(other) && !byModel(saved);
}

function superseded({ id, title }: Page, current: StoredPage | undefined): BacopaError {
  const isThere = current !== undefined;
  return new BacopaError("superseded", {
    message: `${id} was ${isThere ? "written" : "removed"} by another meanwhile`,
    userMessage: isThere
      ? `"${title}" was saved anew while this save was at work, and that newer text stays. Refresh the page if you want it read again.`
      : `"${title}" was removed while it was being saved, and stays removed. Save it again if you want it back.`,
    hint: "The page's newer state counts; do not retry.",
  });
}

/** Capture, clean, and refuse what is no page. */
export async function readPage(
  context: Pick<SaveContext, "sources" | "clock" | "stages">,
  target: string,
  given: PageGiven,
  signal: AbortSignal,
  watch: {
    readonly ms?: Milliseconds;
    readonly onEvent?: SaveOptions["onEvent"];
    readonly known?: SavedPage;
  } = {},
): Promise<Page> {
  const { clock, stages } = context;
  let since = clock.elapsed();
  const lap = (stage: "fetch" | "clean"): void => {
    const now = clock.elapsed();
    if (watch.ms !== undefined) watch.ms[stage] = now - since;
    since = now;
  };
  watch.onEvent?.({ stage: "fetch" });
  const raw =
    given.content === undefined
      ? await sourceOf(context, target).read(target, signal, watch.known?.page)
      : // No type is said: what was pasted shows by itself whether it is HTML, Markdown or text.
        { ...rawText(given.content, ""), requested: target };
  lap("fetch");
  signal.throwIfAborted();
  if (raw.status === 304 && watch.known !== undefined) return watch.known.page;

  watch.onEvent?.({ stage: "clean" });
  const captured = capture(raw, { url: given.url });
  const cleaned = await stages.clean(captured, signal);
  const page: Page = {
    ...pageOf(captured, cleaned, clock.now().toISOString()),
    title: given.title ?? cleaned.title,
    // A path is taken from the folder one stands in; what was read is the same from everywhere.
    requested: raw.url?.startsWith("file:") === true ? raw.url : captured.requested,
  };
  lap("clean");
  signal.throwIfAborted();

  return page;
}

function sourceOf(context: Pick<SaveContext, "sources">, target: string): PageSource {
  const source = context.sources.find((candidate) => candidate.accepts(target));
  if (source !== undefined) return source;
  throw new BacopaError("bad-url", {
    message: `No source reads ${shownTarget(target)}`,
    userMessage: `"${shownTarget(target)}" is neither a web address nor a file. Give a URL that begins with http:// or https://, or the path of a file.`,
  });
}

function noSource(title: string): BacopaError {
  return new BacopaError("not-found", {
    message: "a pasted page has no source",
    userMessage: `"${title}" was pasted and has no source to read again. Save its new text instead.`,
  });
}

async function withTokens(brief: Brief, page: Page, stages: Stages, signal: AbortSignal): Promise<Brief> {
  const head = renderPageHead({ title: page.title, url: page.url, brief });
  return { ...brief, tokens: await stages.countTokens(head, signal) };
}

function noFacts(page: Page): BacopaError {
  return new BacopaError("no-facts", {
    message: `0 facts from ${page.id}`,
    userMessage: `No facts came out of "${page.title}". Its sections can be searched as they are; distill it again, or choose another distiller.`,
    commandLine: `No facts came out of "${page.title}". Its sections can be searched as they are; save it again with --force or with another distiller to retry.`,
    action: { title: "Choose Distiller", command: "bacopa.chooseDistiller" },
    hint: "Do not retry. Its sections can be searched as they are.",
    retryable: true,
  });
}

function reportOf(progress: Progress, target: string, options: SaveOptions, state: SaveReport["state"]): SaveReport {
  const { page, failure } = progress;
  return {
    pageId: progress.stored === undefined ? null : (page?.id ?? null),
    url: page?.url ?? (/^https?:/i.test(target) ? shownTarget(target) : null),
    title: page?.title ?? null,
    state,
    reason: failure?.reason,
    message: failure?.userMessage,
    commandLine: failure?.commandLine,
    hint: failure?.hint,
    action: failure?.action,
    sections: progress.stored?.sections ?? 0,
    facts: progress.stored?.facts ?? 0,
    failedSections: progress.states.filter((section) => section.state === "failed").length,
    keptSections: progress.keptSections,
    distiller: options.distiller.kind === "offline" ? offlineDistillerId : options.distiller.model.id,
    strategy: options.strategy ?? "facts",
    ...figuresOf(progress),
    coverage: page?.coverage ?? 0,
    leftOut: page?.leftOut ?? [],
  };
}
