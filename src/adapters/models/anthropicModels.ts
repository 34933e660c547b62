/** USD per million tokens. Cache writes are those with the default five minutes to live. */
export interface Prices {
  readonly in: number;
  readonly out: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/**
 * Anthropic's price list, platform.claude.com/docs/en/about-claude/pricing, November 2026.
 * The first pattern that matches a model id wins. Claude Haiku 5.5 has a higher band for prompts above 100,000 tokens, which
 * batches of 8,000 never reach.
 */
const priceList: readonly (readonly [RegExp, Prices])[] = [
  [/^claude-(?:fable|mythos)-5-2\b/u, { in: 8, out: 40, cacheRead: 0.2, cacheWrite: 10 }],
  [/^claude-(?:fable|mythos)-5-1\b/u, { in: 10, out: 50, cacheRead: 0.25, cacheWrite: 12.5 }],
  [/^claude-(?:fable|mythos)-5(?:-\d{8})?$/u, { in: 10, out: 50, cacheRead: 1, cacheWrite: 12.5 }],
  [/^claude-opus-5-5\b/u, { in: 4, out: 20, cacheRead: 0.2, cacheWrite: 5 }],
  [/^claude-opus-(?:5|4-[5-8])(?:-\d{8})?$/u, { in: 5, out: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
  [/^claude-opus-4(?:-[01])?(?:-\d{8})?$/u, { in: 15, out: 75, cacheRead: 1.5, cacheWrite: 18.75 }],
  [/^claude-sonnet-5-5\b/u, { in: 2, out: 10, cacheRead: 0.1, cacheWrite: 2.5 }],
  [/^claude-sonnet-5(?:-\d{8})?$/u, { in: 2, out: 10, cacheRead: 0.2, cacheWrite: 2.5 }],
  [/^claude-sonnet-4(?:-[0-6])?(?:-\d{8})?$/u, { in: 3, out: 15, cacheRead: 0.3, cacheWrite: 3.75 }],
  [/^claude-haiku-5-5\b/u, { in: 0.1, out: 0.5, cacheRead: 0.01, cacheWrite: 0.125 }],
  [/^claude-haiku-4-5\b/u, { in: 1, out: 5, cacheRead: 0.1, cacheWrite: 1.25 }],
];

/** `undefined` for a model that is not on the list; its cost is then shown as 0. */
export function pricesOf(model: string): Prices | undefined {
  return priceList.find(([pattern]) => pattern.test(model))?.[1];
}

/** The token figures of the Messages API that are paid for. */
interface Tokens {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens?: number | null | undefined;
  readonly cache_creation_input_tokens?: number | null | undefined;
}

/** USD. `input_tokens` of the API leaves cached tokens out, so the three kinds add up. */
export function costOf(usage: Tokens, prices: Prices | undefined): number {
  if (prices === undefined) return 0;
  return (
    (usage.input_tokens * prices.in +
      usage.output_tokens * prices.out +
      (usage.cache_read_input_tokens ?? 0) * prices.cacheRead +
      (usage.cache_creation_input_tokens ?? 0) * prices.cacheWrite) /
    1_000_000
  );
}

/** Models before Claude 5 and 4.6 answer with 64,000 tokens at most; older and unknown ones get the smallest of the family. */
export function maxOutputTokensOf(model: string): number {
  if (thinksByDefault(model) || /^claude-opus-4-[6-8]\b/u.test(model)) return 128_000;
  if (/^claude-(?:sonnet|haiku|opus)-4-[5-8]\b/u.test(model)) return 64_000;
  return 32_000;
}

/** Models that think before they answer unless told otherwise: the Claude 5 family. */
export function thinksByDefault(model: string): boolean {
  return /^claude-(?:fable|mythos|opus|sonnet|haiku)-[5-9]\b/u.test(model);
}

/** Models with `output_config.effort`; others refuse the field with 400. */
export function takesEffort(model: string): boolean {
  return thinksByDefault(model) || /^claude-(?:opus-4-[5-8]|sonnet-4-6)\b/u.test(model);
}
