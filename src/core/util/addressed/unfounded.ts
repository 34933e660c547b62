import { addressedSpans } from "./addressed.ts";

/**
 * Whether a text that a model wrote addresses assistants in words which its source does not hold. A page *about* such
 * texts is documented with them; an order that comes from nowhere is none of the page's.
 */
export function isUnfoundedOrder(text: string, source: string): boolean {
  const spans = addressedSpans(text);
  if (spans.length === 0) return false;
  const held = comparable(source);
  return spans.some(({ start, end }) => !held.includes(comparable(text.slice(start, end))));
}

function comparable(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s`*_"'‘’“”]+/gu, " ")
    .trim();
}
