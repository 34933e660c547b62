/**
 * Speed, beside a reference of the same run. Prints Markdown tables; see `--help`.
 *
 * Machines are noisy, so nothing here is a figure alone: stages stand beside a round trip through JSON, the index beside
 * the engines of others on the same facts, the vector scan beside what the memory can deliver.
 */
import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compareEngines } from "./bench/compare.ts";
import { benchLibrary } from "./bench/library.ts";
import { benchPages, benchSearch } from "./bench/pages.ts";
import { benchProcesses } from "./bench/processes.ts";
import { readmeTable } from "./bench/readmeTable.ts";
import { benchLargePage, benchManyPages } from "./bench/saving.ts";
import { benchVectorLimit } from "./bench/vectorLimit.ts";
import { openCorpus } from "../src/adapters/lab/corpusFolder.ts";
import { corpusFolderOf, projectFolder } from "./lib/corpusFolder.ts";

const help = `npm run bench -- [options]

  --only PARTS     any of pages,search,engines,vectors,library,large,many,process (default: all but many)
                     pages    the stages of a save over the corpus     search   questions over its facts
                     engines  our index beside Orama, minisearch and SQLite FTS5
                     vectors  the scan beside plain loops and the memory's speed
                     library  a library through the API of the editor, with the main loop's longest stall
                     large    a page of 5 MB      many   1,000 pages in a row      process  the built CLI
  --sizes LIST     facts for engines, vectors and library (default 1000,10000; the largest takes minutes: 100000)
  --corpus DIR     pages and questions in the form of test/eval/README.md
  --cap SECONDS    an engine that takes longer is given up (default 300)
  --pages COUNT    pages saved by the part many (default 1000)
  --readme         writes the table of the README (needs engines and library, at 10000 and 100000)
  --help`;

const partNames = ["pages", "search", "engines", "vectors", "library", "large", "many", "process"] as const;
type Part = (typeof partNames)[number];

interface Options {
  readonly parts: ReadonlySet<Part>;
  readonly sizes: readonly number[];
  readonly corpus: string;
  readonly capMs: number;
  readonly pages: number;
  readonly readme: boolean;
}

const options = optionsOf(process.argv.slice(2));
if (typeof options === "string") {
  const isHelp = options === help;
  (isHelp ? console.log : console.error)(options);
  process.exitCode = isHelp ? 0 : 2;
} else {
  await run(options);
}

async function run({ parts, sizes, corpus: folder, capMs, pages, readme }: Options): Promise<void> {
  const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} processors (${cpus()[0]?.model ?? "unknown"})`;
  console.log(`${machine}.`);
  const corpus = await openCorpus(folder);
  const saved = parts.has("pages") || parts.has("search") ? await benchPages(corpus) : [];
  if (parts.has("search")) await benchSearch(corpus, saved);
  const engines = parts.has("engines") ? await compareEngines({ sizes, capMs }) : [];
  const scans = parts.has("vectors") ? await benchVectorLimit(sizes) : undefined;
  const library = parts.has("library") ? benchLibrary(sizes, capMs) : new Map<number, never>();
  if (parts.has("large")) benchLargePage(capMs);
  if (parts.has("many")) benchManyPages(pages, folder, 4 * capMs);
  if (parts.has("process")) benchProcesses(corpus);
  if (readme) await writeReadme(readmeTable({ engines, library, scans, sizes, machine }));
}

async function writeReadme(table: string): Promise<void> {
  const file = join(projectFolder, "README.md");
  const text = await readFile(file, "utf8");
  const place = /(<!-- bench -->\n)[^]*?(<!-- \/bench -->)/u;
  if (!place.test(text)) throw new Error("README.md has no <!-- bench --> marks.");
  await writeFile(
    file,
    text.replace(place, (_all, before: string, after: string) => `${before}\n${table}\n\n${after}`),
  );
}

/** The options, or what is to be printed instead. */
function optionsOf(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        corpus: { type: "string" },
        only: { type: "string", default: partNames.filter((part) => part !== "many").join(",") },
        sizes: { type: "string", default: "1000,10000" },
        cap: { type: "string", default: "300" },
        pages: { type: "string", default: "1000" },
        readme: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return help;
    const parts = values.only.split(",").map((name) => {
      const part = partNames.find((known) => known === name);
      if (part === undefined) throw new TypeError(`There is no part "${name}"`);
      return part;
    });
    return {
      parts: new Set(parts),
      sizes: values.sizes.split(",").map((size) => wholeNumber("--sizes", size)),
      corpus: corpusFolderOf(values.corpus),
      capMs: wholeNumber("--cap", values.cap) * 1000,
      pages: wholeNumber("--pages", values.pages),
      readme: values.readme,
    };
  } catch (error) {
    const [sentence = ""] = (error instanceof Error ? error.message : String(error)).split(". ");
    return `${sentence.replace(/\.$/u, "")}. See npm run bench -- --help.`;
  }
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new TypeError(`${option} takes whole numbers above 0, and "${text}" is none`);
}
