import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFileJobs } from "../../../src/adapters/storage/fileJobs.ts";
import type { FileJobsOptions } from "../../../src/adapters/storage/fileJobs.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import type { JobRecord, JobStore } from "../../../src/core/ports.ts";
import { fault, faultyFileSystem } from "./faultyFileSystem.ts";
import { memoryFolder } from "./memoryFolder.ts";

const record = (id: string, change: Partial<JobRecord> = {}): JobRecord => ({
  id,
  kind: "save",
  target: `https://courier.example/${id}`,
  text: undefined,
  url: undefined,
  title: undefined,
  strategy: undefined,
  force: false,
  createdAt: "2026-03-01T10:00:00.000Z",
  ...change,
});

describe("jobs of a library", () => {
  let folder: string;
  let running: Set<number>;
  beforeEach(async () => {
    folder = await mkdtemp(join(memoryFolder(), "bacopa-jobs-"));
    running = new Set([1, 2, 3]);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const jobsOf = (processId: number, options: FileJobsOptions = {}): JobStore =>
    createFileJobs(folder, { processId, machine: "0a1b2c3d", alive: (id) => running.has(id), ...options });
  const idsOf = async (store: JobStore): Promise<string[]> => (await store.adopt()).map(({ id }) => id);
  const onlyFile = async (): Promise<string> => {
    const [name = "", ...more] = await readdir(join(folder, "jobs"));
    assert.deepEqual(more, []);
    return join(folder, "jobs", name);
  };

  it("has none at first", async () => {
    assert.deepEqual(await jobsOf(1).adopt(), []);
    await jobsOf(1).remove("none");
  });

  it("gives a dead process's jobs to one other, oldest first and whole", async () => {
    const pasted = record("b", {
      text: "é\u0000\u2028 ".repeat(5000),
      title: "Notes",
      createdAt: "2026-02-01T10:00:00.000Z",
    });
    await jobsOf(1).put(record("a"));
    await jobsOf(1).put(pasted);
    const [second, third] = [jobsOf(2), jobsOf(3)];
    assert.deepEqual(await second.adopt(), []);
    running.delete(1);
    assert.deepEqual(await second.adopt(), [pasted, record("a")]);
    assert.deepEqual(await second.adopt(), []);
    assert.deepEqual(await third.adopt(), []);
    await second.remove("a");
    running.delete(2);
    assert.deepEqual(await third.adopt(), [pasted]);
    await third.remove("b");
    assert.deepEqual(await readdir(join(folder, "jobs")), []);
  });

  it("lets exactly one of eight adopters win each job", async () => {
    for (let n = 0; n < 20; n++) await jobsOf(9).put(record(`job-${n}`));
    const adopted = await Promise.all(Array.from({ length: 8 }, (_, at) => idsOf(jobsOf(at + 1))));
    assert.deepEqual(adopted.flat().sort(), Array.from({ length: 20 }, (_, n) => `job-${n}`).sort());
  });

  it("takes over from an earlier process of the same number", async () => {
    await jobsOf(1).put(record("a"));
    assert.deepEqual(await idsOf(jobsOf(1)), ["a"]);
  });

  it("takes over a job whose owner seems to live but touches it no more", async () => {
    const longAgo = new Date("2020-01-01");
    await jobsOf(1, { beatMs: 3_600_000 }).put(record("a"));
    await utimes(await onlyFile(), longAgo, longAgo);
    let elapsedMs = 0;
    const other = jobsOf(2, { elapsed: () => elapsedMs, beatMs: 10_000 });
    for (let look = 0; look < 4; look++) {
      assert.deepEqual(await idsOf(other), []);
      assert.deepEqual(await idsOf(other), []); // two looks at once count as one
      elapsedMs += 10_000;
    }
    assert.deepEqual(await idsOf(other), ["a"]);
  });

  it("leaves a job alone whose owner on another machine touches it, whatever the clocks say", async () => {
    await jobsOf(1, { machine: "ffffffff", beatMs: 3_600_000 }).put(record("a"));
    running.clear();
    let elapsedMs = 0;
    const other = jobsOf(2, { elapsed: () => elapsedMs });
    for (let look = 0; look < 20; look++) {
      const odd = new Date(Date.UTC(2040 - look, 0, 1)); // a clock that runs backwards
      await utimes(await onlyFile(), odd, odd);
      assert.deepEqual(await idsOf(other), []);
      elapsedMs += 10_000;
    }
  });

  it("touches the jobs it holds", async () => {
    const store = jobsOf(1, { beatMs: 5 });
    await store.put(record("a"));
    const path = await onlyFile();
    const longAgo = new Date("2020-01-01");
    await utimes(path, longAgo, longAgo);
    while ((await stat(path)).mtimeMs === longAgo.getTime()) await new Promise((resolve) => setTimeout(resolve, 5));
    await store.remove("a");
  });

  const damages: readonly [string, (path: string) => Promise<unknown>][] = [
    ["empty", (path) => writeFile(path, "")],
    ["cut off", async (path) => writeFile(path, (await readFile(path)).subarray(0, -20))],
    ["zeros", async (path) => writeFile(path, Buffer.alloc((await readFile(path)).length))],
    ["a list", (path) => writeFile(path, "[]")],
    ["a folder", async (path) => unlink(path).then(() => mkdir(path))],
    ["a link to nowhere", async (path) => unlink(path).then(() => symlink("nowhere", path))],
    ["a link to itself", async (path) => unlink(path).then(() => symlink(path, path))],
  ];
  for (const [how, damage] of damages) {
    it(`puts a record aside that is ${how}, says so, and goes on with the rest`, async () => {
      const told: string[] = [];
      await jobsOf(9).put(record("a"));
      const path = await onlyFile();
      await damage(path);
      await jobsOf(9).put(record("b"));
      const store = jobsOf(1, { onDamaged: ({ reason, keptAt }) => told.push(reason, keptAt) });
      assert.deepEqual(await idsOf(store), ["b"]);
      assert.deepEqual(await idsOf(store), []);
      assert.match(told[0] ?? "", /^The record of a save (?:was altered or cut off|is no file)/);
      assert.ok((await readdir(join(folder, "damaged", "jobs"))).length === 1 && told.length === 2);
    });
  }

  it("notices a changed byte anywhere in a record, or reads it as it was", async () => {
    await jobsOf(9).put(record("a", { text: "Retries" }));
    const path = await onlyFile();
    const bytes = await readFile(path);
    for (let at = 0; at < bytes.length; at++) {
      await rm(join(folder, "jobs"), { recursive: true });
      await mkdir(join(folder, "jobs"));
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x04;
      await writeFile(path, changed);
      const [read] = await jobsOf(1).adopt();
      if (read !== undefined) assert.deepEqual(read, record("a", { text: "Retries" }), `byte ${at}`);
    }
  });

  it("leaves the jobs of a later version to that version", async () => {
    await jobsOf(9).put(record("a", { kind: "translate" as "save" }));
    assert.deepEqual(await jobsOf(1).adopt(), []);
    await onlyFile();
  });

  it("promises nothing when the disk is full at any step, and says so", async () => {
    for (let failing = 0; ; failing++) {
      let step = 0;
      const fileSystem = faultyFileSystem(({ action }) => {
        if (["mkdir", "open", "write", "sync", "rename"].includes(action) && step++ === failing) throw fault("ENOSPC");
      });
      const outcome = await jobsOf(9, { fileSystem })
        .put(record(`job-${failing}`))
        .catch((error: unknown) => error);
      if (step <= failing) {
        assert.ok(failing >= 6, `${failing} steps`);
        break;
      }
      assert.ok(BacopaError.is(outcome, "storage-full"), `step ${failing}: ${String(outcome)}`);
      assert.deepEqual(await readdir(join(folder, "jobs")).catch(() => []), [], `step ${failing}`);
    }
  });

  it("reads no jobs where a file is in the way, and says so when one is put", async () => {
    await writeFile(join(folder, "jobs"), "mine");
    assert.deepEqual(await jobsOf(1).adopt(), []);
    await assert.rejects(jobsOf(1).put(record("a")), /EEXIST|ENOTDIR/);
    await assert.rejects(
      jobsOf(1).put(record("a")),
      (error) => error instanceof BacopaError && error.userMessage.includes("a file is in the way"),
    );
  });

  it("tries a record later that cannot be read or taken now", async () => {
    await jobsOf(9).put(record("a"));
    for (const action of ["readFile", "rename"] as const) {
      const fileSystem = faultyFileSystem((step) => {
        if (step.action === action) throw fault("EACCES");
      });
      assert.deepEqual(await jobsOf(1, { fileSystem }).adopt(), []);
    }
    assert.deepEqual(await idsOf(jobsOf(1)), ["a"]);
  });

  it("refuses ids that would leave the folder", async () => {
    for (const evil of ["../a", "a/b", "", "a.b", "x".repeat(81)])
      await assert.rejects(jobsOf(1).put(record(evil)), RangeError);
    assert.deepEqual(await readdir(folder), []);
  });
});
