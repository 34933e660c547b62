/**
 * A process to be killed: saves, refreshes, distills, removes, restores, searches and indexes pages of one library until
 * its input says `stop`. Says on its output what it begins and what has returned, one JSON object a line (`WorkerEvent`).
 *
 * Its one argument is a JSON object, `WorkerTask`.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { createFileJobs } from "../../../src/adapters/storage/fileJobs.ts";
import { createFileStorage } from "../../../src/adapters/storage/fileStorage.ts";
import { pageIdOf } from "../../../src/core/capture/pageId.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import { JobQueue } from "../../../src/core/jobs.ts";
import { createLibrary } from "../../../src/core/library.ts";
import type { Clock, Log } from "../../../src/core/ports.ts";
import type { SaveReport } from "../../../src/core/save.ts";
import { machineMs, randomFrom } from "./crashHistory.ts";
import type { CrashAction, WorkerEvent } from "./crashHistory.ts";
import { crashFault, crashText, crashUrl } from "./crashPages.ts";
import { faultyFileSystem } from "./faultyFileSystem.ts";

export interface WorkerTask {
  readonly folder: string;
  readonly worker: string;
  readonly seed: number;
  readonly pages: number;
  /** Operations of earlier workers of that name. */
  readonly done: number;
  /** The call to the file system, from 1, in the middle of which the process ends; 0: somebody else sees to it. */
  readonly killAt: number;
}

const task = JSON.parse(process.argv[2] ?? "{}") as WorkerTask; // our own parent's words
const { folder, worker, pages } = task;
const random = randomFrom(task.seed);
const signal = new AbortController().signal;
const offline = { kind: "offline" } as const;
const told = { stop: false };
let n = task.done;

let steps = 0;
/** Nothing of this process runs from here on: an error would let it tell of its own death. */
const die = (): Promise<void> => {
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => undefined);
};
const fileSystem = faultyFileSystem(async ({ action }) => {
  if (++steps !== task.killAt) return;
  // In a write, half of the bytes get there.
  if (action === "write") throw new Error("killed");
  await die();
}, die);

/** What the source holds now, by address. */
const site = new Map<string, string>();
const clock: Clock = { now: () => new Date(), elapsed: () => performance.now() };
const log: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined };
const library = createLibrary({
  storage: createFileStorage(folder, { fileSystem }),
  sources: [
    {
      accepts: (target) => target.startsWith("https://"),
      read: (target) =>
        Promise.resolve({
          requested: target,
          url: target,
          redirects: [],
          bytes: new TextEncoder().encode(site.get(target) ?? ""),
          contentType: "text/markdown",
          status: 200,
        }),
    },
  ],
  embedder: undefined,
  prompts: () => "",
  clock,
  log,
  loadTokenizer: () => Promise.resolve((text) => Math.ceil(text.length / 4)),
});
const jobs = new JobQueue({
  store: createFileJobs(folder, { fileSystem }),
  clock,
  log,
  newId: () => `${worker}-${n}`,
  run: async ({ id, target, title = "" }) => {
    const operation = `${id}@${worker}-${++n}`;
    site.set(target, crashText(title));
    say({ kind: "begin", action: "save", operation, pageId: pageIdOf(target), title });
    const report = await library.save(target, { distiller: offline }, signal);
    tell(report, "save", operation, title);
    return report;
  },
});

createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "stop") told.stop = true;
  if (line === "view") void view();
});

await finishJobs();
while (!told.stop) await act(random());
await library.close();
say({ kind: "stopped", action: "save", operation: "", pageId: "", title: "" });

