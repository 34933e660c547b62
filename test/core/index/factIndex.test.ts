import assert from "node:assert/strict";
import fc from "fast-check";
import { FactIndex } from "../../../src/core/index/factIndex.ts";
import { cacheReader } from "../../fakes/memoryStorage.ts";
import { unitWith } from "./units.ts";

const embedder = { embedderId: "test-2", dims: 2 };

function indexOf(units: ReturnType<typeof unitWith>[], vectors?: (Float32Array | undefined)[]): FactIndex {
  const index = FactIndex.create(vectors === undefined ? {} : embedder);
  for (const pageId of new Set(units.map((unit) => unit.pageId))) {
    const own = units.map((unit, i) => ({ unit, vector: vectors?.[i] })).filter(({ unit }) => unit.pageId === pageId);
    index.putPage(
      pageId,
      "1",
      own.map(({ unit }) => unit),
      own.map(({ vector }) => vector),
    );
  }
  return index;
}

async function saved(index: FactIndex): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of index.save()) pieces.push(piece);
  return Uint8Array.from(Buffer.concat(pieces));
}

async function opened(bytes: Uint8Array, expected?: typeof embedder): Promise<FactIndex | undefined> {
  return FactIndex.open(cacheReader(bytes), expected);
}

const idsOf = (ranked: readonly { id: string }[]): string[] => ranked.map(({ id }) => id);

