/**
 * Times the pipeline and prints Markdown tables: `npm run bench -- [--corpus DIR] [--only pages,search,index,process] [--large]`.
 *
 * Machines are noisy, so each table has a reference timed in the same run (see lib/timing.ts) and the ratio to it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createDocsStaticEmbedder } from "../src/adapters/embedders/docsStatic.ts";
import { capture } from "../src/core/capture/capture.ts";
import { pageOf } from "../src/core/capture/page.ts";
import { clean } from "../src/core/clean/clean.ts";
import { briefOf } from "../src/core/distill/brief.ts";
import { distillOffline, offlineDistillerId } from "../src/core/distill/offline.ts";
import { FactIndex } from "../src/core/index/factIndex.ts";
import { unitsOf } from "../src/core/index/units.ts";
import { labPageOf } from "../src/core/lab/labPage.ts";
import type { RawPage, SavedPage } from "../src/core/types.ts";
import { search } from "../src/core/search/search.ts";
import { sectionByHeadings } from "../src/core/section/headings.ts";
import { countTokens } from "../src/core/util/tokens.ts";
import { verify } from "../src/core/verify/verify.ts";
import { corpusFolderOf, openCorpus, projectFolder, rawPageOf } from "./lib/corpusFolder.ts";
import type { CorpusFolder } from "./lib/corpusFolder.ts";
import { markdownTable } from "./lib/markdownTable.ts";
import { fixedReferenceMs, milliseconds, p50, p95, referenceMs, timed } from "./lib/timing.ts";

const signal = new AbortController().signal;
const { values } = parseArgs({
  options: {
    corpus: { type: "string" },
    only: { type: "string", default: "pages,search,index,process" },
    large: { type: "boolean", default: false },
  },
});
const stageNames = ["clean", "section", "index", "searchable", "distill"] as const;
type Stage = (typeof stageNames)[number];

const parts = new Set(values.only.split(","));
const corpus = await openCorpus(corpusFolderOf(values.corpus));
const embedder = createDocsStaticEmbedder(join(projectFolder, "media", "docs-static"));

console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} processors (${cpus()[0]?.model ?? "unknown"}).`,
);
const saved = parts.has("pages") || parts.has("search") ? await benchPages(corpus) : [];
if (parts.has("search")) await benchSearch(corpus, saved);
if (parts.has("index")) benchIndex(values.large ? [1_000, 10_000, 100_000] : [1_000, 10_000]);
if (parts.has("process")) benchProcess(corpus);

/** From bytes to a page that can be searched, then to its facts; in memory, without fetching and without storing. */
async function benchPages(folder: CorpusFolder): Promise<SavedPage[]> {
  const entries = [...folder.pages, ...folder.distractors];
  const raws = await Promise.all(entries.map(async (entry) => ({ entry, raw: await rawPageOf(folder.folder, entry) })));
  // The first pages pay for compiling; what they cost alone is in the table of processes.
  for (const { entry, raw } of raws.slice(0, 8)) await stagesOf(raw, entry.url);
  const all: SavedPage[] = [];
  const times: Record<Stage | "reference", number[]> = {
    clean: [],
    section: [],
    index: [],
    searchable: [],
    distill: [],
    reference: [],
  };
  const sizes: number[] = [];
  for (const { entry, raw } of raws) {
    const { page, ms } = await stagesOf(raw, entry.url);
    for (const stage of stageNames) times[stage].push(ms[stage]);
    times.reference.push(referenceMs(new TextDecoder().decode(raw.bytes)));
    sizes.push(raw.bytes.length);
    all.push(page);
  }
  const row = (name: string, stage: Stage | "reference"): string[] => [
    name,
    milliseconds(p50(times[stage])),
    milliseconds(p95(times[stage])),
    milliseconds(Math.max(...times[stage])),
    p50(times[stage].map((ms, at) => ms / Math.max(0.01, times.reference[at] ?? 1))).toFixed(1),
  ];
  console.log(
    `\n### Saving a page (${entries.length} pages, median ${(p50(sizes) / 1024).toFixed(0)} kB, largest ${(Math.max(...sizes) / 1024).toFixed(0)} kB)\n`,
  );
  console.log(
    markdownTable(
      ["stage, ms", "p50", "p95", "max", "median ratio to reference"],
      [
        row("capture and clean", "clean"),
        row("section", "section"),
        row("index the sections", "index"),
        row("**until searchable**", "searchable"),
        row("distill offline and verify", "distill"),
        row("reference: JSON round trip of the page's words", "reference"),
      ],
    ),
  );
  return all;
}

