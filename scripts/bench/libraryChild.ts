/**
 * A library of generated pages through the API that the editor uses, in a process of its own.
 *
 * Arguments: `prepare FACTS FOLDER` stores the pages, `index FOLDER` meets them without an index, `use FOLDER` opens
 * and uses the library, `other FOLDER PAGES` saves pages as another window would. Prints one JSON object.
 */
import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { once } from "node:events";
import { createNodeClock, nextTurn } from "../../src/adapters/nodeClock.ts";
import { encodePage } from "../../src/adapters/storage/pageFiles.ts";
import { generationName, revisionAfter } from "../../src/adapters/storage/names.ts";
import { createFileStorage } from "../../src/adapters/storage/fileStorage.ts";
import { factsAbout } from "../../src/core/hover/factsAbout.ts";
import { namesAt } from "../../src/core/hover/nameAt.ts";
import { SymbolTable } from "../../src/core/hover/symbolTable.ts";
import { syncSymbols } from "../../src/core/hover/syncSymbols.ts";
import { createLibrary } from "../../src/core/library.ts";
import type { Library } from "../../src/core/library.ts";
import type { Embedder, Storage } from "../../src/core/ports.ts";
import { countTokens } from "../../src/core/util/tokens.ts";
import { generatedDims, generatedPages, generatedQueries, generatedVector } from "../lib/generatedFacts.ts";
import { savedPageOf } from "../lib/generatedSavedPages.ts";
import { watchStalls } from "../lib/stalls.ts";
import { ownMs, p50, p95 } from "../lib/timing.ts";

const signal = new AbortController().signal;
const [action, first = "", second = ""] = process.argv.slice(2);

const actions: Readonly<Record<string, () => Promise<Record<string, number>>>> = {
  prepare: () => prepare(Number(first), second),
  index: () => index(first),
  use: () => use(first),
  other: () => other(first, Number(second)),
};
const report = (await actions[action ?? ""]?.()) ?? {};
console.log(JSON.stringify({ ...report, maxRssMb: process.resourceUsage().maxRSS / 1024 }));

/** Vectors made up by the text's length: what an embedder costs is measured elsewhere. */
const embedder: Embedder = {
  id: "generated",
  dims: generatedDims,
  maxTokens: 512,
  meaningWeight: 0.5,
  embed: (texts) => Promise.resolve(texts.map((text) => generatedVector(text.length * 7919 + text.charCodeAt(3)))),
};

function openLibrary(storage: Storage): Library {
  return createLibrary({
    storage,
    sources: [],
    embedder: { name: "generated", isInstant: true, open: () => Promise.resolve(embedder) },
    prompts: () => "",
    clock: createNodeClock(),
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
    loadTokenizer: () => Promise.resolve(countTokens),
    pause: nextTurn,
  });
}

/** As the storage would write them, but without waiting for the disk at each. */
async function prepare(facts: number, folder: string): Promise<Record<string, number>> {
  await createFileStorage(folder).writePage(savedPageOf([...generatedPages(1, 9)][0]?.units ?? []));
  let bytes = 0;
  for (const { units } of generatedPages(facts)) {
    const saved = savedPageOf(units);
    const revision = revisionAfter(undefined, 1_767_225_600_000);
    const place = join(folder, "pages", generationName({ pageId: saved.page.id, revision }));
    await mkdir(place);
    const files = encodePage(saved, revision);
    await writeFile(join(place, "page.json"), files.manifest);
    await writeFile(join(place, "text.md"), files.text);
    await writeFile(join(place, "facts.json"), files.facts);
    bytes += files.manifest.length + files.text.length + files.facts.length;
  }
  return { bytes };
}

async function index(folder: string): Promise<Record<string, number>> {
  const library = openLibrary(createFileStorage(folder));
  const stalls = watchStalls();
  await stalls.take();
  const started = performance.now();
  const { entries } = await library.reindex(signal);
  const ms = performance.now() - started;
  const stall = await stalls.take();
  await library.pages();
  await library.close();
  const closing = await stalls.stop();
  return { entries, ms, stallMs: stall.wallMs, stallCpuMs: stall.cpuMs, closeStallMs: closing.wallMs };
}

async function use(folder: string): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  const stalls = watchStalls();
  const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    await stalls.take();
    const started = performance.now();
    const own = await ownMs(work);
    figures[`${name}Ms`] = performance.now() - started;
    figures[`${name}OwnMs`] = own;
    const stall = await stalls.take();
    figures[`${name}StallMs`] = stall.wallMs;
    figures[`${name}StallCpuMs`] = stall.cpuMs;
  };
  const library = openLibrary(createFileStorage(folder));
  const queries = generatedQueries(150);
  await step("pages", () => library.pages());
  await step("open", () => library.search("first question of the day", { mode: "words" }, signal));
  await step("first", () => library.search(queries.question[0] ?? "", {}, signal));
  const times: number[] = [];
  for (const query of queries.question) times.push(await ownMs(() => library.search(query, {}, signal)));
  figures["searchP50"] = p50(times);
  figures["searchP95"] = p95(times);
  figures["searchStallMs"] = (await stalls.take()).wallMs;
  figures["rssMb"] = process.resourceUsage().maxRSS / 1024;
  const page = savedPageOf([...generatedPages(30, 3)][0]?.units ?? []);
  await step("add", () => library.restore(page));
  await step("afterAdd", () => library.search(queries.question[1] ?? "", {}, signal));
  const child = spawn(process.execPath, ["--import", "tsx", process.argv[1] ?? "", "other", folder, "50"], {
    stdio: "ignore",
  });
  await once(child, "exit");
  await step("catchUp", () => library.search(queries.question[2] ?? "", {}, signal));
  const table = new SymbolTable();
  await step("hoverRead", () => syncSymbols(table, library, signal));
  figures["hoverP50"] = 0;
  const lookups = queries.identifier.flatMap((name) => namesAt(`const x = client.${name}(1);`, 20));
  const hovers: number[] = [];
  for (let round = 0; round < 5; round++) {
    for (const name of lookups) {
      const started = performance.now();
      factsAbout(table, name, { imports: [], languageId: "typescript" });
      hovers.push(performance.now() - started);
    }
  }
  figures["hoverP50"] = p50(hovers);
  figures["hoverP95"] = p95(hovers);
  await stalls.stop();
  await library.close();
  return figures;
}

async function other(folder: string, count: number): Promise<Record<string, number>> {
  const storage = createFileStorage(folder);
  let written = 0;
  for (const { units } of generatedPages(count * 40, 5)) {
    await storage.writePage(savedPageOf(units));
    written++;
  }
  return { written };
}
