import assert from "node:assert/strict";
import fc from "fast-check";
import { adviceFor, readAdviceRequest, usualMix } from "../../../src/core/lab/adviceFor.ts";
import { adviceText } from "../../../src/core/lab/adviceText.ts";
import { profileOf } from "../../../src/core/lab/profile.ts";
import { savedPage } from "../../fakes/savedPages.ts";

describe("advice on a library", () => {
  const input = { mix: usualMix, changes: "rarely" as const, quotesWording: false, hasModel: false, measured: [] };
  const libraryOf = (...pages: ReturnType<typeof savedPage>[]) => ({
    pages: () =>
      Promise.resolve(
        pages.map(({ page: { id, url, title, savedAt } }) => ({
          id,
          url,
          title,
          savedAt,
          strategy: "facts",
          sections: 2,
          facts: 2,
          undistilled: 0,
        })),
      ),
    page: (id: string) => Promise.resolve(pages.find(({ page }) => page.id === id) ?? savedPage()),
  });

  it("tells the five parts and what they were decided by", async () => {
    const { profile, advice } = await adviceFor(libraryOf(savedPage()), input);
    const text = adviceText(profile, advice);
    for (const part of ["Strategy: facts", "Size: ", "Overlap: 0", "Guards: ", "How to check it"])
      assert.ok(text.includes(part), part);
    assert.match(text, /Decided by rules, not yet measured, for 1 page /u);
  });

  it("begins with a refusal where there is one", async () => {
    const wish = { strategy: "semantic", size: 300 };
    const { profile, advice } = await adviceFor(libraryOf(savedPage()), { ...input, wish });
    assert.match(adviceText(profile, advice), /^\*\*Refused\.\*\*/u);
  });

  it("says what to do when nothing is saved", async () => {
    await assert.rejects(adviceFor(libraryOf(), input), /library is empty/u);
  });

  it("measures the share of code and tables, and the headings", () => {
    const page = savedPage();
    const text = "# A\n\n```js\nlet a = 1;\n```\n\n| a | b |\n| - | - |\n";
    const profile = profileOf([{ ...page, page: { ...page.page, text } }]);
    assert.equal(profile.codeShare, "```js\nlet a = 1;\n```\n".length / text.length);
    assert.equal(profile.tableShare, "| a | b |\n| - | - |\n".length / text.length);
    assert.equal(profile.pages, 1);
  });
});

describe("a request for advice", () => {
  it("is read as a wish with its sizes", () => {
    const wishOf = (text: string) => readAdviceRequest(text).wish;
    assert.equal(wishOf(""), undefined);
    assert.deepEqual(wishOf("recursive:512:100"), {
      strategy: "recursive",
      size: 512,
      overlap: 100,
      minTokens: undefined,
      maxTokens: undefined,
    });
    assert.deepEqual(wishOf("semantic 300 overlap 90 min 100, max 600"), {
      strategy: "semantic",
      size: 300,
      overlap: 90,
      minTokens: 100,
      maxTokens: 600,
    });
    assert.equal(wishOf("parent-document, size 1024")?.strategy, "parent-document");
  });

  it("is read for what speaks against facts", () => {
    assert.equal(readAdviceRequest("the text changes every few minutes").changes, "minutes");
    assert.equal(readAdviceRequest("pages change daily").changes, "daily");
    assert.equal(readAdviceRequest("answers must quote the page").quotesWording, true);
    assert.deepEqual(readAdviceRequest("what do you recommend?"), {
      wish: undefined,
      changes: "rarely",
      quotesWording: false,
    });
  });

  it("is never an error", () => {
    fc.assert(fc.property(fc.string(), (text) => void readAdviceRequest(text)));
  });
});
