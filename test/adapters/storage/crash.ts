/** Kills processes that work on a library, and looks at what is left. For the tests and `npm run torture`. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { createFileStorage } from "../../../src/adapters/storage/fileStorage.ts";
import { CrashHistory, machineMs, randomFrom } from "./crashHistory.ts";
import type { CrashAction, WorkerEvent } from "./crashHistory.ts";
import { crashFault } from "./crashPages.ts";
import type { WorkerTask } from "./crashWorker.ts";
import { memoryFolder } from "./memoryFolder.ts";

export interface TortureOptions {
  readonly kills: number;
  /** Processes at work on one library at once; one of them is killed each time, the others go on and then stop. */
  readonly workers: number;
  /** The same seed gives the same operations and the same places to die, as far as one process decides them. */
  readonly seed: number;
  /** Libraries that are worked on side by side, so that processes start while others run. Default 4. */
  readonly lanes?: number | undefined;
  readonly pages?: number | undefined;
  /** Where the libraries lie while they are worked on. Default: in memory where possible. */
  readonly folder?: string | undefined;
  readonly onKill?: ((done: number) => void) | undefined;
}

export interface TortureReport {
  readonly tried: number;
  /** Kills after which everything was as it must be. */
  readonly survived: number;
  /** Operations that had returned. */
  readonly returned: number;
  /** Kills that came in the middle of an operation, by what it was. */
  readonly hits: ReadonlyMap<CrashAction, number>;
  /** The longest any operation took, with all others at work, milliseconds. */
  readonly slowestMs: number;
  /** One sentence each, with the seed of its library. */
  readonly faults: readonly string[];
}

/** Three of four victims die at a call to the file system that the seed names, among the first so many. */
const latestKillStep = 320;

/** The others are killed from outside, at most this long after their first word, milliseconds. */
const longestLifeMs = 60;