async function stagesOf(raw: RawPage, url: string): Promise<{ page: SavedPage; ms: Record<Stage, number> }> {
  const cleaning = timed(() => {
    const captured = capture(raw, { url });
    return { captured, cleaned: clean(captured) };
  });
  const { captured, cleaned } = cleaning.value;
  const page = pageOf(captured, cleaned, new Date().toISOString());
  const sectioning = timed(() => sectionByHeadings(page.text, countTokens));
  const sections = sectioning.value;
  const waiting: SavedPage = {
    ...labPageOf(page.id, page, sections, [], briefOf(page, sections, new Date()), countTokens).saved,
    sectionStates: sections.map(() => ({ state: "waiting" })),
  };
  const indexing = performance.now();
  await putPage(FactIndex.create({ embedderId: embedder.id, dims: embedder.dims }), waiting);
  const indexMs = performance.now() - indexing;
  const distilling = timed(() => {
    const drafts = distillOffline({ page, sections, countTokens });
    return verify({ drafts, page, sections, origin: { distiller: offlineDistillerId, extractive: true }, countTokens })
      .facts;
  });
  return {
    page: labPageOf(page.id, page, sections, distilling.value, waiting.brief, countTokens).saved,
    ms: {
      clean: cleaning.ms,
      section: sectioning.ms,
      index: indexMs,
      searchable: cleaning.ms + sectioning.ms + indexMs,
      distill: distilling.ms,
    },
  };
}

async function putPage(index: FactIndex, page: SavedPage): Promise<void> {
  const units = unitsOf(page);
  const vectors = await embedder.embed(
    units.map((unit) => unit.meaningText),
    "passage",
    signal,
  );
  index.putPage(page.page.id, "1", units, vectors);
}

async function benchSearch(folder: CorpusFolder, pages: readonly SavedPage[]): Promise<void> {
  const index = FactIndex.create({ embedderId: embedder.id, dims: embedder.dims });
  for (const page of pages) await putPage(index, page);
  const symbols = pages.flatMap(({ facts }) => facts.flatMap((fact) => fact.symbols));
  const questions = folder.questions.filter(({ style }) => style !== "keyword").map(({ query }) => query);
  const kinds = {
    question: questions,
    keywords: folder.questions.map(({ query }) => query.split(/\s+/).slice(-3).join(" ")),
    identifier: symbols.filter((_, at) => at % Math.ceil(symbols.length / 200) === 0),
  };
  const ask = async (query: string): Promise<number> => {
    const started = performance.now();
    const vector = (await embedder.embed([query], "query", signal))[0];
    const meaning = vector === undefined ? undefined : await index.searchMeaning(vector, 50);
    search({
      words: index.searchWords(query, 50),
      meaning,
      meaningWeight: embedder.meaningWeight,
      limit: 10,
      mode: "hybrid",
    });
    return performance.now() - started;
  };
  const reference = fixedReferenceMs();
  const first = await ask(questions[0] ?? "");
  const rows = [["first query", milliseconds(first), "", "", (first / reference).toFixed(3)]];
  for (const [kind, queries] of Object.entries(kinds)) {
    const words = queries.map((query) => timed(() => index.searchWords(query, 50)).ms);
    rows.push([`${kind}, words`, ...spread(words, reference)]);
    const all: number[] = [];
    for (const query of queries) all.push(await ask(query));
    rows.push([`${kind}, hybrid`, ...spread(all, reference)]);
  }
  rows.push(["reference: JSON round trip of 150,000 words", milliseconds(reference), "", "", "1"]);
  console.log(`\n### Searching (${index.size} facts of ${pages.length} pages)\n`);
  console.log(markdownTable(["query, ms", "p50", "p95", "max", "ratio to reference"], rows));
}

function spread(times: readonly number[], reference: number): string[] {
  return [...[p50(times), p95(times), Math.max(...times)].map(milliseconds), (p50(times) / reference).toFixed(3)];
}

