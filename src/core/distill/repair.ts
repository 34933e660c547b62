import { BacopaError } from "../errors.ts";
import type { CountTokens, LanguageModel, ModelUsage, Prompts } from "../ports.ts";
import type { FactDraft, Page, Section } from "../types.ts";
import { parseReply, repairSchema } from "./reply.ts";
import type { ParsedReply } from "./reply.ts";
import { answerLimit } from "./distillWithModel.ts";
import { fenceWordFor } from "../util/fenceWord.ts";
import { oneLine, pageHead, textsOf } from "../util/pageRequest.ts";
import { partOf, sectionBlock } from "./request.ts";

/** What `verify` says of drafts, as far as repairing needs it. */
export interface Checked {
  readonly repairs: readonly { readonly draft: FactDraft; readonly unsupported: readonly string[] }[];
  readonly missing: readonly { readonly sectionIndex: number; readonly specifics: readonly string[] }[];
}

export interface RepairInput<Result extends Checked> {
  readonly page: Page;
  readonly sections: readonly Section[];
  readonly drafts: readonly FactDraft[];
  /** `verify` with everything but the drafts filled in. */
  readonly check: (drafts: readonly FactDraft[]) => Result;
  readonly model: LanguageModel;
  readonly prompts: Prompts;
  readonly countTokens: CountTokens;
}

export interface Repaired<Result extends Checked> {
  readonly drafts: readonly FactDraft[];
  /** Of the last check. */
  readonly result: Result;
  readonly usage: ModelUsage & { readonly calls: number };
  /** Why a repair call brought nothing; the facts stay as they were. */
  readonly error?: BacopaError | undefined;
}

/**
 * Checks drafts and sends faults back to the model once: what facts state without support, and what their sections say and no fact
 * does. One call a page holds both; a page with many faults sends the worst of them, as much as fits the call.
 *
 * A repair is taken only where it helps: a rewritten fact must leave fewer unsupported specifics, and a section must not lose more
 * than it did. A failed call leaves the facts as they were. On abort this throws the signal's reason.
 */
export async function repairWithModel<Result extends Checked>(
  { page, sections, drafts, check, model, prompts, countTokens }: RepairInput<Result>,
  signal: AbortSignal,
): Promise<Repaired<Result>> {
  signal.throwIfAborted();
  const before = check(drafts);
  const unchanged = { drafts, result: before, usage: { in: 0, out: 0, costUsd: 0, calls: 0 } };
  const faults = worstFaults(faultsOf(before, drafts, sections), maxInputTokens, (fault) =>
    faultTokens(fault, countTokens),
  );
  if (faults.length === 0) return unchanged;

  const usage = { in: 0, out: 0, costUsd: 0, calls: 1 };
  let reply: ParsedReply | undefined;
  try {
    const answer = await model.ask(
      {
        purpose: "repair",
        instructions: prompts("repair"),
        content: repairText(page, faults),
        schema: repairSchema,
        maxTokens: answerLimit(
          faults.map(({ section }) => section),
          model.maxOutputTokens,
        ),
      },
      signal,
    );
    Object.assign(usage, { in: answer.usage.in, out: answer.usage.out, costUsd: answer.usage.costUsd });
    reply =
      answer.stop === "done"
        ? parseReply(
            answer.value,
            faults.map(({ section }) => section.index),
          )
        : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!BacopaError.is(error)) throw error;
    return { ...unchanged, usage, error };
  }
  signal.throwIfAborted();
  if (reply === undefined) return { ...unchanged, usage };
  const repaired = withRepairs(drafts, reply, faults, check);
  return { drafts: repaired, result: check(repaired), usage };
}

/** Most section and fact text that one repair call carries, tokens. */
const maxInputTokens = 24_000;

interface Fault {
  readonly section: Section;
  /** The section's facts, numbered from 1 over the page, with what each states without support. */
  readonly facts: readonly {
    readonly number: number;
    readonly draft: FactDraft;
    readonly unsupported: readonly string[];
  }[];
  readonly missing: readonly string[];
}

function faultsOf(checked: Checked, drafts: readonly FactDraft[], sections: readonly Section[]): Fault[] {
  const unsupported = new Map(checked.repairs.map((repair) => [repair.draft, repair.unsupported]));
  const missing = new Map(checked.missing.map(({ sectionIndex, specifics }) => [sectionIndex, specifics]));
  const faults: Fault[] = [];
  for (const section of sections) {
    const facts = drafts
      .map((draft, index) => ({ number: index + 1, draft, unsupported: unsupported.get(draft) ?? [] }))
      .filter(({ draft }) => draft.sectionIndex === section.index);
    const lost = missing.get(section.index) ?? [];
    if (facts.some((fact) => fact.unsupported.length > 0) || lost.length > 0)
      faults.push({ section, facts, missing: lost });
  }
  return faults;
}

