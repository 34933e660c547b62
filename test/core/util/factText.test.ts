import assert from "node:assert/strict";
import { factText } from "../../../src/core/util/factText.ts";

describe("fact text", () => {
  it("is topic, statement and body", () => {
    assert.equal(
      factText({ topic: "Marmot retries", statement: "Marmot retries.", body: "- Five times.\n" }),
      "### Marmot retries\n\nMarmot retries.\n\n- Five times.",
    );
  });

  it("leaves out an empty body", () => {
    assert.equal(
      factText({ topic: "Marmot", statement: "Marmot retries.", body: " " }),
      "### Marmot\n\nMarmot retries.",
    );
  });
});
