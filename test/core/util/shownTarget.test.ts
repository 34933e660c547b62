import assert from "node:assert/strict";
import { shownTarget } from "../../../src/core/util/shownTarget.ts";

describe("shownTarget", () => {
  it("shows no user name and no password", () => {
    assert.equal(shownTarget("https://user:p%40ss@docs.example/x?a=b@c"), "https://docs.example/x?a=b@c");
    assert.equal(shownTarget("https://us@er:pw@docs.example"), "https://docs.example");
  });

  it("lets nothing move the cursor", () => {
    assert.equal(shownTarget("a\u001b[2Jb\u202ec.md"), "a\ufffd[2Jb\ufffdc.md");
  });

  it("leaves paths as they are", () => {
    assert.equal(shownTarget("docs/über uns@2x.md"), "docs/über uns@2x.md");
  });
});
