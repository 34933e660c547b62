import assert from "node:assert/strict";
import fc from "fast-check";
import { bootstrapMean, pairedBootstrap, pairedTest, randomFrom } from "../../../src/core/lab/bootstrap.ts";

describe("bootstrap", () => {
  it("gives the same interval for the same seed", () => {
    const values = [0, 1, 1, 0, 0.5, 1];
    assert.deepEqual(bootstrapMean(values, { seed: 7 }), bootstrapMean(values, { seed: 7 }));
  });

  it("comes close to the normal interval of a large sample", () => {
    // 400 values, half 0 and half 1: standard error 0.025, so 95 % lie within about 0.049.
    const values = Array.from({ length: 400 }, (_, index) => index % 2);
    const interval = bootstrapMean(values);
    assert.ok(interval !== undefined);
    assert.equal(interval.mean, 0.5);
    assert.ok(Math.abs(interval.low - 0.451) < 0.006, String(interval.low));
    assert.ok(Math.abs(interval.high - 0.549) < 0.006, String(interval.high));
  });

  it("sees a constant difference between paired values as certain", () => {
    const b = [0.1, 0.5, 0.3, 0.9];
    const interval = pairedBootstrap(
      b.map((value) => value + 0.25),
      b,
    );
    assert.ok(interval !== undefined);
    assert.ok(Math.abs(interval.low - 0.25) < 1e-9 && Math.abs(interval.high - 0.25) < 1e-9);
  });

  it("gives a small p for a steady gain and a large one for none", () => {
    const zeros = Array.from({ length: 100 }, () => 0);
    const steady = pairedTest(
      zeros.map(() => 0.1),
      zeros,
    );
    // No resampled mean is 0 or less: (0 + 1) / (2000 + 1), twice.
    assert.equal(steady?.p, 2 / 2001);
    assert.equal(pairedTest(zeros, zeros)?.p, 1);
    // Half of the questions gain as much as the other half loses.
    const swaying = pairedTest(
      zeros.map((_, index) => index % 2),
      zeros.map(() => 0.5),
    );
    assert.ok(swaying !== undefined && swaying.p > 0.9, String(swaying?.p));
    assert.deepEqual(pairedTest([], []), undefined);
  });

  it("tests the difference in either direction alike", () => {
    const a = [1, 0.5, 1, 0, 1, 1, 0.5, 1];
    const b = [0, 0.5, 1, 0, 0, 1, 0.5, 0];
    const there = pairedTest(a, b);
    const back = pairedTest(b, a);
    assert.ok(there !== undefined && back !== undefined);
    assert.equal(there.mean, -back.mean);
    assert.equal(there.p, back.p);
  });

  it("has no interval for no values and refuses unpaired ones", () => {
    assert.equal(bootstrapMean([]), undefined);
    assert.throws(() => pairedBootstrap([1], [1, 2]), RangeError);
  });

  it("brackets the mean", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 }), (values) => {
        const interval = bootstrapMean(values, { draws: 200 });
        assert.ok(interval !== undefined);
        assert.ok(interval.low <= interval.high);
        assert.ok(interval.low >= Math.min(...values) - 1e-9 && interval.high <= Math.max(...values) + 1e-9);
      }),
    );
  });

  it("draws evenly from [0, 1)", () => {
    const random = randomFrom(3);
    const bins = new Array<number>(10).fill(0);
    for (let draw = 0; draw < 10_000; draw++) {
      const value = random();
      assert.ok(value >= 0 && value < 1);
      bins[Math.floor(value * 10)]!++;
    }
    for (const count of bins) assert.ok(count > 880 && count < 1120, bins.join(" "));
  });
});
