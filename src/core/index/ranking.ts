import type { Ranking } from "./bm25f.ts";
import type { IndexUnit } from "./units.ts";

/** The searched fields of a unit, in the order of their bits. */
export const fieldNames = ["statement", "questions", "keywords", "topic", "headings", "title", "text"] as const;

type FieldName = (typeof fieldNames)[number];

/** How units are ranked by words. */
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
  coordination: 0,
};

function field(name: FieldName, weight: number, bits: number): Ranking["fields"][number] {
  return { name, weight, b: 0.6, bits };
}

/** The texts of a unit, in the order of `fieldNames`. */
export function fieldTexts(unit: IndexUnit): string[] {
  return fieldNames.map((name) => unit[name]);
}
