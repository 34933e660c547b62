import assert from "node:assert/strict";
import fc from "fast-check";
import type { Storage } from "../../src/core/ports.ts";
import type { SavedPage } from "../../src/core/types.ts";
import { savedPage } from "../fakes/savedPages.ts";

/** What every `Storage` must do. `create` gives an empty one. */
export function describeStorage(name: string, create: () => Promise<Storage> | Storage): void {
  describe(`${name} as Storage`, () => {
    it("is empty at first", async () => {
      const storage = await create();
      assert.equal((await storage.revisions()).size, 0);
      assert.equal(await storage.readPage("retries-0a1b2c3d4e"), undefined);
      assert.equal(await storage.removePage("retries-0a1b2c3d4e"), false);
      assert.equal(await storage.readCache("index"), undefined);
      assert.deepEqual(await storage.damaged(), []);
    });

    it("reads back what was written", async () => {
      const storage = await create();
      const saved = savedPage();
      await storage.writePage(saved);
      assert.deepEqual(await storage.readPage(saved.page.id), saved);
    });

    it("keeps a copy of its own", async () => {
      const storage = await create();
      const saved = savedPage();
      await storage.writePage(saved);
      const read = await storage.readPage(saved.page.id);
      assert.notEqual(read, saved);
      (saved.page.redirects as string[]).push("https://courier.example/later");
      assert.deepEqual((await storage.readPage(saved.page.id))?.page.redirects, []);
    });

    it("keeps optional fields and states of every kind", async () => {
      const storage = await create();
      const plain = savedPage();
      const saved: SavedPage = {
        ...plain,
        page: {
          ...plain.page,
          etag: 'W/"1"',
          lastModified: "Sun, 01 Mar 2026 10:00:00 GMT",
          site: "Courier",
          version: "2.1",
          language: "en",
        },
        sectionStates: [{ state: "waiting" }, { state: "failed", reason: "model-overloaded" }],
        facts: [],
      };
      await storage.writePage(saved);
      assert.deepEqual(await storage.readPage(saved.page.id), saved);
    });

    it("keeps text of every kind to the last unit", async () => {
      const storage = await create();
      const odd = [
        "\uFEFF",
        "é",
        "e\u0301",
        "👩‍💻",
        "中文",
        "\u2028",
        "\r\n",
        "\t",
        "\u0000",
        '"\\',
        "</script>",
        "__proto__",
        "\uFFFE",
        "2^16 ²",
      ];
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: fc.constantFrom(...odd), maxLength: 40 }), async (note) => {
          const saved = savedPage(undefined, { title: note, note });
          await storage.writePage(saved);
          assert.deepEqual(await storage.readPage(saved.page.id), saved);
        }),
        { numRuns: 20 },
      );
    });

    it("gives each write a revision of its own, and lists it", async () => {
      const storage = await create();
      const first = await storage.writePage(savedPage("a"));
      const other = await storage.writePage(savedPage("b"));
      assert.deepEqual(
        new Map(await storage.revisions()),
        new Map([
          ["a", first],
          ["b", other],
        ]),
      );
      const second = await storage.writePage(savedPage("a"));
      assert.notEqual(second, first);
      assert.deepEqual(
        new Map(await storage.revisions()),
        new Map([
          ["a", second],
          ["b", other],
        ]),
      );
    });

    it("holds the last of writes that were asked for at once", async () => {
      const storage = await create();
      const titles = ["1", "2", "3", "4", "5"];
      const revisions = await Promise.all(titles.map((title) => storage.writePage(savedPage("a", { title }))));
      assert.equal((await storage.readPage("a"))?.page.title, "5");
      assert.equal((await storage.revisions()).get("a"), revisions.at(-1));
    });

    it("replaces a page only while it is what it was", async () => {
      const storage = await create();
      const first = await storage.replacePage(savedPage("a", { title: "1" }), undefined);
      assert.equal((await storage.revisions()).get("a"), first);
      assert.equal(await storage.replacePage(savedPage("a", { title: "2" }), undefined), undefined);
      const second = await storage.replacePage(savedPage("a", { title: "3" }), first);
      assert.equal(await storage.replacePage(savedPage("a", { title: "4" }), first), undefined);
      assert.equal((await storage.revisions()).get("a"), second);
      assert.equal((await storage.readPage("a"))?.page.title, "3");
      await storage.removePage("a");
      assert.equal(await storage.replacePage(savedPage("a", { title: "5" }), second), undefined);
      assert.equal((await storage.revisions()).size, 0);
    });

    it("removes a page, which can be saved again", async () => {
      const storage = await create();
      await storage.writePage(savedPage("a"));
      await storage.writePage(savedPage("ab"));
      assert.equal(await storage.removePage("a"), true);
      assert.equal(await storage.removePage("a"), false);
      assert.equal(await storage.readPage("a"), undefined);
      assert.deepEqual([...(await storage.revisions()).keys()], ["ab"]);
      await storage.writePage(savedPage("a"));
      assert.deepEqual(await storage.readPage("a"), savedPage("a"));
    });

    it("refuses a page that it could not read back", async () => {
      const storage = await create();
      const saved = savedPage();
      await assert.rejects(
        async () => storage.writePage({ ...saved, page: { ...saved.page, coverage: NaN } }),
        /coverage/,
      );
      assert.equal((await storage.revisions()).size, 0);
    });

    it("opens a cache that came in pieces, and reads parts of it", async () => {
      const storage = await create();
      assert.equal(await storage.openCache("index"), undefined);
      const large = new Uint8Array(100_000).map((_, i) => i % 251);
      await storage.writeCache("index", pieces(large, 30_000));
      assert.deepEqual(Buffer.from((await storage.readCache("index")) ?? []), Buffer.from(large));
      const reader = await storage.openCache("index");
      assert.ok(reader);
      assert.equal(reader.size, large.length);
      const parts = new Uint8Array(9);
      await reader.read(parts, [0, 50_000, 99_997]);
      assert.deepEqual(
        [...parts],
        [0, 50_000, 99_997].flatMap((start) => [...large.subarray(start, start + 3)]),
      );
      const whole = new Uint8Array(large.length);
      await reader.read(whole, [0]);
      assert.deepEqual(Buffer.from(whole), Buffer.from(large));
      await assert.rejects(reader.read(new Uint8Array(2), [99_999]));
      await reader.close();
    });

    it("goes on reading a cache that was replaced or removed since it was opened", async () => {
      const storage = await create();
      await storage.writeCache("index", Uint8Array.of(1, 2, 3, 4));
      const reader = await storage.openCache("index");
      await storage.writeCache("index", Uint8Array.of(5, 6, 7, 8));
      const bytes = new Uint8Array(4);
      await reader?.read(bytes, [0]);
      assert.deepEqual([...bytes], [1, 2, 3, 4]);
      await storage.removeCache("index");
      await reader?.read(bytes, [0]);
      assert.deepEqual([...bytes], [1, 2, 3, 4]);
      await reader?.close();
    });

    it("keeps caches, replaces and removes them", async () => {
      const storage = await create();
      await storage.writeCache("index", Uint8Array.of(1, 2, 3));
      await storage.writeCache("vectors", new Uint8Array(0));
      assert.deepEqual(Uint8Array.from((await storage.readCache("index")) ?? []), Uint8Array.of(1, 2, 3));
      assert.equal((await storage.readCache("vectors"))?.length, 0);
      const large = Uint8Array.from({ length: 300_000 }, (_, at) => at % 251);
      await storage.writeCache("index", large);
      assert.deepEqual(Buffer.from((await storage.readCache("index")) ?? []), Buffer.from(large));
      await storage.removeCache("index");
      await storage.removeCache("index");
      assert.equal(await storage.readCache("index"), undefined);
    });
  });
}

// eslint-disable-next-line @typescript-eslint/require-await -- what a file comes in is asynchronous
async function* pieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