/** The faults with most to gain, in page order, as many as fit. */
function worstFaults(faults: readonly Fault[], maxTokens: number, tokensOf: (fault: Fault) => number): Fault[] {
  const gain = ({ facts, missing }: Fault) =>
    missing.length + facts.reduce((sum, { unsupported }) => sum + unsupported.length, 0);
  const kept: Fault[] = [];
  let tokens = 0;
  for (const fault of faults.toSorted((a, b) => gain(b) - gain(a))) {
    const more = tokensOf(fault);
    if (kept.length > 0 && tokens + more > maxTokens) continue;
    kept.push(fault);
    tokens += more;
  }
  return kept.toSorted((a, b) => a.section.index - b.section.index);
}

function faultTokens({ section, facts }: Fault, countTokens: CountTokens): number {
  return section.tokens + facts.reduce((sum, { draft }) => sum + countTokens(draft.body), 0);
}

function repairText(page: Page, faults: readonly Fault[]): string {
  const shown = faults.map((fault) => ({
    ...fault,
    facts: fault.facts.map(({ number, draft, unsupported }) => {
      const { topic, statement, questions, keywords, symbols, body } = draft;
      const whole = unsupported.length > 0 || fault.missing.length > 0;
      const text = JSON.stringify(
        whole ? { topic, statement, questions, keywords, symbols, body } : { topic, statement },
      );
      return { number, text, unsupported };
    }),
  }));
  // What a model wrote and what was found in a page is as little to be trusted as the page.
  const word = fenceWordFor([
    ...textsOf(page),
    ...shown.flatMap(({ facts, missing }) => [
      ...missing,
      ...facts.flatMap(({ text, unsupported }) => [text, ...unsupported]),
    ]),
  ]);
  const fenced = (name: string, text: string): string => `<${name}-${word}>\n${text}\n</${name}-${word}>`;
  const listed = (specifics: readonly string[]): string => specifics.map(oneLine).join(" · ");
  const blocks = shown.map(({ section, facts, missing }) => {
    const lines = facts.map(({ number, text, unsupported }) => {
      const fact = `Fact ${number} of section ${section.index}:\n${fenced("fact", text)}`;
      return unsupported.length === 0
        ? fact
        : `${fact}\nUnsupported in fact ${number}:\n${fenced("unsupported", listed(unsupported))}`;
    });
    const left =
      missing.length === 0
        ? []
        : [`Left out of the facts of section ${section.index}:\n${fenced("missing", listed(missing))}`];
    return [sectionBlock(page, partOf(section), word), ...lines, ...left].join("\n\n");
  });
  return [pageHead(page, word), ...blocks, "Return the corrected and added facts now."].join("\n\n");
}

/** Puts the reply's facts in place, section by section, where the check says that they help. */
function withRepairs(
  drafts: readonly FactDraft[],
  reply: ParsedReply,
  faults: readonly Fault[],
  check: (drafts: readonly FactDraft[]) => Checked,
): FactDraft[] {
  const result = [...drafts];
  const added: FactDraft[] = [];
  for (const { section, facts } of faults) {
    const own = new Map(facts.map(({ number, draft }) => [number, draft]));
    const changes = new Map<FactDraft, FactDraft>();
    const additions: FactDraft[] = [];
    for (const { replaces, ...draft } of reply.drafts) {
      if (draft.sectionIndex !== section.index) continue;
      const old = replaces === undefined ? undefined : own.get(replaces);
      if (old !== undefined && !changes.has(old)) changes.set(old, draft);
      else if (replaces === undefined) additions.push(draft);
    }
    const current = facts.map(({ draft }) => draft);
    const wanted = [...current.map((draft) => changes.get(draft) ?? draft), ...additions];
    if (weight(check(wanted)) > weight(check(current))) continue;
    for (const [old, draft] of changes) result[result.indexOf(old)] = draft;
    added.push(...additions);
  }
  return [...result, ...added].toSorted((a, b) => a.sectionIndex - b.sectionIndex);
}

/** Faults of a check, each specific counted once. */
function weight({ repairs, missing }: Checked): number {
  return (
    repairs.reduce((sum, { unsupported }) => sum + unsupported.length, 0) +
    missing.reduce((sum, { specifics }) => sum + specifics.length, 0)
  );
}
