/** Every kind of file in a library, damaged in every way: the rest works, damage to a page is named, a refresh heals it. */
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createFileStorage } from "../../../src/adapters/storage/fileStorage.ts";
import { createLibrary } from "../../../src/core/library.ts";
import type { Library } from "../../../src/core/library.ts";
import type { PageSource } from "../../../src/core/ports.ts";
import { countTokens } from "../../../src/core/util/tokens.ts";
import { randomFrom } from "./crashHistory.ts";
import { fault, faultyFileSystem } from "./faultyFileSystem.ts";
import { memoryFolder } from "./memoryFolder.ts";

const signal = new AbortController().signal;
const offline = { kind: "offline" } as const;
const url = "https://docs.heron.example/leases";
const otherUrl = "https://docs.heron.example/watches";

const texts: Readonly<Record<string, string>> = {
  [url]:
    "# Leases\n\nA Heron lease ends after `lease_ttl` seconds, 15 by default.\n\n## Renewal\n\nA lease is renewed at half of its time. A holder that misses the renewal twice loses the lease.\n",
  [otherUrl]: "# Watches\n\nA Heron watch reports every change below a key, at most 100 a second.\n",
};

const site: PageSource = {
  accepts: (target) => target in texts,
  read: (target) =>
    Promise.resolve({
      requested: target,
      url: target,
      redirects: [],
      bytes: new TextEncoder().encode(texts[target]),
      contentType: "text/markdown",
      status: 200,
    }),
};

function open(folder: string, fileSystem?: Parameters<typeof createFileStorage>[1]): Library {
  return createLibrary({
    storage: createFileStorage(folder, fileSystem),
    sources: [site],
    embedder: undefined,
    prompts: () => "",
    clock: { now: () => new Date("2026-03-01T10:00:00Z"), elapsed: () => performance.now() },
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
    loadTokenizer: () => Promise.resolve(countTokens),
  });
}

const topOf = async (library: Library, query: string): Promise<string | undefined> =>
  (await library.search(query, {}, signal)).hits[0]?.page.url;

type Damage = (path: string) => Promise<unknown>;
const random = randomFrom(5);

