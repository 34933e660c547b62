import assert from "node:assert/strict";
import { factLabel, factLabelInSection, questionLabel, sectionLabel } from "../../../src/core/util/labels.ts";
import { savedPage } from "../../fakes/savedPages.ts";

const fact = {
  topic: "Courier: Retries > Backoff",
  statement: "",
  symbols: [] as string[],
  headingPath: ["Retries", "Backoff"],
};

describe("a fact's label", () => {
  it("leaves out product and page", () => {
    const statement = "Courier Backoff: The wait doubles from 200 ms.";
    assert.deepEqual(factLabel({ ...fact, statement }), { label: "Backoff", detail: "The wait doubles from 200 ms." });
  });

  it("does not say a function's name twice", () => {
    const found = factLabel({
      topic: "Courier: API > retry(job, options?)",
      statement: "Courier `retry()`: Sends a job again.",
      symbols: ["retry"],
      headingPath: ["API", "retry(job, options?)"],
    });
    assert.deepEqual(found, { label: "retry(job, options?)", detail: "Sends a job again." });
  });

  it("keeps the names of a fact about several", () => {
    const found = factLabel({
      topic: "Courier: Settings > Timeouts",
      statement: "Courier `idle`: Seconds of silence. Courier `total`: Seconds in all.",
      symbols: ["idle", "total"],
      headingPath: ["Settings", "Timeouts"],
    });
    assert.deepEqual(found, { label: "Timeouts", detail: "idle: Seconds of silence. total: Seconds in all." });
  });

  it("names what a fact of the whole page is about instead of the page", () => {
    const whole = { topic: "Courier: Retries", headingPath: ["Retries"] };
    const statement =
      "Courier Retries: Courier tries every job again until it works or the limit is reached, with pauses.";
    assert.equal(factLabel({ ...whole, statement, symbols: ["a", "b", "c", "d"] }).label, "a, b, c");
    assert.equal(
      factLabel({ ...whole, statement, symbols: [] }).label,
      "Courier tries every job again until it works or the limit is reached, …",
    );
  });

  it("takes a model's topic as it is", () => {
    const topic = "Batch size limits in Courier";
    assert.deepEqual(factLabel({ ...fact, topic, statement: "A batch holds 10 jobs." }), {
      label: topic,
      detail: "A batch holds 10 jobs.",
    });
  });

  it("does not repeat the section that it stands below", () => {
    const [, second] = savedPage().facts;
    assert.equal(factLabelInSection({ ...second!, topic: "Courier: Retries > Backoff" }).label, "queue.retry");
  });
});

describe("a section's label", () => {
  const saved = savedPage();

  it("is its own heading", () => {
    assert.equal(sectionLabel(saved, saved.sections[1]!), "Backoff");
  });

  it("is the headings inside, for one that joins several", () => {
    const text = "# Retries\n\n## Limits\n\nThree.\n\n```md\n# No heading\n```\n\n## Waits\n\nLong.\n";
    const joined = { index: 0, start: 0, end: text.length, headingPath: ["Retries"], tokens: 9 };
    assert.equal(sectionLabel({ ...saved, page: { ...saved.page, text } }, joined), "Limits, Waits");
  });

  it("is nothing for the page's beginning", () => {
    assert.equal(sectionLabel(saved, saved.sections[0]!), undefined);
  });
});

describe("a question's label", () => {
  it("leaves out the product that the page names", () => {
    assert.equal(questionLabel("How long is the wait in Courier?", fact), "How long is the wait?");
    assert.equal(questionLabel("How long is the wait in Postman?", fact), "How long is the wait in Postman?");
  });
});
