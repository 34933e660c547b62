import { Tokenizer } from "@huggingface/tokenizers";
import type { Span } from "../../../core/types.ts";
import { alignTokens } from "./alignTokens.ts";
import type { TokenStyle } from "./alignTokens.ts";

export interface Encoded {
  /** With the markers around, at most as many as asked for. */
  readonly ids: readonly number[];
  /** The text's own tokens, as the vocabulary writes them. */
  readonly tokens: readonly string[];
  /** Place of the first of these in `ids`. */
  readonly start: number;
}

/** A model's own tokenizer (`tokenizer.json`): WordPiece, BPE or Unigram. */
export class ModelTokenizer {
  readonly padId: number;
  readonly #tokenizer: Tokenizer;
  readonly #style: TokenStyle;
  /** Markers before and after a text. */
  readonly #before: readonly number[];
  readonly #after: readonly number[];

  /** @throws When the description makes no tokenizer. */
  constructor(json: Record<string, unknown>, config: Record<string, unknown>) {
    this.#tokenizer = new Tokenizer(json, config);
    this.#style = styleOf(json);
    const sample = "a";
    const whole = this.#tokenizer.encode(sample).ids;
    const bare = this.#tokenizer.encode(sample, { add_special_tokens: false }).ids;
    const at = Math.max(0, startOf(bare, whole));
    this.#before = whole.slice(0, at);
    this.#after = whole.slice(at + bare.length);
    const { pad_token: pad } = config;
    const padding = json.padding as { readonly pad_id?: unknown } | null | undefined;
    const name = typeof pad === "string" ? pad : (pad as { readonly content?: string } | undefined)?.content;
    this.padId =
      (name === undefined ? undefined : this.#tokenizer.token_to_id(name)) ??
      (typeof padding?.pad_id === "number" ? padding.pad_id : 0);
  }

  /** Of a longer text the beginning. */
  encode(text: string, maxTokens: number): Encoded {
    const room = Math.max(0, maxTokens - this.#before.length - this.#after.length);
    // No use in reading a whole page for its first 512 tokens.
    const beginning = text.slice(0, room * charactersRead);
    const { ids, tokens } = this.#tokenizer.encode(beginning, { add_special_tokens: false });
    return {
      ids: [...this.#before, ...ids.slice(0, room), ...this.#after],
      tokens: tokens.slice(0, room),
      start: this.#before.length,
    };
  }

  /** Where each of a text's tokens lies in it: groups of tokens that share one place, in order. */
  spansOf(text: string, tokens: readonly string[]): { readonly tokens: readonly number[]; readonly span: Span }[] {
    return alignTokens(text, tokens, this.#style);
  }
}

/** A token holds fewer characters than this, runs of blanks aside. */
const charactersRead = 32;

function startOf(part: readonly number[], whole: readonly number[]): number {
  for (let start = 0; start + part.length <= whole.length; start++)
    if (part.every((id, i) => whole[start + i] === id)) return start;
  return -1;
}

function styleOf(json: Record<string, unknown>): TokenStyle {
  const model = (json.model ?? {}) as Record<string, unknown>;
  const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
  return {
    isByteLevel: JSON.stringify([json.pre_tokenizer, json.decoder]).includes('"ByteLevel"'),
    continuation: model.type === "WordPiece" ? (text(model.continuing_subword_prefix) ?? "##") : undefined,
    wordEnd: text(model.end_of_word_suffix),
    unknown: text(model.unk_token) ?? "<unk>",
  };
}
