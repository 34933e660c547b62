import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { createFileSource } from "../../../src/adapters/sources/fileSource.ts";
import { capture } from "../../../src/core/capture/capture.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import type { Reason } from "../../../src/core/errors.ts";
import { describePageSource } from "../../contracts/pageSource.ts";

const never = new AbortController().signal;
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bacopa-file-source-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function failure(target: string, reason: Reason, maxBytes?: number): Promise<BacopaError> {
  const error: unknown = await createFileSource({ maxBytes })
    .read(target, never)
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  assert.ok(BacopaError.is(error), `expected ${reason}, got ${String(error)}`);
  assert.equal(error.reason, reason);
  return error;
}

describePageSource(
  "file source",
  async () => ({
    source: createFileSource(),
    target: await file("page.md", "# Title\n\nText.\n"),
    content: "# Title\n\nText.\n",
    missing: join(folder, "missing.md"),
    knowsVersions: true,
  }),
  async () => {},
);

describe("file source", () => {
  it("reads a path, a relative path and a file URL as the same page", async () => {
    const path = await file("pagé with blank.html", "<h1>x</h1>");
    const url = pathToFileURL(path).href;
    for (const target of [path, relative(process.cwd(), path), url, `${url}#part`]) {
      const page = await createFileSource().read(target, never);
      assert.equal(page.url, url, target);
      assert.equal(page.contentType, "text/html");
      assert.equal(capture(page).url, url);
    }
  });

  it("knows that a file has changed", async () => {
    const path = await file("a.md", "# One");
    const { etag } = await createFileSource().read(path, never);
    await writeFile(path, "# Another");
    assert.notEqual((await createFileSource().read(path, never, { etag })).status, 304);
  });

  it("accepts paths of any system and file URLs, and no web address", () => {
    const source = createFileSource();
    for (const target of ["a.md", "./a.md", "/docs/a.md", "C:\\docs\\a.md", "file:///docs/a.md", "FILE:///a.md"])
      assert.ok(source.accepts(target), target);
    for (const target of ["-", "", "https://a.test/", "ftp://a.test/", "data:text/html,x"])
      assert.ok(!source.accepts(target), target);
  });

  it("names a missing file, and says how to write a web address", async () => {
    assert.match((await failure(join(folder, "no.md"), "not-found")).userMessage, /Check the path/u);
    assert.match(
      (await failure("docs.example.com/guide", "not-found")).userMessage,
      /https:\/\/docs\.example\.com\/guide/u,
    );
    await failure(`${await file("a.md", "x")}/b.md`, "not-found");
  });

  it("names a folder", async () => {
    await mkdir(join(folder, "docs"));
    assert.match((await failure(join(folder, "docs"), "unsupported-type")).userMessage, /is a folder/u);
  });

  it("names a device", async function () {
    if (process.platform === "win32") this.skip();
    assert.match((await failure("/dev/null", "unsupported-type")).userMessage, /not a file/u);
  });

  it("names a file above the limit", async () => {
    await failure(await file("big.md", "x".repeat(101)), "too-large", 100);
    assert.equal(
      (await createFileSource({ maxBytes: 100 }).read(await file("fits.md", "x".repeat(100)), never)).bytes.length,
      100,
    );
  });

  it("names a file that may not be read", async function () {
    if (process.platform === "win32" || process.getuid?.() === 0) this.skip();
    const path = await file("secret.md", "# x");
    await chmod(path, 0);
    assert.match((await failure(path, "fetch-failed")).userMessage, /permissions/u);
  });

  it("names a binary file, also one called .md", async () => {
    await failure(await file("page.md", "%PDF-1.4\n"), "unsupported-type");
    await failure(
      await file(
        "page.html",
        new Uint8Array(1000).map((_, index) => index % 7),
      ),
      "unsupported-type",
    );
  });

  it("refuses a file URL of another computer", async function () {
    if (process.platform === "win32") this.skip();
    await failure("file://server/share/a.md", "bad-url");
  });

  it("reads an empty file: whether that is a page is not the source's question", async () => {
    assert.equal((await createFileSource().read(await file("empty.md", ""), never)).bytes.length, 0);
  });
});
