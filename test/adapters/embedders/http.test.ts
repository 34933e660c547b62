import assert from "node:assert/strict";
import { httpChoice } from "../../../src/adapters/embedders/http.ts";
import type { HttpEmbedderInit } from "../../../src/adapters/embedders/http.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import type { Reason } from "../../../src/core/errors.ts";
import type { Embedder } from "../../../src/core/ports.ts";
import { embedderContract } from "../../contracts/embedder.ts";
import { lettersOf, sendJson, startEmbeddingsServer } from "../../fakes/embeddingsServer.ts";
import type { EmbeddingsServer } from "../../fakes/embeddingsServer.ts";

const signal = new AbortController().signal;
const secret = "sk-never-shown-1234";

function rejectsWith(reason: Reason, text: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(BacopaError.is(error, reason), String(error));
    assert.match(error.userMessage, text);
    assert.ok(
      !`${error.stack}${error.userMessage}${String(error.cause)}`.includes(secret),
      "the key is told to nobody",
    );
    return true;
  };
}

describe("http embedder", () => {
  let server: EmbeddingsServer;
  let embedder: Embedder;
  const open = (init: Partial<HttpEmbedderInit> = {}): Promise<Embedder> =>
    httpChoice({ url: server.url, model: "letters", ...init }).open(signal);
  beforeEach(async () => {
    server = await startEmbeddingsServer();
    embedder = await open();
    server.requests.length = 0;
  });
  afterEach(() => server.close());

  embedderContract(() => embedder, "connection pool timeout");

  it("contacts nothing before it is opened", async () => {
    const choice = httpChoice({ url: server.url, model: "letters" });
    assert.match(choice.name, /^letters at 127\.0\.0\.1:\d+$/);
    assert.equal(server.requests.length, 0);
    await choice.open(signal);
    assert.equal(server.requests.length, 1);
  });

  it("asks for the model at the address, with the key", async () => {
    const withKey = await open({ key: () => Promise.resolve(secret) });
    await withKey.embed(["queue"], "query", signal);
    const [, request] = server.requests;
    assert.equal(request?.path, "/v1/embeddings");
    assert.equal(request.model, "letters");
    assert.equal(request.headers.authorization, `Bearer ${secret}`);
  });

  it("sends no key where none is set", async () => {
    await embedder.embed(["queue"], "query", signal);
    assert.equal(server.requests[0]?.headers.authorization, undefined);
  });

  for (const [given, path] of [
    ["/v1/", "/v1/embeddings"],
    ["/v1/embeddings", "/v1/embeddings"],
    ["", "/embeddings"],
  ] as const) {
    it(`takes the base address ${JSON.stringify(given)}`, async () => {
      await open({ url: new URL(server.url).origin + given });
      assert.equal(server.requests[0]?.path, path);
    });
  }

  it("orders by index and brings every vector to length 1", async () => {
    const texts = ["aaab", "bbbc", "cccd"];
    const vectors = await embedder.embed(texts, "passage", signal);
    texts.forEach((text, i) => {
      const raw = lettersOf(text, 8);
      raw.forEach((value, at) => assert.ok(Math.abs(value / Math.hypot(...raw) - (vectors[i]?.[at] ?? NaN)) < 1e-6));
    });
  });

  it("sends texts in batches and leaves out empty ones", async () => {
    const texts = Array.from({ length: 70 }, (_, i) => (i % 10 === 0 ? " " : `text ${i}`));
    const vectors = await embedder.embed(texts, "passage", signal);
    assert.deepEqual(
      server.requests.map(({ input }) => input.length),
      [32, 31],
    );
    vectors.forEach((vector, i) => assert.equal(vector === undefined, i % 10 === 0));
    await embedder.embed(["x".repeat(50_000), "y".repeat(50_000)], "passage", signal);
    assert.equal(server.requests.length, 4);
  });

  it("puts the model's prefixes before queries and passages", async () => {
    const nomic = await open({ model: "nomic-embed-text:v1.5" });
    await nomic.embed(["queue"], "query", signal);
    await nomic.embed(["queue"], "passage", signal);
    assert.deepEqual(
      server.requests.slice(1).map(({ input }) => input),
      [["search_query: queue"], ["search_document: queue"]],
    );
    assert.notEqual(
      nomic.id,
      (await open({ model: "nomic-embed-text:v1.5", prefixes: { query: "", passage: "" } })).id,
    );
  });

  it("reads base64", async () => {
    const floats = Buffer.alloc(32);
    [3, 4, 0, 0, 0, 0, 0, 0].forEach((value, i) => floats.writeFloatLE(value, i * 4));
    server.script.push((_request, response) =>
      sendJson(response, 200, { data: [{ index: 0, embedding: floats.toString("base64") }] }),
    );
    const [vector] = await embedder.embed(["queue"], "query", signal);
    assert.ok(Math.abs((vector?.[0] ?? 0) - 0.6) < 1e-6);
  });

  it("waits as long as it is told and tries again", async () => {
    server.script.push(
      (_request, response) => sendJson(response, 429, {}, { "retry-after": "0" }),
      (_request, response) => sendJson(response, 503, {}, { "retry-after": new Date().toUTCString() }),
    );
    const [vector] = await embedder.embed(["queue"], "passage", signal);
    assert.ok(vector);
    assert.equal(server.requests.length, 3);
  });

  it("does not sit out a wait of an hour", async () => {
    server.script.push((_request, response) => sendJson(response, 429, {}, { "retry-after": "3600" }));
    await assert.rejects(embedder.embed(["queue"], "passage", signal), rejectsWith("embedder-unavailable", /429/));
    assert.equal(server.requests.length, 1);
  });

  it("tries a query once: a person waits", async () => {
    server.script.push((_request, response) => sendJson(response, 500, {}));
    await assert.rejects(embedder.embed(["queue"], "query", signal), rejectsWith("embedder-unavailable", /500/));
    assert.equal(server.requests.length, 1);
  });

  it("stops waiting when it is told to", async () => {
    const stop = new AbortController();
    const reason = new Error("told to");
    server.script.push((_request, response) => {
      setImmediate(() => stop.abort(reason));
      return sendJson(response, 429, {}, { "retry-after": "30" });
    });
    await assert.rejects(embedder.embed(["queue"], "passage", stop.signal), reason);
  });

  it("halves a batch that is too large and cuts a text that is too long", async () => {
    const tooMuch: EmbeddingsServer["script"][number] = ({ input }, response) =>
      input.join("").length > 1500 && sendJson(response, 413, {});
    server.script.push(...new Array<typeof tooMuch>(20).fill(tooMuch));
    const vectors = await embedder.embed(["a".repeat(1000), "b".repeat(1000), "c".repeat(5000)], "passage", signal);
    assert.ok(vectors.every((vector) => vector !== undefined));
    assert.ok(server.requests.some(({ input }) => input.length === 1 && input[0]?.length === 1250));
  });

  const failures: [name: string, status: number, reason: Reason, text: RegExp][] = [
    ["a wrong key", 401, "embedder-rejected", /refused the key \(401\).*BACOPA_EMBEDDINGS_KEY/],
    ["a forbidden key", 403, "embedder-rejected", /refused the key/],
    ["an unknown model", 404, "embedder-rejected", /knows no model "letters".*\/v1/],
    ["a request it does not take", 400, "embedder-rejected", /did not take a short text.*embedding model/],
    ["a fault of its own", 500, "embedder-unavailable", /failed \(500\)/],
    ["a page elsewhere", 301, "embedder-rejected", /answered 301 instead/],
  ];
  for (const [name, status, reason, text] of failures) {
    it(`says so: ${name}`, async () => {
      server.script.push((_request, response) =>
        sendJson(response, status, { error: secret }, { location: "/elsewhere" }),
      );
      await assert.rejects(open({ key: () => Promise.resolve(secret) }), rejectsWith(reason, text));
      assert.equal(server.requests.length, 1);
    });
  }

  const answers: [name: string, body: unknown, text: RegExp][] = [
    ["no JSON", "<html>Welcome</html>", /not JSON/],
    ["no list", { error: "no" }, /no list of embeddings/],
    ["null", "null", /no list of embeddings/],
    ["too few", { data: [] }, /0 embeddings for 1/],
    ["a number that is none", '{"data":[{"index":0,"embedding":[1,NaN,0,0,0,0,0,0]}]}', /not JSON/],
    ["a null among the numbers", { data: [{ index: 0, embedding: [1, null, 0, 0, 0, 0, 0, 0] }] }, /finite numbers/],
    ["an infinite number", '{"data":[{"index":0,"embedding":[1e999,0,0,0,0,0,0,0]}]}', /finite numbers/],
    ["an embedding that is text", { data: [{ index: 0, embedding: "!!!" }] }, /finite numbers|dimensions/],
    ["another index", { data: [{ index: 7, embedding: [1, 0, 0, 0, 0, 0, 0, 0] }] }, /not numbered/],
    ["other dimensions", { data: [{ index: 0, embedding: [1, 0, 0] }] }, /not 8 dimensions/],
  ];
  for (const [name, body, text] of answers) {
    it(`refuses an answer with ${name}`, async () => {
      server.script.push((_request, response) => sendJson(response, 200, body));
      await assert.rejects(embedder.embed(["queue"], "query", signal), rejectsWith("embedder-bad-reply", text));
    });
  }

  it("refuses the same index twice", async () => {
    const embedding = [1, 0, 0, 0, 0, 0, 0, 0];
    server.script.push((_request, response) =>
      sendJson(response, 200, {
        data: [
          { index: 0, embedding },
          { index: 0, embedding },
        ],
      }),
    );
    await assert.rejects(
      embedder.embed(["a", "b"], "query", signal),
      rejectsWith("embedder-bad-reply", /not numbered/),
    );
  });

  it("gives up an answer that never ends", async () => {
    let sent = 0;
    server.script.push((_request, response) => {
      response.writeHead(200);
      const more = (): void => {
        sent += 1_000_000;
        if (!response.destroyed) response.write(" ".repeat(1_000_000), () => setImmediate(more));
      };
      more();
      return true;
    });
    await assert.rejects(embedder.embed(["a"], "query", signal), rejectsWith("embedder-bad-reply", /too large/));
    assert.ok(sent < 200_000_000);
  });

  it("gives up an endpoint that does not answer", async () => {
    const hasty = await open({ timeouts: { queryMs: 50 } });
    server.script.push(() => true);
    await assert.rejects(
      hasty.embed(["queue"], "query", signal),
      rejectsWith("embedder-unavailable", /did not answer/),
    );
  });

  it("says when nobody is there", async () => {
    await server.close();
    await assert.rejects(
      embedder.embed(["queue"], "query", signal),
      rejectsWith("embedder-unavailable", /cannot be reached/),
    );
  });

  for (const [url, text] of [
    ["localhost:11434", /begin with http/],
    ["ftp://example.com", /begin with http/],
    ["", /begin with http/],
    ["https://user:pass@example.com/v1", /holds no key/],
  ] as const) {
    it(`refuses the address ${JSON.stringify(url)}`, () => {
      assert.throws(() => httpChoice({ url, model: "m" }), rejectsWith("embedder-missing", text));
    });
  }

  it("does not send a key unencrypted over the network", async () => {
    const choice = httpChoice({ url: "http://embeddings.example/v1", model: "m", key: () => Promise.resolve(secret) });
    await assert.rejects(choice.open(signal), rejectsWith("embedder-missing", /unencrypted/));
  });
});
