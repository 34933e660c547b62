/**
 * Saves through the API that the editor uses: files, the worker, the embedded embedder, the offline distiller.
 *
 * Arguments: `large FOLDER` saves one page of 5 MB, `many FOLDER COUNT CORPUS` saves so many pages of the corpus in a
 * row, each under an address of its own. Prints one JSON object.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createDocsStaticEmbedder } from "../../src/adapters/embedders/docsStatic.ts";
import { createNodeClock, nextTurn } from "../../src/adapters/nodeClock.ts";
import { createFileStorage } from "../../src/adapters/storage/fileStorage.ts";
import { createWorkerStages } from "../../src/adapters/worker/workerStages.ts";
import { createLibrary } from "../../src/core/library.ts";
import type { SaveReport } from "../../src/core/save.ts";
import { countTokens } from "../../src/core/util/tokens.ts";
import { openCorpus } from "../../src/adapters/lab/corpusFolder.ts";
import { projectFolder } from "../lib/corpusFolder.ts";
import { watchStalls } from "../lib/stalls.ts";
import { p50 } from "../lib/timing.ts";

const signal = new AbortController().signal;
const [action, folder = "", count = "0", corpus = ""] = process.argv.slice(2);
const stages = createWorkerStages(join(projectFolder, "dist", "worker.cjs"));
const embedder = createDocsStaticEmbedder(join(projectFolder, "media", "docs-static"));
const library = createLibrary({
  storage: createFileStorage(folder),
  sources: [],
  embedder: { name: "docs-static", isInstant: true, open: () => Promise.resolve(embedder) },
  prompts: () => "",
  clock: createNodeClock(),
  log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
  stages,
  loadTokenizer: () => Promise.resolve(countTokens),
  pause: nextTurn,
});
const report = action === "large" ? await large() : await many(Number(count));
await library.close();
stages.dispose();
console.log(JSON.stringify(report));

async function save(content: string, url: string): Promise<SaveReport> {
  const saved = await library.save(url, { distiller: { kind: "offline" }, content, url }, signal);
  if (saved.state !== "done") throw new Error(`${url}: ${saved.message ?? saved.state}`);
  return saved;
}

async function large(): Promise<Record<string, number>> {
  // The worker and the embedder's table are there, as they are after a first page.
  await save(pageOf(30_000), "https://docs.large.example/first");
  const content = pageOf(5_000_000);
  const stalls = watchStalls();
  await stalls.take();
  const started = performance.now();
  const { ms, facts } = await save(content, "https://docs.large.example/page");
  const wholeMs = performance.now() - started;
  const { wallMs, cpuMs } = await stalls.stop();
  return { bytes: content.length, facts, searchableMs: ms.searchable, wholeMs, stallMs: wallMs, stallCpuMs: cpuMs };
}

/** A reference page in HTML of about so many characters. */
function pageOf(length: number): string {
  const parts: string[] = ["<html><head><title>All options</title></head><body><main><h1>All options</h1>"];
  let size = 0;
  for (let i = 0; size < length; i++) {
    const part =
      `<h${2 + (i % 3)}>option_${i}</h${2 + (i % 3)}><p>The option <code>option_${i}</code> sets how many workers of pool ${i % 97} ` +
      `wait for a job, and for how long. Its default is ${i % 60} s; since version ${i % 9}.${i % 7} it can be 0.</p>` +
      `<pre><code>pool.set("option_${i}", ${i});\npool.restart();</code></pre>` +
      `<table><tr><th>value</th><th>meaning</th></tr><tr><td>0</td><td>never waits</td></tr><tr><td>${i}</td><td>waits</td></tr></table>`;
    parts.push(part);
    size += part.length;
  }
  return `${parts.join("\n")}</main></body></html>`;
}

async function many(pages: number): Promise<Record<string, number>> {
  const { folder: corpusFolder, pages: own, distractors } = await openCorpus(corpus);
  // Pages of a usual size: the few of a megabyte would hide a slow growth of the time a page.
  const contents: string[] = [];
  for (const { file } of [...own, ...distractors]) {
    const content = await readFile(join(corpusFolder, file), "utf8");
    if (content.length < 100_000) contents.push(content);
  }
  const report: Record<string, number> = { pages };
  const times: number[] = [];
  const hundred = Math.ceil(pages / 10);
  const failed: string[] = [];
  for (let i = 0; i < pages; i++) {
    const started = performance.now();
    const url = `https://docs.many.example/${i}`;
    await save(contents[i % contents.length] ?? "", url).catch((error: unknown) => failed.push(String(error)));
    times.push(performance.now() - started);
    if ((i + 1) % hundred !== 0) continue;
    const part = (i + 1) / hundred;
    report[`p50 ${part}`] = p50(times.splice(0));
    report[`rss ${part}`] = process.memoryUsage().rss / 2 ** 20;
  }
  return { ...report, failed: failed.length };
}
