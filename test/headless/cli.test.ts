import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sample = join(root, "samples", "halyard-queues-delivery.html");

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe("bacopa", function () {
  this.timeout(60_000);
  let library = "";

  before(() => execFileSync(process.execPath, ["esbuild.config.mjs", "--quiet"], { cwd: root }));

  /** Runs the built CLI as its own process, with no key in the environment. */
  function bacopa(
    args: readonly string[],
    options: { input?: string; env?: Record<string, string> } = {},
  ): Promise<Run> {
    return new Promise((resolve) => {
      const env = { ...process.env };
      delete env.ANTHROPIC_API_KEY;
      delete env.ANTHROPIC_BASE_URL;
      const child = spawn(process.execPath, [join(root, "dist/cli.js"), ...args, "--library", library], {
        cwd: root,
        env: { ...env, ...options.env },
      });
      let stdout = "";
      let stderr = "";
      child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
      child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
      child.on("close", (code) => resolve({ code, stdout, stderr }));
      child.stdin.end(options.input ?? "");
    });
  }

  beforeEach(() => {
    library = mkdtempSync(join(tmpdir(), "bacopa-cli-"));
  });
  afterEach(() => rmSync(library, { recursive: true, force: true }));

  it("saves a file offline and reports it as one JSON object", async () => {
    const { code, stdout } = await bacopa(["save", sample, "--json"]);
    assert.equal(code, 0);
    const report = JSON.parse(stdout);
    assert.equal(report.state, "done");
    assert.equal(report.title, "Batching, retries and delays");
    assert.ok(report.sections >= 1 && report.facts >= 4, stdout);
    assert.deepEqual(Object.keys(report.dropped).sort(), ["code", "keywords", "unverified"]);
    assert.deepEqual(Object.keys(report.ms).sort(), [
      "clean",
      "distill",
      "fetch",
      "index",
      "searchable",
      "section",
      "total",
    ]);
    assert.equal(report.calls, 0);
    assert.ok(report.coverage > 0.95);
    assert.ok(report.leftOut.length > 0);
  });

  it("finds a saved fact in a new process and gives its passage", async () => {
    await bacopa(["save", sample]);
    const found = await bacopa(["search", "does one bad message retry the whole batch?", "--json"]);
    assert.equal(found.code, 0);
    const result = JSON.parse(found.stdout);
    assert.equal(result.mode, "hybrid");
    assert.match(JSON.stringify(result.hits.slice(0, 2)), /whole batch is delivered again/);
    const [hit] = result.hits;
    assert.equal(hit.tier, "fact");
    assert.deepEqual(Object.keys(hit.ranks), ["words", "meaning"]);
    const passage = await bacopa(["passage", hit.fact.id, "--json"]);
    const text = await bacopa(["text", hit.page.id]);
    assert.equal(JSON.parse(passage.stdout).text, text.stdout.slice(hit.source.start, hit.source.end));
  });

  it("gives the same hits before and after the index is thrown away", async () => {
    await bacopa(["save", sample, join(root, "samples", "tamarind-config.html")]);
    const hitsOf = async (): Promise<unknown> =>
      JSON.parse((await bacopa(["search", "default timeout", "--json"])).stdout).hits;
    const before = await hitsOf();
    rmSync(join(library, "index"), { recursive: true });
    assert.deepEqual(await hitsOf(), before);
    assert.equal((await bacopa(["reindex"])).code, 0);
    assert.deepEqual(await hitsOf(), before);
  });

  it("keeps within a token budget", async () => {
    await bacopa(["save", sample]);
    const result = JSON.parse(
      (await bacopa(["search", "retry", "--max-tokens", "400", "--limit", "20", "--json"])).stdout,
    );
    assert.ok(result.hits.length > 0);
    assert.ok(result.tokens <= 400, `${result.tokens}`);
  });

  it("searches by words alone when there is no embedder, and says so", async () => {
    await bacopa(["save", sample, "--embedder", "none"]);
    const result = JSON.parse((await bacopa(["search", "dead-letter queue", "--embedder", "none", "--json"])).stdout);
    assert.equal(result.mode, "words");
    assert.match(result.note, /words alone/);
    assert.ok(result.hits.every((hit: { ranks: { meaning: unknown } }) => hit.ranks.meaning === null));
  });

  it("cuts a page into tiles without saving it", async () => {
    const tiles = JSON.parse((await bacopa(["sections", sample, "--json"])).stdout);
    assert.equal(tiles[0].start, 0);
    tiles.slice(1).forEach((tile: { start: number }, index: number) => assert.equal(tile.start, tiles[index].end));
    assert.deepEqual(JSON.parse((await bacopa(["pages", "--json"])).stdout), []);
  });

  it("reads a page from stdin under the address it is given", async () => {
    const input = "# Kelp cache\n\nThe cache of Kelp holds 512 entries by default. Set `cache_entries` to change it.\n";
    const { code, stdout } = await bacopa(["save", "-", "--url", "https://kelp.example/cache", "--json"], { input });
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).url, "https://kelp.example/cache");
  });

  it("lists, shows and removes pages", async () => {
    const { pageId } = JSON.parse((await bacopa(["save", sample, "--json"])).stdout);
    assert.match((await bacopa(["pages"])).stdout, /Batching, retries and delays/);
    const page = JSON.parse((await bacopa(["page", pageId, "--json"])).stdout);
    assert.ok(page.facts.length > 0 && page.sections.length > 0 && page.brief.covers !== "");
    assert.equal((await bacopa(["remove", pageId])).code, 0);
    assert.deepEqual(JSON.parse((await bacopa(["pages", "--json"])).stdout), []);
    assert.equal((await bacopa(["remove", pageId])).code, 1);
  });

  it("keeps the facts of sections that did not change when a page is saved again", async () => {
    await bacopa(["save", sample]);
    const report = JSON.parse((await bacopa(["save", sample, "--json"])).stdout);
    assert.equal(report.state, "done");
    assert.equal(report.keptSections, report.sections);
  });

  it("fails with a reason and the next step, and exits with 1", async () => {
    const missing = await bacopa(["save", join(library, "no-such-page.html"), "--json"]);
    assert.equal(missing.code, 1);
    const report = JSON.parse(missing.stdout);
    assert.equal(report.state, "failed");
    assert.equal(report.reason, "not-found");
    assert.ok(report.message.length > 20);
  });

  it("refuses a loopback address unless told otherwise", async () => {
    const refused = JSON.parse((await bacopa(["save", "http://127.0.0.1:1/docs", "--json"])).stdout);
    assert.equal(refused.reason, "refused-address");
  });

  it("goes on with the other pages when one fails", async () => {
    const empty = join(library, "empty.html");
    writeFileSync(empty, "<html><body></body></html>");
    const { code, stdout } = await bacopa(["save", empty, sample, "--json"]);
    assert.equal(code, 1);
    const [first, second] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.equal(first.reason, "page-empty");
    assert.equal(second.state, "done");
  });

  it("says what is missing when the Anthropic distiller has no key", async () => {
    const { code, stderr } = await bacopa(["save", sample, "--distiller", "anthropic"]);
    assert.equal(code, 1);
    assert.match(stderr, /ANTHROPIC_API_KEY/);
  });

  for (const [what, args] of Object.entries({
    "an unknown command": ["dance"],
    "an unknown option": ["pages", "--sideways"],
    "an option of another command": ["pages", "--limit", "3"],
    "a missing operand": ["search"],
    "a limit that is no number": ["search", "x", "--limit", "many"],
    "a limit of nothing": ["search", "x", "--limit", ""],
    "an unknown mode": ["search", "x", "--mode", "psychic"],
    "an unknown strategy": ["save", sample, "--strategy", "guess"],
    "an object's own member as a command": ["constructor"],
  })) {
    it(`exits with 2 for ${what}`, async () => {
      const { code, stdout, stderr } = await bacopa(args);
      assert.equal(code, 2);
      assert.equal(stdout, "");
      assert.match(stderr, /bacopa help/);
    });
  }
});