async function act(dice: number): Promise<void> {
  const url = crashUrl(Math.floor(random() * pages));
  const pageId = pageIdOf(url);
  const title = `${worker}:${++n}`;
  const operation = `${worker}-${n}`;
  const step = async (action: CrashAction, work: () => Promise<unknown>): Promise<void> => {
    say({ kind: "begin", action, operation, pageId, title });
    say({ kind: (await there(work)) ? "end" : "nothing", action, operation, pageId, title });
  };
  if (dice < 0.36) {
    site.set(url, crashText(title));
    say({ kind: "begin", action: "save", operation, pageId, title });
    tell(await library.save(url, { distiller: offline }, signal), "save", operation, title, pageId);
  } else if (dice < 0.5) {
    site.set(url, crashText(title));
    say({ kind: "begin", action: "refresh", operation, pageId, title });
    const found = await there(async () => {
      tell(await library.refresh(pageId, { distiller: offline }, signal), "refresh", operation, title, pageId);
    });
    if (!found) say({ kind: "nothing", action: "refresh", operation, pageId, title });
  } else if (dice < 0.56) {
    await step("distill", () => library.distill(pageId, { distiller: offline, force: true }, signal));
  } else if (dice < 0.64) {
    await step("remove", () => library.remove(pageId));
  } else if (dice < 0.7) {
    const saved = await library.page(pageId).catch(() => undefined);
    if (saved === undefined) return;
    await step("remove", () => library.remove(pageId));
    const undo = { action: "undo", operation: `${operation}u`, pageId, title: saved.page.title } as const;
    say({ kind: "begin", ...undo });
    // A page that was saved there meanwhile stays instead.
    say({ kind: (await library.restore(saved)) ? "end" : "maybe", ...undo });
  } else if (dice < 0.79) {
    await step("search", async () => {
      const { hits } = await library.search("which attempt writes line 0", { limit: 10 }, signal);
      for (const hit of hits)
        if (!hit.fact.body.includes(hit.page.title))
          say({
            kind: "fault",
            action: "search",
            operation,
            pageId,
            title: `${hit.fact.id} is not of ${hit.page.title}`,
          });
    });
  } else if (dice < 0.87) {
    await step("compact", () => library.close());
  } else if (dice < 0.9) {
    await step("reindex", () => library.reindex(signal));
  } else {
    say({ kind: "begin", action: "job", operation, pageId, title });
    const { ended } = await jobs.add({ kind: "save", target: url, title });
    say({ kind: "recorded", action: "job", operation, pageId, title });
    await ended;
    say({ kind: "over", action: "job", operation, pageId, title });
    say({ kind: "end", action: "job", operation, pageId, title });
  }
}

/** What killed processes left undone comes first. */
async function finishJobs(): Promise<void> {
  await jobs.adopt(() => true);
  const open = new Set(jobs.list().map(({ id }) => id));
  while (open.size > 0) {
    for (const job of jobs.list()) {
      if (!open.has(job.id) || job.state === "queued" || job.state === "running") continue;
      open.delete(job.id);
      say({ kind: "over", action: "job", operation: job.id, pageId: "", title: job.title ?? "" });
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Whether there was a page to work on. */
async function there(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (BacopaError.is(error, "not-found")) return false;
    throw error;
  }
}

function tell(
  report: SaveReport,
  action: CrashAction,
  operation: string,
  title: string,
  pageId = report.pageId ?? "",
): void {
  if (report.state === "failed")
    say({ kind: "fault", action, operation, pageId, title: `${title}: ${report.message ?? ""}` });
  say({ kind: report.state === "done" ? "end" : "maybe", action, operation, pageId, title });
}

/** All this process knows of the library, to be the same in every process. */
async function view(): Promise<void> {
  const known: unknown[] = [];
  for (const [pageId, revision] of [...(await library.revisions())].sort()) {
    const saved = await library.page(pageId);
    known.push([pageId, revision, saved.page.title, saved.facts.map(({ id }) => id), crashFault(saved)]);
  }
  const { hits } = await library.search("which attempt writes line 0", { limit: 50 }, signal);
  known.push(hits.map(({ fact }) => fact.id).sort());
  say({ kind: "view", action: "search", operation: "", pageId: "", title: JSON.stringify(known) });
  process.exit(0);
}

function say(event: Omit<WorkerEvent, "worker" | "atMs">): void {
  // At once and in order: a line that a kill swallows would look like a save that had not returned.
  writeSync(1, `${JSON.stringify({ ...event, worker, atMs: machineMs() })}\n`);
}