function benchIndex(counts: readonly number[]): void {
  const folder = mkdtempSync(join(tmpdir(), "bacopa-bench-"));
  try {
    const empty = runChild("empty");
    const runs = counts.map((count) => {
      const file = join(folder, `${count}.index`);
      return { count, built: runChild("build", `${count}`, file), opened: runChild("open", file) };
    });
    const line = (name: string, value: (run: (typeof runs)[number]) => string): string[] => [name, ...runs.map(value)];
    const ms = (of: "built" | "opened", key: string) => (run: (typeof runs)[number]) =>
      milliseconds(run[of][key] ?? NaN);
    const more = (of: "built" | "opened") => (run: (typeof runs)[number]) =>
      ((run[of]["maxRssMb"] ?? 0) - (empty["maxRssMb"] ?? 0)).toFixed(0);
    console.log(`\n### The index (generated facts, ${embedder.dims}-dimension vectors)\n`);
    console.log(
      markdownTable(
        ["", ...runs.map(({ count }) => `${count.toLocaleString("en")} facts`)],
        [
          line("embed all, ms", ms("built", "embedMs")),
          line("build, ms", ms("built", "buildMs")),
          line("longest put of a page of 40 facts, ms", ms("built", "longestPutMs")),
          line("save, ms", ms("built", "saveMs")),
          line("size, MB", ({ built }) => ((built["bytes"] ?? 0) / 1e6).toFixed(1)),
          line("open, ms", ms("opened", "openMs")),
          line("first query, ms", ms("opened", "firstMs")),
          ...["question", "keywords", "identifier"].flatMap((kind) => [
            line(`${kind}, words, p50 ms`, ms("opened", `${kind}WordsP50`)),
            line(`${kind}, hybrid, p50 ms`, ms("opened", `${kind}P50`)),
            line(`${kind}, hybrid, p95 ms`, ms("opened", `${kind}P95`)),
          ]),
          line("peak memory of building over an empty process, MB", more("built")),
          line("peak memory of opening and searching, same, MB", more("opened")),
          line("reference: JSON round trip of 150,000 words, ms", ms("opened", "referenceMs")),
        ],
      ),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runChild(...args: string[]): Record<string, number> {
  const script = join(projectFolder, "scripts", "lib", "benchIndexChild.ts");
  const child = spawnSync(process.execPath, ["--import", "tsx", script, ...args], {
    cwd: projectFolder,
    encoding: "utf8",
  });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout) as Record<string, number>; // our own script printed it
}

/** The built CLI as a person meets it: whole processes, from start to exit. */
function benchProcess(folder: CorpusFolder): void {
  const cli = join(projectFolder, "dist", "cli.js");
  if (!existsSync(cli)) {
    console.log("\nThe CLI is not built: `npm run build` first.");
    return;
  }
  const library = mkdtempSync(join(tmpdir(), "bacopa-bench-"));
  try {
    const largest = folder.pages.toSorted((a, b) => sizeOf(folder, a.file) - sizeOf(folder, b.file)).at(-1);
    const middle = folder.pages.toSorted((a, b) => sizeOf(folder, a.file) - sizeOf(folder, b.file))[
      folder.pages.length >> 1
    ];
    const save = (entry: typeof largest): string[] =>
      entry === undefined
        ? []
        : ["save", join(folder.folder, entry.file), "--url", entry.url, "--distiller", "offline", "--library", library];
    const reference = runWhole(["-e", "0"], 7);
    const rows = [
      { name: "node -e 0 (reference)", ...reference },
      { name: "bacopa --version", ...runWhole([cli, "--version"], 7) },
      {
        name: `bacopa save, page of median size (${kilobytes(folder, middle?.file)} kB)`,
        ...runWhole([cli, ...save(middle), "--force"], 3),
      },
      {
        name: `bacopa save, largest page (${kilobytes(folder, largest?.file)} kB)`,
        ...runWhole([cli, ...save(largest), "--force"], 3),
      },
      {
        name: "bacopa search in these two pages",
        ...runWhole([cli, "search", "default timeout", "--library", library], 7),
      },
    ];
    console.log("\n### Whole processes\n");
    console.log(
      markdownTable(
        ["command", "p50, ms", "max, ms", "ratio to reference", "peak memory, MB"],
        rows.map(({ name, times, maxRssMb }) => [
          name,
          milliseconds(p50(times)),
          milliseconds(Math.max(...times)),
          (p50(times) / p50(reference.times)).toFixed(1),
          maxRssMb.toFixed(0),
        ]),
      ),
    );
  } finally {
    rmSync(library, { recursive: true, force: true });
  }
}

function runWhole(args: readonly string[], runs: number): { readonly times: number[]; readonly maxRssMb: number } {
  // The child tells its own peak memory as its last line on stderr; no outside tool is needed.
  const probe = "process.on('exit',()=>process.stderr.write('\\nmaxRSS '+process.resourceUsage().maxRSS))";
  const times: number[] = [];
  let maxRssMb = 0;
  for (let run = 0; run < runs; run++) {
    const { value: child, ms } = timed(() =>
      spawnSync(process.execPath, ["--import", `data:text/javascript,${encodeURIComponent(probe)}`, ...args], {
        encoding: "utf8",
      }),
    );
    if (child.status !== 0) throw new Error(`${args.join(" ")} failed: ${child.stderr}`);
    times.push(ms);
    maxRssMb = Math.max(maxRssMb, Number(/maxRSS (\d+)$/.exec(child.stderr)?.[1] ?? 0) / 1024);
  }
  return { times, maxRssMb };
}

function sizeOf(folder: CorpusFolder, file: string): number {
  return statSync(join(folder.folder, file)).size;
}

function kilobytes(folder: CorpusFolder, file: string | undefined): string {
  return file === undefined ? "?" : (sizeOf(folder, file) / 1024).toFixed(0);
}
