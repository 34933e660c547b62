import assert from "node:assert/strict";
import { strategyForSite } from "../../src/core/siteStrategy.ts";

const setting = {
  "*": "facts",
  "status.example.com": "recursive",
  "https://Example.com/legal/": "headings:1500",
  "example.com": "sentence",
  "broken.example.com": 7,
};

describe("the strategy set for a site", () => {
  const cases: readonly (readonly [string | undefined, string])[] = [
    ["https://status.example.com/today", "recursive"],
    ["https://example.com/", "sentence"],
    ["https://example.com/legal", "headings:1500"],
    ["https://example.com/legal/terms?x=1#y", "headings:1500"],
    ["https://example.com/legality", "sentence"],
    ["https://docs.example.com/legal", "facts"],
    ["https://broken.example.com/", "facts"],
    ["/home/me/notes.md", "facts"],
    [undefined, "facts"],
  ];
  for (const [target, expected] of cases) {
    it(`${target ?? "pasted text"} is saved as ${expected}`, () => {
      assert.equal(strategyForSite(setting, target), expected);
    });
  }

  it("is not said where the setting holds nothing for the page", () => {
    assert.equal(strategyForSite({ "example.com": "fixed" }, "https://other.example/"), undefined);
    for (const odd of [undefined, null, "facts", 3, []])
      assert.equal(strategyForSite(odd, "https://a.example/"), undefined);
  });
});
