import type { Embedder, EmbedderChoice } from "../../src/core/ports.ts";

export interface SlowEmbedder extends EmbedderChoice {
  /** Passages asked for so far. */
  readonly passages: string[];
  readonly queries: string[];
  opened: number;
  disposed: number;
  /** While set, opening (`open`) or embedding (`embed`) fails with it. */
  failure: { readonly at: "open" | "embed"; readonly error: Error } | undefined;
  /** Passages that may be embedded before the rest has to wait; `release` lets more through. */
  allow(count: number): void;
}

/**
 * An embedder for tests: a text's vector counts its letters, so that texts of the same letters are near. Embeds one text
 * at a time, as many as it is allowed.
 */
export function slowEmbedder(id: string, { dims = 26, allowed = Infinity, isInstant = false } = {}): SlowEmbedder {
  let left = allowed;
  let wake: () => void = () => undefined;
  const embedder: Embedder = {
    id,
    dims,
    maxTokens: 512,
    meaningWeight: 0.5,
    dispose: () => {
      choice.disposed++;
    },
    async embed(texts, kind, signal) {
      const vectors: (Float32Array | undefined)[] = [];
      for (const text of texts) {
        while (kind === "passage" && left <= 0) {
          signal.throwIfAborted();
          await new Promise<void>((resolve) => {
            wake = resolve;
            signal.addEventListener("abort", () => resolve(), { once: true });
          });
        }
        signal.throwIfAborted();
        if (choice.failure?.at === "embed") throw choice.failure.error;
        (kind === "query" ? choice.queries : choice.passages).push(text);
        if (kind === "passage") left--;
        vectors.push(letters(text, dims));
      }
      return vectors;
    },
  };
  const choice: SlowEmbedder = {
    name: id,
    isInstant,
    passages: [],
    queries: [],
    opened: 0,
    disposed: 0,
    failure: undefined,
    allow(count) {
      left += count;
      wake();
    },
    async open(signal) {
      await Promise.resolve();
      signal.throwIfAborted();
      if (choice.failure?.at === "open") throw choice.failure.error;
      choice.opened++;
      return embedder;
    },
  };
  return choice;
}

function letters(text: string, dims: number): Float32Array | undefined {
  const vector = new Float32Array(dims);
  for (const letter of text.toLowerCase().match(/[a-z]/g) ?? []) {
    const place = (letter.charCodeAt(0) - 97) % dims;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return length === 0 ? undefined : vector.map((value) => value / length);
}
