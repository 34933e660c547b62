import assert from "node:assert/strict";
import fc from "fast-check";
import { createLimiter } from "../../../src/core/util/limiter.ts";

const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("limiter", () => {
  it("runs at most so many tasks at once, all of them, in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        async (limit, failures) => {
          const run = createLimiter(limit);
          const started: number[] = [];
          let running = 0;
          const results = await Promise.allSettled(
            failures.map((fails, index) =>
              run(async () => {
                started.push(index);
                assert.ok(++running <= limit);
                await turn();
                running--;
                if (fails) throw new Error("task failed");
                return index;
              }, never),
            ),
          );
          assert.deepEqual(
            started,
            failures.map((_, index) => index),
          );
          assert.deepEqual(
            results.map(({ status }) => status === "rejected"),
            failures,
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it("never starts a task that waits when the signal aborts", async () => {
    const run = createLimiter(1);
    const controller = new AbortController();
    let finish = () => {};
    const first = run(() => new Promise<void>((resolve) => (finish = resolve)), controller.signal);
    let started = false;
    const second = run(() => Promise.resolve((started = true)), controller.signal);
    const reason = new Error("stopped");
    controller.abort(reason);
    finish();
    await first;
    await assert.rejects(second, (error) => error === reason);
    assert.equal(started, false);
    assert.equal(await run(() => Promise.resolve("still works"), never), "still works");
  });
});
