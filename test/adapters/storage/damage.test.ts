import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createFileStorage } from "../../../src/adapters/storage/fileStorage.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import { savedPage } from "../../fakes/savedPages.ts";
import { fault, faultyFileSystem } from "./faultyFileSystem.ts";
import { memoryFolder } from "./memoryFolder.ts";

const id = "retries-0a1b2c3d4e";
const saved = savedPage(id);
const other = savedPage("other-0a1b2c3d4e");

describe("fileStorage with damaged files", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(memoryFolder(), "bacopa-damage-"));
    await createFileStorage(folder).writePage(saved);
    await createFileStorage(folder).writePage(other);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function fileOf(name: string): Promise<string> {
    const generation = (await readdir(join(folder, "pages"))).find((entry) => entry.startsWith(`${id}.`));
    return join(folder, "pages", generation ?? "", name);
  }

  async function flip(path: string, at: number): Promise<void> {
    const bytes = await readFile(path);
    bytes[at] = (bytes[at] ?? 0) ^ 0x04;
    await writeFile(path, bytes);
  }

  const damages: readonly [string, (name: string) => Promise<void>][] = [
    ["missing", async (name) => unlink(await fileOf(name))],
    ["empty", async (name) => writeFile(await fileOf(name), "")],
    [
      "cut off",
      async (name) => {
        const path = await fileOf(name);
        const bytes = await readFile(path);
        await writeFile(path, bytes.subarray(0, bytes.length - 9));
      },
    ],
    [
      "full of zeros",
      async (name) => {
        const path = await fileOf(name);
        await writeFile(path, Buffer.alloc((await readFile(path)).length));
      },
    ],
    [
      "a folder",
      async (name) => {
        const path = await fileOf(name);
        await unlink(path);
        await mkdir(path);
      },
    ],
  ];

  for (const name of ["page.json", "text.md"]) {
    for (const [how, damage] of damages) {
      it(`sets a page aside whose ${name} is ${how}, and keeps the rest`, async () => {
        await damage(name);
        const storage = createFileStorage(folder);
        assert.equal(await storage.readPage(id), undefined);
        const [found, ...more] = await storage.damaged();
        assert.deepEqual(more, []);
        assert.equal(found?.pageId, id);
        assert.match(found.reason, new RegExp(`^${name.replace(".", "\\.")} `));
        assert.equal(found.keptAt, join(folder, "damaged", `${id}-1`));
        assert.ok((await readdir(found.keptAt)).includes("facts.json"));
        assert.deepEqual([...(await storage.revisions()).keys()], [other.page.id]);
        assert.deepEqual(await storage.readPage(other.page.id), other);

        await storage.writePage(saved);
        assert.deepEqual(await storage.readPage(id), saved);
        assert.deepEqual(await createFileStorage(folder).damaged(), [found]);
      });
    }
  }

  for (const [how, damage] of damages) {
    it(`keeps the text of a page whose facts.json is ${how}, and says so`, async () => {
      const before = (await createFileStorage(folder).revisions()).get(id);
      await damage("facts.json");
      const storage = createFileStorage(folder);
      const expected = { ...saved, facts: [], sectionStates: saved.sections.map(() => ({ state: "waiting" })) };
      assert.deepEqual(await storage.readPage(id), expected);
      assert.notEqual((await storage.revisions()).get(id), before);
      assert.deepEqual(await createFileStorage(folder).readPage(id), expected);
      const [found, ...more] = await storage.damaged();
      assert.deepEqual(more, []);
      assert.match(found?.reason ?? "", /^facts\.json .*text was kept/);

      await storage.writePage(saved);
      assert.deepEqual(await storage.readPage(id), saved);
    });
  }

  it("notices a changed byte anywhere in a page's files, or reads the page as it was", async () => {
    for (const name of ["page.json", "text.md", "facts.json"]) {
      const { length } = await readFile(await fileOf(name));
      for (let at = 0; at < length; at += Math.ceil(length / 40)) {
        await flip(await fileOf(name), at);
        const storage = createFileStorage(folder);
        const read = await storage.readPage(id);
        // Only white space between JSON values can change unnoticed, and it means nothing.
        if (read !== undefined && read.facts.length > 0) assert.deepEqual(read, saved, `${name} byte ${at}`);
        if (name !== "page.json") assert.equal(read?.facts.length ?? 0, 0, `${name} byte ${at}`);
        await storage.writePage(saved);
      }
    }
  });

  it("numbers what it sets aside", async () => {
    const storage = createFileStorage(folder);
    for (let n = 1; n <= 3; n++) {
      await flip(await fileOf("text.md"), 5);
      assert.equal(await storage.readPage(id), undefined);
      await storage.writePage(saved);
    }
    assert.deepEqual(
      (await storage.damaged()).map(({ keptAt }) => keptAt),
      [1, 2, 3].map((n) => join(folder, "damaged", `${id}-${n}`)),
    );
  });

  it("falls back to the previous write if a kill left it there", async () => {
    const path = await fileOf("page.json");
    await cp(dirname(path), join(folder, "pages", `${id}.000000001-00000000`), { recursive: true });
    await flip(path, 30);
    const storage = createFileStorage(folder);
    assert.deepEqual(await storage.readPage(id), saved);
    assert.equal((await storage.damaged()).length, 1);
  });

  it("names damage in a folder that cannot be written, and works on", async () => {
    await flip(await fileOf("text.md"), 5);
    const fileSystem = faultyFileSystem(({ action }) => {
      if (["mkdir", "rename", "rm", "write"].includes(action)) throw fault("EROFS");
    });
    const storage = createFileStorage(folder, { fileSystem });
    assert.equal(await storage.readPage(id), undefined);
    assert.deepEqual([...(await storage.revisions()).keys()], [other.page.id]);
    const [found] = await storage.damaged();
    assert.equal(found?.pageId, id);
    assert.ok((await readdir(found.keptAt)).includes("text.md"));
  });

  it("serves a page without its facts from a folder that cannot be written", async () => {
    await flip(await fileOf("facts.json"), 5);
    const fileSystem = faultyFileSystem(({ action }) => {
      if (["mkdir", "rename", "rm", "write"].includes(action)) throw fault("EROFS");
    });
    const storage = createFileStorage(folder, { fileSystem });
    assert.equal((await storage.readPage(id))?.page.text, saved.page.text);
    assert.equal((await storage.readPage(id))?.page.text, saved.page.text);
    assert.equal((await storage.damaged()).length, 1);
  });

  it("never lets a repair hide a save made meanwhile", async () => {
    await flip(await fileOf("facts.json"), 5);
    const fresh = savedPage(id, { title: "Fresh" });
    let raced = false;
    const fileSystem = faultyFileSystem(async ({ action, path }) => {
      if (action !== "rename" || !path.includes("pages") || raced) return;
      raced = true;
      await createFileStorage(folder).writePage(fresh);
    });
    await createFileStorage(folder, { fileSystem }).readPage(id);
    assert.ok(raced);
    assert.deepEqual(await createFileStorage(folder).readPage(id), fresh);
  });

  it("lets eight readers find the same damage at once", async () => {
    await flip(await fileOf("text.md"), 5);
    const reads = await Promise.all(Array.from({ length: 8 }, () => createFileStorage(folder).readPage(id)));
    assert.deepEqual(
      reads,
      Array.from({ length: 8 }, () => undefined),
    );
    assert.equal((await createFileStorage(folder).damaged()).length, 1);
  });

  it("reads a damaged cache as none", async () => {
    const storage = createFileStorage(folder);
    const bytes = Uint8Array.from({ length: 500 }, (_, at) => at);
    const path = join(folder, "index", "index");
    for (const damage of [
      async () => flip(path, 0),
      async () => flip(path, 499),
      async () => flip(path, 507),
      async () => writeFile(path, ""),
      async () => writeFile(path, (await readFile(path)).subarray(0, 400)),
    ]) {
      await storage.writeCache("index", bytes);
      await damage();
      assert.equal(await storage.readCache("index"), undefined);
    }
    await unlink(path);
    await mkdir(path);
    assert.equal(await storage.readCache("index"), undefined);
    await storage.removeCache("index");
    await storage.writeCache("index", bytes);
    assert.equal((await storage.readCache("index"))?.length, 500);
  });
});

