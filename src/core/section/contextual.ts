/**
 * Contextual retrieval (Anthropic, September 2024): a model writes 50 to 100 tokens that place a section in its page. They
 * are searched, embedded and returned in front of the section's own text, which stays as it is.
 */
import type { BacopaError } from "../errors.ts";
import type { CountTokens, LanguageModel, ModelUsage, Prompts } from "../ports.ts";
import type { Page, Section } from "../types.ts";
import { isUnfoundedOrder } from "../util/addressed/unfounded.ts";
import { askInBatches } from "../util/askInBatches.ts";
import { cleanLine, fenceWord, isRecord, pageHead } from "../util/pageRequest.ts";

export interface ModelWork {
  readonly page: Page;
  /** Those to write for, in page order. */
  readonly sections: readonly Section[];
  readonly model: LanguageModel;
  readonly prompts: Prompts;
  readonly countTokens: CountTokens;
  readonly onProgress?: ((done: number) => void) | undefined;
}

export interface Contexts {
  readonly contexts: ReadonlyMap<Section, string>;
  readonly failed: ReadonlyMap<Section, BacopaError>;
  readonly usage: ModelUsage & { readonly calls: number };
}

/** Sections that one request shows again beside the page, tokens. The page is read from the cache, they are not. */
const batchTokens = 6_000;
/** Contexts that a model writes well at a time. */
const batchItems = 16;
/** A context is asked for in 50 to 100 tokens; one above this is no context. */
const longestContext = 200;
/** Characters of the page that are sent, about 100,000 tokens: what models of the last years read whole. */
const longestPage = 400_000;

/** On abort this throws the signal's reason. A section that fails does not fail the others. */
export async function writeContexts(work: ModelWork, signal: AbortSignal): Promise<Contexts> {
  const { page, sections, model, prompts, countTokens, onProgress } = work;
  const word = fenceWord(page);
  const { answers, failed, usage } = await askInBatches<Section, string>(
    {
      model,
      purpose: "contextual",
      instructions: prompts("contextual"),
      context: `${pageHead(page, word)}\n\n<page-${word}>\n${page.text.slice(0, longestPage)}\n</page-${word}>`,
      schema: contextsSchema,
      items: sections,
      tokensOf: ({ tokens }) => tokens,
      batchTokens,
      batchItems,
      answerTokens: (batch) => 1_000 + batch.length * 2 * longestContext,
      content: (batch) =>
        [
          ...batch.map(({ index, start, end }) => {
            return `<section-${word} number="${index}">\n${page.text.slice(start, end).trim()}\n</section-${word}>`;
          }),
          `Write the contexts of ${batch.length === 1 ? "this section" : `these ${batch.length} sections`} now: ${batch.map(({ index }) => index).join(", ")}.`,
        ].join("\n\n"),
      parse: (value, batch) => parseContexts(value, batch, page, countTokens),
      onProgress,
    },
    signal,
  );
  return { contexts: answers, failed, usage };
}

const contextsSchema = {
  name: "write_contexts",
  description: "The context of each section.",
  schema: {
    type: "object",
    properties: {
      contexts: {
        type: "array",
        items: {
          type: "object",
          properties: {
            section: { type: "integer", description: "The number of the section." },
            context: { type: "string", description: "50 to 100 tokens that place the section in its page." },
          },
          required: ["section", "context"],
          additionalProperties: false,
        },
      },
    },
    required: ["contexts"],
    additionalProperties: false,
  },
} as const;

/** The first usable context of each section asked for; too long a one is none. */
function parseContexts(
  value: unknown,
  batch: readonly Section[],
  page: Page,
  countTokens: CountTokens,
): ReadonlyMap<Section, string> | undefined {
  const entries = isRecord(value) ? value["contexts"] : undefined;
  if (!Array.isArray(entries)) return undefined;
  const byIndex = new Map(batch.map((section) => [section.index, section]));
  const contexts = new Map<Section, string>();
  for (const entry of entries as readonly unknown[]) {
    const number = isRecord(entry) ? entry["section"] : undefined;
    const section = typeof number === "number" ? byIndex.get(number) : undefined;
    const text = isRecord(entry) ? cleanLine(entry["context"]) : undefined;
    if (section === undefined || contexts.has(section) || text === undefined || text === "") continue;
    if (text.length > longestContext * 8 || countTokens(text) > longestContext) continue;
    if (!isUnfoundedOrder(text, page.text)) contexts.set(section, text);
  }
  return contexts.size === 0 ? undefined : contexts;
}
