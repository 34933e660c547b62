/** What every strategy must hold to when a page is saved with it, searched and refreshed. */
import assert from "node:assert/strict";
import type { Distiller, Library } from "../../src/core/library.ts";
import { codeBlocks } from "../../src/core/util/markdown.ts";

export interface SavingWith {
  readonly library: Library;
  readonly distiller: Distiller;
  readonly url: string;
  /** Changes one sentence of the page at the source. */
  readonly change: () => void;
  readonly close: () => Promise<void>;
}

const signal = new AbortController().signal;

/**
 * @param setUp Gives a library with a source whose page says that a message is held back for at most 12 hours and, in code,
 *   `marmot drain --now`.
 */
export function describeStrategy(name: string, setUp: () => Promise<SavingWith>): void {
  describe(`a page saved with ${name}`, () => {
    let made: SavingWith;
    beforeEach(async () => (made = await setUp()));
    afterEach(() => made.close());
    const save = () => made.library.save(made.url, { distiller: made.distiller, strategy: name }, signal);

    it("is stored with its strategy, and every part of it is written or kept", async () => {
      const report = await save();
      assert.deepEqual([report.state, report.strategy, report.failedSections], ["done", name, 0], report.message);
      const saved = await made.library.page(report.pageId ?? "");
      assert.equal(saved.strategy, name);
      assert.ok(saved.sectionStates.every(({ state }) => state === "kept" || state === "distilled"));
      const [summary] = await made.library.pages();
      assert.equal(summary?.undistilled, 0);
    });

    it("is found by a question, each text once, within the token budget", async () => {
      await save();
      const { hits } = await made.library.search("how long can a message be held back?", { limit: 8 }, signal);
      assert.match(`${hits[0]?.fact.statement}\n${hits[0]?.fact.body}`, /12 hours/);
      const texts = hits.map(({ fact }) => `${fact.statement}\n${fact.body}`);
      assert.equal(new Set(texts).size, texts.length);
      const budget = 700;
      const fitting = await made.library.search("how long can a message be held back?", { maxTokens: budget }, signal);
      assert.ok(fitting.tokens <= budget, `${fitting.tokens}`);
    });

    it("gives the page's own text behind each hit", async () => {
      const report = await save();
      const { text } = (await made.library.page(report.pageId ?? "")).page;
      const { hits } = await made.library.search("marmot drain --now", {}, signal);
      const [hit] = hits;
      assert.ok(hit !== undefined);
      assert.match(`${hit.fact.statement}${hit.fact.body}`, /marmot drain --now/);
      const passage = await made.library.passage(hit.fact.id);
      assert.equal(passage.text, text.slice(passage.source.start, passage.source.end));
      assert.ok(codeBlocks(text).length > 0);
    });

    it("keeps its strategy when it is read again", async () => {
      const report = await save();
      made.change();
      const again = await made.library.refresh(report.pageId ?? "", { distiller: made.distiller }, signal);
      assert.deepEqual([again.state, again.strategy], ["done", name], again.message);
      const { hits } = await made.library.search("how long can a message be held back?", {}, signal);
      assert.match(`${hits[0]?.fact.statement}\n${hits[0]?.fact.body}`, /36 hours/);
    });
  });
}
