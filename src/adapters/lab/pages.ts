/** The pages that the lab works on: of a corpus, of any folder of pages, or of a library. */
import { readdir } from "node:fs/promises";
import { basename, extname, join, relative, resolve, sep } from "node:path";
import { BacopaError } from "../../core/errors.ts";
import type { LabPage } from "../../core/lab/labPage.ts";
import { labPageOf, readLabPage } from "../../core/lab/labPage.ts";
import type { CorpusPage } from "../../core/lab/questions.ts";
import type { LabCorpus } from "../../core/lab/results.ts";
import type { Clock, CountTokens } from "../../core/ports.ts";
import type { RawPage } from "../../core/types.ts";
import { createFileSource } from "../sources/fileSource.ts";
import { createFileStorage } from "../storage/fileStorage.ts";
import { isCorpusFolder, openCorpus, rawPageOf } from "./corpusFolder.ts";

export interface LabPages {
  readonly corpus: Omit<LabCorpus, "pages" | "tokens">;
  readonly pages: readonly LabPage[];
  /** Further names that questions may give a page. */
  readonly namesOf: (page: LabPage) => readonly string[];
  /** One sentence each: what could not be read. */
  readonly problems: readonly string[];
}

export interface LabTools {
  readonly countTokens: CountTokens;
  readonly clock: Clock;
}

/**
 * A corpus with its manifest, or the `.md`, `.mdx`, `.markdown`, `.html` and `.htm` files of a folder and those below it.
 *
 * @param distractors Whether a corpus' distractor pages are in the pool.
 * @throws BacopaError `not-found` when there is no such folder or no page in it.
 */
export async function pagesOfFolder(
  asked: string,
  distractors: boolean,
  tools: LabTools,
  signal: AbortSignal,
): Promise<LabPages> {
  const folder = resolve(asked);
  const name = basename(folder);
  if (!isCorpusFolder(folder)) return pagesOfPlainFolder(folder, name, tools, signal);
  const corpus = await openCorpus(folder);
  const entries = distractors ? [...corpus.pages, ...corpus.distractors] : corpus.pages;
  const { pages, problems } = await readCorpusPages(folder, entries, tools, signal);
  if (pages.length === 0) throw noPages(folder, "its manifest lists no page that can be read");
  return {
    corpus: { kind: "corpus", name, distractors: entries.length - corpus.pages.length },
    pages,
    namesOf: () => [],
    problems: [...corpus.problems, ...problems],
  };
}

/** Pages of a corpus, as a save would read them. One that is refused is named, the others go on. */
export async function readCorpusPages(
  folder: string,
  entries: readonly CorpusPage[],
  tools: LabTools,
  signal: AbortSignal,
): Promise<{ readonly pages: readonly LabPage[]; readonly problems: readonly string[] }> {
  return readEach(
    entries.map(({ id, url, ...entry }) => ({ id, url, read: () => rawPageOf(folder, { id, url, ...entry }) })),
    tools,
    signal,
  );
}

interface Readable {
  readonly id: string;
  readonly url: string;
  readonly read: () => Promise<RawPage>;
}

async function readEach(
  entries: readonly Readable[],
  { countTokens, clock }: LabTools,
  signal: AbortSignal,
): Promise<{ readonly pages: readonly LabPage[]; readonly problems: readonly string[] }> {
  const pages: LabPage[] = [];
  const problems: string[] = [];
  for (const { id, url, read } of entries) {
    signal.throwIfAborted();
    try {
      const raw = await read();
      pages.push(readLabPage({ corpusId: id, raw, url, countTokens, now: clock.now(), clock }));
    } catch (error) {
      signal.throwIfAborted();
      problems.push(`${id} was left out: ${BacopaError.is(error) ? error.userMessage : String(error)}`);
    }
  }
  return { pages, problems };
}

const pageFiles = new Set([".md", ".mdx", ".markdown", ".html", ".htm"]);

async function pagesOfPlainFolder(
  folder: string,
  name: string,
  tools: LabTools,
  signal: AbortSignal,
): Promise<LabPages> {
  const files = await filesBelow(folder);
  const source = createFileSource();
  const { pages, problems } = await readEach(
    files.map((file) => ({
      id: relative(folder, file).split(sep).join("/"),
      url: `file:///${relative(folder, file).split(sep).map(encodeURIComponent).join("/")}`,
      read: () => source.read(file, signal),
    })),
    tools,
    signal,
  );
  if (pages.length === 0) throw noPages(folder, "it has no manifest.json and no .md or .html file that can be read");
  return {
    corpus: { kind: "folder", name, distractors: 0 },
    pages,
    // `guides/retries.md` is also `guides/retries`, `retries.md` and `retries`.
    namesOf: ({ corpusId }) => {
      const withoutEnding = corpusId.slice(0, corpusId.length - extname(corpusId).length);
      return [withoutEnding, basename(corpusId), basename(withoutEnding)];
    },
    problems,
  };
}

async function filesBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => entry.isFile() && pageFiles.has(extname(entry.name).toLowerCase()))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter(
        (file) =>
          !relative(folder, file)
            .split(sep)
            .some((part) => part === "node_modules" || part.startsWith(".")),
      )
      .sort();
  } catch (cause) {
    throw noPages(folder, "it is no folder that can be read", cause);
  }
}

/** The saved pages as they are: their facts are those that were written when they were saved. */
export async function pagesOfLibrary(
  folder: string,
  { countTokens }: Pick<LabTools, "countTokens">,
  signal: AbortSignal,
): Promise<LabPages> {
  const storage = createFileStorage(folder);
  const pages: LabPage[] = [];
  for (const id of [...(await storage.revisions()).keys()].sort()) {
    signal.throwIfAborted();
    const saved = await storage.readPage(id);
    if (saved === undefined) continue;
    const { corpusId, matching, ...made } = labPageOf(
      id,
      saved.page,
      saved.sections,
      saved.facts,
      saved.brief,
      countTokens,
    );
    // What it cost to write the facts, and which sections still wait for theirs, are in the saved page alone.
    pages.push({ corpusId, matching, saved: { ...saved, brief: made.saved.brief } });
  }
  if (pages.length === 0) {
    throw new BacopaError("not-found", {
      message: `No page in the library ${folder}`,
      userMessage: `Nothing is saved in the library ${folder} yet. Save some pages first.`,
    });
  }
  const damaged = await storage.damaged();
  return {
    corpus: { kind: "library", name: basename(resolve(folder)), distractors: 0 },
    pages,
    namesOf: ({ saved }) => [saved.page.requested],
    problems: damaged.map(({ pageId, reason }) => `${pageId} was left out: its files are damaged (${reason}).`),
  };
}

function noPages(folder: string, why: string, cause?: unknown): BacopaError {
  return new BacopaError("not-found", {
    message: `No pages in ${folder}: ${why}`,
    userMessage: `${folder} gives no pages: ${why}. Name a folder with .md or .html files, or one with manifest.json.`,
    cause,
  });
}
