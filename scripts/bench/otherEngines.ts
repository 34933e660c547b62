/** Engines of others, each as its documentation says one would use it for this. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { create, insertMultiple, load, save, search } from "@orama/orama";
import type { RawData } from "@orama/orama";
import MiniSearch from "minisearch";
import sqlite from "node-sqlite3-wasm";
import { fields } from "./engine.ts";
import type { Engine } from "./engine.ts";
import type { GeneratedPage } from "../lib/generatedFacts.ts";
import type { IndexUnit } from "../../src/core/index/units.ts";

/** Orama as it comes. Its sorter is off: with it on each update takes 15 ms more at 10,000 facts. */
export function oramaEngine(mode: "words" | "hybrid", dims: number): Engine {
  const texts = Object.fromEntries(fields.map((field) => [field, "string" as const]));
  const empty = () =>
    create({
      schema: mode === "words" ? texts : { ...texts, embedding: `vector[${dims}]` as const },
      sort: { enabled: false },
    });
  const documentsOf = (page: GeneratedPage): object[] => {
    const vectors = mode === "words" ? undefined : page.vectors();
    return page.units.map((unit, i) => ({
      ...textsOf(unit),
      id: unit.id,
      ...(vectors && { embedding: Array.from(vectors[i] ?? []) }),
    }));
  };
  return {
    async build(pages, folder) {
      const orama = empty();
      for (const page of pages) await insertMultiple(orama, documentsOf(page) as never);
      return writeText(folder, () => JSON.stringify(save(orama)));
    },
    async open(folder) {
      const orama = empty();
      load(orama, JSON.parse(await readFile(fileOf(folder), "utf8")) as RawData);
      return {
        search: ({ text, vector }) =>
          Promise.resolve(
            mode === "words"
              ? search(orama, { term: text, limit: 10 })
              : search(orama, {
                  mode: "hybrid",
                  term: text,
                  vector: { property: "embedding", value: Array.from(vector) },
                  similarity: 0,
                  limit: 10,
                } as never),
          ),
        add: async (page) => {
          await insertMultiple(orama, documentsOf(page) as never);
        },
        close: () => Promise.resolve(),
      };
    },
  };
}

export function minisearchEngine(): Engine {
  const options = { fields: [...fields] };
  const documentsOf = (page: GeneratedPage): object[] => page.units.map((unit) => ({ ...textsOf(unit), id: unit.id }));
  return {
    build(pages, folder) {
      const engine = new MiniSearch<object>(options);
      for (const page of pages) engine.addAll(documentsOf(page));
      return writeText(folder, () => JSON.stringify(engine));
    },
    async open(folder) {
      const engine = MiniSearch.loadJSON<object>(await readFile(fileOf(folder), "utf8"), options);
      return {
        search: ({ text }) => Promise.resolve(engine.search(text).slice(0, 10)),
        add: (page) => Promise.resolve(engine.addAll(documentsOf(page))),
        close: () => Promise.resolve(),
      };
    },
  };
}

/** FTS5 of SQLite built for WebAssembly: the only build that installs without compiling. About half as fast as native. */
export function sqliteEngine(): Engine {
  const insert = (database: InstanceType<typeof sqlite.Database>, page: GeneratedPage): void => {
    database.exec("begin");
    const statement = database.prepare(`insert into facts values (${["id", ...fields].map(() => "?").join(",")})`);
    for (const unit of page.units) statement.run([unit.id, ...fields.map((field) => unit[field])]);
    statement.finalize();
    database.exec("commit");
  };
  return {
    async build(pages, folder) {
      const database = new sqlite.Database(fileOf(folder));
      database.exec("pragma journal_mode = off; pragma synchronous = off");
      database.exec(`create virtual table facts using fts5(id unindexed, ${fields.join(",")})`);
      for (const page of pages) insert(database, page);
      database.close();
      return { bytes: (await stat(fileOf(folder))).size, saveMs: 0 };
    },
    open(folder) {
      const database = new sqlite.Database(fileOf(folder));
      const query = database.prepare(
        "select id from facts where facts match ? order by bm25(facts, 0, 2, 1.5, 1.2, 1, 0.5, 0.8) limit 10",
      );
      return Promise.resolve({
        search: ({ text }) => Promise.resolve(query.all([anyOf(text)])),
        add: (page) => Promise.resolve(insert(database, page)),
        close: () => {
          query.finalize();
          database.close();
          return Promise.resolve();
        },
      });
    },
  };
}

/** The words of a question, any of them. */
export function anyOf(text: string): string {
  return [...text.matchAll(/[\p{L}\p{N}_]+/gu)].map(([word]) => `"${word}"`).join(" OR ");
}

function textsOf(unit: IndexUnit): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field, unit[field]]));
}

function fileOf(folder: string): string {
  return join(folder, "engine");
}

async function writeText(folder: string, make: () => string): Promise<{ bytes: number; saveMs: number }> {
  const started = performance.now();
  await writeFile(fileOf(folder), make());
  return { bytes: (await stat(fileOf(folder))).size, saveMs: performance.now() - started };
}
