import assert from "node:assert/strict";
import { torture } from "./crash.ts";
import { CrashHistory } from "./crashHistory.ts";

describe("a library whose processes are killed", function () {
  this.timeout(120_000);

  it("holds every save that had returned, and opens without repair", async () => {
    const { faults, returned, hits } = await torture({ kills: 25, workers: 1, seed: 11 });
    assert.deepEqual(faults, []);
    assert.ok(returned > 10, `${returned} returned`);
    assert.ok(hits > 5, `${hits} hits`);
  });

  it("loses nothing of two processes when one is killed, and both see the same", async () => {
    const { faults, returned } = await torture({ kills: 4, workers: 2, seed: 12 });
    assert.deepEqual(faults, []);
    assert.ok(returned > 8, `${returned} returned`);
  });

  it("loses nothing of eight processes when one is killed, and all see the same", async () => {
    const { faults, returned } = await torture({ kills: 1, workers: 8, seed: 13, pages: 2 });
    assert.deepEqual(faults, []);
    assert.ok(returned > 8, `${returned} returned`);
  });
});

describe("the judge of the crash test", () => {
  const event = (kind: "begin" | "end", title: string, atMs: number, action: "save" | "remove" = "save") =>
    ({ kind, action, worker: "w", pageId: "p", title, atMs }) as const;

  it("finds a lost save, a lost removal and a lost page", () => {
    for (const [action, found] of [
      ["save", "w:1"],
      ["save", undefined],
      ["remove", "w:1"],
    ] as const) {
      const history = new CrashHistory();
      for (const past of [
        event("begin", "w:1", 1),
        event("end", "w:1", 2),
        event("begin", "w:2", 3, action),
        event("end", "w:2", 4, action),
      ])
        history.add(past);
      assert.equal(history.settle(new Map(found === undefined ? [] : [["p", found]]), 9).length, 1);
    }
  });

  it("lets operations that overlap end in any order, and one that was killed happen or not", () => {
    for (const found of ["w:1", "v:1", "u:1"]) {
      const history = new CrashHistory();
      for (const past of [
        event("begin", "w:1", 1),
        event("begin", "v:1", 2),
        event("begin", "u:1", 3),
        event("end", "w:1", 4),
        event("end", "v:1", 5),
      ])
        history.add(past);
      assert.deepEqual(history.settle(new Map([["p", found]]), 9), []);
    }
  });
});
