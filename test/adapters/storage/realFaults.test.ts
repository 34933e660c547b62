/** The disk's own faults, where the system lets a test bring them about: no fakes between the storage and the disk. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { createFileStorage } from "../../../src/adapters/storage/fileStorage.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import { savedPage } from "../../fakes/savedPages.ts";

const id = "retries-0a1b2c3d4e";
const old = savedPage(id, { title: "Old" });

interface Outcome {
  readonly read?: string | undefined;
  readonly saved?: boolean;
  readonly reason?: string;
  readonly message?: string;
}

describe("fileStorage on a disk that fails for real", function () {
  this.timeout(60_000);
  let base: string;
  let folder: string;
  let program: string;
  before(async () => {
    base = await mkdtemp(join(tmpdir(), "bacopa-real-"));
    program = join(base, "saveOne.mjs");
    await build({
      entryPoints: [join(import.meta.dirname, "saveOne.ts")],
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
    });
    await chmod(base, 0o755);
  });
  after(() => rm(base, { recursive: true, force: true }));
  beforeEach(async () => {
    folder = await mkdtemp(join(base, "library-"));
    await chmod(folder, 0o755);
  });

  /** In a process of its own: reads the page, then saves it with a note of so many characters. */
  function saveOne(noteLength: number, how: { readonly shell?: string; readonly uid?: number } = {}): Outcome {
    const command = `${how.shell ?? ""} exec "${process.execPath}" "${program}" "${folder}" ${noteLength}`;
    const { stdout, stderr } = spawnSync("/bin/sh", ["-c", command], {
      encoding: "utf8",
      ...(how.uid !== undefined && { uid: how.uid }),
    });
    assert.notEqual(stdout, "", stderr);
    return JSON.parse(stdout) as Outcome;
  }

  it("keeps what there was when files may not grow beyond a limit, and says so", async function () {
    if (process.platform === "win32") this.skip();
    await createFileStorage(folder).writePage(old);
    let refused = 0;
    for (const blocks of [1, 2, 4, 8, 16, 64, 400]) {
      // The signal that comes with it would kill the process, which the crash tests do.
      const outcome = saveOne(40_000, { shell: `trap "" XFSZ; ulimit -f ${blocks};` });
      if (outcome.saved === true) continue;
      refused++;
      assert.equal(outcome.reason, "storage-failed");
      assert.match(outcome.message ?? "", /^A file grew larger than .* untouched\. Raise the limit/);
      assert.deepEqual(await createFileStorage(folder).readPage(id), old);
    }
    assert.ok(refused >= 3 && refused < 7, `${refused} refused`);
  });

  it("keeps what there was on a disk that is full, whatever room is left, and saves again when there is some", async function () {
    if (process.platform !== "linux" || process.getuid?.() !== 0) this.skip();
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", folder], { stdio: "ignore" });
    } catch {
      this.skip(); // a container that may not mount
    }
    try {
      const storage = createFileStorage(folder);
      await storage.writePage(old);
      let [saved, full] = [0, 0];
      let title = "Old";
      for (let n = 1; n <= 40; n++) {
        const next = savedPage(id, { title: `${n}`, note: "x".repeat(n * 12_000) });
        try {
          await storage.writePage(next);
          title = `${n}`;
          saved++;
        } catch (error) {
          assert.ok(BacopaError.is(error, "storage-full"), String(error));
          full++;
        }
        assert.equal((await createFileStorage(folder).readPage(id))?.page.title, title);
        assert.deepEqual(await createFileStorage(folder).damaged(), []);
      }
      assert.ok(saved > 3 && full > 3, `${saved} saved, ${full} refused`);
      await storage.writePage(old);
      assert.deepEqual(await createFileStorage(folder).readPage(id), old);
    } finally {
      execFileSync("umount", ["-l", folder]);
    }
  });

  /** Rights do not hold the superuser back: as another user then. */
  const uid = process.getuid?.() === 0 ? { uid: 65_534 } : {};

  it("reads a library that it may not write, and says so at a save", async function () {
    if (process.platform === "win32") this.skip();
    await createFileStorage(folder).writePage(old);
    execFileSync("chmod", ["-R", "a+rX,a-w", folder]);
    const outcome = saveOne(10, uid);
    execFileSync("chmod", ["-R", "u+w", folder]);
    assert.deepEqual([outcome.read, outcome.saved, outcome.reason], ["Old", false, "storage-read-only"]);
    assert.match(outcome.message ?? "", /may not write to the library .*Give yourself the right/);
    assert.deepEqual(await createFileStorage(folder).readPage(id), old);
  });

  it("moves nothing aside that it may not read", async function () {
    if (process.platform === "win32") this.skip();
    await createFileStorage(folder).writePage(old);
    execFileSync("chmod", ["-R", "a+rwX", folder]);
    execFileSync("find", [join(folder, "pages"), "-type", "f", "-exec", "chmod", "0000", "{}", "+"]);
    const outcome = saveOne(10, uid);
    assert.equal(outcome.read, undefined);
    assert.equal(outcome.saved, true); // a newer page beside the one that cannot be read
    execFileSync("chmod", ["-R", "u+rwX", folder]);
    assert.equal((await createFileStorage(folder).readPage(id))?.page.title, "Saved");
    assert.deepEqual(await createFileStorage(folder).damaged(), []);
  });

  it("says so when it may not even look into the folder", async function () {
    if (process.platform === "win32") this.skip();
    await createFileStorage(folder).writePage(old);
    await chmod(join(folder, "pages"), 0);
    const outcome = saveOne(10, uid);
    await chmod(join(folder, "pages"), 0o755);
    assert.equal(outcome.reason, "storage-read-only");
    assert.match(outcome.message ?? "", /may not read the library/);
    assert.deepEqual(await createFileStorage(folder).readPage(id), old);
  });

  it("says what to do where the path is too long for the system", async () => {
    const long = join(folder, ...Array.from({ length: 20 }, () => "x".repeat(250)));
    for (const work of [
      () => createFileStorage(long).writePage(old),
      () => createFileStorage(join(folder, "y".repeat(300))).writePage(old),
    ])
      await assert.rejects(
        work(),
        (error) => BacopaError.is(error, "storage-failed") && error.userMessage.includes("too long"),
      );
  });

  it("keeps pages with the longest ids and titles there can be", async () => {
    const longest = `${"z".repeat(89)}-0a1b2c3d4e`;
    const page = savedPage(longest, { title: "Ünïcode ".repeat(20_000), note: "\u{1F600}".repeat(1000) });
    const storage = createFileStorage(folder);
    await storage.writePage(page);
    assert.deepEqual(await createFileStorage(folder).readPage(longest), page);
    assert.equal(await storage.removePage(longest), true);
  });

  it("works in a folder that is reached by a link, and says so when the link leads nowhere", async () => {
    await mkdir(join(folder, "real"));
    await symlink(join(folder, "real"), join(folder, "link"));
    await createFileStorage(join(folder, "link")).writePage(old);
    assert.deepEqual(await createFileStorage(join(folder, "real")).readPage(id), old);
    await symlink(join(folder, "gone"), join(folder, "dangling"));
    await assert.rejects(createFileStorage(join(folder, "dangling")).writePage(old), BacopaError);
    assert.equal((await createFileStorage(join(folder, "dangling")).revisions()).size, 0);
  });
});
