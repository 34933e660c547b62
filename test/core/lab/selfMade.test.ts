import assert from "node:assert/strict";
import { matchingText, matchingKey, placesOf } from "../../../src/core/lab/matching.ts";
import { selfMadeQuestions } from "../../../src/core/lab/selfMade.ts";
import { savedPage } from "../../fakes/savedPages.ts";

const pages = ["a-0a1b2c3d4e", "b-0a1b2c3d4e"].map((id) => {
  const saved = savedPage(id);
  return { corpusId: id, saved, matching: matchingText(saved.page.text) };
});

describe("questions taken from the facts", () => {
  it("have evidence that stands in the page and nuggets that stand in the evidence", () => {
    const questions = selfMadeQuestions(pages);
    // The second section of each page says nothing of the fact's keywords.
    assert.equal(questions.length, 2);
    for (const { gold, nuggets, query } of questions) {
      const matching = pages.find(({ corpusId }) => corpusId === gold[0]?.page)?.matching;
      assert.ok(matching !== undefined);
      assert.ok(placesOf(matchingKey(gold[0]?.evidence[0] ?? ""), matching).length > 0);
      assert.deepEqual(nuggets, ["max_retries"]);
      assert.equal(query, "How often is a job retried?");
    }
  });

  it("are the same for the same pages, spread over them, and no more than asked for", () => {
    assert.deepEqual(selfMadeQuestions(pages), selfMadeQuestions(pages));
    assert.deepEqual(
      new Set(selfMadeQuestions(pages).map(({ gold }) => gold[0]?.page)),
      new Set(["a-0a1b2c3d4e", "b-0a1b2c3d4e"]),
    );
    assert.equal(selfMadeQuestions(pages, { limit: 1 }).length, 1);
    assert.deepEqual(selfMadeQuestions([]), []);
  });
});
