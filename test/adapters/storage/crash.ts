/** Kills processes that write to a library, and looks at what is left. For the tests and `npm run torture`. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";
import { build } from "esbuild";
import { createFileStorage } from "../../../src/adapters/storage/fileStorage.ts";
import { CrashHistory, machineMs, randomFrom } from "./crashHistory.ts";
import type { WorkerEvent } from "./crashHistory.ts";
import { crashPage } from "./crashPages.ts";
import { memoryFolder } from "./memoryFolder.ts";

export interface TortureOptions {
  readonly kills: number;
  /** Processes at work on the library at once; one of them is killed each time, the others go on and then stop. */
  readonly workers: number;
  readonly seed: number;
  readonly pages?: number | undefined;
  readonly onKill?: ((done: number) => void) | undefined;
}

export interface TortureReport {
  readonly kills: number;
  /** Saves and removals that had returned. */
  readonly returned: number;
  /** Kills that hit a save or a removal in the middle. */
  readonly hits: number;
  readonly slowestMs: number;
  readonly faults: readonly string[];
}

/** Longest time from a worker's first word to its kill, milliseconds: some ten saves. */
const longestLifeMs = 60;

export async function torture({ kills, workers, seed, pages = 4, onKill }: TortureOptions): Promise<TortureReport> {
  const scratch = await mkdtemp(join(memoryFolder(), "bacopa-torture-"));
  try {
    const program = join(scratch, "worker.mjs");
    await build({
      entryPoints: [join(import.meta.dirname, "crashWorker.ts")],
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
    });
    const folder = join(scratch, "library");
    const random = randomFrom(seed);
    const history = new CrashHistory();
    const done = new Map<string, number>();
    const faults: string[] = [];
    let hits = 0;

    for (let kill = 1; kill <= kills; kill++) {
      const team = Array.from({ length: workers }, (_, at) => {
        const name = `worker${at}`;
        const args = [folder, name, `${Math.floor(random() * 1e9)}`, `${pages}`, `${done.get(name) ?? 0}`];
        return startWorker(program, args, (event) => {
          history.add(event);
          if (event.title !== "" && event.kind !== "view") done.set(name, Number(event.title.split(":")[1]));
        });
      });
      const lifeMs = random() * longestLifeMs;
      const victim = team[Math.floor(random() * team.length)];
      const others = team.filter((worker) => worker !== victim);
      await Promise.all(team.map((worker) => worker.began));
      await new Promise((resolve) => setTimeout(resolve, lifeMs));
      victim?.process.kill("SIGKILL");
      await victim?.closed;
      if (victim?.last?.kind === "begin") hits++;

      for (const worker of others) worker.process.stdin?.write("stop\n");
      await Promise.all(others.map((worker) => worker.heard("stopped")));
      for (const worker of others) worker.process.stdin?.write("view\n");
      const views = await Promise.all(others.map((worker) => worker.heard("view")));
      await Promise.all(others.map((worker) => worker.closed));

      const found = await look(folder, faults);
      const view = JSON.stringify(found.view);
      for (const other of views)
        if (other.title !== view)
          faults.push(`after kill ${kill}, ${other.worker} sees ${other.title} instead of ${view}`);
      const wrong = history.settle(found.titles, machineMs());
      faults.push(...wrong.map((fault) => `after kill ${kill}: ${fault}`));
      onKill?.(kill);
      if (faults.length > 0) break;
    }
    return { kills, returned: history.returned, hits, slowestMs: history.slowestMs, faults };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Worker {
  readonly process: ChildProcess;
  /** It has said its first word. */
  readonly began: Promise<unknown>;
  readonly closed: Promise<unknown>;
  readonly last: WorkerEvent | undefined;
  heard(kind: WorkerEvent["kind"]): Promise<WorkerEvent>;
}

function startWorker(program: string, args: readonly string[], onEvent: (event: WorkerEvent) => void): Worker {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.on("error", () => undefined); // killed before it read
  const heard: WorkerEvent[] = [];
  const waiting = new Map<string, (event: WorkerEvent) => void>();
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    const event = JSON.parse(line) as WorkerEvent; // our own worker's words
    heard.push(event);
    onEvent(event);
    waiting.get(event.kind)?.(event);
  });
  const closed = Promise.all([once(child, "close"), once(lines, "close")]);
  const wordOf = (kind: WorkerEvent["kind"]): Promise<WorkerEvent> =>
    new Promise((resolve, reject) => {
      const earlier = heard.find((event) => event.kind === kind);
      if (earlier !== undefined) resolve(earlier);
      else waiting.set(kind, resolve);
      void closed.then(() => reject(new Error(`a worker ended before it said "${kind}"`)));
    });
  return {
    process: child,
    began: wordOf("begin"),
    closed,
    heard: wordOf,
    get last() {
      return heard.at(-1);
    },
  };
}

/** Opens the library as anyone would after the kill, and reads all of it. */
async function look(
  folder: string,
  faults: string[],
): Promise<{ titles: Map<string, string>; view: [string, string, string][] }> {
  const storage = createFileStorage(folder);
  const titles = new Map<string, string>();
  const view: [string, string, string][] = [];
  for (const [pageId, revision] of await storage.revisions()) {
    const saved = await storage.readPage(pageId);
    if (saved === undefined) {
      faults.push(`${pageId} is listed and cannot be read`);
      continue;
    }
    const { title } = saved.page;
    if (!isDeepStrictEqual(saved, crashPage(pageId, title))) faults.push(`${pageId} is not what ${title} saved`);
    titles.set(pageId, title);
    view.push([pageId, revision, title]);
  }
  for (const { pageId, reason } of await storage.damaged()) faults.push(`${pageId} is damaged: ${reason}`);
  const cache = await storage.readCache("index");
  if (cache !== undefined && (cache.length !== 100_000 || cache.some((byte) => byte !== cache[0])))
    faults.push("the cache is torn");
  const stray = (await readdir(folder).catch(() => [])).filter(
    (name) => !["library.json", "pages", "index", "scratch"].includes(name),
  );
  if (stray.length > 0) faults.push(`the library holds ${stray.join(", ")}`);
  return { titles, view: view.sort() };
}
