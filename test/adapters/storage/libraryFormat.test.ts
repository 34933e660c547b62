import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFileStorage } from "../../../src/adapters/storage/fileStorage.ts";
import type { Migrated } from "../../../src/adapters/storage/libraryFormat.ts";
import { ensureLibraryVersion } from "../../../src/adapters/storage/libraryFormat.ts";
import { nodeFileSystem } from "../../../src/adapters/storage/fileSystem.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import type { SavedPage } from "../../../src/core/types.ts";
import { randomFrom } from "./crashHistory.ts";
import { dyingFileSystem, fault, faultyFileSystem } from "./faultyFileSystem.ts";
import { memoryFolder } from "./memoryFolder.ts";

/** A library of format 0, written by hand: three pages in a file each, one of them cut off. */
const fixture = join(import.meta.dirname, "../../fixtures/libraries/format-0");
const sound = ["queues-7a41c09be2", "retries-03d8e5f61b"];
const broken = "webhooks-c2b7714d90";

describe("a library of an older format", () => {
  let folder: string;
  let originals: Map<string, string>;
  beforeEach(async () => {
    folder = await mkdtemp(join(memoryFolder(), "bacopa-older-"));
    await cp(fixture, folder, { recursive: true });
    originals = await contentOf(join(folder, "pages"));
    assert.equal(originals.size, 3);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function contentOf(path: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const name of await readdir(path)) found.set(name, await readFile(join(path, name), "utf8"));
    return found;
  }

  async function assertConverted(inFolder = folder): Promise<void> {
    const storage = createFileStorage(inFolder);
    assert.deepEqual([...(await storage.revisions()).keys()].sort(), sound);
    for (const id of sound)
      assert.deepEqual(await storage.readPage(id), JSON.parse(originals.get(`${id}.json`) ?? "") as SavedPage);
    assert.deepEqual(
      (await storage.damaged()).map(({ pageId, reason, source }) => [pageId, reason, source?.url]),
      [[broken, `${broken}.json is cut off or is not JSON`, "https://courier.example/docs/webhooks"]],
    );
    assert.deepEqual(JSON.parse(await readFile(join(inFolder, "library.json"), "utf8")), {
      format: "bacopa-library/1",
      version: 1,
    });
    assert.deepEqual(await contentOf(join(inFolder, "backups", "format-0")), originals);
    assert.deepEqual(await readdir(join(inFolder, "backups")), ["format-0"]);
    const left = await readdir(join(inFolder, "pages"));
    assert.ok(left.length === 2 && left.every((name) => !name.endsWith(".json")), left.join());
  }

  for (const [what, work] of [
    [
      "listing",
      (id: string) =>
        createFileStorage(folder)
          .revisions()
          .then(() => id),
    ],
    ["reading", (id: string) => createFileStorage(folder).readPage(id)],
    ["the look for damage after a read", (id: string) => createFileStorage(folder).readPage(id)],
  ] as const) {
    it(`is converted by ${what}, after a backup`, async () => {
      await work(sound[0] ?? "");
      await assertConverted();
    });
  }

  it("is converted by a save, which then counts", async () => {
    const page = JSON.parse(originals.get(`${sound[0] ?? ""}.json`) ?? "") as SavedPage;
    const fresh = { ...page, page: { ...page.page, title: "Fresh" } };
    await createFileStorage(folder).writePage(fresh);
    assert.equal((await createFileStorage(folder).readPage(page.page.id))?.page.title, "Fresh");
    assert.equal((await createFileStorage(folder).revisions()).size, 2);
  });

  it("tells its host what was done, once", async () => {
    const told: Migrated[] = [];
    const storage = createFileStorage(folder, { onMigrated: (migrated) => told.push(migrated) });
    await storage.revisions();
    await storage.readPage(sound[0] ?? "");
    assert.deepEqual(told, [{ from: 0, to: 1, backup: join(folder, "backups", "format-0") }]);
  });

  it("is converted although its library.json is lost or damaged", async () => {
    for (const text of [undefined, "", '{ "format": "bacopa-li', '{ "format": "bacopa-library/0", "version": 4 }']) {
      const library = join(folder, `copy-${String(text?.length)}`);
      await cp(fixture, library, { recursive: true });
      await (text === undefined ? rm(join(library, "library.json")) : writeFile(join(library, "library.json"), text));
      await assertConverted(library);
    }
  });

  it("loses nothing when the process is killed at any call to the file system, twice", async () => {
    const random = randomFrom(7);
    let killed = 0;
    for (let killAt = 1; ; killAt++) {
      const library = join(folder, `killed-${killAt}`);
      await cp(fixture, library, { recursive: true });
      const first = dyingFileSystem(killAt);
      await createFileStorage(library, { fileSystem: first.fileSystem })
        .revisions()
        .catch(() => undefined);
      const second = dyingFileSystem(1 + Math.floor(random() * 90));
      await createFileStorage(library, { fileSystem: second.fileSystem })
        .revisions()
        .catch(() => undefined);
      await assertConverted(library);
      await rm(library, { recursive: true });
      if (!first.isDead()) break;
      killed++;
    }
    assert.ok(killed > 40, `${killed} places to be killed`);
  });

  it("loses nothing when the disk is full at any call, and says so", async () => {
    for (let failing = 0; ; failing++) {
      const library = join(folder, `full-${failing}`);
      await cp(fixture, library, { recursive: true });
      let step = 0;
      const fileSystem = faultyFileSystem(({ action }) => {
        if (["mkdir", "open", "write", "sync", "rename"].includes(action) && step++ === failing) throw fault("ENOSPC");
      });
      const outcome = await createFileStorage(library, { fileSystem })
        .revisions()
        .catch((error: unknown) => error);
      assert.ok(outcome instanceof Map || BacopaError.is(outcome, "storage-full"), String(outcome));
      await assertConverted(library);
      await rm(library, { recursive: true });
      if (step <= failing) break;
    }
  });

  it("is converted by eight at once, at any pace", async () => {
    for (let seed = 0; seed < 12; seed++) {
      const library = join(folder, `together-${seed}`);
      await cp(fixture, library, { recursive: true });
      const random = randomFrom(seed);
      const seen = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const fileSystem = faultyFileSystem(async () => {
            for (let turns = Math.floor(random() * 4); turns > 0; turns--)
              await new Promise((resolve) => setImmediate(resolve));
          });
          return [...(await createFileStorage(library, { fileSystem }).revisions()).keys()].sort();
        }),
      );
      for (const ids of seen) assert.deepEqual(ids, sound);
      await assertConverted(library);
    }
  });

  it("does not bring back a page that was removed while a slow process was still at it", async () => {
    let raced = false;
    const fileSystem = faultyFileSystem(async ({ action, path }) => {
      if (raced || action !== "open" || !path.includes(`${sound[0] ?? ""}.`)) return;
      raced = true;
      await createFileStorage(folder).removePage(sound[0] ?? "");
    });
    await createFileStorage(folder, { fileSystem }).revisions();
    assert.ok(raced);
    assert.deepEqual([...(await createFileStorage(folder).revisions()).keys()], sound.slice(1));
  });

  it("keeps a backup that is already there and makes another beside it", async () => {
    await mkdir(join(folder, "backups", "format-0"), { recursive: true });
    await writeFile(join(folder, "backups", "format-0", "older.json"), "mine");
    await createFileStorage(folder).revisions();
    assert.deepEqual((await readdir(join(folder, "backups"))).sort(), ["format-0", "format-0-2"]);
    assert.deepEqual(await contentOf(join(folder, "backups", "format-0-2")), originals);
    assert.deepEqual([...(await contentOf(join(folder, "backups", "format-0"))).keys()], ["older.json"]);
  });

  it("says what is needed where the folder cannot be written, and changes nothing", async () => {
    const fileSystem = faultyFileSystem(({ action }) => {
      if (["mkdir", "rename", "rm", "open"].includes(action)) throw fault("EROFS");
    });
    await assert.rejects(
      createFileStorage(folder, { fileSystem }).revisions(),
      (error) => BacopaError.is(error, "storage-read-only") && error.userMessage.includes("has to be converted once"),
    );
    assert.deepEqual(await contentOf(join(folder, "pages")), originals);
  });

  it("refuses a version that no step begins with", async () => {
    const places = {
      folder,
      pages: join(folder, "pages"),
      scratch: join(folder, "scratch"),
      damaged: join(folder, "damaged"),
    };
    await assert.rejects(
      ensureLibraryVersion(nodeFileSystem, places, new Map()),
      (error) => BacopaError.is(error, "storage-failed") && error.userMessage.includes("format version 0"),
    );
    assert.deepEqual(await contentOf(join(folder, "pages")), originals);
  });

  it("leaves files alone that only look a little like old pages", async () => {
    await rm(join(folder, "library.json"));
    await rm(join(folder, "pages"), { recursive: true });
    await mkdir(join(folder, "pages"));
    await writeFile(join(folder, "pages", "notes.json"), "{}");
    assert.equal((await createFileStorage(folder).revisions()).size, 0);
    assert.equal(await readFile(join(folder, "pages", "notes.json"), "utf8"), "{}");
  });
});
