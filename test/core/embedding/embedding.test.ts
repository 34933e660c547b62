import assert from "node:assert/strict";
import type { EmbeddingState } from "../../../src/core/embedding/embedding.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import { createLibrary } from "../../../src/core/library.ts";
import type { Library } from "../../../src/core/library.ts";
import type { EmbedderChoice, Storage } from "../../../src/core/ports.ts";
import { countTokens } from "../../../src/core/util/tokens.ts";
import { createMemoryStorage } from "../../fakes/memoryStorage.ts";
import { slowEmbedder } from "../../fakes/slowEmbedder.ts";

const signal = new AbortController().signal;

/** A page that gives `facts` entries when it is saved as headings. */
function pageText(name: string, sections = 3): string {
  const filler = (i: number): string =>
    `The ${name} keeps part ${"abcdefgh"[i] ?? "z"} of its state in a file. `.repeat(30);
  return Array.from({ length: sections }, (_, i) => `## Part ${i} of ${name}\n\n${filler(i)}`).join("\n\n");
}

interface World {
  readonly storage: Storage;
  /** Milliseconds. */
  now: number;
  readonly libraries: Library[];
}

function open(world: World, embedder: EmbedderChoice | undefined, processId = "one"): Library {
  const library = createLibrary({
    storage: world.storage,
    sources: [],
    embedder,
    processId,
    prompts: () => "",
    clock: { now: () => new Date(world.now), elapsed: () => world.now },
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
    loadTokenizer: () => Promise.resolve(countTokens),
  });
  world.libraries.push(library);
  return library;
}

async function save(library: Library, name: string, sections = 3): Promise<string> {
  const report = await library.save(
    `https://docs.example/${name}`,
    {
      distiller: { kind: "offline" },
      strategy: "headings",
      content: pageText(name, sections),
      url: `https://docs.example/${name}`,
    },
    signal,
  );
  assert.equal(report.state, "done", report.message);
  return report.pageId ?? assert.fail();
}

/** Lets everything that can go on go on. */
async function rest(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}

const unavailable = new BacopaError("embedder-unavailable", {
  message: "connect ECONNREFUSED",
  userMessage: "The endpoint does not answer. Start it, or choose another embedder.",
  retryable: true,
});

