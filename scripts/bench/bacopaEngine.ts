import { createFileStorage } from "../../src/adapters/storage/fileStorage.ts";
import { FactIndex } from "../../src/core/index/factIndex.ts";
import { search } from "../../src/core/search/search.ts";
import type { Engine } from "./engine.ts";
import type { GeneratedPage } from "../lib/generatedFacts.ts";

const legDepth = 50;

/** Our index, without the library around it; `hybrid` ranks by words and vectors. */
export function bacopaEngine(mode: "words" | "hybrid", dims: number): Engine {
  const vectorsOf = (page: GeneratedPage): Float32Array[] | undefined =>
    mode === "words" ? undefined : page.vectors();
  const shape = mode === "words" ? {} : { embedderId: "generated", dims };
  return {
    async build(pages, folder) {
      const index = FactIndex.create(shape);
      for (const page of pages) index.putPage(page.pageId, "1", page.units, vectorsOf(page));
      const storage = createFileStorage(folder);
      const started = performance.now();
      await storage.writeCache("index", index.save());
      const saveMs = performance.now() - started;
      const reader = await storage.openCache("index");
      await reader?.close();
      return { bytes: reader?.size ?? 0, saveMs };
    },
    async open(folder) {
      const reader = await createFileStorage(folder).openCache("index");
      const index = reader && (await FactIndex.open(reader));
      if (reader === undefined || index === undefined)
        throw new Error("The index that was just saved cannot be opened");
      return {
        async search({ text, vector }) {
          const meaning = mode === "words" ? undefined : await index.searchMeaning(vector, legDepth);
          const words = index.searchWords(text, legDepth);
          return search({ words, meaning, meaningWeight: 0.5, limit: 10, mode });
        },
        add(page) {
          index.putPage(page.pageId, "1", page.units, vectorsOf(page));
          return Promise.resolve();
        },
        close: () => reader.close(),
      };
    },
  };
}
