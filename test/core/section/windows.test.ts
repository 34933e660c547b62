import assert from "node:assert/strict";
import fc from "fast-check";
import { sectionFixed } from "../../../src/core/section/fixed.ts";
import { sectionRecursive } from "../../../src/core/section/recursive.ts";
import { countTokens } from "../../../src/core/util/tokens.ts";

describe("cutting a page without its headings", () => {
  it("tiles the text with windows of one length, and with pieces of a size", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        for (const sections of [
          sectionFixed(text, { size: 50, overlap: 0, unit: "characters" }, countTokens),
          sectionRecursive(text, { minTokens: 5, maxTokens: 20, overlap: 0 }, countTokens),
        ]) {
          assert.equal(sections.map(({ start, end }) => text.slice(start, end)).join(""), text);
        }
      }),
    );
  });
});
