/**
 * Propositions (Chen et al., "Dense X Retrieval", 2023): a model writes each claim of a section as a sentence that stands
 * alone. The paper's text holds no code; here the program keeps each code block of a section beside its claims, verbatim.
 */
import type { BacopaError } from "../errors.ts";
import type { ModelUsage } from "../ports.ts";
import type { FactDraft, Page, Section, Span } from "../types.ts";
import { askInBatches } from "../util/askInBatches.ts";
import { codeBlocks } from "../util/markdown.ts";
import { cleanLine, fenceWord, isRecord, pageHead } from "../util/pageRequest.ts";
import type { ModelWork } from "./contextual.ts";

export interface Propositions {
  /** Of each section that was answered; none for noise. In the order of the answer. */
  readonly drafts: ReadonlyMap<Section, readonly FactDraft[]>;
  readonly failed: ReadonlyMap<Section, BacopaError>;
  readonly usage: ModelUsage & { readonly calls: number };
}

/** Tokens of sections in a request: their claims, with names put in and quotes, take about three times as many. */
const batchTokens = 4_000;
const answerShare = 4;
/** Characters: a claim above this is no single claim. */
const longestClaim = 600;
/** A section of 3,000 tokens holds some 150 claims; more is a runaway answer. */
const mostClaims = 300;

/** On abort this throws the signal's reason. A section that fails does not fail the others. */
export async function writePropositions(work: ModelWork, signal: AbortSignal): Promise<Propositions> {
  const { page, sections, model, prompts, onProgress } = work;
  const word = fenceWord(page);
  const { answers, failed, usage } = await askInBatches<Section, readonly FactDraft[]>(
    {
      model,
      purpose: "propositions",
      instructions: prompts("propositions"),
      schema: propositionsSchema,
      items: sections,
      tokensOf: ({ tokens }) => tokens,
      batchTokens: Math.min(batchTokens, Math.floor(model.maxOutputTokens / answerShare)),
      answerTokens: (batch) => 2_000 + answerShare * batch.reduce((sum, { tokens }) => sum + tokens, 0),
      content: (batch) =>
        [
          pageHead(page, word),
          ...batch.map((section) => {
            const path =
              section.headingPath.length === 0 ? "" : ` path=${JSON.stringify(section.headingPath.join(" > "))}`;
            const text = page.text.slice(section.start, section.end).trim();
            return `<section-${word} number="${section.index}"${path}>\n${text}\n</section-${word}>`;
          }),
          `Write the propositions of these sections now: ${batch.map(({ index }) => index).join(", ")}.`,
        ].join("\n\n"),
      parse: (value, batch) => parsePropositions(value, batch, page),
      onProgress,
    },
    signal,
  );
  return { drafts: answers, failed, usage };
}

/** The code blocks of sections, each as a unit of its own under the section's headings. */
export function codeDrafts(page: Page, sections: readonly Section[]): FactDraft[] {
  const blocks = codeBlocks(page.text);
  return sections.flatMap((section) =>
    blocks
      .filter(({ start, end, content }) => start >= section.start && end <= section.end && content.trim() !== "")
      .map(({ start, end, language, content }) => {
        const marks = "`".repeat(Math.max(3, ...[...content.matchAll(/`+/gu)].map(([run]) => run.length + 1)));
        const body = `${marks}${language}\n${content}\n${marks}`;
        return { ...emptyDraft(page, section), span: { start, end }, body };
      }),
  );
}

function emptyDraft(page: Page, section: Section): FactDraft {
  const topic = section.headingPath.at(-1) ?? page.title;
  return { sectionIndex: section.index, topic, statement: "", questions: [], keywords: [], symbols: [], body: "" };
}

const propositionsSchema = {
  name: "write_propositions",
  description: "Every claim of the given sections, and the sections that hold only noise.",
  schema: {
    type: "object",
    properties: {
      propositions: {
        type: "array",
        items: {
          type: "object",
          properties: {
            section: { type: "integer", description: "The number of the section." },
            claim: { type: "string", description: "One claim in one sentence that stands alone." },
            quote: {
              type: "string",
              description: "4 to 12 words copied from the section, from where the claim stands.",
            },
          },
          required: ["section", "claim", "quote"],
          additionalProperties: false,
        },
      },
      noise: {
        type: "array",
        items: { type: "integer" },
        description: "Numbers of the sections that hold no claim.",
      },
    },
    required: ["propositions", "noise"],
    additionalProperties: false,
  },
} as const;

/** A section that is in no proposition and not called noise is left out, so that it is asked for again. */
function parsePropositions(
  value: unknown,
  batch: readonly Section[],
  page: Page,
): ReadonlyMap<Section, readonly FactDraft[]> | undefined {
  const entries = isRecord(value) ? value["propositions"] : undefined;
  if (!isRecord(value) || !Array.isArray(entries)) return undefined;
  const byIndex = new Map(batch.map((section) => [section.index, section]));
  const drafts = new Map<Section, FactDraft[]>();
  const noise = Array.isArray(value["noise"]) ? (value["noise"] as readonly unknown[]) : [];
  for (const number of noise) {
    const section = typeof number === "number" ? byIndex.get(number) : undefined;
    if (section !== undefined) drafts.set(section, []);
  }
  for (const entry of entries as readonly unknown[]) {
    if (!isRecord(entry)) continue;
    const section = typeof entry["section"] === "number" ? byIndex.get(entry["section"]) : undefined;
    const claim = cleanLine(entry["claim"]);
    if (section === undefined || claim === undefined || claim === "" || claim.length > longestClaim) continue;
    const own = drafts.get(section) ?? [];
    if (own.length >= mostClaims || own.some(({ statement }) => statement === claim)) continue;
    const span = typeof entry["quote"] === "string" ? placeOf(entry["quote"], page.text, section) : undefined;
    own.push({ ...emptyDraft(page, section), statement: claim, ...(span === undefined ? {} : { span }) });
    drafts.set(section, own);
  }
  return drafts.size === 0 ? undefined : drafts;
}

/** The lines of a section that hold the quote, white space aside; `undefined` where it is not there. */
function placeOf(quote: string, text: string, section: Section): Span | undefined {
  const words = quote.trim().split(/\s+/u).slice(0, 30);
  if (words.join("").length < 4) return undefined;
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&")).join("\\s+");
  const found = new RegExp(pattern, "u").exec(text.slice(section.start, section.end));
  if (found === null) return undefined;
  const at = section.start + found.index;
  const start = Math.max(section.start, text.lastIndexOf("\n", at) + 1);
  const line = text.indexOf("\n", at + found[0].length);
  return { start, end: Math.min(section.end, line === -1 ? section.end : line) };
}
