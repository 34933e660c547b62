import assert from "node:assert/strict";
import { boundariesOf, noBoundaries, sumOfBoundaries } from "../../../src/core/lab/boundaries.ts";

const text = `# Kelp

Kelp keeps a cache. It holds 512 entries.

\`\`\`sh
kelp start
kelp stop
\`\`\`

| name | value |
| --- | --- |
| a | 1 |
| b | 2 |

- First item. Its second sentence.
- Second item.
`;

/** The span between two places in the text. */
const between = (from: string, to: string) => ({ start: text.indexOf(from), end: text.indexOf(to) });

describe("boundary quality", () => {
  it("finds nothing cut where units begin and end with blocks, sentences or items", () => {
    const spans = [
      { start: 0, end: text.length },
      between("Kelp keeps", "```sh"),
      between("# Kelp", "It holds"),
      between("- First", "- Second"),
      between("- Second", "\uffff"),
    ].map(({ start, end }) => ({ start, end: end < 0 ? text.length : end }));
    assert.deepEqual(boundariesOf(text, spans), { ...noBoundaries, units: 5 });
  });

  it("names what an edge cuts, once a unit however many of its edges do", () => {
    const spans = [
      between("keeps a", "entries."), // both edges inside a sentence
      between("It holds", "kelp stop"), // ends inside a fence
      between("| b |", "- First"), // begins between two rows
      between("cache. It", "| b |"), // begins in a sentence, ends in a table
    ];
    assert.deepEqual(boundariesOf(text, spans), {
      units: 4,
      insideSentence: 2,
      insideFence: 1,
      insideTable: 2,
      broken: 4,
    });
  });

  it("counts white space at an edge as outside and leaves out units without any text", () => {
    const start = text.indexOf("\n\nKelp");
    const spans = [
      { start, end: text.indexOf("It holds") - 1 },
      { start, end: start + 2 },
    ];
    assert.deepEqual(boundariesOf(text, spans), { ...noBoundaries, units: 1 });
  });

  it("adds up pages", () => {
    const one = { units: 2, insideSentence: 1, insideFence: 0, insideTable: 1, broken: 1 };
    assert.deepEqual(sumOfBoundaries([one, one]).units, 4);
    assert.deepEqual(sumOfBoundaries([]), noBoundaries);
  });
});