const damages: Readonly<Record<string, Damage>> = {
  missing: (path) => rm(path),
  empty: (path) => writeFile(path, ""),
  "cut off": async (path) => {
    const bytes = await readFile(path);
    await writeFile(path, bytes.subarray(0, Math.floor(bytes.length * random())));
  },
  "longer than it was": (path) => writeFile(path, "\u0000}", { flag: "a" }),
  zeros: async (path) => writeFile(path, Buffer.alloc((await readFile(path)).length)),
  noise: async (path) => {
    const bytes = await readFile(path);
    await writeFile(
      path,
      bytes.map(() => Math.floor(random() * 256)),
    );
  },
  "changed by a bit": async (path) => {
    const bytes = await readFile(path);
    const at = Math.floor(random() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    await writeFile(path, bytes);
  },
  "another kind of JSON": (path) => writeFile(path, '[null, {"__proto__": {"format": 1}}]'),
  "a folder": async (path) => rm(path).then(() => mkdir(path)),
  "a link to nowhere": async (path) => rm(path).then(() => symlink("nowhere", path)),
  "a link to itself": async (path) => rm(path).then(() => symlink(path, path)),
};

/** Of the damaged page where there are several. */
const files = ["page.json", "text.md", "facts.json", "index", "library.json"] as const;

describe("a library with one damaged file", function () {
  this.timeout(60_000);
  let sound: string;
  let folder: string;
  let pageId: string;
  before(async () => {
    sound = await mkdtemp(join(memoryFolder(), "bacopa-sound-"));
    const library = open(sound);
    pageId = (await library.save(url, { distiller: offline }, signal)).pageId ?? "";
    await library.save(otherUrl, { distiller: offline }, signal);
    await library.close();
  });
  after(() => rm(sound, { recursive: true, force: true }));
  beforeEach(async () => {
    folder = await mkdtemp(join(memoryFolder(), "bacopa-matrix-"));
    await cp(sound, folder, { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function pathOf(name: (typeof files)[number]): Promise<string> {
    if (name === "library.json") return join(folder, name);
    if (name === "index") {
      const caches = await readdir(join(folder, "index"));
      return join(folder, "index", caches[Math.floor(random() * caches.length)] ?? "");
    }
    const generation = (await readdir(join(folder, "pages"))).find((entry) => entry.startsWith(`${pageId}.`));
    return join(folder, "pages", generation ?? "", name);
  }

  for (const name of files) {
    for (const [how, damage] of Object.entries(damages)) {
      it(`works and heals when ${name} is ${how}`, async () => {
        const rounds = ["changed by a bit", "cut off"].includes(how) ? 12 : 1;
        for (let round = 0; round < rounds; round++) {
          await rm(folder, { recursive: true });
          await cp(sound, folder, { recursive: true });
          await damage(await pathOf(name));
          const library = open(folder);
          assert.equal(await topOf(library, "changes below a key"), otherUrl);
          const isOfPage = name === "page.json" || name === "text.md" || name === "facts.json";
          // A change of the white space in a manifest is none.
          const whole = (await library.page(pageId).catch(() => undefined))?.facts.length ?? 0;
          if (isOfPage && whole === 0) {
            const [damaged, ...more] = await library.damaged();
            assert.deepEqual(more, []);
            assert.equal(damaged?.pageId, pageId);
            assert.ok(damaged.reason.startsWith(name), damaged.reason);
            if (name !== "page.json") assert.equal(damaged.source?.url, url);
            const known = name === "facts.json" || damaged.source?.url === url;
            const again = known
              ? await library.refresh(pageId, { distiller: offline }, signal)
              : await library.save(url, { distiller: offline }, signal);
            assert.equal(again.state, "done", again.message);
          } else assert.ok(whole > 0);
          await library.close();

          const healed = open(folder);
          assert.equal(await topOf(healed, "when does a lease end"), url);
          assert.deepEqual(await healed.damaged(), []);
          assert.deepEqual(
            (await healed.pages()).map((page) => page.undistilled),
            [0, 0],
          );
          await healed.reindex(signal);
          await healed.close();
        }
      });
    }
  }

  it("finds where a page was from although its manifest has a hole", async () => {
    const path = await pathOf("page.json");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace('"sectionStates"', '"sectionSta\u0000es"').slice(0, -200));
    const library = open(folder);
    const report = await library.refresh(pageId, { distiller: offline }, signal);
    assert.equal(report.state, "done", report.message);
    assert.deepEqual(await library.damaged(), []);
  });

  it("believes no address that a damaged manifest gives and the page's id does not", async () => {
    const path = await pathOf("page.json");
    await writeFile(path, (await readFile(path, "utf8")).replaceAll(url, otherUrl));
    const library = open(folder);
    await assert.rejects(library.refresh(pageId, { distiller: offline }, signal), /No page/);
  });

  it("forgets a damaged page at the person's word", async () => {
    await rm(await pathOf("text.md"));
    const library = open(folder);
    assert.equal((await library.pages()).length, 1);
    await library.remove(pageId);
    assert.deepEqual(await library.damaged(), []);
    assert.deepEqual(await readdir(join(folder, "damaged")), []);
    await assert.rejects(library.remove(pageId), /No page/);
  });

  for (const [what, make] of [
    ["a file", (path: string) => writeFile(path, "mine")],
    ["an empty folder", (path: string) => mkdir(path)],
    ["a link to nowhere", (path: string) => symlink("nowhere", path)],
    ["a link to itself", (path: string) => symlink(path, path)],
    ["a link out of the library", (path: string) => symlink(tmpdir(), path)],
  ] as const) {
    it(`names ${what} that bears the name of a page's folder`, async () => {
      const before = await readdir(tmpdir());
      await make(join(folder, "pages", "stray-0123456789.000000001-00000000"));
      const library = open(folder);
      assert.equal(await topOf(library, "changes below a key"), otherUrl);
      assert.deepEqual(
        (await library.damaged()).map((damaged) => damaged.pageId),
        ["stray-0123456789"],
      );
      assert.ok((await library.damaged())[0]?.reason.startsWith("page.json is"));
      assert.ok(!(await readdir(tmpdir())).includes("reason.json") || before.includes("reason.json"));
    });
  }

  for (const name of ["index", "scratch", "damaged", "jobs", "pages"]) {
    for (const [what, make] of [
      ["missing", undefined],
      ["a file", (path: string) => writeFile(path, "mine")],
      ["a link to nowhere", (path: string) => symlink("nowhere", path)],
      [
        "a link to a folder elsewhere",
        async (path: string) => mkdir(`${folder}-x`, { recursive: true }).then(() => symlink(`${folder}-x`, path)),
      ],
    ] as const) {
      it(`finds everything, or says what is in the way, when ${name} is ${what}`, async () => {
        await rm(join(folder, name), { recursive: true, force: true });
        await make?.(join(folder, name));
        try {
          const library = open(folder);
          const found = await topOf(library, "changes below a key").catch(messageOf);
          const saved = await library.save(url, { distiller: offline }, signal);
          const written = await library.close().then(() => "written", messageOf);
          if (name !== "pages") assert.equal(found, otherUrl);
          for (const outcome of [found, saved.message ?? "", written])
            if (outcome?.startsWith("!")) assert.match(outcome, /in the way|could not be read or written/);
          if (what === "missing" || what === "a link to a folder elsewhere")
            assert.equal(saved.state, "done", saved.message);
          if (saved.state === "done") assert.equal(await topOf(open(folder), "when does a lease end"), url);
        } finally {
          await rm(`${folder}-x`, { recursive: true, force: true });
        }
      });
    }
  }

  it("moves nothing aside that may not be read just now, and reads it when it may", async () => {
    for (const code of ["EACCES", "EPERM", "EBUSY", "EIO", "ESTALE", "ETIMEDOUT"]) {
      let refused = true;
      const fileSystem = faultyFileSystem(({ action, path }) => {
        if (refused && action === "readFile" && relative(join(folder, "pages"), path).startsWith(pageId))
          throw fault(code);
      });
      const library = open(folder, { fileSystem });
      await library.reindex(signal);
      assert.equal(await topOf(library, "changes below a key"), otherUrl);
      const [damaged] = await library.damaged();
      assert.match(damaged?.reason ?? "", new RegExp(`cannot be read \\(${code}\\)$`));
      assert.ok(!(await readdir(folder)).includes("damaged"), code);
      refused = false;
      assert.equal(await topOf(open(folder), "when does a lease end"), url);
    }
  });

  it("waits a moment for a page that another program holds open", async () => {
    let held = 2;
    const fileSystem = faultyFileSystem(({ action, path }) => {
      if (action === "readFile" && path.endsWith("text.md") && held-- > 0) throw fault("EBUSY");
    });
    const library = open(folder, { fileSystem });
    assert.equal((await library.pages()).length, 2);
    assert.deepEqual(await library.damaged(), []);
  });

  it("removes a page that cannot be read, for good", async () => {
    const fileSystem = faultyFileSystem(({ action, path }) => {
      if (action === "readFile" && path.includes(pageId)) throw fault("EACCES");
    });
    const library = open(folder, { fileSystem });
    assert.equal((await library.pages()).length, 1);
    await library.remove(pageId);
    assert.equal((await open(folder).pages()).length, 1);
  });

  it("names what a repair lost although it was killed between its two halves", async () => {
    await rename(await pathOf("facts.json"), join(folder, "facts.json"));
    const fileSystem = faultyFileSystem(({ action, path }) => {
      if (action === "rename" && path.includes("damaged")) throw fault("EIO"); // as far as a killed process came
    });
    await open(folder, { fileSystem }).pages();
    const library = open(folder);
    await library.pages();
    const [damaged] = await library.damaged();
    assert.match(damaged?.reason ?? "", /^facts\.json is missing/);
    assert.ok((await readdir(join(folder, "damaged"))).length === 1);
  });

  it("keeps a save whose clock is out of all bounds", async () => {
    for (const nowMs of [NaN, Infinity, -Infinity, -1, 8.64e15, 36 ** 9 - 1, 36 ** 9, Number.MAX_SAFE_INTEGER]) {
      const library = open(folder, { now: () => nowMs });
      const report = await library.save(url, { distiller: offline, title: `At ${nowMs}`, force: true }, signal);
      assert.equal(report.state, "done");
      assert.equal((await open(folder).page(pageId)).page.title, `At ${nowMs}`);
    }
    await mkdir(join(folder, "pages", `${pageId}.zzzzzzzzz-ffffffff`));
    for (let n = 0; n < 3; n++) {
      await open(folder).save(url, { distiller: offline, title: `After ${n}`, force: true }, signal);
      assert.equal((await open(folder).page(pageId)).page.title, `After ${n}`);
    }
  });
});

function messageOf(error: unknown): string {
  return `!${error instanceof Error && "userMessage" in error ? String(error.userMessage) : String(error)}`;
}
