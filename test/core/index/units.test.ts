import assert from "node:assert/strict";
import { sectionFactOf, sectionIndexOf, unitsOf } from "../../../src/core/index/units.ts";
import type { Fact, SavedPage, SectionState } from "../../../src/core/types.ts";

const text = "# Queue\n\nHolds messages.\n\n## Retries\n\nThree by default.\n";
const secondStart = text.indexOf("## Retries");

function fact(parts: Partial<Fact> = {}): Fact {
  return {
    id: "page-0.0123456789",
    pageId: "page-0",
    sectionIndex: 0,
    source: { start: 0, end: secondStart, headingPath: ["Queue"] },
    topic: "Queue messages",
    statement: "A queue holds messages.",
    questions: ["What does a queue hold?", "Where are messages kept?"],
    keywords: ["messages"],
    symbols: ["Queue.send"],
    body: "The queue holds messages.",
    tokens: 20,
    unverified: [],
    origin: { distiller: "some:model", extractive: false },
    ...parts,
  };
}

function saved(states: readonly SectionState[], facts: readonly Fact[] = []): SavedPage {
  return {
    page: {
      id: "page-0",
      url: "https://docs.example/queue",
      requested: "https://docs.example/queue",
      redirects: [],
      format: "markdown",
      charset: "utf-8",
      savedAt: "2026-01-01T00:00:00.000Z",
      title: "Queue",
      site: "Example Docs",
      text,
      coverage: 1,
      leftOut: [],
    },
    strategy: "facts",
    sections: [
      { index: 0, start: 0, end: secondStart, headingPath: ["Queue"], tokens: 8 },
      { index: 1, start: secondStart, end: text.length, headingPath: ["Queue", "Retries"], tokens: 9 },
    ],
    sectionStates: states,
    facts,
    brief: { covers: "", caveats: [] },
    figures: {
      dropped: { code: 0, keywords: 0, unverified: 0 },
      missingSpecifics: 0,
      tokens: { in: 0, out: 0 },
      calls: 0,
      costUsd: 0,
      ms: { fetch: 0, clean: 0, section: 0, searchable: 0, distill: 0, index: 0, total: 0 },
    },
  };
}

describe("index units", () => {
  it("are the sections while no model has seen the page", () => {
    const units = unitsOf(saved([{ state: "waiting" }, { state: "waiting" }]));
    assert.deepEqual(
      units.map(({ id, tier, topic }) => [id, tier, topic]),
      [
        ["page-0.s0", "section", "Queue"],
        ["page-0.s1", "section", "Retries"],
      ],
    );
    assert.equal(units.map((unit) => unit.text).join(""), text);
    assert.equal(units[0]?.title, "Queue\nExample Docs\ndocs queue");
    assert.equal(units[1]?.headings, "Queue\nRetries");
  });

  it("are facts where the section is distilled and the section where that failed", () => {
    const page = saved(
      [
        { state: "distilled", facts: 1 },
        { state: "failed", reason: "model-refused" },
      ],
      [fact()],
    );
    assert.deepEqual(
      unitsOf(page)
        .map(({ id }) => id)
        .sort(),
      ["page-0.0123456789", "page-0.s1"],
    );
  });

  it("give nothing for a section of noise", () => {
    assert.deepEqual(
      unitsOf(
        saved([
          { state: "distilled", facts: 0 },
          { state: "distilled", facts: 0 },
        ]),
      ),
      [],
    );
  });

  it("search the body of an extractive fact only", () => {
    const states: SectionState[] = [
      { state: "distilled", facts: 1 },
      { state: "distilled", facts: 0 },
    ];
    const [written] = unitsOf(saved(states, [fact()]));
    const [extracted] = unitsOf(saved(states, [fact({ origin: { distiller: "offline-1", extractive: true } })]));
    assert.equal(written?.text, "");
    assert.equal(written.statement, "A queue holds messages.");
    assert.equal(extracted?.statement, "");
    assert.equal(extracted.text, "A queue holds messages.\nThe queue holds messages.");
    assert.ok(written.meaningText.includes("What does a queue hold?"));
    assert.ok(extracted.meaningText.includes("The queue holds messages."));
  });

  it("find a fact by its symbols", () => {
    const [unit] = unitsOf(
      saved(
        [
          { state: "distilled", facts: 1 },
          { state: "distilled", facts: 0 },
        ],
        [fact()],
      ),
    );
    assert.equal(unit?.keywords, "messages\nQueue.send");
  });

  it("show a section as a fact", () => {
    const page = saved([{ state: "waiting" }, { state: "waiting" }]);
    const shown = sectionFactOf(page, 1, (text) => text.length);
    assert.equal(shown?.id, "page-0.s1");
    assert.equal(shown.topic, "Queue › Retries");
    assert.equal(shown.body, "## Retries\n\nThree by default.");
    assert.deepEqual(shown.source, { start: secondStart, end: text.length, headingPath: ["Queue", "Retries"] });
    assert.equal(
      sectionFactOf(page, 2, () => 0),
      undefined,
    );
  });

  it("tell the id of a section from the id of a fact", () => {
    assert.equal(sectionIndexOf("page-0.s12"), 12);
    assert.equal(sectionIndexOf("page-0.0123456789"), undefined);
  });
});
