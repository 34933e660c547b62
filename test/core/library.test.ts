import assert from "node:assert/strict";
import { pageIdOf } from "../../src/core/capture/pageId.ts";
import { BacopaError } from "../../src/core/errors.ts";
import { createLibrary } from "../../src/core/library.ts";
import type { Distiller, Library } from "../../src/core/library.ts";
import type { KnownVersion, PageSource, Storage } from "../../src/core/ports.ts";
import type { SaveEvent } from "../../src/core/save.ts";
import { countTokens } from "../../src/core/util/tokens.ts";
import { createMemoryStorage } from "../fakes/memoryStorage.ts";
import { reply, replyFact, scriptedModel, sectionsOf } from "../fakes/scriptedModel.ts";
import type { ScriptedAnswer } from "../fakes/scriptedModel.ts";

const url = "https://docs.marmot.example/queue";
const signal = new AbortController().signal;
const offline: Distiller = { kind: "offline" };

/** Three sections of over 200 tokens each. */
const page = (change: Partial<Record<"retries" | "delays" | "limits", string>> = {}): string => {
  const filler = "Marmot keeps every message of a queue on two disks and hands it to one worker at a time. ".repeat(12);
  return [
    "# Marmot Queue",
    `## Retries\n\n${change.retries ?? "A failing message is delivered again up to `max_tries` times, 5 by default."} ${filler}`,
    `## Delays\n\n${change.delays ?? "A message can be held back for at most 12 hours."} ${filler}`,
    `## Limits\n\n${change.limits ?? "A message body holds at most 128 kB."} ${filler}`,
  ].join("\n\n");
};

interface Site extends PageSource {
  text: string;
  etag: string | undefined;
  reads: (KnownVersion | undefined)[];
}

function site(text = page()): Site {
  const source: Site = {
    text,
    etag: undefined,
    reads: [],
    accepts: (target) => target.startsWith("https://"),
    read: (target, _signal, known) => {
      source.reads.push(known);
      const unchanged = known?.etag !== undefined && known.etag === source.etag;
      return Promise.resolve({
        requested: target,
        url: target,
        redirects: [],
        bytes: new TextEncoder().encode(unchanged ? "" : source.text),
        contentType: "text/markdown",
        status: unchanged ? 304 : 200,
        etag: source.etag,
      });
    },
  };
  return source;
}

function libraryOn(storage: Storage, source: PageSource, pause?: () => Promise<void>): Library {
  let ticks = 0;
  return createLibrary({
    storage,
    sources: [source],
    embedder: undefined,
    prompts: () => "Write facts.",
    clock: { now: () => new Date("2026-01-01T00:00:00Z"), elapsed: () => ticks++ },
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
    loadTokenizer: () => Promise.resolve(countTokens),
    pause,
  });
}

const byModel = (answer: Parameters<typeof scriptedModel>[0]): Distiller => ({
  kind: "model",
  model: scriptedModel(answer),
});
const everySection: Parameters<typeof scriptedModel>[0] = (request) =>
  reply(sectionsOf(request).map((number) => replyFact(number)));