export async function torture(options: TortureOptions): Promise<TortureReport> {
  const { kills, seed, lanes = 4, folder = memoryFolder() } = options;
  const scratch = await mkdtemp(join(folder, "bacopa-torture-"));
  try {
    const program = await buildWorker(scratch);
    const share = (lane: number): number => Math.floor(kills / lanes) + (lane < kills % lanes ? 1 : 0);
    let done = 0;
    const reports = await Promise.all(
      Array.from({ length: lanes }, (_, lane) =>
        tortureOne(
          { ...options, kills: share(lane), seed: seed * 1000 + lane },
          program,
          join(scratch, `${lane}`),
          () => options.onKill?.(++done),
        ),
      ),
    );
    const hits = new Map<CrashAction, number>();
    for (const report of reports)
      for (const [action, count] of report.hits) hits.set(action, (hits.get(action) ?? 0) + count);
    const sum = (of: (report: TortureReport) => number): number => reports.reduce((all, one) => all + of(one), 0);
    return {
      tried: sum(({ tried }) => tried),
      survived: sum(({ survived }) => survived),
      returned: sum(({ returned }) => returned),
      hits,
      slowestMs: Math.max(...reports.map(({ slowestMs }) => slowestMs)),
      faults: reports.flatMap(({ faults }) => faults),
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function buildWorker(folder: string): Promise<string> {
  const program = join(folder, "worker.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "crashWorker.ts")],
    outfile: program,
    bundle: true,
    minify: true,
    keepNames: true,
    platform: "node",
    format: "esm",
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: "error",
  });
  return program;
}

/** One library, killed over and over. Ends at the first fault. */
async function tortureOne(
  { kills, workers, seed, pages = 4 }: TortureOptions,
  program: string,
  folder: string,
  onKill: () => void,
): Promise<TortureReport> {
  const random = randomFrom(seed);
  const history = new CrashHistory();
  const done = new Map<string, number>();
  const hits = new Map<CrashAction, number>();
  const faults: string[] = [];
  let tried = 0;

  while (tried < kills && faults.length === 0) {
    tried++;
    const victimAt = Math.floor(random() * workers);
    const bySelf = random() < 0.75;
    const team = Array.from({ length: workers }, (_, at) => {
      const worker = `w${at}`;
      const task: WorkerTask = {
        folder,
        worker,
        seed: Math.floor(random() * 1e9),
        pages,
        done: done.get(worker) ?? 0,
        killAt: bySelf && at === victimAt ? 1 + Math.floor(random() * latestKillStep) : 0,
      };
      return startWorker(program, task, (event) => {
        history.add(event);
        const n = Number(/-(\d+)u?$/.exec(event.operation)?.[1] ?? 0);
        done.set(worker, Math.max(done.get(worker) ?? 0, n));
      });
    });
    const lifeMs = random() * longestLifeMs;
    const victim = team[victimAt];
    const others = team.filter((worker) => worker !== victim);
    await Promise.all(others.map((worker) => worker.began));
    if (!bySelf) {
      await victim?.began;
      await new Promise((resolve) => setTimeout(resolve, lifeMs));
      victim?.process.kill("SIGKILL");
    }
    await victim?.closed;
    if (victim?.process.signalCode !== "SIGKILL")
      faults.push(`worker ${victimAt} ended by itself: ${victim?.complaint() ?? ""}`);
    const last = victim?.running();
    if (last !== undefined) hits.set(last, (hits.get(last) ?? 0) + 1);

    for (const worker of others) worker.process.stdin?.write("stop\n");
    const stopped = await Promise.all(others.map((worker) => worker.heard("stopped")));
    for (const worker of others) worker.process.stdin?.write("view\n");
    const views = await Promise.all(others.map((worker) => worker.heard("view")));
    await Promise.all(others.map((worker) => worker.closed));
    for (const [at, worker] of others.entries())
      if (stopped[at] === undefined || views[at] === undefined)
        faults.push(`a worker fell over: ${worker.complaint()}`);

    const found = await look(folder, faults);
    const [view] = views;
    for (const other of views.slice(1))
      if (other?.title !== view?.title)
        faults.push(`${other?.worker ?? ""} sees ${other?.title ?? ""} and ${view?.worker ?? ""} ${view?.title ?? ""}`);
    faults.push(...history.faults, ...history.settle(found.titles, machineMs()));
    for (const job of history.jobs) if (!found.jobs.has(job)) faults.push(`the job ${job} is lost`);
    onKill();
  }
  return {
    tried,
    survived: faults.length > 0 ? tried - 1 : tried,
    returned: history.returned,
    hits,
    slowestMs: history.slowestMs,
    faults: faults.map((fault) => `library ${seed}, kill ${tried}: ${fault}`),
  };
}

interface Worker {
  readonly process: ChildProcess;
  /** It has said its first word, or is dead. */
  readonly began: Promise<unknown>;
  readonly closed: Promise<unknown>;
  /** What it was at when it said its last word. */
  running(): CrashAction | undefined;
  /** What it said on stderr. */
  complaint(): string;
  /** `undefined` when it ended without that word. */
  heard(kind: WorkerEvent["kind"]): Promise<WorkerEvent | undefined>;
}

function startWorker(program: string, task: WorkerTask, onEvent: (event: WorkerEvent) => void): Worker {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => undefined); // killed before it read
  let complaint = "";
  child.stderr.on("data", (data) => (complaint += String(data)));
  const heard: WorkerEvent[] = [];
  const running = new Map<string, CrashAction>();
  const waiting = new Map<string, (event: WorkerEvent) => void>();
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    const event = JSON.parse(line) as WorkerEvent; // our own worker's words
    heard.push(event);
    if (event.kind === "begin") running.set(event.operation, event.action);
    if (["end", "maybe", "nothing"].includes(event.kind)) running.delete(event.operation);
    onEvent(event);
    waiting.get(event.kind)?.(event);
  });
  const closed = Promise.all([once(child, "close"), once(lines, "close")]);
  const wordOf = (kind: WorkerEvent["kind"]): Promise<WorkerEvent | undefined> =>
    new Promise((resolve) => {
      const earlier = heard.find((event) => event.kind === kind);
      if (earlier !== undefined) resolve(earlier);
      else waiting.set(kind, resolve);
      void closed.then(() => resolve(undefined));
    });
  return {
    process: child,
    began: wordOf("begin"),
    closed,
    heard: wordOf,
    complaint: () => complaint.slice(0, 2000),
    running: () => [...running.values()].at(-1),
  };
}

/** Opens the library as anyone would after the kill, and reads all of it. */
async function look(
  folder: string,
  faults: string[],
): Promise<{ readonly titles: Map<string, string>; readonly jobs: ReadonlySet<string> }> {
  const storage = createFileStorage(folder);
  const titles = new Map<string, string>();
  for (const pageId of (await storage.revisions()).keys()) {
    const saved = await storage.readPage(pageId);
    const fault = saved === undefined ? `${pageId} is listed and cannot be read` : crashFault(saved);
    if (fault !== undefined) faults.push(fault);
    if (saved !== undefined) titles.set(pageId, saved.page.title);
  }
  for (const { pageId, reason } of await storage.damaged()) faults.push(`${pageId} is damaged: ${reason}`);
  for (const name of await readdir(join(folder, "index")).catch(() => []))
    if ((await storage.readCache(name)) === undefined) faults.push(`the cache ${name} is torn`);
  const stray = (await readdir(folder).catch(() => [])).filter(
    (name) => !["library.json", "pages", "index", "jobs", "scratch"].includes(name),
  );
  if (stray.length > 0) faults.push(`the library holds ${stray.join(", ")}`);
  const jobs = (await readdir(join(folder, "jobs")).catch(() => [])).filter((name) => name.endsWith(".json"));
  return { titles, jobs: new Set(jobs.map((name) => name.split(".", 1)[0] ?? "")) };
}