describe("embedding", () => {
  let world: World;
  beforeEach(() => {
    world = { storage: createMemoryStorage(), now: 1_000_000, libraries: [] };
  });
  afterEach(async () => {
    for (const library of world.libraries) await library.close();
  });

  it("asks nothing of an embedder before the library is used", async () => {
    const embedder = slowEmbedder("slow");
    const library = open(world, embedder);
    library.embedding.nudge();
    await library.state();
    await rest();
    assert.equal(embedder.opened, 0);
    assert.equal(library.embedding.state.state, "idle");
  });

  it("finds a page by words while a slow embedder is at work, says so, and ranks by meaning when it is done", async () => {
    const embedder = slowEmbedder("slow", { allowed: 1 });
    const library = open(world, embedder);
    await save(library, "marmot");
    await rest();
    const meanwhile = await library.search("marmot state", {}, signal);
    assert.equal(meanwhile.mode, "words");
    assert.equal(meanwhile.hits.length, 3);
    assert.match(meanwhile.note ?? "", /words alone: \d of 3 entries are embedded with slow/);
    assert.equal(library.embedding.state.state, "embedding");
    embedder.allow(100);
    const { state, done, total } = await library.embedding.settle(signal);
    assert.deepEqual({ state, done, total }, { state: "ready", done: 3, total: 3 });
    const after = await library.search("marmot state", {}, signal);
    assert.equal(after.mode, "hybrid");
    assert.equal(after.note, undefined);
    assert.ok(after.hits.every(({ ranks }) => ranks.meaning !== null));
    assert.deepEqual(embedder.queries, ["marmot state"]);
  });

  it("has the vectors of an instant embedder with the page", async () => {
    const library = open(world, slowEmbedder("instant", { isInstant: true }));
    await save(library, "marmot");
    const { mode, note } = await library.search("marmot", {}, signal);
    assert.deepEqual([mode, note], ["hybrid", undefined]);
  });

  it("tells its progress", async () => {
    const library = open(world, slowEmbedder("slow"));
    const seen: EmbeddingState[] = [];
    library.embedding.onDidChange((state) => seen.push(state));
    await save(library, "marmot");
    await library.embedding.settle(signal);
    assert.ok(seen.some(({ state }) => state === "opening"));
    assert.ok(seen.some(({ state, total }) => state === "embedding" && total === 3));
    assert.deepEqual(seen.at(-1), { state: "ready", name: "slow", done: 3, total: 3 });
  });

  describe("another embedder", () => {
    it("takes over in the background; vectors of the two never meet", async () => {
      const first = slowEmbedder("first", { isInstant: true });
      const second = slowEmbedder("second", { dims: 7, allowed: 2 });
      const library = open(world, first);
      await save(library, "marmot");
      await save(library, "badger");
      assert.equal((await library.search("marmot", {}, signal)).mode, "hybrid");
      library.embedding.choose(second);
      assert.equal(first.disposed, 1);
      const atOnce = await library.search("marmot state", {}, signal);
      assert.equal(atOnce.mode, "words");
      assert.ok(atOnce.hits.length > 0);
      await rest();
      assert.match((await library.search("marmot", { mode: "meaning" }, signal)).note ?? "", /entries are embedded/);
      assert.deepEqual(second.queries, []);
      second.allow(100);
      assert.equal((await library.embedding.settle(signal)).state, "ready");
      const { mode, hits } = await library.search("marmot", { mode: "meaning" }, signal);
      assert.equal(mode, "meaning");
      assert.equal(hits.length, 5);
      assert.equal(first.queries.length, 1);
    });

    it("does not make again what it made before", async () => {
      const first = slowEmbedder("first");
      const library = open(world, first);
      await save(library, "marmot");
      await library.embedding.settle(signal);
      library.embedding.choose(slowEmbedder("second"));
      await library.embedding.settle(signal);
      library.embedding.choose(first);
      assert.equal((await library.embedding.settle(signal)).state, "ready");
      assert.equal(first.passages.length, 3);
      await library.reindex(signal);
      assert.equal((await library.embedding.settle(signal)).done, 3);
      assert.equal(first.passages.length, 3);
    });

    it("can be none, and the vectors wait", async () => {
      const first = slowEmbedder("first");
      const library = open(world, first);
      await save(library, "marmot");
      await library.embedding.settle(signal);
      library.embedding.choose(undefined);
      const { mode, note } = await library.search("marmot", {}, signal);
      assert.equal(mode, "words");
      assert.match(note ?? "", /No embedder/);
      assert.equal(library.embedding.state.state, "none");
      library.embedding.choose(first);
      await library.embedding.settle(signal);
      assert.equal((await library.search("marmot", {}, signal)).mode, "hybrid");
      assert.equal(first.passages.length, 3);
    });

    it("is not held up by one that never answers", async () => {
      const stuck: EmbedderChoice = { name: "stuck", open: () => new Promise(() => undefined) };
      const library = open(world, slowEmbedder("first", { isInstant: true }));
      await save(library, "marmot");
      library.embedding.choose(stuck);
      const { mode, note, hits } = await library.search("marmot state", {}, signal);
      assert.equal(mode, "words");
      assert.equal(hits.length, 3);
      assert.match(note ?? "", /stuck is still being opened/);
      library.embedding.choose(slowEmbedder("other"));
    });
  });

  describe("stopped", () => {
    it("goes on after a restart with what it had", async () => {
      const first = slowEmbedder("slow", { allowed: 70 });
      const library = open(world, first);
      await save(library, "marmot", 100);
      await rest();
      await library.close();
      const again = slowEmbedder("slow");
      const reopened = open(world, again);
      assert.equal((await reopened.embedding.settle(signal)).state, "ready");
      // One batch of 64 was whole.
      assert.equal(again.passages.length, 100 - 64);
      assert.equal((await reopened.search("marmot", {}, signal)).mode, "hybrid");
    });

    it("goes on after a kill with what was written so far", async () => {
      const first = slowEmbedder("slow", { allowed: 64 });
      const library = open(world, first);
      const embed = save(library, "marmot", 200);
      await embed;
      await rest();
      world.now += 6_000;
      first.allow(64);
      await rest();
      // Killed here: `close` was never called. Its lease runs out.
      world.now += 60_000;
      const again = slowEmbedder("slow");
      const reopened = open(world, again, "two");
      assert.equal((await reopened.embedding.settle(signal)).state, "ready");
      assert.equal(again.passages.length, 200 - 128);
    });

    it("by the person, stays so until it is resumed", async () => {
      const embedder = slowEmbedder("slow", { allowed: 1 });
      const library = open(world, embedder);
      await save(library, "marmot");
      await rest();
      library.embedding.pause();
      await rest();
      assert.equal(library.embedding.state.state, "paused");
      embedder.allow(100);
      await save(library, "badger");
      await rest();
      const { note } = await library.search("marmot", {}, signal);
      assert.match(note ?? "", /paused at 0 of 6/);
      library.embedding.resume();
      assert.equal((await library.embedding.settle(signal)).state, "ready");
    });
  });

  describe("of a page that is saved later", () => {
    it("leaves the ranking by meaning on for the others, and says what is missing", async () => {
      const embedder = slowEmbedder("slow", { allowed: 3 });
      const library = open(world, embedder);
      await save(library, "marmot");
      await library.embedding.settle(signal);
      await save(library, "badger");
      await rest();
      const { mode, note, hits } = await library.search("badger state", { limit: 10 }, signal);
      assert.equal(mode, "hybrid");
      assert.match(note ?? "", /3 of 6 entries are new/);
      assert.ok(hits.some(({ page }) => page.title.includes("badger") || page.url.includes("badger")));
      embedder.allow(100);
    });

    it("embeds only what is new when the page is read again", async () => {
      const embedder = slowEmbedder("slow");
      const library = open(world, embedder);
      await save(library, "marmot", 3);
      await library.embedding.settle(signal);
      await save(library, "marmot", 4);
      await library.embedding.settle(signal);
      assert.equal(new Set(embedder.passages).size, embedder.passages.length, "no text twice");
      assert.ok(embedder.passages.length < 7);
    });

    it("forgets a page that is removed meanwhile", async () => {
      const embedder = slowEmbedder("slow", { allowed: 1 });
      const library = open(world, embedder);
      const pageId = await save(library, "marmot");
      await rest();
      await library.remove(pageId);
      embedder.allow(100);
      const { state, total } = await library.embedding.settle(signal);
      assert.deepEqual([state, total], ["ready", 0]);
    });
  });

  describe("that fails", () => {
    it("leaves words, says why, and is tried again later, less and less often", async () => {
      const embedder = slowEmbedder("slow");
      embedder.failure = { at: "open", error: unavailable };
      const library = open(world, embedder);
      await save(library, "marmot");
      await rest();
      const { mode, note, hits } = await library.search("marmot state", {}, signal);
      assert.deepEqual([mode, hits.length], ["words", 3]);
      assert.match(note ?? "", /words alone\. The endpoint does not answer\. Start it/);
      const { state, message } = library.embedding.state;
      assert.equal(state, "failed");
      assert.equal(message, unavailable.userMessage);
      world.now += 16_000;
      library.embedding.nudge();
      await rest();
      embedder.failure = undefined;
      world.now += 16_000;
      library.embedding.nudge();
      await rest();
      assert.equal(embedder.opened, 0, "the second wait is longer");
      world.now += 16_000;
      library.embedding.nudge();
      assert.equal((await library.embedding.settle(signal)).state, "ready");
      assert.equal((await library.search("marmot", {}, signal)).mode, "hybrid");
    });

    it("at a query, lets that search go by words", async () => {
      const embedder = slowEmbedder("slow");
      const library = open(world, embedder);
      await save(library, "marmot");
      await library.embedding.settle(signal);
      embedder.failure = { at: "embed", error: unavailable };
      const { mode, note } = await library.search("marmot", {}, signal);
      assert.equal(mode, "words");
      assert.match(note ?? "", /does not answer/);
      embedder.failure = undefined;
      world.now += 20_000;
      assert.equal((await library.search("marmot", {}, signal)).mode, "hybrid");
    });

    it("never makes a save fail, also when it is instant", async () => {
      const embedder = slowEmbedder("instant", { isInstant: true });
      embedder.failure = { at: "embed", error: new TypeError("a fault of the program") };
      const library = open(world, embedder);
      await save(library, "marmot");
      const { mode, note } = await library.search("marmot", {}, signal);
      assert.equal(mode, "words");
      assert.match(note ?? "", /instant failed/);
    });

    it("is tried at once when the person says so", async () => {
      const embedder = slowEmbedder("slow");
      embedder.failure = { at: "open", error: unavailable };
      const library = open(world, embedder);
      await save(library, "marmot");
      await rest();
      embedder.failure = undefined;
      library.embedding.resume();
      assert.equal((await library.embedding.settle(signal)).state, "ready");
    });
  });

  it("lets a canceled search stop while the embedder is busy", async () => {
    const stop = new AbortController();
    const embedder = slowEmbedder("first");
    const library = open(world, embedder);
    await save(library, "marmot");
    await library.embedding.settle(signal);
    await library.close();
    const stuck: EmbedderChoice = { name: "stuck", open: () => new Promise(() => undefined) };
    const search = open(world, stuck).search("marmot", {}, stop.signal);
    const reason = new Error("told to");
    await rest();
    stop.abort(reason);
    await assert.rejects(search, reason);
  });

  it("is left to one of two processes, and the other takes its vectors over", async () => {
    const [here, there] = [slowEmbedder("slow", { allowed: 2 }), slowEmbedder("slow")];
    const first = open(world, here, "one");
    await save(first, "marmot");
    await save(first, "badger");
    await rest();
    const second = open(world, there, "two");
    assert.equal((await second.embedding.settle(signal)).state, "waiting");
    assert.deepEqual(there.passages, []);
    here.allow(100);
    await first.embedding.settle(signal);
    world.now += 6_000;
    second.embedding.nudge();
    assert.equal((await second.embedding.settle(signal)).state, "ready");
    assert.deepEqual(there.passages, []);
    assert.equal((await second.search("marmot", {}, signal)).mode, "hybrid");
  });
});