describe("library", () => {
  let storage: Storage;
  let source: Site;
  let library: Library;
  beforeEach(() => {
    storage = createMemoryStorage();
    source = site();
    library = libraryOn(storage, source);
  });

  it("lets a page be searched by its sections before the model has answered", async () => {
    let answer: (value: { value: unknown }) => void = () => undefined;
    const waiting = new Promise<{ value: unknown }>((resolve) => (answer = resolve));
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const distiller = byModel(() => {
      asked();
      return waiting;
    });
    const save = library.save(url, { distiller }, signal);
    await isAsked;
    const { hits } = await library.search("how long can a message be held back", {}, signal);
    assert.equal(hits[0]?.tier, "section");
    assert.match(hits[0].fact.body, /12 hours/);
    answer(reply([0, 1, 2].map((number) => replyFact(number))));
    assert.equal((await save).state, "done");
    const after = await library.search("Marmot subject B", {}, signal);
    assert.ok(after.hits.every(({ tier }) => tier === "fact"));
  });

  it("leaves a page removed that is removed while it is being saved, and says so", async () => {
    const other = libraryOn(storage, source);
    const distiller = byModel(async (request, call) => {
      await other.remove(pageIdOf(url));
      return everySection(request, call);
    });
    const report = await library.save(url, { distiller }, signal);
    assert.deepEqual([report.state, report.reason], ["canceled", "superseded"]);
    assert.match(report.message ?? "", /removed.*stays removed/su);
    assert.equal((await library.pages()).length, 0);
    assert.deepEqual((await library.search("held back", {}, signal)).hits, []);
  });

  it("leaves the newer text of a page that another window saved while it was distilled", async () => {
    const { pageId } = await library.save(url, { distiller: offline }, signal);
    const other = libraryOn(storage, source);
    const distiller = byModel(async (request, call) => {
      source.text = page({ delays: "A message can be held back for at most 48 hours." });
      await other.save(url, { distiller: offline }, signal);
      return everySection(request, call);
    });
    const report = await library.distill(pageId ?? "", { distiller, force: true }, signal);
    assert.deepEqual([report.state, report.reason], ["canceled", "superseded"]);
    const saved = await library.page(pageId ?? "");
    assert.match(saved.page.text, /48 hours/);
    assert.ok(saved.sectionStates.every(({ state }) => state === "distilled"));
  });

  it("does not bring back a page that was removed while it was read again", async () => {
    const { pageId } = await library.save(url, { distiller: offline }, signal);
    const other = libraryOn(storage, source);
    const removing: PageSource = {
      ...source,
      read: async (...asked) => {
        await other.remove(pageId ?? "");
        return source.read(...asked);
      },
    };
    const report = await libraryOn(storage, removing).refresh(pageId ?? "", { distiller: offline }, signal);
    assert.equal(report.state, "canceled");
    assert.equal((await storage.revisions()).size, 0);
  });

  it("keeps the facts of both when two windows save one page at once", async () => {
    const other = libraryOn(storage, source);
    let inner: string | undefined;
    const distiller = byModel(async (request, call) => {
      inner ??= (await other.save(url, { distiller: byModel(everySection) }, signal)).state;
      return everySection(request, call);
    });
    const report = await library.save(url, { distiller }, signal);
    assert.deepEqual([report.state, inner], ["done", "done"]);
    const saved = await library.page(report.pageId ?? "");
    assert.ok(saved.sectionStates.every(({ state }) => state === "distilled"));
  });

  it("gives way to a better distillation of the same text by another window", async () => {
    const other = libraryOn(storage, source);
    const failing = new BacopaError("model-overloaded", { message: "529", userMessage: "The model is overloaded." });
    const distiller = byModel(async () => {
      await other.save(url, { distiller: byModel(everySection) }, signal);
      return failing;
    });
    const report = await library.save(url, { distiller }, signal);
    const saved = await library.page(report.pageId ?? "");
    assert.ok(saved.sectionStates.every(({ state }) => state === "distilled"));
    assert.ok(saved.facts.length > 0);
  });

  it("restores a removed page, but not over one that was saved there meanwhile", async () => {
    const { pageId } = await library.save(url, { distiller: offline }, signal);
    const saved = await library.page(pageId ?? "");
    await library.remove(saved.page.id);
    await library.restore(saved);
    assert.deepEqual(await library.page(saved.page.id), saved);
    await library.remove(saved.page.id);
    source.text = page({ delays: "A message can be held back for at most 48 hours." });
    await library.save(url, { distiller: offline }, signal);
    await library.restore(saved);
    assert.match((await library.page(saved.page.id)).page.text, /48 hours/);
  });

  it("keeps failed sections searchable and retries only these when saved again", async () => {
    const failing = new BacopaError("model-overloaded", { message: "529", userMessage: "The model is overloaded." });
    const calls: number[][] = [];
    let broken = true;
    const answer = (request: Parameters<typeof sectionsOf>[0]): ScriptedAnswer => {
      const sections = sectionsOf(request);
      calls.push(sections);
      // The page is one batch; a reply that leaves out a section is asked for it once more, and fails then.
      if (!broken) return reply(sections.map((number) => replyFact(number)));
      if (sections.length === 1) return failing;
      return reply(sections.slice(0, -1).map((number) => replyFact(number)));
    };
    const first = await library.save(url, { distiller: byModel(answer) }, signal);
    assert.equal(first.state, "done");
    assert.equal(first.failedSections, 1);
    assert.equal(first.reason, "model-overloaded");
    const { hits } = await library.search("largest message body 128 kB", {}, signal);
    assert.equal(hits[0]?.tier, "section");

    broken = false;
    calls.length = 0;
    const second = await library.save(url, { distiller: byModel(answer) }, signal);
    assert.equal(second.failedSections, 0);
    assert.equal(second.keptSections, first.sections - 1);
    assert.equal(new Set(calls.flat()).size, 1);
  });

  it("reports a page of which every section failed as failed, and keeps it searchable", async () => {
    const distiller = byModel(
      () => new BacopaError("model-auth", { message: "401", userMessage: "The key was refused." }),
    );
    const report = await library.save(url, { distiller }, signal);
    assert.equal(report.state, "failed");
    assert.equal(report.reason, "model-auth");
    assert.equal((await library.search("held back", {}, signal)).hits[0]?.tier, "section");
  });

  it("reports nothing as saved when nothing could be stored", async () => {
    const full = new BacopaError("storage-full", { message: "ENOSPC", userMessage: "The disk is full." });
    const failing: Storage = { ...storage, replacePage: () => Promise.reject(full) };
    const report = await libraryOn(failing, source).save(url, { distiller: offline }, signal);
    assert.deepEqual(
      [report.state, report.reason, report.pageId, report.sections, report.facts],
      ["failed", "storage-full", null, 0, 0],
    );
  });

  it("calls no facts at all a failure", async () => {
    const distiller = byModel((request) => reply([], sectionsOf(request)));
    const report = await library.save(url, { distiller }, signal);
    assert.equal(report.state, "failed");
    assert.equal(report.reason, "no-facts");
  });

  it("distills only the sections that changed", async () => {
    await library.save(url, { distiller: byModel(everySection) }, signal);
    source.text = page({ delays: "A message can be held back for at most 48 hours." });
    const asked: string[] = [];
    const report = await library.save(
      url,
      {
        distiller: byModel((request, call) => {
          asked.push(request.content);
          return everySection(request, call);
        }),
      },
      signal,
    );
    assert.equal(report.keptSections, report.sections - 1);
    assert.match(asked.join(), /48 hours/);
    assert.doesNotMatch(asked.join(), /128 kB/);
  });

  it("moves the facts of an unchanged section to where the section is now", async () => {
    await library.save(url, { distiller: offline }, signal);
    source.text = page({
      retries: "A failing message is delivered again up to `max_tries` times, which are 5 by default. Sometimes.",
    });
    await library.save(url, { distiller: offline }, signal);
    const { hits } = await library.search("largest message body 128 kB", {}, signal);
    assert.match((await library.passage(hits[0]?.fact.id ?? "")).text, /128 kB/);
  });

  it("never gives up facts a model wrote for offline ones", async () => {
    await library.save(url, { distiller: byModel(everySection) }, signal);
    const report = await library.save(url, { distiller: offline }, signal);
    assert.equal(report.keptSections, report.sections);
    const forced = await library.save(url, { distiller: offline, force: true }, signal);
    assert.equal(forced.keptSections, 0);
  });

  it("keeps the brief a model wrote as long as its facts stay", async () => {
    const distiller = byModel((request) =>
      reply(
        sectionsOf(request).map((number) => replyFact(number)),
        [],
        "All of Marmot.",
      ),
    );
    const { pageId } = await library.save(url, { distiller }, signal);
    await library.save(url, { distiller: offline }, signal);
    assert.equal((await library.page(pageId ?? "")).brief.covers, "All of Marmot.");
  });

  it("replaces offline facts when a model is there", async () => {
    await library.save(url, { distiller: offline }, signal);
    const report = await library.save(url, { distiller: byModel(everySection) }, signal);
    assert.equal(report.keptSections, 0);
    assert.ok(report.calls > 0);
  });

  it("asks the source of a refreshed page only whether it changed", async () => {
    source.etag = '"one"';
    const { pageId } = await library.save(url, { distiller: offline }, signal);
    const report = await library.refresh(pageId ?? "", { distiller: offline }, signal);
    assert.equal(source.reads.at(-1)?.etag, '"one"');
    assert.equal(report.state, "done");
    assert.equal(report.keptSections, report.sections);
  });

  it("refuses to refresh a pasted page, with the next step", async () => {
    const { pageId } = await library.save("Notes", { distiller: offline, content: page() }, signal);
    const report = await library.refresh(pageId ?? "", { distiller: offline }, signal);
    assert.equal(report.state, "failed");
    assert.match(report.message ?? "", /pasted/);
    assert.equal((await library.pages()).length, 1);
  });

  it("reads a refreshed file from where it was, and never standard input", async () => {
    const files: PageSource = {
      accepts: (target) => !target.startsWith("https:"),
      read: (target) =>
        Promise.resolve({
          requested: target,
          url: target === "-" ? undefined : "file:///docs/queue.md",
          redirects: [],
          bytes: new TextEncoder().encode(page()),
          contentType: "text/markdown",
          status: undefined,
        }),
    };
    const local = libraryOn(storage, files);
    const file = await local.save("queue.md", { distiller: offline }, signal);
    assert.equal((await local.page(file.pageId ?? "")).page.requested, "file:///docs/queue.md");
    const piped = await local.save("-", { distiller: offline, url }, signal);
    const report = await local.refresh(piped.pageId ?? "", { distiller: offline }, signal);
    assert.equal(report.state, "failed");
    assert.match(report.message ?? "", /has no source to read again/u);
  });

  it("says how much the smallest hit needs when none fits the budget", async () => {
    await library.save(url, { distiller: offline }, signal);
    const { hits, note } = await library.search("message", { maxTokens: 5 }, signal);
    assert.deepEqual(hits, []);
    assert.match(note ?? "", /the smallest hit needs \d+ tokens/u);
  });

  it("names a damaged page until it was saved whole again", async () => {
    const damage = { pageId: "", reason: "torn", keptAt: "damaged/x" };
    const damagedOnes = [damage];
    const local = libraryOn({ ...storage, damaged: () => Promise.resolve(damagedOnes) }, source);
    damagedOnes[0] = { ...damage, pageId: pageIdOf(url) };
    assert.equal((await local.damaged()).length, 1);
    await local.save(url, { distiller: offline }, signal);
    assert.deepEqual(await local.damaged(), []);
  });

  it("reads pasted HTML as the characters it is, whatever charset it once was served in", async () => {
    const html = `<html><head><meta charset="shift_jis"><title>Kelp</title></head><body><main><h1>Kelp</h1><p>Größe der Warteschlange: höchstens 5 Einträge.</p></main></body></html>`;
    const { pageId } = await library.save("Kelp", { distiller: offline, content: html }, signal);
    assert.match((await library.page(pageId ?? "")).page.text, /Größe der Warteschlange: höchstens/u);
  });

  it("keeps what is stored when a later save of the page fails", async () => {
    const { pageId } = await library.save(url, { distiller: offline }, signal);
    source.text = "";
    const report = await library.save(url, { distiller: offline }, signal);
    assert.equal(report.state, "failed");
    assert.equal(report.reason, "page-empty");
    assert.ok((await library.page(pageId ?? "")).facts.length > 0);
  });

  it("ends a canceled save as canceled and keeps what was done", async () => {
    const stop = new AbortController();
    const distiller = byModel(() => {
      setImmediate(() => stop.abort());
      return new Promise(() => undefined);
    });
    const report = await library.save(url, { distiller }, stop.signal);
    assert.equal(report.state, "canceled");
    assert.equal((await library.search("held back", {}, signal)).hits[0]?.tier, "section");
  });

  it("tells each stage of a save in order", async () => {
    const stages: SaveEvent["stage"][] = [];
    await library.save(url, { distiller: byModel(everySection), onEvent: ({ stage }) => stages.push(stage) }, signal);
    assert.deepEqual([...new Set(stages)], ["fetch", "clean", "section", "index", "distill", "verify", "done"]);
  });

  it("does not distill with the strategy headings", async () => {
    const report = await library.save(url, { distiller: offline, strategy: "headings" }, signal);
    assert.equal(report.state, "done");
    assert.equal(report.facts, 0);
    assert.equal((await library.search("held back", {}, signal)).hits[0]?.tier, "section");
  });

  it("sees what another library on the same storage saved and removed", async () => {
    const other = libraryOn(storage, source);
    await library.search("held back", {}, signal);
    const { pageId } = await other.save(url, { distiller: offline }, signal);
    assert.ok((await library.search("held back", {}, signal)).hits.length > 0);
    const before = await library.state();
    await other.remove(pageId ?? "");
    assert.notEqual(await library.state(), before);
    assert.deepEqual((await library.search("held back", {}, signal)).hits, []);
  });

  it("finds the same after the index was written and read again", async () => {
    await library.save(url, { distiller: offline }, signal);
    const before = (await library.search("max_tries", {}, signal)).hits;
    await library.close();
    assert.deepEqual((await libraryOn(storage, source).search("max_tries", {}, signal)).hits, before);
  });

  it("puts a removed page back", async () => {
    const { pageId } = await library.save(url, { distiller: offline }, signal);
    const saved = await library.page(pageId ?? "");
    await library.remove(saved.page.id);
    await library.restore(saved);
    assert.ok((await library.search("max_tries", {}, signal)).hits.length > 0);
  });

  it("says that it went by words when there is no embedder", async () => {
    const { mode, note } = await library.search("anything", { mode: "hybrid" }, signal);
    assert.equal(mode, "words");
    assert.match(note ?? "", /No embedder/);
  });

  it("passes over a hit that does not fit the budget", async () => {
    await library.save(url, { distiller: offline, strategy: "headings" }, signal);
    const all = await library.search("message", { limit: 10 }, signal);
    const budget = Math.floor(all.tokens / 2);
    const some = await library.search("message", { limit: 10, maxTokens: budget }, signal);
    assert.ok(some.hits.length > 0 && some.hits.length < all.hits.length);
    assert.ok(some.tokens <= budget);
  });

  for (const id of ["nothing-0000000000.abcdefabcd", "constructor", "", "a.b.c", "../../etc.passwd"]) {
    it(`knows no fact "${id}"`, async () => {
      await assert.rejects(library.passage(id), (error) => BacopaError.is(error, "not-found"));
    });
  }

  describe("at the next start", () => {
    it("lists pages without reading those it has listed before", async () => {
      const { reads, counting } = countingReads(storage);
      await library.save(url, { distiller: offline }, signal);
      const listed = await library.pages();
      await library.close();
      const next = libraryOn(counting, source);
      assert.deepEqual(await next.pages(), listed);
      assert.deepEqual(reads, []);
    });

    it("lists a page anew that another process changed, and none it removed", async () => {
      await library.save(url, { distiller: offline }, signal);
      await library.pages();
      await library.close();
      const other = libraryOn(storage, source);
      source.text = page().replace("# Marmot Queue", "# Marmot Queue 2");
      await other.save(url, { distiller: offline }, signal);
      assert.deepEqual(
        (await libraryOn(storage, source).pages()).map(({ title }) => title),
        ["Marmot Queue 2"],
      );
      await other.remove(pageIdOf(url));
      assert.deepEqual(await libraryOn(storage, source).pages(), []);
    });

    it("lists what is stored when the list it kept is damaged", async () => {
      await library.save(url, { distiller: offline }, signal);
      const listed = await library.pages();
      for (const damage of ["", "{", "[]", '{"version":0,"entries":[["p",1]]}']) {
        await storage.writeCache("summaries", new TextEncoder().encode(damage));
        assert.deepEqual(await libraryOn(storage, source).pages(), listed);
      }
    });

    it("searches with the index it kept, and builds one that is damaged anew", async () => {
      await library.save(url, { distiller: offline }, signal);
      const before = await library.search("held back 12 hours", {}, signal);
      await library.close();
      const { reads, counting } = countingReads(storage);
      const ids = async (on: Storage): Promise<string[]> =>
        (await libraryOn(on, source).search("held back 12 hours", {}, signal)).hits.map(({ fact }) => fact.id);
      const expected = before.hits.map(({ fact }) => fact.id);
      assert.ok(expected.length > 0);
      assert.deepEqual(await ids(counting), expected);
      assert.equal(reads.length, 1); // for the hits, not for the index
      const kept = await storage.readCache("index");
      assert.ok(kept);
      for (const damaged of [kept.slice(0, kept.length / 2), kept.map((byte, i) => (i === 40 ? byte ^ 1 : byte))]) {
        await storage.writeCache("index", damaged);
        assert.deepEqual(await ids(storage), expected);
      }
    });
  });

  it("gives the host's loop a turn while it indexes a large page", async () => {
    let turns = 0;
    const patient = libraryOn(storage, source, () => {
      turns++;
      return Promise.resolve();
    });
    source.text = Array.from({ length: 200 }, (_, i) => `# Part ${i}\n\n${"One of many parts. ".repeat(60)}`).join(
      "\n\n",
    );
    await patient.save(url, { distiller: offline, strategy: "headings" }, signal);
    assert.ok(turns >= 5, `${turns} turns`);
  });
});

function countingReads(storage: Storage): { reads: string[]; counting: Storage } {
  const reads: string[] = [];
  const readPage = (id: string): ReturnType<Storage["readPage"]> => {
    reads.push(id);
    return storage.readPage(id);
  };
  return { reads, counting: { ...storage, readPage } };
}
