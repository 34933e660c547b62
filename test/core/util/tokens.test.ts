import assert from "node:assert/strict";
import { countTokens } from "../../../src/core/util/tokens.ts";

describe("countTokens", () => {
  it("counts plain English", () => {
    assert.equal(countTokens("hello world"), 2);
  });

  it("counts a special token's spelling as ordinary text", () => {
    assert.ok(countTokens("<|endoftext|>") > 1);
  });

  it("counts a long unbroken run by pieces", () => {
    assert.ok(countTokens("=".repeat(100_000)) > 0);
  });
});
