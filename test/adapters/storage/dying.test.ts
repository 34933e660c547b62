/** A process that dies at each call to the file system in turn, for every operation: the exhaustive form of the crash test. */
import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createFileJobs } from "../../../src/adapters/storage/fileJobs.ts";
import { createFileStorage } from "../../../src/adapters/storage/fileStorage.ts";
import type { JobRecord, Storage } from "../../../src/core/ports.ts";
import { savedPage } from "../../fakes/savedPages.ts";
import { dyingFileSystem } from "./faultyFileSystem.ts";
import { memoryFolder } from "./memoryFolder.ts";

const id = "retries-0a1b2c3d4e";
const old = savedPage(id, { title: "Old" });
const fresh = savedPage(id, { title: "Fresh", note: "Retries are logged. ".repeat(50) });
const other = savedPage("other-0a1b2c3d4e", { title: "Other" });
const cache = new Uint8Array(5000).fill(7);

describe("a process that dies at any call to the file system", function () {
  this.timeout(60_000);
  let base: string;
  let sound: string;
  beforeEach(async () => {
    base = await mkdtemp(join(memoryFolder(), "bacopa-dying-"));
    sound = join(base, "sound");
    await createFileStorage(sound).writePage(old);
    await createFileStorage(sound).writePage(other);
    await createFileStorage(sound).writeCache("index", cache);
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  /** `titles`: what the page may be if the operation did not return; `after`: what it is if it did. */
  const operations: readonly {
    readonly name: string;
    readonly titles: readonly (string | undefined)[];
    readonly after: string | undefined;
    readonly run: (storage: Storage) => Promise<unknown>;
  }[] = [
    { name: "a save", titles: ["Old", "Fresh"], after: "Fresh", run: (storage) => storage.writePage(fresh) },
    {
      name: "a refresh",
      titles: ["Old", "Fresh"],
      after: "Fresh",
      run: async (storage) => storage.replacePage(fresh, (await storage.revisions()).get(id)),
    },
    {
      name: "two saves",
      titles: ["Old", "Fresh", "Second"],
      after: "Second",
      run: async (storage) => {
        await storage.writePage(fresh);
        await storage.writePage(savedPage(id, { title: "Second" }));
      },
    },
    { name: "a removal", titles: ["Old", undefined], after: undefined, run: (storage) => storage.removePage(id) },
    {
      name: "a removal that is undone",
      titles: ["Old", undefined],
      after: "Old",
      run: async (storage) => {
        await storage.removePage(id);
        await storage.replacePage(old, undefined);
      },
    },
    {
      name: "writing the index",
      titles: ["Old"],
      after: "Old",
      run: (storage) => storage.writeCache("index", new Uint8Array(9000).fill(9)),
    },
    { name: "dropping the index", titles: ["Old"], after: "Old", run: (storage) => storage.removeCache("index") },
    { name: "reading", titles: ["Old"], after: "Old", run: (storage) => storage.readPage(id) },
  ];

  for (const { name, titles, after, run } of operations) {
    it(`leaves a whole library behind: ${name}`, async () => {
      for (let killAt = 1; ; killAt++) {
        const folder = join(base, `${killAt}`);
        await cp(sound, folder, { recursive: true });
        const dying = dyingFileSystem(killAt);
        const returned = await run(createFileStorage(folder, { fileSystem: dying.fileSystem })).then(
          () => true,
          () => false,
        );
        const storage = createFileStorage(folder);
        const title = (await storage.readPage(id))?.page.title;
        if (returned) assert.equal(title, after, `call ${killAt}`);
        else assert.ok(titles.includes(title), `call ${killAt}: ${title ?? "nothing"}`);
        assert.deepEqual(await storage.readPage(other.page.id), other);
        assert.deepEqual(await storage.damaged(), [], `call ${killAt}`);
        const index = await storage.readCache("index");
        if (name !== "dropping the index")
          assert.ok(index?.length === 5000 || index?.length === 9000, `call ${killAt}`);
        // And it takes the next save.
        await storage.writePage(fresh);
        assert.deepEqual(await createFileStorage(folder).readPage(id), fresh);
        await rm(folder, { recursive: true });
        if (!dying.isDead()) break;
      }
    });
  }

  it("keeps a job that was recorded, and one that was being adopted", async () => {
    const record: JobRecord = {
      id: "a",
      kind: "save",
      target: "https://courier.example/retries",
      text: "Pasted",
      url: undefined,
      title: undefined,
      strategy: undefined,
      force: false,
      createdAt: "2026-03-01T10:00:00.000Z",
    };
    const alive = (): boolean => false;
    for (let killAt = 1; ; killAt++) {
      const folder = join(base, `${killAt}`);
      const putting = dyingFileSystem(killAt);
      const recorded = await createFileJobs(folder, { processId: 1, fileSystem: putting.fileSystem })
        .put(record)
        .then(
          () => true,
          () => false,
        );
      const adopting = dyingFileSystem(1 + (killAt % 7));
      const first = await createFileJobs(folder, { processId: 2, alive, fileSystem: adopting.fileSystem })
        .adopt()
        .catch(() => []);
      const second = await createFileJobs(folder, { processId: 3, alive }).adopt();
      assert.ok(first.length <= 1 && second.length <= 1);
      if (recorded) assert.deepEqual(second, [record], `call ${killAt}`); // the second finds the first one dead
      for (const found of [...first, ...second]) assert.deepEqual(found, record);
      const left = await readdir(folder).catch((): string[] => []);
      assert.ok(!left.includes("damaged"));
      if (!putting.isDead()) break;
    }
  });
});
