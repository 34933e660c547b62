import assert from "node:assert/strict";
import fc from "fast-check";
import { survive, seedPages } from "./chain.ts";
import { inputAt, shapes, trapIn, traps } from "./inputs.ts";
import type { HostileInput } from "./inputs.ts";

/** Time is not asserted here: `npm run fuzz` measures it. What never ends fails by mocha's own limit. */
const noClock = (): number => 0;

describe("a hostile page through the whole chain", () => {
  const seeds = seedPages(new URL("../..", import.meta.url).pathname);

  const assertSurvives = (input: HostileInput): void => {
    assert.deepEqual(
      survive(input, noClock).faults,
      [],
      `${input.kind}: ${JSON.stringify(input.content.slice(0, 2_000))}`,
    );
  };

  it("breaks no tiling, span or code and shows nothing active, whatever the page", function () {
    this.timeout(60_000);
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(39), (seed, turn) => {
        if (turn > 0) assertSurvives(inputAt(seed, turn, seeds));
      }),
      { numRuns: 60 },
    );
  });

  for (const [name, make] of Object.entries(shapes)) {
    it(`survives ${name}, at a hundredth of the size`, () => assertSurvives(make(0.01)));
  }

  for (const context of ["a Markdown page", "a Markdown cell", "an HTML paragraph", "a pre"]) {
    it(`survives every trap, some thousand times, in ${context}`, function () {
      this.timeout(60_000);
      for (const trap of traps) assertSurvives(trapIn(trap, context, 1_500));
    });
  }
});
