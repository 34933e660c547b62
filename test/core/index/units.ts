import type { IndexUnit } from "../../../src/core/index/units.ts";

/** A unit for tests: what is not given is empty. */
export function unitWith(id: string, parts: Partial<IndexUnit> = {}): IndexUnit {
  return {
    id,
    pageId: id.split(".")[0] ?? "",
    tier: "fact",
    statement: "",
    questions: "",
    keywords: "",
    topic: "",
    headings: "",
    title: "",
    text: "",
    symbols: [],
    meaningText: "",
    ...parts,
  };
}
