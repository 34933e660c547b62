import assert from "node:assert/strict";
import { factText } from "../../../src/core/util/factText.ts";

describe("fact text", () => {
  it("is topic, statement and body", () => {
    assert.equal(
      factText({ topic: "Marmot retries", statement: "Marmot retries.", body: "- Five times.\n", extractive: false }),
      "### Marmot retries\n\nMarmot retries.\n\n- Five times.",
    );
  });

  it("leaves out an empty body", () => {
    assert.equal(
      factText({ topic: "Marmot", statement: "Marmot retries.", body: " ", extractive: false }),
      "### Marmot\n\nMarmot retries.",
    );
  });

  it("leaves out an extractive statement, whose sentences stand in the body", () => {
    const fact = { topic: "Marmot", statement: "Marmot: It retries.", body: "It retries.", extractive: true };
    assert.equal(factText(fact), "### Marmot\n\nIt retries.");
  });
});