describe("library.json", () => {
  let folder: string;
  let header: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(memoryFolder(), "bacopa-format-"));
    header = join(folder, "library.json");
    await createFileStorage(folder).writePage(saved);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("names the format and its version", async () => {
    assert.deepEqual(JSON.parse(await readFile(header, "utf8")), { format: "bacopa-library/1", version: 1 });
  });

  it("refuses a newer library and touches nothing", async () => {
    await writeFile(header, JSON.stringify({ format: "bacopa-library/2", version: 2 }));
    const before = await readdir(folder, { recursive: true });
    const storage = createFileStorage(folder);
    for (const work of [
      () => storage.revisions(),
      () => storage.readPage(id),
      () => storage.writePage(saved),
      () => storage.removePage(id),
      () => storage.writeCache("index", Uint8Array.of(1)),
    ]) {
      await assert.rejects(
        work(),
        (error) => BacopaError.is(error, "storage-newer") && error.userMessage.includes("Update Bacopa"),
      );
    }
    assert.deepEqual(await readdir(folder, { recursive: true }), before);
  });

  for (const [how, text] of [
    ["missing", undefined],
    ["empty", ""],
    ["cut off", '{ "format": "bacopa-li'],
    ["changed in its version", '{ "format": "bacopa-library/1", "version": 3 }'],
    ["of something else", '{ "books": [] }'],
  ] as const) {
    it(`needs no repair by hand when it is ${how}`, async () => {
      await (text === undefined ? unlink(header) : writeFile(header, text));
      const storage = createFileStorage(folder);
      assert.deepEqual(await storage.readPage(id), saved);
      await storage.writePage(other);
      assert.equal((await storage.revisions()).size, 2);
      assert.deepEqual(JSON.parse(await readFile(header, "utf8")), { format: "bacopa-library/1", version: 1 });
      const kept = text === undefined ? [] : await readdir(join(folder, "damaged"));
      if (text !== undefined) assert.equal(await readFile(join(folder, "damaged", kept[0] ?? ""), "utf8"), text);
      assert.deepEqual(await storage.damaged(), []);
    });
  }
});
