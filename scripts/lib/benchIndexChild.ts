/**
 * One index of generated facts in a process of its own, so that its peak memory is its own.
 *
 * Arguments: `build COUNT FILE` builds and saves, `open FILE` opens and searches, `empty` does neither.
 * Prints one JSON object.
 */
import { join } from "node:path";
import { createDocsStaticEmbedder } from "../../src/adapters/embedders/docsStatic.ts";
import { createFileStorage } from "../../src/adapters/storage/fileStorage.ts";
import { FactIndex } from "../../src/core/index/factIndex.ts";
import { search } from "../../src/core/search/search.ts";
import { projectFolder } from "./corpusFolder.ts";
import { generatedPages, generatedQueries } from "./generatedFacts.ts";
import { fixedReferenceMs, p50, p95, timed } from "./timing.ts";

const signal = new AbortController().signal;
const [action, ...operands] = process.argv.slice(2);
const embedder = createDocsStaticEmbedder(join(projectFolder, "media", "docs-static"));
const storage = createFileStorage((action === "build" ? operands[1] : operands[0]) ?? "");
const shape = { embedderId: embedder.id, dims: embedder.dims };

const report = action === "build" ? await build(Number(operands[0])) : action === "open" ? await open() : {};
const maxRssMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ ...report, maxRssMb, referenceMs: fixedReferenceMs() }));

async function build(count: number): Promise<Record<string, number>> {
  const index = FactIndex.create(shape);
  let embedMs = 0;
  let buildMs = 0;
  let longestPutMs = 0;
  for (const { pageId, units } of generatedPages(count)) {
    const started = performance.now();
    const vectors = await embedder.embed(
      units.map((unit) => unit.meaningText),
      "passage",
      signal,
    );
    embedMs += performance.now() - started;
    const { ms } = timed(() => index.putPage(pageId, "1", units, vectors));
    buildMs += ms;
    longestPutMs = Math.max(longestPutMs, ms);
  }
  const started = performance.now();
  await storage.writeCache("index", index.save());
  const saveMs = performance.now() - started;
  return { embedMs, buildMs, longestPutMs, saveMs, bytes: (await storage.openCache("index"))?.size ?? 0 };
}

async function open(): Promise<Record<string, number>> {
  const opening = performance.now();
  const used = process.cpuUsage();
  const reader = await storage.openCache("index");
  const index = reader && (await FactIndex.open(reader, shape));
  const openMs = performance.now() - opening;
  const cpu = process.cpuUsage(used);
  const openCpuMs = (cpu.user + cpu.system) / 1000;
  if (index === undefined) throw new Error("The index that was just saved cannot be opened");
  const queries = generatedQueries(200);
  const [firstQuery = ""] = queries.question;
  const started = performance.now();
  await ask(firstQuery);
  const firstMs = performance.now() - started;
  const report: Record<string, number> = { openMs, openCpuMs, firstMs };
  for (const [kind, texts] of Object.entries(queries) as [string, readonly string[]][]) {
    const all: number[] = [];
    const words: number[] = [];
    for (const text of texts) {
      words.push(timed(() => index.searchWords(text, 50)).ms);
      const since = performance.now();
      await ask(text);
      all.push(performance.now() - since);
    }
    report[`${kind}WordsP50`] = p50(words);
    report[`${kind}P50`] = p50(all);
    report[`${kind}P95`] = p95(all);
  }
  await reader?.close();
  return report;

  async function ask(query: string): Promise<void> {
    const vector = (await embedder.embed([query], "query", signal))[0];
    const meaning = vector === undefined ? undefined : await index?.searchMeaning(vector, 50);
    const words = index?.searchWords(query, 50) ?? [];
    search({ words, meaning, meaningWeight: embedder.meaningWeight, limit: 10, mode: "hybrid" });
  }
}
