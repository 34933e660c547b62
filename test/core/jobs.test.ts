import assert from "node:assert/strict";
import { BacopaError } from "../../src/core/errors.ts";
import { JobQueue } from "../../src/core/jobs.ts";
import type { Job, JobQueueInit } from "../../src/core/jobs.ts";
import type { JobRecord } from "../../src/core/ports.ts";
import type { SaveReport } from "../../src/core/save.ts";

const report = (change: Partial<SaveReport> = {}): SaveReport => ({
  ...{ pageId: "p", url: null, title: "A page", state: "done", sections: 1, facts: 1, failedSections: 0 },
  ...{ keptSections: 0, distiller: "offline-1", strategy: "facts", coverage: 1, leftOut: [] },
  ...{ dropped: { code: 0, keywords: 0, unverified: 0 }, missingSpecifics: 0, tokens: { in: 0, out: 0 } },
  ...{ calls: 0, costUsd: 0 },
  ms: { fetch: 0, clean: 0, section: 0, searchable: 0, distill: 0, index: 0, total: 0 },
  ...change,
});

const left: JobRecord = {
  id: "left",
  kind: "save",
  target: "https://a.example",
  createdAt: "2026-01-01T00:00:00.000Z",
};

function queueThat(
  run: JobQueueInit["run"],
  records: JobRecord[] = [],
): { queue: JobQueue; kept: Map<string, JobRecord> } {
  const kept = new Map(records.map((record) => [record.id, record]));
  let ids = 0;
  const queue = new JobQueue({
    store: {
      put: (record) => Promise.resolve(void kept.set(record.id, record)),
      remove: (id) => Promise.resolve(void kept.delete(id)),
      adopt: () => Promise.resolve([...kept.values()]),
    },
    clock: { now: () => new Date(0), elapsed: () => 0 },
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
    newId: () => `job${ids++}`,
    run,
  });
  return { queue, kept };
}

const stateOf = (queue: JobQueue, id: string): Job["state"] | undefined =>
  queue.list().find((job) => job.id === id)?.state;

describe("the queue of jobs", () => {
  it("keeps a job's record until the job is over", async () => {
    let finish: (value: SaveReport) => void = () => undefined;
    const { queue, kept } = queueThat(() => new Promise((resolve) => (finish = resolve)));
    const { ended } = await queue.add({ kind: "save", target: "https://a.example" });
    assert.equal(kept.size, 1);
    finish(report());
    assert.equal((await ended).state, "done");
    await Promise.resolve();
    assert.equal(kept.size, 0);
  });

  it("has a job that an ended process left wait with its reason, and lets it go on once it may", async () => {
    const { queue } = queueThat(() => Promise.resolve(report()), [left]);
    await queue.adopt(() => "Allow the model first.");
    assert.equal(stateOf(queue, "left"), "paused");
    queue.lift(() => "Sign in first.");
    assert.equal(queue.list()[0]?.message, "Sign in first.");
    const over = new Promise<Job>((resolve) => queue.onDidChange((job) => job.state === "done" && resolve(job)));
    queue.lift(() => true);
    assert.equal((await over).id, "left");
  });

  it("says what a failed job was told, with the editor's next step", async () => {
    const action = { title: "Set Key", command: "bacopa.setApiKey" };
    const { queue } = queueThat(() =>
      Promise.reject(new BacopaError("model-missing", { message: "", userMessage: "No key.", action })),
    );
    const { ended } = await queue.add({ kind: "save", target: "https://a.example" });
    const { state, message, action: offered } = await ended;
    assert.deepEqual([state, message, offered], ["failed", "No key.", action]);
  });

  it("takes a failed job off the list when it is dismissed, and never one that runs", async () => {
    let finish: (value: SaveReport) => void = () => undefined;
    const { queue } = queueThat(() => new Promise((resolve) => (finish = resolve)));
    const { job, ended } = await queue.add({ kind: "save", target: "https://a.example" });
    queue.dismiss(job.id);
    assert.equal(stateOf(queue, job.id), "running");
    finish(report({ state: "failed", reason: "http-status", pageId: null }));
    await ended;
    queue.dismiss(job.id);
    assert.deepEqual(queue.list(), []);
  });

  it("takes a failure off the list once the same page is saved", async () => {
    const reports = [report({ state: "failed", pageId: null }), report()];
    const { queue } = queueThat(() => Promise.resolve(reports.shift()!));
    await (
      await queue.add({ kind: "save", target: "https://a.example" })
    ).ended;
    await (
      await queue.add({ kind: "save", target: "https://a.example" })
    ).ended;
    await Promise.resolve();
    assert.deepEqual(
      queue.list().map(({ state }) => state),
      ["done"],
    );
  });

  it("knows the page it works on as soon as the page can be searched, and what a model has used", async () => {
    const seen: Job[] = [];
    const { queue } = queueThat((_record, onEvent) => {
      onEvent({ stage: "index", pageId: "p" });
      onEvent({ stage: "distill", usage: { in: 10, out: 5, costUsd: 0.01 } });
      return Promise.resolve(report());
    });
    queue.onDidChange((job) => seen.push(job));
    await (
      await queue.add({ kind: "save", target: "https://a.example" })
    ).ended;
    assert.equal(seen.find(({ stage }) => stage === "index")?.pageId, "p");
    assert.deepEqual(seen.find(({ stage }) => stage === "distill")?.usage, { in: 10, out: 5, costUsd: 0.01 });
  });
});
