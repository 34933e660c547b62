/** The stages of a save over the pages of a corpus, and searches in their facts. */
import { createDocsStaticEmbedder } from "../../src/adapters/embedders/docsStatic.ts";
import { join } from "node:path";
import { capture } from "../../src/core/capture/capture.ts";
import { pageOf } from "../../src/core/capture/page.ts";
import { clean } from "../../src/core/clean/clean.ts";
import { briefOf } from "../../src/core/distill/brief.ts";
import { distillOffline, offlineDistillerId } from "../../src/core/distill/offline.ts";
import { FactIndex } from "../../src/core/index/factIndex.ts";
import { unitsOf } from "../../src/core/index/units.ts";
import { labPageOf } from "../../src/core/lab/labPage.ts";
import { search } from "../../src/core/search/search.ts";
import { sectionByHeadings } from "../../src/core/section/headings.ts";
import type { RawPage, SavedPage } from "../../src/core/types.ts";
import { countTokens } from "../../src/core/util/tokens.ts";
import { verify } from "../../src/core/verify/verify.ts";
import { rawPageOf } from "../../src/adapters/lab/corpusFolder.ts";
import { projectFolder } from "../lib/corpusFolder.ts";
import type { CorpusFolder } from "../../src/adapters/lab/corpusFolder.ts";
import { markdownTable } from "../../src/core/lab/markdownTable.ts";
import { fixedReferenceMs, milliseconds, p50, p95, referenceMs, timed } from "../lib/timing.ts";

const signal = new AbortController().signal;
const stageNames = ["clean", "section", "index", "searchable", "distill"] as const;
type Stage = (typeof stageNames)[number];
const embedder = createDocsStaticEmbedder(join(projectFolder, "media", "docs-static"));

/** From bytes to a page that can be searched, then to its facts; in memory, without fetching and without storing. */
export async function benchPages(folder: CorpusFolder): Promise<SavedPage[]> {
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

export async function benchSearch(folder: CorpusFolder, pages: readonly SavedPage[]): Promise<void> {
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
