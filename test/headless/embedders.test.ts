import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmbeddingsServer } from "../fakes/embeddingsServer.ts";
import { tinyModel } from "../fakes/onnxModel.ts";
import { vocabularySize, wordPiece } from "../fakes/tokenizers.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sample = join(root, "samples", "halyard-queues-delivery.html");
const key = "sk-never-shown-5678";

/** The built CLI as its own process: bundles, worker and runtime as they ship. */
describe("bacopa --embedder", function () {
  this.timeout(120_000);
  let folder = "";
  before(() => execFileSync(process.execPath, ["esbuild.config.mjs", "--quiet"], { cwd: root }));
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "bacopa-embedders-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function bacopa(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    return new Promise((resolve) => {
      const env: NodeJS.ProcessEnv = { ...process.env, BACOPA_EMBEDDINGS_KEY: key };
      delete env.ANTHROPIC_API_KEY;
      const child = spawn(
        process.execPath,
        [join(root, "dist/cli.js"), ...args, "--library", join(folder, "library")],
        { env },
      );
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
      child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
      child.on("close", (code) => resolve({ code, stdout, stderr }));
    });
  }
  const search = async (...args: string[]): Promise<{ mode: string; note?: string; hits: unknown[] }> =>
    JSON.parse((await bacopa("search", "dead-letter queue", "--json", ...args)).stdout);

  it("onnx:DIR ranks by a model on this machine", async () => {
    const tokenizer = wordPiece(["queue", "message"]);
    const table = Array.from({ length: vocabularySize(tokenizer) }, (_, id) => [
      Math.sin(id),
      Math.cos(id),
      Math.sin(2 * id),
    ]);
    const model = join(folder, "model");
    mkdirSync(model);
    writeFileSync(join(model, "model.onnx"), tinyModel({ table }));
    writeFileSync(join(model, "tokenizer.json"), JSON.stringify(tokenizer));
    const saved = await bacopa("save", sample, "--embedder", `onnx:${model}`);
    assert.equal(saved.code, 0, saved.stderr);
    assert.match(saved.stderr, /embedding \d+\/\d+ with onnx:model/);
    const { mode, note } = await search("--embedder", `onnx:${model}`);
    assert.deepEqual([mode, note], ["hybrid", undefined]);
  });

  it("URL#MODEL asks an endpoint, says when it is down, and finds everything by words then", async () => {
    const server = await startEmbeddingsServer();
    const embedder = `${server.url}#letters`;
    try {
      const saved = await bacopa("save", sample, "--embedder", embedder, "--verbose");
      assert.equal(saved.code, 0, saved.stderr);
      assert.ok(!saved.stderr.includes(key) && !saved.stdout.includes(key));
      assert.equal(server.requests[0]?.headers.authorization, `Bearer ${key}`);
      assert.equal((await search("--embedder", embedder)).mode, "hybrid");
      const before = server.requests.length;
      // Changed and changed back: nothing is sent twice but the query.
      assert.equal((await search()).mode, "hybrid");
      assert.equal((await bacopa("reindex", "--embedder", embedder)).code, 0);
      assert.equal((await search("--embedder", embedder)).mode, "hybrid");
      assert.ok(server.requests.slice(before).every(({ input }) => input.length === 1));
    } finally {
      await server.close();
    }
    const { mode, note, hits } = await search("--embedder", embedder);
    assert.equal(mode, "words");
    assert.match(note ?? "", /cannot be reached/);
    assert.ok(hits.length > 0);
    const again = await bacopa("save", sample, "--force", "--embedder", embedder);
    assert.equal(again.code, 0);
  });

  for (const [given, text] of [
    ["magic", /names no embedder/],
    ["onnx:", /names no embedder/],
    ["http://localhost:11434/v1", /needs its model after a #/],
  ] as const) {
    it(`refuses ${given}`, async () => {
      const { code, stderr } = await bacopa("pages", "--embedder", given);
      assert.equal(code, 2);
      assert.match(stderr, text);
    });
  }
});
