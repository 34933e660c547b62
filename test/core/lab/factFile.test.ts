import assert from "node:assert/strict";
import fc from "fast-check";
import { parseFactFile, withFacts } from "../../../src/core/lab/factFile.ts";
import { labPageOf } from "../../../src/core/lab/labPage.ts";
import type { Page } from "../../../src/core/types.ts";

const text =
  "# Queues\n\nAll about queues.\n\n## Retries\n\nA *message* is retried 5 times.\n\n## Delay\n\nUp to 12 hours.\n";
const page: Page = {
  id: "queues-0000000000",
  url: "https://example.org/queues",
  requested: "https://example.org/queues",
  redirects: [],
  format: "markdown",
  charset: "utf-8",
  savedAt: "2026-01-01T00:00:00.000Z",
  title: "Queues",
  text,
  coverage: 1,
  leftOut: [],
};
const delay = text.indexOf("## Delay");
const sections = [
  { index: 0, start: 0, end: delay, headingPath: ["Queues"], tokens: 20 },
  { index: 1, start: delay, end: text.length, headingPath: ["Queues", "Delay"], tokens: 10 },
];
const fact = (start: string) => ({
  topic: "T",
  statement: "S",
  questions: ["Q?"],
  keywords: [],
  symbols: [],
  body: "B",
  source: { headingPath: ["Queues"], start },
});
const file = (starts: string[]): string =>
  JSON.stringify({ page: "queues", brief: { covers: "Queues.", caveats: "Old." }, facts: starts.map(fact) });

describe("facts from a file", () => {
  const lab = labPageOf("queues", page, sections, [], { covers: "", caveats: [] }, (one) => one.length);
  const spansOf = (starts: string[]): string[] => {
    const parsed = parseFactFile(file(starts));
    assert.ok(parsed !== undefined);
    return withFacts(lab, parsed, (one) => one.length).saved.facts.map(({ source }) =>
      text.slice(source.start, source.end),
    );
  };

  it("reach from their section's first characters to the next section", () => {
    const [first, second, third] = spansOf(["# Queues\n\nAll about", "## Retries\n\nA message is", "## Delay"]);
    assert.equal(first?.trim().slice(-4), "##".padStart(4, "\n"));
    assert.match(second ?? "", /^Retries[^]*5 times/);
    assert.match(third ?? "", /^Delay[^]*12 hours/);
  });

  it("never reach past the section of the page that they begin in", () => {
    assert.match(spansOf(["# Queues"])[0] ?? "", /5 times\.\n\n$/);
  });

  it("have an empty source when their section cannot be found", () => {
    assert.deepEqual(spansOf(["## Something else entirely here"]), [""]);
  });

  it("come with the file's brief and leave the page as it is", () => {
    const parsed = parseFactFile(file(["# Queues"]));
    assert.ok(parsed !== undefined);
    const { saved } = withFacts(lab, parsed, (one) => one.length);
    assert.deepEqual(saved.brief.caveats, ["Old."]);
    assert.equal(saved.page, page);
    assert.equal(saved.facts[0]?.origin.extractive, false);
  });

  it("are unknown input", () => {
    assert.equal(parseFactFile("[]"), undefined);
    assert.equal(parseFactFile("{"), undefined);
    fc.assert(
      fc.property(fc.json(), (json) => {
        parseFactFile(json);
      }),
    );
  });
});
