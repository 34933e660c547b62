import type { Ranking } from "./bm25f.ts";
import type { IndexUnit } from "./units.ts";

/** The searched fields of a unit, in the order of their bits. */
export const fieldNames = ["statement", "questions", "keywords", "topic", "headings", "title", "text"] as const;

type FieldName = (typeof fieldNames)[number];

/**
 * How units are ranked by words. Measured with the evaluation corpus over extractive facts, reference facts and heading
 * sections: halving or doubling any weight, `b` from .4 to .75 and `k1` from .9 to 1.6 stay within ±.01 of MRR@10 and
 * recall@5. Without its questions a model-written fact loses .11 of MRR@10, without its text an extractive one .19.
 *
 * Tried on top and left out, no gain beyond noise: the share of query words found, pairs of neighboring words, the score
 * of the whole page, more stop words, the word beside its stem. The body of model-written facts is not searched: recall@1
 * fell from .815 to .790.
 */
export const ranking: Ranking = {
  fields: [
    field("statement", 2, 5),
    field("questions", 1.5, 5),
    field("keywords", 1.2, 4),
    field("topic", 1, 4),
    field("headings", 0.5, 4),
    field("title", 0.8, 3),
    field("text", 1, 7),
  ],
  k1: 1.2,
};

function field(name: FieldName, weight: number, bits: number): Ranking["fields"][number] {
  return { name, weight, b: 0.6, bits };
}

/** The texts of a unit, in the order of `fieldNames`. */
export function fieldTexts(unit: IndexUnit): string[] {
  return fieldNames.map((name) => unit[name]);
}