describe("fact index", () => {
  it("finds a fact by a part of an identifier", () => {
    const index = indexOf([
      unitWith("p.1", { statement: "`max_retries` is 3 by default." }),
      unitWith("p.2", { statement: "Batches hold ten messages." }),
    ]);
    assert.deepEqual(idsOf(index.searchWords("how many retries", 5)), ["p.1"]);
  });

  it("replaces a page's units and forgets the old ones", () => {
    const index = indexOf([unitWith("p.1", { statement: "alpha" }), unitWith("p.2", { statement: "beta" })]);
    index.putPage("p", "2", [unitWith("p.1", { statement: "gamma" })], undefined);
    assert.deepEqual(idsOf(index.searchWords("alpha beta", 5)), []);
    assert.deepEqual(idsOf(index.searchWords("gamma", 5)), ["p.1"]);
    assert.equal(index.size, 1);
    assert.deepEqual([...index.revisions()], [["p", "2"]]);
  });

  it("remembers a page without units", async () => {
    const index = FactIndex.create();
    index.putPage("empty", "7", [], undefined);
    assert.deepEqual([...((await opened(await saved(index)))?.revisions() ?? [])], [["empty", "7"]]);
  });

  it("shows a page that comes in slices only when it is whole, and the old one until then", async () => {
    const index = indexOf([unitWith("p.1", { statement: "alpha old" })], [Float32Array.of(1, 0)]);
    const draft = index.draftPage("p");
    draft.add([unitWith("p.2", { statement: "alpha new" })], [Float32Array.of(1, 0)]);
    draft.add([unitWith("p.3", { statement: "alpha newer" })], [Float32Array.of(0, 1)]);
    assert.deepEqual(idsOf(index.searchWords("alpha", 5)), ["p.1"]);
    assert.deepEqual(idsOf(await index.searchMeaning(Float32Array.of(1, 0), 5)), ["p.1"]);
    draft.commit("2");
    assert.deepEqual(idsOf(index.searchWords("alpha", 5)).sort(), ["p.2", "p.3"]);
    assert.deepEqual(idsOf(await index.searchMeaning(Float32Array.of(1, 0), 5)), ["p.2", "p.3"]);
  });

  it("searches in some pages only", () => {
    const index = indexOf([unitWith("p.1", { statement: "queue" }), unitWith("q.1", { statement: "queue" })]);
    assert.deepEqual(idsOf(index.searchWords("queue", 5, { pageIds: ["q"] })), ["q.1"]);
    assert.deepEqual(idsOf(index.searchWords("queue", 5, { pageIds: [] })), []);
    assert.deepEqual(idsOf(index.searchWords("queue", 5, { pageIds: ["constructor"] })), []);
  });

  it("finds nothing for a query without words", () => {
    const index = indexOf([unitWith("p.1", { statement: "queue" })]);
    for (const query of ["", "   ", "???", "()"]) assert.deepEqual(index.searchWords(query, 5), []);
    assert.deepEqual(index.searchWords("queue", 0), []);
  });

  describe("vectors that come later", () => {
    const vectorsOf = (index: FactIndex): Map<string, Float32Array | undefined> =>
      new Map(
        [...(index.nextUnembedded(new Set())?.ids ?? [])].map((id) => [id, Float32Array.of(1, Number(id.at(-1)))]),
      );

    function waiting(): FactIndex {
      const index = FactIndex.create(embedder);
      index.putPage("p", "1", [unitWith("p.1"), unitWith("p.2")]);
      index.putPage("q", "1", [unitWith("q.3")]);
      return index;
    }

    it("rank as if they had come with the units, in any order of pages", async () => {
      const index = waiting();
      assert.equal(index.unembedded, 3);
      index.addVectors("q", "1", new Map([["q.3", Float32Array.of(1, 3)]]));
      assert.deepEqual(index.nextUnembedded(new Set()), { pageId: "p", revision: "1", ids: new Set(["p.1", "p.2"]) });
      assert.equal(index.nextUnembedded(new Set(["p"])), undefined);
      index.addVectors("p", "1", vectorsOf(index));
      assert.equal(index.unembedded, 0);
      const query = Float32Array.of(0, 1);
      assert.deepEqual(idsOf(await index.searchMeaning(query, 5)), ["q.3", "p.2", "p.1"]);
      const reopened = await opened(await saved(index), embedder);
      assert.deepEqual(await reopened?.searchMeaning(query, 5), await index.searchMeaning(query, 5));
    });

    it("are not waited for where the embedder knows nothing of a unit", async () => {
      const index = waiting();
      index.addVectors("q", "1", new Map([["q.3", undefined]]));
      index.addVectors("p", "1", vectorsOf(index));
      assert.equal(index.unembedded, 0);
      assert.equal((await opened(await saved(index), embedder))?.unembedded, 0);
    });

    it("are dropped when their page has changed meanwhile or is gone", async () => {
      const index = waiting();
      const late = vectorsOf(index);
      index.putPage("p", "2", [unitWith("p.1")]);
      index.addVectors("p", "1", late);
      index.removePage("q");
      index.addVectors("q", "1", new Map([["q.3", Float32Array.of(1, 3)]]));
      assert.deepEqual(await index.searchMeaning(Float32Array.of(0, 1), 5), []);
      assert.equal(index.unembedded, 1);
    });

    it("survive a restart as far as they came", async () => {
      const index = waiting();
      index.addVectors("p", "1", new Map([["p.2", Float32Array.of(1, 2)]]));
      const reopened = await opened(await saved(index), embedder);
      assert.deepEqual(reopened?.nextUnembedded(new Set(["q"]))?.ids, new Set(["p.1"]));
      assert.equal(reopened.unembedded, 2);
      assert.deepEqual(idsOf(await reopened.searchMeaning(Float32Array.of(0, 1), 5)), ["p.2"]);
    });

    it("make the ranking complete once all are there, and new pages leave it so", async () => {
      const index = waiting();
      index.noteComplete();
      assert.equal(index.isComplete, false);
      for (let page = index.nextUnembedded(new Set()); page; page = index.nextUnembedded(new Set()))
        index.addVectors(page.pageId, page.revision, vectorsOf(index));
      index.noteComplete();
      index.putPage("r", "1", [unitWith("r.1")]);
      assert.equal(index.isComplete, true);
      assert.equal((await opened(await saved(index), embedder))?.isComplete, true);
    });

    it("of another embedder are never among them", async () => {
      const index = indexOf([unitWith("p.1")], [Float32Array.of(1, 0)]);
      index.useEmbedder(embedder);
      assert.equal(index.unembedded, 0);
      index.useEmbedder({ embedderId: "other-2", dims: 2 });
      assert.deepEqual(await index.searchMeaning(Float32Array.of(1, 0), 5), []);
      assert.equal(index.unembedded, 1);
    });
  });

  describe("where Orama's own index goes wrong", () => {
    it("ranks `constructor` by how rare it is, and finds `__proto__`", () => {
      const units = Array.from({ length: 21 }, (_, i) =>
        unitWith(`p.${i}`, { statement: i < 15 ? "the constructor" : i === 20 ? "the __proto__ property" : "plain" }),
      );
      const index = indexOf(units);
      const common = index.searchWords("constructor", 30);
      const rare = index.searchWords("__proto__", 30);
      assert.equal(common.length, 15);
      assert.deepEqual(idsOf(rare), ["p.20"]);
      assert.ok((rare[0]?.score ?? 0) > (common[0]?.score ?? 0));
    });

    it("counts every question, and stays a number after an update", () => {
      const index = indexOf([
        unitWith("p.1", { questions: "rotate tokens\nb c\nd e" }),
        unitWith("p.2", { questions: "d e\nb c\nrotate tokens" }),
      ]);
      const [first, second] = index.searchWords("rotate", 5);
      assert.equal(first?.score, second?.score);
      index.putPage("q", "1", [unitWith("q.1", { questions: "rotate\nlogs" })], undefined);
      index.putPage("q", "2", [unitWith("q.1", { questions: "rotate\nlogs\nagain" })], undefined);
      for (const { score } of index.searchWords("rotate", 5)) assert.ok(Number.isFinite(score) && score > 0);
    });

    it("does not take a word for the beginning of others", () => {
      const index = indexOf([
        unitWith("p.1", { statement: "acknowledge acknowledged acknowledgement ackermann" }),
        unitWith("p.2", { statement: "ack one message" }),
      ]);
      assert.deepEqual(idsOf(index.searchWords("ack", 5)), ["p.2"]);
    });

    it("counts a repeated word", () => {
      const index = indexOf([
        unitWith("p.1", { text: "cache cache cache cache cache eps" }),
        unitWith("p.2", { text: "cache one two three four five" }),
      ]);
      const scores = new Map(index.searchWords("cache", 5).map(({ id, score }) => [id, score]));
      assert.ok((scores.get("p.1") ?? 0) > (scores.get("p.2") ?? 0));
    });

    it("brings no removed unit back, with or without a filter", () => {
      const index = indexOf([unitWith("p.1", { statement: "queue" }), unitWith("q.1", { statement: "queue" })]);
      index.removePage("p");
      assert.deepEqual(idsOf(index.searchWords("queue", 5)), ["q.1"]);
      assert.deepEqual(idsOf(index.searchWords("queue", 5, { pageIds: ["p", "q"] })), ["q.1"]);
      index.putPage("p", "2", [unitWith("p.1", { statement: "topic" })], undefined);
      assert.deepEqual(idsOf(index.searchWords("queue", 5)), ["q.1"]);
    });

    it("ranks by meaning without a floor under the cosine", async () => {
      const index = indexOf(
        [unitWith("p.1"), unitWith("p.2"), unitWith("p.3")],
        [Float32Array.of(1, 0), Float32Array.of(-1, 0.1), undefined],
      );
      const found = await index.searchMeaning(Float32Array.of(0.6, 0.8), 5);
      assert.deepEqual(idsOf(found), ["p.1", "p.2"]);
      assert.ok(Math.abs((found[0]?.score ?? 0) - 0.6) < 1e-6 && (found[1]?.score ?? 0) < 0);
    });

    it("keeps its vectors through any number of searches", async () => {
      const index = indexOf([unitWith("p.1")], [Float32Array.of(3, 4)]);
      const query = Float32Array.of(1, 0);
      const first = await index.searchMeaning(query, 5);
      for (let i = 0; i < 3; i++) assert.deepEqual(await index.searchMeaning(query, 5), first);
      assert.deepEqual(await (await opened(await saved(index), embedder))?.searchMeaning(query, 5), first);
    });

    it("finds Chinese, Japanese, Korean and Cyrillic", () => {
      const index = indexOf([
        unitWith("p.1", { statement: "消息队列的最大重试次数" }),
        unitWith("p.2", { statement: "データベースのトランザクション" }),
        unitWith("p.3", { statement: "очередь сообщений" }),
        unitWith("p.4", { statement: "메시지 대기열" }),
      ]);
      assert.deepEqual(idsOf(index.searchWords("重试", 5)), ["p.1"]);
      assert.deepEqual(idsOf(index.searchWords("トランザクション", 5)), ["p.2"]);
      assert.deepEqual(idsOf(index.searchWords("очередь", 5)), ["p.3"]);
      assert.deepEqual(idsOf(index.searchWords("대기열", 5)), ["p.4"]);
    });
  });

  describe("saved and opened", () => {
    const word = fc.constantFrom("queue", "retry", "max_retries", "batch", "constructor", "消息", "naïve");
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));
    const page = fc.constantFrom("p", "q", "r");
    const units = fc.array(fc.record({ statement: text, questions: text, text }), { maxLength: 4 });
    const vector = fc
      .tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }))
      .map(([a, b]) => (a === 0 && b === 0 ? undefined : Float32Array.of(a, b)));
    const edits = fc.array(fc.record({ page, units, vectors: fc.array(vector, { minLength: 4, maxLength: 4 }) }), {
      maxLength: 8,
    });

    function apply(index: FactIndex, list: typeof edits extends fc.Arbitrary<infer T> ? T : never): void {
      list.forEach(({ page, units, vectors }, revision) => {
        if (units.length === 0) index.removePage(page);
        else
          index.putPage(
            page,
            String(revision),
            units.map((parts, i) => unitWith(`${page}.${i}`, parts)),
            vectors,
          );
      });
    }

    async function everything(index: FactIndex, query: string): Promise<unknown> {
      return [
        index.size,
        [...index.revisions()].sort(),
        index.searchWords(query, 20),
        index.searchWords(query, 20, { pageIds: ["p", "r"] }),
        await index.searchMeaning(Float32Array.of(1, 2), 20),
        await index.searchMeaning(Float32Array.of(-3, 1), 2, { pageIds: ["q"] }),
      ];
    }

    it("answers as before, also when it is changed afterwards", async () => {
      await fc.assert(
        fc.asyncProperty(edits, edits, text, async (before, after, query) => {
          const index = FactIndex.create(embedder);
          apply(index, before);
          const answers = await everything(index, query);
          const reopened = await opened(await saved(index), embedder);
          assert.ok(reopened);
          assert.deepEqual(await everything(index, query), answers);
          assert.deepEqual(await everything(reopened, query), answers);
          apply(index, after);
          apply(reopened, after);
          assert.deepEqual(await everything(reopened, query), await everything(index, query));
          const again = await opened(await saved(reopened), embedder);
          assert.ok(again);
          assert.deepEqual(await everything(again, query), await everything(index, query));
        }),
        { numRuns: 60 },
      );
    });

    it("saves what it was when saving began, whatever changes meanwhile", async () => {
      const index = indexOf([unitWith("p.1", { statement: "queue" }), unitWith("q.1", { statement: "retry" })]);
      const pieces: Uint8Array[] = [];
      const changes = [
        (): void => index.putPage("p", "2", [unitWith("p.9", { statement: "batch" })], undefined),
        (): void => index.removePage("q"),
      ];
      const pause = (): Promise<void> => Promise.resolve(changes.shift()?.());
      for await (const piece of index.save(pause)) pieces.push(piece);
      assert.equal(changes.length, 0);
      const reopened = await opened(Uint8Array.from(Buffer.concat(pieces)));
      assert.deepEqual(idsOf(reopened?.searchWords("queue retry batch", 9) ?? []).sort(), ["p.1", "q.1"]);
      assert.deepEqual(
        [...(reopened?.revisions() ?? [])],
        [
          ["p", "1"],
          ["q", "1"],
        ],
      );
      assert.deepEqual(idsOf(index.searchWords("queue retry batch", 9)), ["p.9"]);
    });

    it("answers as an index built anew from the same pages", async () => {
      await fc.assert(
        fc.asyncProperty(edits, text, async (list, query) => {
          const index = FactIndex.create(embedder);
          apply(index, list);
          const last = new Map(list.map((edit, revision) => [edit.page, { ...edit, revision }]));
          const fresh = FactIndex.create(embedder);
          for (const { page, units, vectors, revision } of last.values()) {
            if (units.length === 0) continue;
            fresh.putPage(
              page,
              String(revision),
              units.map((parts, i) => unitWith(`${page}.${i}`, parts)),
              vectors,
            );
          }
          assert.deepEqual(await everything(index, query), await everything(fresh, query));
        }),
        { numRuns: 60 },
      );
    });

    it("writes the same bytes again", async () => {
      const index = indexOf([unitWith("p.1", { statement: "queue" }), unitWith("q.1", { statement: "retry" })]);
      assert.deepEqual(await saved(index), await saved(index));
    });

    it("keeps the words of another embedder's file and none of its vectors", async () => {
      const bytes = await saved(indexOf([unitWith("p.1", { statement: "queue" })], [Float32Array.of(1, 0)]));
      for (const other of [
        { embedderId: "other-2", dims: 2 },
        { embedderId: "test-2", dims: 3 },
      ]) {
        const reopened = await opened(bytes, other);
        assert.deepEqual(idsOf(reopened?.searchWords("queue", 5) ?? []), ["p.1"]);
        assert.deepEqual(await reopened?.searchMeaning(new Float32Array(other.dims).fill(1), 5), []);
        assert.equal(reopened?.unembedded, 1);
        assert.equal(reopened.isComplete, false);
      }
      assert.equal((await opened(bytes, embedder))?.unembedded, 0);
    });

    it("carries vectors through a process that uses no embedder", async () => {
      const wordsOnly = await opened(await saved(indexOf([unitWith("p.1")], [Float32Array.of(1, 0)])));
      assert.ok(wordsOnly);
      wordsOnly.putPage("q", "1", [unitWith("q.1")]);
      const reopened = await opened(await saved(wordsOnly), embedder);
      assert.deepEqual(idsOf((await reopened?.searchMeaning(Float32Array.of(1, 0), 5)) ?? []), ["p.1"]);
      assert.equal(reopened?.unembedded, 1);
    });

    it("goes on with what it reads back, and not while a page is on its way in", async () => {
      const index = indexOf([unitWith("p.1", { statement: "queue" })], [Float32Array.of(1, 0)]);
      const fresh = await opened(await saved(index), embedder);
      assert.ok(fresh);
      const searching = index.searchMeaning(Float32Array.of(1, 0), 5);
      const draft = index.draftPage("q");
      assert.equal(index.takeOver(fresh), false);
      draft.discard();
      assert.equal(index.takeOver(fresh), true);
      assert.deepEqual(idsOf(await searching), ["p.1"]);
      index.putPage("q", "1", [unitWith("q.1", { statement: "queue" })], [Float32Array.of(0, 1)]);
      assert.deepEqual(idsOf(index.searchWords("queue", 5)), ["p.1", "q.1"]);
      assert.deepEqual(idsOf(await index.searchMeaning(Float32Array.of(0, 1), 5)), ["q.1", "p.1"]);
    });

    it("has a page's units embedded again whose embedder was changed while they came in", () => {
      const index = FactIndex.create(embedder);
      const draft = index.draftPage("p");
      draft.add([unitWith("p.1")], [Float32Array.of(1, 0)]);
      index.useEmbedder({ embedderId: "other-2", dims: 2 });
      draft.add([unitWith("p.2")], [Float32Array.of(1, 0)]);
      draft.commit("1");
      assert.deepEqual(index.nextUnembedded(new Set())?.ids, new Set(["p.1"]));
    });

    it("refuses a torn file and one that was flipped before the exact vectors, and never throws", async () => {
      const bytes = await saved(indexOf([unitWith("p.1", { statement: "queue retry" })], [Float32Array.of(1, 0)]));
      const exactVectors = 16 * Float32Array.BYTES_PER_ELEMENT;
      await fc.assert(
        fc.asyncProperty(
          fc.nat(bytes.length - exactVectors - 1),
          fc.nat(bytes.length - 1),
          fc.integer({ min: 1, max: 255 }),
          async (at, end, flip) => {
            const hurt = bytes.slice();
            hurt[at] = (hurt[at] ?? 0) ^ flip;
            assert.equal(await opened(hurt, embedder), undefined);
            assert.equal(await opened(bytes.slice(0, end), embedder), undefined);
          },
        ),
        { numRuns: 300 },
      );
      assert.equal(await opened(new Uint8Array(0), embedder), undefined);
      assert.equal(await opened(new TextEncoder().encode("BACOPAIX and something else"), embedder), undefined);
    });
  });
});
