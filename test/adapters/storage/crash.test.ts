import assert from "node:assert/strict";
import { torture } from "./crash.ts";
import type { TortureOptions, TortureReport } from "./crash.ts";
import { CrashHistory } from "./crashHistory.ts";
import type { CrashAction, WorkerEvent } from "./crashHistory.ts";

/** In all 500 kills; `npm run torture` does thousands. A fault names the seed that brings it back. */
describe("a library whose processes are killed", function () {
  this.timeout(900_000); // 40 s on two idle cores, many minutes on a machine that does other things

  async function tortured(options: TortureOptions): Promise<TortureReport> {
    const report = await torture(options);
    assert.deepEqual(report.faults, []);
    assert.equal(report.survived, options.kills);
    assert.ok(report.returned > options.kills, `${report.returned} returned`);
    return report;
  }

  it("holds every save that had returned after 450 kills of one process, and opens without repair", async () => {
    const { hits } = await tortured({ kills: 450, workers: 1, seed: 11 });
    for (const action of ["save", "refresh", "remove", "compact", "job"] as const)
      assert.ok(hits.has(action), `no kill hit a ${action}`);
  });

  it("loses nothing of two processes when one is killed, 42 times, and both see the same", async () => {
    await tortured({ kills: 42, workers: 2, seed: 12 });
  });

  it("loses nothing of eight processes when one is killed, 8 times, and all see the same", async () => {
    await tortured({ kills: 8, workers: 8, seed: 13, pages: 3, lanes: 2 });
  });
});

describe("the judge of the crash test", () => {
  const event = (
    kind: WorkerEvent["kind"],
    title: string,
    atMs: number,
    action: CrashAction = "save",
  ): WorkerEvent => ({ kind, action, operation: title, worker: "w", pageId: "p", title, atMs });

  const settled = (found: string | undefined, ...past: readonly WorkerEvent[]): string[] => {
    const history = new CrashHistory();
    for (const each of past) history.add(each);
    return history.settle(new Map(found === undefined ? [] : [["p", found]]), 9);
  };

  it("finds a lost save, a lost removal and a lost page", () => {
    for (const [action, found] of [
      ["save", "w:1"],
      ["save", undefined],
      ["remove", "w:1"],
    ] as const) {
      const past = [event("begin", "w:1", 1), event("end", "w:1", 2)];
      assert.equal(settled(found, ...past, event("begin", "w:2", 3, action), event("end", "w:2", 4, action)).length, 1);
    }
  });

  it("finds a page that appears from nowhere or comes back from before the last look", () => {
    assert.equal(settled("w:1").length, 1);
    const history = new CrashHistory();
    for (const past of [
      event("begin", "w:1", 1),
      event("end", "w:1", 2),
      event("begin", "w:2", 3),
      event("end", "w:2", 4),
    ])
      history.add(past);
    assert.deepEqual(history.settle(new Map([["p", "w:2"]]), 9), []);
    assert.equal(history.settle(new Map([["p", "w:1"]]), 19).length, 1);
  });

  it("lets operations that overlap end in any order, and one that was killed happen or not", () => {
    for (const found of ["w:1", "v:1", "u:1"])
      assert.deepEqual(
        settled(
          found,
          event("begin", "w:1", 1),
          event("begin", "v:1", 2),
          event("begin", "u:1", 3),
          event("end", "w:1", 4),
          event("end", "v:1", 5),
        ),
        [],
      );
  });

  it("lets a save that gave way have been there, but not in place of one that returned after it", () => {
    const gaveWay = [event("begin", "w:1", 1), event("begin", "v:1", 2, "remove"), event("end", "v:1", 3, "remove")];
    assert.deepEqual(settled(undefined, ...gaveWay, event("maybe", "w:1", 4)), []);
    const later = [event("begin", "u:1", 5), event("end", "u:1", 6)];
    assert.equal(settled("w:1", ...gaveWay, event("maybe", "w:1", 4), ...later).length, 1);
  });

  it("remembers jobs that were recorded and are not over", () => {
    const history = new CrashHistory();
    for (const past of [
      event("recorded", "j1", 1, "job"),
      event("recorded", "j2", 2, "job"),
      event("over", "j1", 3, "job"),
    ])
      history.add(past);
    assert.deepEqual([...history.jobs], ["j2"]);
  });
});
