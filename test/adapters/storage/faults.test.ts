import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFileStorage } from "../../../src/adapters/storage/fileStorage.ts";
import type { Storage } from "../../../src/core/ports.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import { savedPage } from "../../fakes/savedPages.ts";
import type { Step } from "./faultyFileSystem.ts";
import { fault, faultyFileSystem } from "./faultyFileSystem.ts";
import { memoryFolder } from "./memoryFolder.ts";

const id = "retries-0a1b2c3d4e";
const old = savedPage(id, { title: "Old" });
const fresh = savedPage(id, { title: "Fresh" });

describe("fileStorage when the disk fails", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(memoryFolder(), "bacopa-faults-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("keeps the old record and leaves nothing behind when the disk is full at any step of a save", async () => {
    await createFileStorage(folder).writePage(old);
    const steps: Step[] = [];
    const recorded = faultyFileSystem((step) => steps.push(step));
    await createFileStorage(folder, { fileSystem: recorded }).writePage(old);
    const risky = steps.filter(({ action }) => ["mkdir", "open", "write", "sync", "rename"].includes(action)).length;
    assert.ok(risky > 12, `${risky} steps`);

    let refused = 0;
    for (let failing = 0; failing < risky; failing++) {
      const revision = await createFileStorage(folder).writePage(old);
      let step = 0;
      const fileSystem = faultyFileSystem(({ action }) => {
        if (["mkdir", "open", "write", "sync", "rename"].includes(action) && step++ === failing) throw fault("ENOSPC");
      });
      const outcome = await createFileStorage(folder, { fileSystem })
        .writePage(fresh)
        .catch((error: unknown) => error);
      const storage = createFileStorage(folder);
      const title = (await storage.readPage(id))?.page.title;
      if (typeof outcome === "string") {
        assert.equal(title, "Fresh", `step ${failing}`); // only the old generation could not be deleted
      } else {
        refused++;
        assert.ok(BacopaError.is(outcome, "storage-full"), `step ${failing}: ${String(outcome)}`);
        assert.match(outcome.userMessage, /full.*Free/s);
        assert.equal(title, "Old", `step ${failing}`);
        assert.equal((await storage.revisions()).get(id), revision, `step ${failing}`);
        assert.deepEqual(await readdir(join(folder, "scratch")), [], `step ${failing}`);
      }
      assert.deepEqual(await storage.damaged(), []);
    }
    assert.ok(refused >= 12, `${refused} refused`);
  });

  for (const [code, reason] of [
    ["EDQUOT", "storage-full"],
    ["EROFS", "storage-read-only"],
    ["EACCES", "storage-read-only"],
    ["EPERM", "storage-read-only"],
    ["ENAMETOOLONG", "storage-failed"],
    ["EMFILE", "storage-failed"],
    ["EIO", "storage-failed"],
  ] as const) {
    it(`says ${reason} for ${code}, and what to do`, async () => {
      const fileSystem = faultyFileSystem(({ action, path }) => {
        if (action === "open" && path.endsWith("text.md")) throw fault(code);
      });
      const storage = createFileStorage(folder, { fileSystem });
      const error = await storage.writePage(old).catch((thrown: unknown) => thrown);
      assert.ok(BacopaError.is(error, reason), String(error));
      assert.match(error.userMessage, /^[^.]+[.;].*\.$/);
      assert.ok(error.userMessage.includes(folder));
      assert.equal((await storage.revisions()).size, 0);
    });
  }

  it("reads a library in a folder that cannot be written", async () => {
    await createFileStorage(folder).writePage(old);
    const fileSystem = faultyFileSystem(({ action, path }) => {
      if (["mkdir", "rename", "rm"].includes(action) || (action === "open" && !path.endsWith("pages")))
        throw fault("EROFS");
    });
    const storage = createFileStorage(folder, { fileSystem });
    assert.deepEqual(await storage.readPage(id), old);
    await assert.rejects(storage.writePage(fresh), (error) => BacopaError.is(error, "storage-read-only"));
    await assert.rejects(storage.removePage(id), (error) => BacopaError.is(error, "storage-read-only"));
    await assert.rejects(storage.writeCache("index", Uint8Array.of(1)), (error) =>
      BacopaError.is(error, "storage-read-only"),
    );
    assert.deepEqual(await storage.readPage(id), old);
  });

  it("says so when the library folder is a file", async () => {
    const file = join(folder, "library");
    await writeFile(file, "not a folder");
    const storage = createFileStorage(file);
    for (const work of [() => storage.writePage(old), () => storage.revisions(), () => storage.readPage(id)]) {
      await assert.rejects(
        work(),
        (error) => BacopaError.is(error, "storage-failed") && error.userMessage.includes("a file is in the way"),
      );
    }
    assert.equal(await readFile(file, "utf8"), "not a folder");
  });

  it("waits while another program holds a file open", async () => {
    let held = 3;
    const fileSystem = faultyFileSystem(({ action, path }) => {
      if (action === "rename" && path.includes("pages") && held-- > 0) throw fault(held % 2 === 0 ? "EBUSY" : "EPERM");
    });
    const storage = createFileStorage(folder, { fileSystem });
    await storage.writePage(old);
    assert.deepEqual(await storage.readPage(id), old);
  });

  it("writes again when its half-written folder was swept away under it", async () => {
    let swept = false;
    const fileSystem = faultyFileSystem(async ({ action, path }) => {
      if (action !== "rename" || !path.includes("pages") || swept) return;
      swept = true;
      await rm(join(folder, "scratch"), { recursive: true });
    });
    const storage = createFileStorage(folder, { fileSystem });
    await storage.writePage(old);
    assert.ok(swept);
    assert.deepEqual(await storage.readPage(id), old);
  });

  it("starts over when a page is replaced while it is read", async () => {
    const other = createFileStorage(folder);
    await other.writePage(old);
    let replaced = false;
    const fileSystem = faultyFileSystem(async ({ action, path }) => {
      if (action !== "readFile" || !path.endsWith("text.md") || replaced) return;
      replaced = true;
      await other.writePage(fresh);
    });
    const storage = createFileStorage(folder, { fileSystem });
    assert.deepEqual(await storage.readPage(id), fresh);
    assert.deepEqual(await storage.damaged(), []);
  });

  for (const [what, first, work] of [
    ["a first save", false, (storage: Storage) => storage.writePage(old)],
    ["a refresh", true, (storage: Storage) => storage.writePage(old)],
    ["a removal", true, (storage: Storage) => storage.removePage(id)],
    ["a read", true, (storage: Storage) => storage.readPage(id)],
  ] as const) {
    for (const [rival, meddle] of [
      ["saves", (storage: Storage) => storage.writePage(fresh)],
      ["removes", (storage: Storage) => storage.removePage(id)],
    ] as const) {
      it(`lets another process that ${rival} come in at any step of ${what}`, async () => {
        for (let at = 0, steps = 1; at < steps; at++) {
          const library = join(folder, `${at}`);
          if (first) await createFileStorage(library).writePage(savedPage(id, { title: "First" }));
          let step = 0;
          const fileSystem = faultyFileSystem(async () => {
            if (step++ === at) await meddle(createFileStorage(library));
          });
          const result = await work(createFileStorage(library, { fileSystem }));
          if (step <= at) break; // a run without the rival has fewer steps
          steps = step;
          const storage = createFileStorage(library);
          const title = (await storage.readPage(id))?.page.title;
          const possible = [
            ...(what === "a removal" || rival === "removes" ? [undefined] : []),
            ...(what === "a read" || what === "a removal" ? [] : ["Old"]),
            ...(rival === "removes" ? [] : ["Fresh"]),
          ];
          assert.ok(possible.includes(title), `step ${at}: ${title ?? "nothing"}`);
          // The page was there all the time, so nobody may say that there was none.
          if (rival === "saves" && what === "a removal") assert.equal(result, true, `step ${at}`);
          const left = (await readdir(library).catch(() => [])).sort();
          assert.deepEqual(left, left.length === 0 ? [] : ["library.json", "pages", "scratch"], `step ${at}`);
          assert.deepEqual(left.length === 0 ? [] : await readdir(join(library, "scratch")), [], `step ${at}`);
        }
      });
    }
  }

  it("takes no fault of the machine for damage", async () => {
    await createFileStorage(folder).writePage(old);
    const fileSystem = faultyFileSystem(({ action, path }) => {
      if (action === "readFile" && path.endsWith("facts.json")) throw fault("EMFILE");
    });
    const storage = createFileStorage(folder, { fileSystem });
    await assert.rejects(storage.readPage(id), (error) => BacopaError.is(error, "storage-failed") && error.retryable);
    assert.deepEqual(await createFileStorage(folder).readPage(id), old);
  });

  it("puts a later save first although the clock went backwards", async () => {
    let nowMs = Date.parse("2026-03-01T10:00:00Z");
    const storage = createFileStorage(folder, { now: () => nowMs });
    await storage.writePage(old);
    nowMs -= 86_400_000;
    const revision = await storage.writePage(fresh);
    nowMs = -5;
    assert.equal((await storage.revisions()).get(id), revision);
    assert.deepEqual(await storage.readPage(id), fresh);
    await createFileStorage(folder, { now: () => nowMs }).writePage(old);
    assert.deepEqual(await storage.readPage(id), old);
  });

  it("sees at once what another instance did, also in a listing it remembers", async () => {
    const other = createFileStorage(folder);
    await other.writePage(old);
    await other.writePage(savedPage("other"));
    const storage = createFileStorage(folder);
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(folder, "pages"), longAgo, longAgo);
    assert.equal((await storage.revisions()).size, 2);
    assert.equal((await storage.revisions()).size, 2);
    const revision = await other.writePage(fresh);
    assert.equal((await storage.revisions()).get(id), revision);
    assert.deepEqual(await storage.readPage(id), fresh);
    await utimes(join(folder, "pages"), longAgo, longAgo);
    assert.equal((await storage.revisions()).size, 2);
    await other.removePage("other");
    assert.deepEqual([...(await storage.revisions()).keys()], [id]);
  });

  it("sweeps garbage older than an hour and leaves younger", async () => {
    const storage = createFileStorage(folder);
    await storage.writePage(old);
    const [name = ""] = await readdir(join(folder, "pages"));
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const garbage of [
      "scratch/old.x",
      "scratch/young.x",
      `pages/${id}.000000001-00000000`,
      `pages/${id}.000000002-00000000`,
    ]) {
      await mkdir(join(folder, garbage));
      await writeFile(join(folder, garbage, "text.md"), "half");
    }
    for (const path of ["scratch/old.x", `pages/${id}.000000001-00000000`])
      await utimes(join(folder, path), longAgo, longAgo);
    await createFileStorage(folder).writePage(savedPage("other"));
    assert.deepEqual(await readdir(join(folder, "scratch")), ["young.x"]);
    const left = (await readdir(join(folder, "pages"))).filter((entry) => entry.startsWith(id));
    assert.deepEqual(left, [`${id}.000000002-00000000`, name]);
    assert.deepEqual(await storage.readPage(id), old);
  });

  it("stays in its folder whatever ids and names it is given", async () => {
    const library = join(folder, "a", "library");
    const storage = createFileStorage(library);
    await storage.writePage(old);
    await writeFile(join(folder, "a", "secret"), "kept");
    for (const evil of [
      "../../secret",
      "..",
      ".",
      "",
      "/etc/passwd",
      "a/b",
      "a\\b",
      "C:x",
      "con",
      "nul",
      "com1",
      "Retries",
      "a.b",
      "a\u0000",
      "ü",
      "x".repeat(101),
    ]) {
      assert.equal(await storage.readPage(evil), undefined, evil);
      assert.equal(await storage.removePage(evil), false, evil);
      await assert.rejects(
        storage.writePage(savedPage(evil)),
        (error) => BacopaError.is(error, "storage-failed"),
        evil,
      );
    }
    for (const evil of ["../secret", "..", "", "a/b", "aux", "nul.bin", "Index", "x."]) {
      await assert.rejects(storage.readCache(evil), (error) => BacopaError.is(error, "storage-failed"), evil);
      await assert.rejects(storage.writeCache(evil, Uint8Array.of(1)), evil);
      await assert.rejects(storage.removeCache(evil), evil);
    }
    assert.deepEqual((await readdir(join(folder, "a"))).sort(), ["library", "secret"]);
  });

  it("leaves folders and files of others in the library alone", async () => {
    const storage = createFileStorage(folder);
    await storage.writePage(old);
    for (const name of [".DS_Store", "notes.txt", "retries-0a1b2c3d4e.backup"])
      await writeFile(join(folder, "pages", name), "mine");
    assert.deepEqual([...(await storage.revisions()).keys()], [id]);
    await storage.removePage(id);
    assert.equal((await readdir(join(folder, "pages"))).length, 3);
  });

  it("can be moved elsewhere", async () => {
    await createFileStorage(join(folder, "here")).writePage(old);
    await rename(join(folder, "here"), join(folder, "there"));
    assert.deepEqual(await createFileStorage(join(folder, "there")).readPage(id), old);
  });
});
