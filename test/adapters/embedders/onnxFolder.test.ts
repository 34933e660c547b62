import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { onnxChoice } from "../../../src/adapters/embedders/onnxFolder.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import type { Reason } from "../../../src/core/errors.ts";
import type { Embedder } from "../../../src/core/ports.ts";
import { embedderContract } from "../../contracts/embedder.ts";
import { tinyModel } from "../../fakes/onnxModel.ts";
import type { TinyModel } from "../../fakes/onnxModel.ts";
import { byteLevelBpe, unigram, vocabularySize, wordPiece } from "../../fakes/tokenizers.ts";

const signal = new AbortController().signal;
const wasmFile = join("node_modules", "onnxruntime-web", "dist", "ort-wasm-simd-threaded.wasm");
const words = ["connection", "pool", "timeout", "queue", "query", "passage"];

type Files = Record<string, string | Uint8Array | object>;

describe("onnx folder embedder", function () {
  this.timeout(60_000);
  let root = "";
  let workerFile = "";
  let open: Embedder[] = [];
  before(async () => {
    root = mkdtempSync(join(tmpdir(), "bacopa-onnx-"));
    workerFile = join(root, "onnxWorker.cjs");
    await build({
      entryPoints: ["src/adapters/embedders/onnx/onnxWorker.ts"],
      bundle: true,
      platform: "node",
      format: "cjs",
      outfile: workerFile,
      logLevel: "error",
    });
  });
  after(() => rmSync(root, { recursive: true, force: true }));
  afterEach(() => {
    for (const embedder of open) embedder.dispose?.();
    open = [];
  });

  function folderOf(name: string, files: Files): string {
    const folder = join(root, name);
    rmSync(folder, { recursive: true, force: true });
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      const isPlain = typeof content === "string" || content instanceof Uint8Array;
      writeFileSync(join(folder, file), isPlain ? content : JSON.stringify(content));
    }
    return folder;
  }

  /** Token `i` has the vector (1, i, i * i mod 7, ...): every sum can be checked by hand. */
  const rowOf = (id: number): number[] => [1, id, (id * id) % 7, id % 3];
  const tableOf = (tokenizer: Record<string, unknown>): number[][] =>
    Array.from({ length: vocabularySize(tokenizer) }, (_, id) => rowOf(id));
  const idIn = (tokenizer: Record<string, unknown>, token: string): number =>
    (tokenizer.model as { vocab: Record<string, number> }).vocab[token] ?? assert.fail(token);

  function bert(files: Files = {}, model: Partial<TinyModel> = {}): Files {
    const tokenizer = wordPiece(words);
    return { "model.onnx": tinyModel({ table: tableOf(tokenizer), ...model }), "tokenizer.json": tokenizer, ...files };
  }

  async function opened(files: Files, name = "tiny", init: { meaningWeight?: number } = {}): Promise<Embedder> {
    const embedder = await onnxChoice({ folder: folderOf(name, files), workerFile, wasmFile, ...init }).open(signal);
    open.push(embedder);
    return embedder;
  }

  function near(found: Float32Array | undefined, wanted: readonly number[]): void {
    const length = Math.hypot(...wanted);
    assert.equal(found?.length, wanted.length);
    wanted.forEach((value, i) => assert.ok(Math.abs(value / length - (found[i] ?? NaN)) < 1e-5, `${i}: ${found[i]}`));
  }
  const sum = (rows: readonly (readonly number[])[]): number[] =>
    (rows[0] ?? []).map((_, d) => rows.reduce((total, row) => total + (row[d] ?? 0), 0));

  for (const [kind, tokenizer] of [
    ["WordPiece", wordPiece(words)],
    ["Unigram", unigram(words)],
    ["byte-level BPE", byteLevelBpe(["c o", "co n", "t i", "ti m", "Ġ p", "Ġp o"])],
  ] as const) {
    describe(`with a ${kind} tokenizer`, () => {
      let shared: Embedder;
      before(async () => {
        shared = await opened({
          "model.onnx": tinyModel({ table: tableOf(tokenizer) }),
          "tokenizer.json": tokenizer,
        });
        open = []; // stays for all tests of the contract
      });
      after(() => shared.dispose?.());
      embedderContract(() => shared, "connection pool timeout");

      it("finds each token of any text in it", async () => {
        const text = "Connection_pool: naïve ﬁle 日本語 😀 x2² timeout.";
        const { spans } = (await shared.embedTokens?.(text, signal)) ?? assert.fail();
        // Whatever is visible belongs to some token, and nothing to two.
        const covered = new Array<number>(text.length).fill(0);
        for (const { start, end } of spans) for (let i = start; i < end; i++) covered[i]! += 1;
        assert.ok(covered.every((times) => times <= 1));
        for (const part of ["onnection", "pool", "timeout", "na", "日本語"]) {
          const at = text.indexOf(part);
          assert.ok(
            covered.slice(at, at + part.length).every((times) => times === 1),
            part,
          );
        }
      });
    });
  }

  it("takes the mean of all tokens, markers among them, where nothing else is said", async () => {
    const tokenizer = wordPiece(words);
    const embedder = await opened(bert());
    const ids = ["[CLS]", "connection", "pool", "[SEP]"].map((token) => idIn(tokenizer, token));
    near((await embedder.embed(["Connection  POOL"], "query", signal))[0], sum(ids.map(rowOf)));
    const { spans, vectors } = (await embedder.embedTokens?.("a pool", signal)) ?? assert.fail();
    assert.deepEqual(spans, [
      { start: 0, end: 1 },
      { start: 2, end: 6 },
    ]);
    assert.deepEqual([...vectors], [...rowOf(idIn(tokenizer, "a")), ...rowOf(idIn(tokenizer, "pool"))]);
  });

  for (const [pooling, key, wanted] of [
    ["cls", "pooling_mode_cls_token", rowOf(2)],
    ["last", "pooling_mode_lasttoken", rowOf(3)],
    ["max", "pooling_mode_max_tokens", [1, 7, 4, 2]],
  ] as const) {
    it(`pools by ${pooling} as 1_Pooling/config.json or bacopa.json say`, async () => {
      // [CLS] 2, queue 7, [SEP] 3
      const layer = await opened(bert({ "1_Pooling/config.json": { [key]: true, pooling_mode_mean_tokens: false } }));
      near((await layer.embed(["queue"], "query", signal))[0], wanted);
      const own = await opened(bert({ "bacopa.json": { pooling } }));
      near((await own.embed(["queue"], "query", signal))[0], wanted);
      assert.notEqual(own.id, (await opened(bert())).id);
    });
  }

  it("is not fooled by padding: a short text beside a long one keeps its vector", async () => {
    const embedder = await opened(bert());
    const [alone] = await embedder.embed(["pool"], "passage", signal);
    const [, among] = await embedder.embed(["connection pool timeout queue", "pool"], "passage", signal);
    assert.deepEqual(alone, among);
  });

  it("uses a sentence_embedding output as it is", async () => {
    const embedder = await opened(bert({}, { pooledOutput: "sentence_embedding", pooledOnly: true }));
    near((await embedder.embed(["queue"], "query", signal))[0], sum([rowOf(2), rowOf(7), rowOf(3)]));
    assert.ok(!("embedTokens" in embedder));
  });

  it("puts prefixes before texts: of config_sentence_transformers.json, of the family, of bacopa.json", async () => {
    const tokenizer = wordPiece(words);
    const vectorOf = (tokens: readonly string[]): number[] =>
      sum(["[CLS]", ...tokens, "[SEP]"].map((token) => rowOf(idIn(tokenizer, token))));
    const prompted = await opened(
      bert({ "config_sentence_transformers.json": { prompts: { query: "query ", document: "passage: " } } }),
    );
    near((await prompted.embed(["pool"], "query", signal))[0], vectorOf(["query", "pool"]));
    near((await prompted.embed(["pool"], "passage", signal))[0], vectorOf(["passage", ":", "pool"]));
    const { spans } = (await prompted.embedTokens?.("pool timeout", signal)) ?? assert.fail();
    assert.deepEqual(spans, [
      { start: 0, end: 4 },
      { start: 5, end: 12 },
    ]);
    const family = await opened(bert(), "multilingual-e5-small");
    near((await family.embed(["pool"], "query", signal))[0], vectorOf(["query", ":", "pool"]));
    const own = await opened(bert({ "bacopa.json": { queryPrefix: "", passagePrefix: "" } }), "multilingual-e5-small");
    near((await own.embed(["pool"], "query", signal))[0], vectorOf(["pool"]));
  });

  it("cuts a text at the model's length and tells how far its tokens reach", async () => {
    const tokenizer = wordPiece(words);
    const embedder = await opened(bert({ "sentence_bert_config.json": { max_seq_length: 4 } }));
    assert.equal(embedder.maxTokens, 4);
    const ids = ["[CLS]", "queue", "pool", "[SEP]"].map((token) => idIn(tokenizer, token));
    near((await embedder.embed(["queue pool timeout timeout"], "passage", signal))[0], sum(ids.map(rowOf)));
    const { spans } = (await embedder.embedTokens?.("queue pool timeout timeout", signal)) ?? assert.fail();
    assert.equal(spans.at(-1)?.end, "queue pool".length);
  });

  it("takes its length from the configuration where no limit is written as 10^30", async () => {
    const embedder = await opened(
      bert({ "tokenizer_config.json": { model_max_length: 1e30 }, "config.json": { max_position_embeddings: 64 } }),
    );
    assert.equal(embedder.maxTokens, 64);
  });

  it("weighs as bacopa.json says, unless the person says otherwise", async () => {
    assert.equal((await opened(bert())).meaningWeight, 0.5);
    assert.equal((await opened(bert({ "bacopa.json": { meaningWeight: 0.3 } }))).meaningWeight, 0.3);
    assert.equal(
      (await opened(bert({ "bacopa.json": { meaningWeight: 0.3 } }), "tiny", { meaningWeight: 0.8 })).meaningWeight,
      0.8,
    );
  });

  it("finds the model in its onnx folder, also a quantized one", async () => {
    const { "model.onnx": model = "", ...rest } = bert();
    assert.equal((await opened({ "onnx/model.onnx": model, ...rest })).dims, 4);
    assert.equal((await opened({ "onnx/model_quantized.onnx": model, ...rest })).dims, 4);
  });

  it("lets a query pass the passages that wait", async () => {
    const embedder = await opened(bert());
    const done: string[] = [];
    const passages = embedder.embed(
      Array.from({ length: 400 }, (_, i) => `queue ${i}`),
      "passage",
      signal,
    );
    await Promise.all([
      passages.then(() => done.push("passages")),
      embedder.embed(["pool"], "query", signal).then(() => done.push("query")),
    ]);
    assert.deepEqual(done, ["query", "passages"]);
  });

  it("stops in the middle when it is told to, and works on", async () => {
    const embedder = await opened(bert());
    const stop = new AbortController();
    const reason = new Error("told to");
    const passages = embedder.embed(
      Array.from({ length: 400 }, (_, i) => `queue ${i}`),
      "passage",
      stop.signal,
    );
    setImmediate(() => stop.abort(reason));
    await assert.rejects(passages, reason);
    assert.ok((await embedder.embed(["pool"], "query", signal))[0]);
  });

  it("answers nothing more once it is disposed", async () => {
    const embedder = await opened(bert());
    const pending = embedder.embed(["pool"], "query", signal);
    embedder.dispose?.();
    await assert.rejects(pending, (error) => BacopaError.is(error, "embedder-unavailable"));
    await assert.rejects(embedder.embed(["pool"], "query", signal), (error) => BacopaError.is(error));
  });

  const faults: [name: string, files: () => Files, text: RegExp, reason?: Reason][] = [
    ["no model", () => ({ "tokenizer.json": wordPiece(words) }), /holds no model\.onnx/],
    ["no tokenizer", () => ({ "model.onnx": tinyModel({ table: [[1]] }) }), /holds no tokenizer\.json/],
    ["a torn tokenizer", () => bert({ "tokenizer.json": '{"model": {' }), /tokenizer\.json cannot be read/],
    ["a tokenizer that is none", () => bert({ "tokenizer.json": { model: { type: "Magic" } } }), /makes no tokenizer/],
    [
      "a torn model",
      () => bert({ "model.onnx": tinyModel({ table: [[1, 2]] }).slice(0, 40) }),
      /model cannot be loaded/,
    ],
    [
      "a model of pictures",
      () => bert({}, { inputs: ["input_ids", "pixel_values"] }),
      /asks for input_ids, pixel_values\. Choose a text embedding model/,
    ],
    [
      "other dimensions than promised",
      () => bert({ "config.json": { hidden_size: 384 } }),
      /gives 4 dimensions.*says 384/,
    ],
    [
      "a dense layer that is not in the model",
      () => bert({ "modules.json": [{ type: "sentence_transformers.models.Dense" }] }),
      /dense layer is not part/,
    ],
    [
      "a way of pooling that is not known",
      () => bert({ "bacopa.json": { pooling: "median" } }),
      /pools in a way.*median/,
    ],
  ];
  for (const [name, files, text, reason = "embedder-missing"] of faults) {
    it(`says so: ${name}`, async () => {
      await assert.rejects(opened(files()), (error) => {
        assert.ok(BacopaError.is(error, reason), String(error));
        assert.match(error.userMessage, text);
        return true;
      });
    });
  }

  it("says when there is no such folder", async () => {
    const choice = onnxChoice({ folder: join(root, "nowhere"), workerFile, wasmFile });
    assert.equal(choice.name, "onnx:nowhere");
    await assert.rejects(
      choice.open(signal),
      (error) => BacopaError.is(error, "embedder-missing") && /no such folder/.test(error.userMessage),
    );
  });

  it("says when the runtime is not there or is no WebAssembly", async () => {
    const folder = folderOf("tiny", bert());
    const bad = join(root, "bad.wasm");
    writeFileSync(bad, "not wasm");
    for (const file of [join(root, "none.wasm"), bad]) {
      await assert.rejects(
        onnxChoice({ folder, workerFile, wasmFile: file }).open(signal),
        (error) => BacopaError.is(error, "embedder-unavailable") && /could not start/.test(error.userMessage),
      );
    }
  });
});
