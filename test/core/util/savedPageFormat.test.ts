import assert from "node:assert/strict";
import { parseSavedPage } from "../../../src/core/util/savedPageFormat.ts";
import { savedPage } from "../../fakes/savedPages.ts";

/** The page as JSON has it, with one field set (or taken away by `undefined`). */
function withField(path: string, value: unknown): unknown {
  const saved: unknown = JSON.parse(JSON.stringify(savedPage()));
  const names = path.split(".");
  const last = names.pop() ?? "";
  let holder = saved as Record<string, unknown>;
  for (const name of names) holder = holder[name] as Record<string, unknown>;
  if (value === undefined) Reflect.deleteProperty(holder, last);
  else holder[last] = value;
  return saved;
}

describe("parseSavedPage", () => {
  it("takes a saved page as it is", () => {
    const saved = savedPage();
    assert.equal(parseSavedPage(saved), saved);
  });

  it("lets fields of later versions pass", () => {
    const later = withField("page.reviewedBy", "nobody yet");
    assert.deepEqual(parseSavedPage(later), later);
  });

  for (const [path, value, message] of [
    ["page.title", undefined, "page.title: expected a string, found nothing"],
    ["page.url", 7, "page.url: expected a string, found 7"],
    ["page.format", "pdf", "page.format: expected html or markdown or text, found a value of type string"],
    ["page.etag", null, "page.etag: expected a string, found null"],
    ["page.savedAt", "yesterday", "page.savedAt: expected an ISO time, found a value of type string"],
    ["page.coverage", null, "page.coverage: expected a finite number, found null"],
    ["page.leftOut.0.words", -1, "page.leftOut[0].words: expected a whole number of 0 or more, found -1"],
    ["facts", {}, "facts: expected a list, found a value of type object"],
    ["facts.1.questions.0", [], "facts[1].questions[0]: expected a string, found a list"],
    ["facts.0.source.end", 9e9, "facts[0].source: expected a span within the text's"],
    ["facts.0.source.start", 1.5, "facts[0].source.start: expected a whole number of 0 or more, found 1.5"],
    ["facts.0.pageId", "other", 'facts[0].pageId: expected "retries-0a1b2c3d4e"'],
    ["facts.0.sectionIndex", 2, "facts[0].sectionIndex: expected an index into 2 sections, found 2"],
    ["facts.0.origin.extractive", "yes", "facts[0].origin.extractive: expected true or false"],
    ["sections.1.start", 9e9, "sections[1]: expected a span within the text's"],
    ["sectionStates", [], "sectionStates: expected one entry for each of 2 sections, found 0 entries"],
    ["sectionStates.0", { state: "failed" }, "sectionStates[0].reason: expected a string, found nothing"],
    ["sectionStates.0.state", "toString", "sectionStates[0].state: expected waiting or kept or distilled or failed"],
    ["figures.ms.total", "9", "figures.ms.total: expected a finite number"],
  ] as const) {
    it(`says ${message.slice(0, 60)}`, () => {
      assert.throws(
        () => parseSavedPage(withField(path, value)),
        (error) => error instanceof TypeError && error.message.startsWith(message),
      );
    });
  }

  it("says so of values that are no objects at all", () => {
    for (const value of [undefined, null, 3, "page", []])
      assert.throws(() => parseSavedPage(value), /^TypeError: saved page: expected an object/);
  });
});
