import assert from "node:assert/strict";
import { evidenceFailures, nuggetFailures } from "../../../src/core/lab/failures.ts";
import { matchingText } from "../../../src/core/lab/matching.ts";
import { createScorer, prepareQuestion, ScorerMemory } from "../../../src/core/lab/score.ts";
import type { LabUnit } from "../../../src/core/lab/score.ts";

const text = "The default limit is 16 messages. The largest limit is 256 messages.";
const prepared = prepareQuestion(
  {
    id: "q",
    type: "factoid",
    style: "question",
    query: "?",
    gold: [{ page: "p", evidence: ["The default limit is 16 messages.", "This was lost by the cleaner entirely."] }],
    nuggets: ["16"],
    answer: "",
  },
  () => matchingText(text),
);
const memory = new ScorerMemory((one) => one.split(" ").length);
const scorer = createScorer({ memory });
const unit = (id: string, page: string, unitText: string): LabUnit => ({ id, page, text: unitText, span: undefined });
const holder = unit("a", "p", "The default limit is 16 messages.");
const other = unit("b", "p", "The largest limit is 256 messages.");
const foreign = unit("c", "x", "Something else");

const evidenceCauses = (ranked: LabUnit[], units: LabUnit[]): string[] =>
  evidenceFailures(prepared, scorer.score(prepared, ranked), ranked, units, scorer).map(({ cause }) => cause);
const nuggetCauses = (returned: string, ranked: LabUnit[], units: LabUnit[], page = text): string[] =>
  nuggetFailures(prepared, returned, ranked, units, () => page, memory).map(({ cause }) => cause);

describe("causes of misses", () => {
  it("names what cleaning lost, and nothing that was found", () => {
    assert.deepEqual(evidenceCauses([holder], [holder]), ["cleaning"]);
  });

  it("tells cutting from ranking, and the wrong page from the wrong place", () => {
    assert.deepEqual(evidenceCauses([other], [other]), ["cutting", "cleaning"]);
    assert.deepEqual(evidenceCauses([foreign], [holder, foreign]), ["page", "cleaning"]);
    assert.deepEqual(evidenceCauses([other], [holder, other]), ["place", "cleaning"]);
  });

  it("tells a nugget behind the budget from one that no hit holds", () => {
    assert.deepEqual(nuggetCauses("16", [holder], [holder]), []);
    assert.deepEqual(nuggetCauses("", [holder], [holder]), ["budget"]);
    assert.deepEqual(nuggetCauses("", [other], [holder, other]), ["place"]);
    assert.deepEqual(nuggetCauses("", [foreign], [holder, foreign]), ["page"]);
    assert.deepEqual(nuggetCauses("", [other], [other]), ["cutting"]);
    assert.deepEqual(nuggetCauses("", [other], [other], "no number here"), ["cleaning"]);
  });
});
