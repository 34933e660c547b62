/**
 * A process to be killed: saves, refreshes and removes pages of one library until its input says `stop`.
 * Says on its output what it begins and what has returned, one JSON object a line (see `WorkerEvent`).
 *
 * Arguments: folder, name of the worker, seed, number of pages, operations of earlier workers of that name.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { createFileStorage } from "../../../src/adapters/storage/fileStorage.ts";
import { machineMs, randomFrom } from "./crashHistory.ts";
import type { WorkerEvent } from "./crashHistory.ts";
import { crashPage } from "./crashPages.ts";

const [folder = "", worker = "", seed = "1", pageCount = "4", done = "0"] = process.argv.slice(2);
const storage = createFileStorage(folder);
const random = randomFrom(Number(seed));
const told = { stop: false };

createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "stop") told.stop = true;
  if (line === "view") void view();
});

for (let n = Number(done) + 1; !told.stop; n++) {
  const pageId = `page-${Math.floor(random() * Number(pageCount))}`;
  const dice = random();
  const title = `${worker}:${n}`;
  if (dice < 0.7) {
    say({ kind: "begin", action: "save", pageId, title });
    await storage.writePage(crashPage(pageId, title));
    say({ kind: "end", action: "save", pageId, title });
  } else if (dice < 0.8) {
    say({ kind: "begin", action: "remove", pageId, title });
    const removed = await storage.removePage(pageId);
    say({ kind: removed ? "end" : "nothing", action: "remove", pageId, title });
  } else if (dice < 0.9) {
    await storage.writeCache("index", new Uint8Array(100_000).fill(n % 256));
  } else {
    await storage.revisions();
    await storage.readPage(pageId);
  }
}
say({ kind: "stopped", action: "save", pageId: "", title: "" });

async function view(): Promise<void> {
  const titles: [string, string, string][] = [];
  for (const [pageId, revision] of await storage.revisions())
    titles.push([pageId, revision, (await storage.readPage(pageId))?.page.title ?? "unreadable"]);
  say({ kind: "view", action: "save", pageId: "", title: JSON.stringify(titles.sort()) });
  process.exit(0);
}

function say(event: Omit<WorkerEvent, "worker" | "atMs">): void {
  // At once and in order: a line that a kill swallows would look like a save that had not returned.
  writeSync(1, `${JSON.stringify({ ...event, worker, atMs: machineMs() })}\n`);
}
