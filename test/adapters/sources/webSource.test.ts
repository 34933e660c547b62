import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { Network } from "../../../src/adapters/sources/network.ts";
import { refusalOf } from "../../../src/adapters/sources/addresses.ts";
import { createWebSource } from "../../../src/adapters/sources/webSource.ts";
import type { WebSourceOptions } from "../../../src/adapters/sources/webSource.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import type { Reason } from "../../../src/core/errors.ts";
import type { RawPage } from "../../../src/core/types.ts";
import { describePageSource } from "../../contracts/pageSource.ts";
import { startSite } from "../../fakes/siteServer.ts";
import type { Answer, Site } from "../../fakes/siteServer.ts";
import { selfSigned } from "./selfSigned.ts";

const never = new AbortController().signal;
const html = (title: string, body: string, head = "") =>
  `<!doctype html><html><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`;
const article = html("Retry limits", "<p>A job is tried three times before it goes to the dead letter queue.</p>");

let sites: Site[] = [];
async function site(pages: Readonly<Record<string, Answer>>): Promise<Site> {
  const started = await startSite(pages);
  sites.push(started);
  return started;
}
afterEach(async () => {
  await Promise.all(sites.map((one) => one.close()));
  sites = [];
});

function read(url: string, options: Partial<WebSourceOptions> = {}, signal = never): Promise<RawPage> {
  return createWebSource({ allowPrivate: true, ...options }).read(url, signal);
}

async function failure(promise: Promise<unknown>, reason: Reason): Promise<BacopaError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(BacopaError.is(error), `expected ${reason}, got ${String(error)}`);
  assert.equal(error.reason, reason);
  assert.match(error.userMessage, /\w.*\. .*\w.*\.$/u, "two sentences for the person");
  return error;
}

const textOf = (page: RawPage) => new TextDecoder().decode(page.bytes);

describePageSource(
  "web source",
  async () => {
    const started = await site({
      "/page": (request, response) => {
        const known = request.headers["if-none-match"] === '"v1"';
        response.writeHead(known ? 304 : 200, { etag: '"v1"', "content-type": "text/html" });
        response.end(known ? undefined : article);
      },
    });
    return {
      source: createWebSource({ allowPrivate: true }),
      target: `${started.origin}/page`,
      content: article,
      missing: `${started.origin}/missing`,
      knowsVersions: true,
    };
  },
  async () => {},
);

describe("web source: what it reads", () => {
  it("records redirects, the final address, status, type, ETag and Last-Modified", async () => {
    const { origin } = await site({
      "/old": { status: 301, headers: { location: "/newer" } },
      "/newer": { status: 307, headers: { location: "new" } },
      "/new": { body: article, headers: { etag: 'W/"7"', "last-modified": "Tue, 03 Feb 2026 10:00:00 GMT" } },
    });
    const page = await read(`${origin}/old`);
    assert.deepEqual(page.redirects, [`${origin}/old`, `${origin}/newer`]);
    assert.equal(page.url, `${origin}/new`);
    assert.equal(page.status, 200);
    assert.equal(page.contentType, "text/html; charset=utf-8");
    assert.equal(page.etag, 'W/"7"');
    assert.equal(page.lastModified, "Tue, 03 Feb 2026 10:00:00 GMT");
  });

  it("keeps a hash route over a redirect", async () => {
    const { origin } = await site({
      "/docs": { status: 301, headers: { location: "/docs/" } },
      "/docs/": html("Docs", "<p>Words.</p>"),
    });
    assert.equal((await read(`${origin}/docs#/guide`)).url, `${origin}/docs/#/guide`);
  });

  it("follows a page that only refreshes to another", async () => {
    const { origin } = await site({
      "/": '<html><head><meta http-equiv="refresh" content="0; url=latest/"></head><a href="latest/">Go on</a></html>',
      "/latest/": article,
    });
    const page = await read(`${origin}/`);
    assert.equal(page.url, `${origin}/latest/`);
    assert.deepEqual(page.redirects, [`${origin}/`]);
  });

  it("stays on a page with text that reloads itself or leads on later", async () => {
    const { origin } = await site({
      "/status": html("Status", "<p>All good.</p>", '<meta http-equiv="refresh" content="5">'),
      "/slow": html("Moved soon", "<p>Read on.</p>", '<meta http-equiv="refresh" content="60; url=/status">'),
    });
    assert.equal((await read(`${origin}/status`)).url, `${origin}/status`);
    assert.equal((await read(`${origin}/slow`)).url, `${origin}/slow`);
  });

  const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
    gzip: gzipSync,
    "x-gzip": gzipSync,
    br: brotliCompressSync,
    deflate: deflateSync,
    "gzip, br": (text) => brotliCompressSync(gzipSync(text)),
    identity: (text) => Buffer.from(text),
  };
  for (const [encoding, compress] of Object.entries(encodings)) {
    it(`reads a page encoded as ${encoding}`, async () => {
      const { origin } = await site({ "/": { body: compress(article), headers: { "content-encoding": encoding } } });
      assert.equal(textOf(await read(`${origin}/`)), article);
    });
  }

  it("reads deflate without its zlib header", async () => {
    const { origin } = await site({
      "/": { body: deflateRawSync(article), headers: { "content-encoding": "deflate" } },
    });
    assert.equal(textOf(await read(`${origin}/`)), article);
  });

  it("asks again for HTML when a server refuses the wish for Markdown", async () => {
    const { origin } = await site({
      "/": (request, response) => {
        const markdown = request.headers.accept?.includes("text/markdown") === true;
        response.writeHead(markdown ? 406 : 200, { "content-type": "text/html" });
        response.end(markdown ? "" : article);
      },
    });
    assert.equal(textOf(await read(`${origin}/`)), article);
  });

  it("accepts every scheme but a file's, and no Windows path", () => {
    const source = createWebSource({ allowPrivate: false });
    for (const target of ["https://a.test/", "ftp://a.test/", "data:text/html,x", "localhost:3000/docs"])
      assert.ok(source.accepts(target), target);
    for (const target of ["file:///a.md", "C:\\docs\\a.md", "docs/a.md", "-"])
      assert.ok(!source.accepts(target), target);
  });
});

describe("web source: Markdown before HTML", () => {
  const markdown = "# Retry limits\n\nA job is tried three times before it goes to the dead letter queue.\n";

  it("asks for Markdown first and takes it when the server has it", async () => {
    const started = await site({ "/retries": { body: markdown, type: "text/markdown" } });
    const page = await read(`${started.origin}/retries`);
    assert.equal(textOf(page), markdown);
    assert.match(started.requests[0]?.headers.accept ?? "", /^text\/markdown, text\/html;q=0\.9/u);
    assert.equal(started.requests.length, 1);
  });

  it("takes the alternate that the page declares, and keeps the page's own address and ETag", async () => {
    const { origin } = await site({
      "/retries": {
        body: html(
          "Retry limits",
          "<p>A job is tried.</p>",
          '<link href="/raw/retries.txt?a=1&amp;b=2" type="text/markdown" rel="alternate">',
        ),
        headers: { etag: '"html"' },
      },
      "/raw/retries.txt?a=1&b=2": { body: markdown, type: "text/plain; charset=utf-8", headers: { etag: '"md"' } },
    });
    const page = await read(`${origin}/retries`);
    assert.equal(textOf(page), markdown);
    assert.equal(page.url, `${origin}/retries`);
    assert.equal(page.etag, '"html"');
    assert.equal(page.contentType, "text/markdown; charset=utf-8");
  });

  it("takes the alternate of a Link header", async () => {
    const { origin } = await site({
      "/retries": {
        body: article,
        headers: { link: '</style.css>; rel=preload, </r.md>; rel="alternate"; type="text/markdown"' },
      },
      "/r.md": markdown,
    });
    assert.equal(textOf(await read(`${origin}/retries`)), markdown);
  });

  const twins: Readonly<Record<string, string>> = {
    "/docs/retries": "/docs/retries.md",
    "/docs/retries/": "/docs/retries/index.md",
    "/docs/limits/": "/docs/limits.md",
    "/docs/retries.html": "/docs/retries.html.md",
    "/docs/limits.html": "/docs/limits.md",
    "/": "/index.md",
  };
  for (const [path, twin] of Object.entries(twins)) {
    it(`finds the twin ${twin} of ${path}`, async () => {
      const { origin } = await site({ [path]: article, [twin]: markdown });
      const page = await read(origin + path);
      assert.equal(textOf(page), markdown);
      assert.equal(page.url, origin + path);
    });
  }

  it("reads the Markdown behind a hash route whose HTML is an empty shell", async () => {
    const { origin } = await site({
      "/": '<!doctype html><title>Docs</title><div id="app"></div><script src="app.js"></script>',
      "/guide/retries.md": `${markdown}\nThe limit is a setting of the queue, and zero means that nothing is tried again.\n`,
    });
    const page = await read(`${origin}/#/guide/retries`);
    assert.match(textOf(page), /dead letter queue/u);
    assert.equal(page.url, `${origin}/#/guide/retries`);
  });

  it("applies the HTML's declared canonical address to the twin", async () => {
    const started = await startSite({});
    sites.push(started);
    const { origin } = await site({
      "/old-name": html("Retry limits", "<p>A job is tried.</p>", '<link rel="canonical" href="/retries">'),
      "/old-name.md": markdown,
    });
    assert.equal((await read(`${origin}/old-name`)).url, `${origin}/retries`);
  });

  const noTwins: Readonly<Record<string, Answer>> = {
    "an HTML page served for any path": { body: article, type: "text/html" },
    "HTML that calls itself Markdown": { body: article, type: "text/markdown" },
    "an error page in Markdown": { body: "# Page not found\n\nRetry limits may have moved.", type: "text/markdown" },
    "a plain error with status 200": { body: "Nothing for you here.", type: "text/plain" },
    "Markdown of another page": { body: "# Install\n\nRun the installer and wait.", type: "text/markdown" },
    "an empty answer": { body: "", type: "text/markdown" },
    JSON: { body: '{"title":"Retry limits"}', type: "application/json" },
    "a server error": { status: 500, body: markdown, type: "text/markdown" },
    "a page that breaks off": (_request, response) => {
      response.writeHead(200, { "content-type": "text/markdown", "content-length": "9000" });
      response.write(markdown);
      response.destroy();
    },
    "a redirect to nowhere": { status: 302, headers: { location: "ftp://a.test/" } },
  };
  for (const [what, answer] of Object.entries(noTwins)) {
    it(`keeps the HTML when the twin is ${what}`, async () => {
      const { origin } = await site({ "/retries": article, "/retries.md": answer });
      assert.equal(textOf(await read(`${origin}/retries`)), article);
    });
  }

  it("keeps the HTML of a long page when the twin is a summary of it under the same title", async () => {
    const paragraphs = Array.from(
      { length: 60 },
      (_, index) => `<p>setting${index} limits queue${index} after delay${index}</p>`,
    ).join("");
    const { origin } = await site({
      "/all": html("Settings", paragraphs),
      "/all.md": "# Settings\n\nsetting1 limits queue1.",
    });
    assert.match(textOf(await read(`${origin}/all`)), /delay59/u);
  });

  it("gives up on a twin that does not answer, and still saves the page", async () => {
    const { origin } = await site({ "/retries": article, "/retries.md": () => {} });
    assert.equal(textOf(await read(`${origin}/retries`, { timeoutMs: 150 })), article);
  });

  it("stops looking for a twin when the save is canceled", async () => {
    const controller = new AbortController();
    const reason = new Error("canceled");
    const { origin } = await site({ "/retries": article, "/retries.md": () => controller.abort(reason) });
    await assert.rejects(read(`${origin}/retries`, {}, controller.signal), reason);
  });

  it("does not look for a twin of an unchanged page", async () => {
    const started = await site({ "/retries": { status: 304 } });
    await createWebSource({ allowPrivate: true }).read(`${started.origin}/retries`, never, { etag: '"1"' });
    assert.deepEqual(
      started.requests.map((request) => request.path),
      ["/retries"],
    );
  });
});

describe("web source: addresses", () => {
  /** Names for the loopback server; 127.0.0.1 counts as public here, so that only the rest of the rules is left. */
  function network(names: Readonly<Record<string, readonly string[]>>): Network & { asked: string[] } {
    const asked: string[] = [];
    return {
      asked,
      resolve: (hostname) => {
        asked.push(hostname);
        const addresses = names[hostname];
        if (addresses === undefined) return Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }));
        return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
      },
      refusal: (address) => (address === "127.0.0.1" ? undefined : refusalOf(address)),
    };
  }

  it("connects to the address it has checked and asks the name server once a hop", async () => {
    const started = await site({
      "/a": { status: 302, headers: { location: "/b" } },
      "/b": { body: "# B\n\nText.", type: "text/markdown" },
    });
    const names = network({ "docs.test": ["127.0.0.1"] });
    const page = await read(`http://docs.test:${started.port}/a`, { allowPrivate: false, network: names });
    assert.equal(page.url, `http://docs.test:${started.port}/b`);
    assert.deepEqual(names.asked, ["docs.test", "docs.test"]);
    assert.equal(started.requests[0]?.headers.host, `docs.test:${started.port}`);
  });

  it("is not led elsewhere by a name server that changes its answer", async () => {
    const started = await site({ "/": { body: "# A\n\nText.", type: "text/markdown" } });
    let calls = 0;
    const rebinding: Network = {
      // A second answer would lead to a port where nobody listens on ::1.
      resolve: () => Promise.resolve([{ address: calls++ === 0 ? "127.0.0.1" : "::1", family: calls === 1 ? 4 : 6 }]),
      refusal: (address) => (address === "127.0.0.1" ? undefined : refusalOf(address)),
    };
    await read(`http://docs.test:${started.port}/`, { allowPrivate: false, network: rebinding });
    assert.equal(calls, 1);
  });

  it("refuses a name when one of its addresses is private", async () => {
    const names = network({ "docs.test": ["93.184.216.34", "10.0.0.8"] });
    const error = await failure(read("http://docs.test/", { allowPrivate: false, network: names }), "refused-address");
    assert.match(error.userMessage, /10\.0\.0\.8/u);
    assert.match(error.userMessage, /Allow Private Addresses/u);
    assert.match(error.commandLine ?? "", /--allow-private/u);
  });

  for (const target of [
    "http://127.0.0.2/",
    "http://[::1]/",
    "http://169.254.169.254/latest/",
    "http://2130706434/",
    "http://inside.test/",
  ]) {
    it(`refuses ${target}, asked for and redirected to`, async () => {
      const started = await site({ "/": { status: 302, headers: { location: target } } });
      const names = network({ "docs.test": ["127.0.0.1"], "inside.test": ["192.168.0.7"] });
      const options = { allowPrivate: false, network: names };
      await failure(read(target, options), "refused-address");
      await failure(read(`http://docs.test:${started.port}/`, options), "refused-address");
    });
  }

  it("refuses a private address behind a declared alternate without failing the save", async () => {
    const started = await site({
      "/a": html(
        "Retry limits",
        "<p>Text.</p>",
        '<link rel="alternate" type="text/markdown" href="http://127.0.0.2/a.md">',
      ),
    });
    const names = network({ "docs.test": ["127.0.0.1"] });
    assert.match(
      textOf(await read(`http://docs.test:${started.port}/a`, { allowPrivate: false, network: names })),
      /Retry limits/u,
    );
  });

  it("refuses loopback by default and reads it when private addresses are allowed", async () => {
    const { origin } = await site({ "/": article });
    await failure(read(`${origin}/`, { allowPrivate: false }), "refused-address");
    await failure(read(`${origin.replace("127.0.0.1", "localhost")}/`, { allowPrivate: false }), "refused-address");
    assert.equal(textOf(await read(`${origin.replace("127.0.0.1", "localhost")}/`)), article);
  });

  for (const location of ["file:///etc/passwd", "ftp://a.test/", "data:text/html,<h1>x", "javascript:alert(1)"]) {
    it(`does not follow a redirect to ${location}`, async () => {
      const { origin } = await site({ "/": { status: 302, headers: { location } } });
      await failure(read(`${origin}/`), "refused-address");
    });
  }

  for (const target of [
    "ftp://a.test/x",
    "data:text/html,<h1>x",
    "javascript:alert(1)",
    "localhost:3000/docs",
    "http://",
    "http://user:secret@a.test/",
  ]) {
    it(`refuses ${target} as no address of a page`, async () => {
      const error = await failure(read(target), "bad-url");
      assert.doesNotMatch(error.message + error.userMessage, /secret/u);
    });
  }
});

describe("web source: bounds", () => {
  const small = { maxBytes: 100_000 };
  const quickBrotli = (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

  it("follows 10 redirects and not 11", async () => {
    const hop = (count: number): Record<string, Answer> =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index): [string, Answer] => [
          `/${index}`,
          { status: 302, headers: { location: `/${index + 1}` } },
        ]).concat([[`/${count}`, { body: "# End\n\nText.", type: "text/markdown" }]]),
      );
    const ten = await site(hop(10));
    assert.equal((await read(`${ten.origin}/0`)).redirects.length, 10);
    const hundred = await site(hop(100));
    await failure(read(`${hundred.origin}/0`), "too-many-redirects");
    assert.equal(hundred.requests.length, 11);
  });

  it("names a circle of redirects at its second round", async () => {
    const started = await site({
      "/a": { status: 302, headers: { location: "/b" } },
      "/b": { status: 302, headers: { location: "/a" } },
    });
    await failure(read(`${started.origin}/a`), "too-many-redirects");
    assert.equal(started.requests.length, 2);
  });

  it("refuses a declared size above the limit without reading", async () => {
    const { origin } = await site({
      "/": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html", "content-length": "200000000" });
        response.write("<p>");
      },
    });
    const error = await failure(read(`${origin}/`), "too-large");
    assert.match(error.userMessage, /20 MB/u);
  });

  it("cuts an endless body at the limit", async () => {
    const { origin } = await site({
      "/": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        const more = () => {
          while (!response.destroyed && response.write("<p>word</p>".repeat(1000)));
          if (!response.destroyed) response.once("drain", more);
        };
        more();
      },
    });
    await failure(read(`${origin}/`, small), "too-large");
  });

  for (const [encoding, compress] of Object.entries({ gzip: gzipSync, br: quickBrotli, deflate: deflateSync })) {
    it(`cuts a ${encoding} bomb while it unpacks`, async () => {
      const bomb = compress(Buffer.alloc(50_000_000));
      const { origin } = await site({ "/": { body: bomb, headers: { "content-encoding": encoding } } });
      const before = process.memoryUsage().arrayBuffers;
      await failure(read(`${origin}/`, small), "too-large");
      assert.ok(process.memoryUsage().arrayBuffers - before < 20_000_000);
    });
  }

  it("cuts a bomb inside a bomb", async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(50_000_000)));
    const { origin } = await site({ "/": { body: bomb, headers: { "content-encoding": "gzip, gzip" } } });
    await failure(read(`${origin}/`, small), "too-large");
  });

  const silent: Readonly<Record<string, (response: ServerResponse) => NodeJS.Timeout | undefined>> = {
    "no answer": () => undefined,
    "headers and nothing more": (response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.flushHeaders();
      return undefined;
    },
    "a byte now and then": (response) => {
      response.writeHead(200, { "content-type": "text/html" });
      return setInterval(() => response.write("<"), 20);
    },
  };
  for (const [what, answer] of Object.entries(silent)) {
    it(`times out on ${what}`, async () => {
      let timer: NodeJS.Timeout | undefined;
      const { origin } = await site({ "/": (_request, response) => (timer = answer(response)) });
      try {
        const error = await failure(read(`${origin}/`, { timeoutMs: 150 }), "fetch-timeout");
        assert.equal(error.retryable, true);
      } finally {
        clearInterval(timer);
      }
    });
  }

  it("counts all redirects into one time limit", async () => {
    const slowly =
      (location: string): Answer =>
      (_request, response) => {
        setTimeout(() => response.writeHead(302, { location }).end(), 60);
      };
    const { origin } = await site({ "/a": slowly("/b"), "/b": slowly("/c"), "/c": slowly("/d"), "/d": slowly("/e") });
    await failure(read(`${origin}/a`, { timeoutMs: 150 }), "fetch-timeout");
  });

  it("stops when the signal aborts, with the signal's reason", async () => {
    const controller = new AbortController();
    const reason = new Error("canceled");
    const { origin } = await site({
      "/": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.write("<p>");
        setTimeout(() => controller.abort(reason), 20);
      },
    });
    await assert.rejects(read(`${origin}/`, {}, controller.signal), reason);
  });

  it("stops a name lookup that hangs", async () => {
    const hanging: Network = { resolve: () => new Promise(() => {}), refusal: () => undefined };
    await failure(read("http://docs.test/", { timeoutMs: 50, network: hanging }), "fetch-timeout");
  });

  it("refuses headers without end", async () => {
    const { origin } = await site({ "/": { body: article, headers: { "x-long": "x".repeat(80_000) } } });
    await failure(read(`${origin}/`), "fetch-failed");
  });
});

describe("web source: failures", () => {
  const statuses: readonly (readonly [number, Reason, boolean])[] = [
    [400, "http-status", false],
    [401, "page-login", false],
    [403, "http-status", false],
    [404, "page-not-found", false],
    [410, "page-not-found", false],
    [418, "http-status", false],
    [429, "http-status", true],
    [451, "http-status", false],
    [500, "http-status", true],
    [502, "http-status", true],
    [503, "http-status", true],
  ];
  for (const [status, reason, retryable] of statuses) {
    it(`gives the reason ${reason} for status ${status}`, async () => {
      const { origin } = await site({ "/": { status, body: "<h1>No</h1>" } });
      const error = await failure(read(`${origin}/`), reason);
      assert.match(error.userMessage, new RegExp(String(status), "u"));
      assert.equal(error.retryable, retryable);
    });
  }

  it("says how long a busy server wants to be left alone", async () => {
    const { origin } = await site({ "/": { status: 429, headers: { "retry-after": "120" } } });
    assert.match((await failure(read(`${origin}/`), "http-status")).userMessage, /after 120 s/u);
  });

  it("tells a login behind status 403 from a plain refusal", async () => {
    const { origin } = await site({
      "/form": { status: 403, body: '<h1>Sign in</h1><form><input name="user"><input type="password"></form>' },
      "/basic": { status: 403, headers: { "www-authenticate": "Basic" } },
    });
    await failure(read(`${origin}/form`), "page-login");
    await failure(read(`${origin}/basic`), "page-login");
  });

  it("tells a check for humans from a plain refusal", async () => {
    const { origin } = await site({
      "/": { status: 403, body: "<title>Just a moment...</title><p>Enable JavaScript and cookies to continue</p>" },
    });
    await failure(read(`${origin}/`), "page-needs-javascript");
  });

  it("names a refused connection and an unknown host", async () => {
    const started = await startSite({});
    await started.close();
    assert.match((await failure(read(`${started.origin}/`), "fetch-failed")).userMessage, /refused the connection/u);
    const nowhere: Network = {
      resolve: () => Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" })),
      refusal: () => undefined,
    };
    assert.match(
      (await failure(read("http://docs.tset/", { network: nowhere }), "fetch-failed")).userMessage,
      /no host named docs\.tset/u,
    );
  });

  it("names TLS when a server speaks plain HTTP", async () => {
    const { origin } = await site({ "/": article });
    await failure(read(origin.replace("http:", "https:")), "tls");
  });

  it("names a certificate that nobody trusts, in words and with a way out", async () => {
    const server = createServer(selfSigned, (_request, response) => response.end("secret"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const network: Network = {
      resolve: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
      refusal: () => undefined,
    };
    try {
      const error = await failure(read(`https://docs.test:${port}/`, { network }), "tls");
      assert.match(error.userMessage, /not trusted.*NODE_EXTRA_CA_CERTS/u);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("names a connection that closes before the declared length", async () => {
    const { origin } = await site({
      "/": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html", "content-length": "5000" });
        response.write("<p>half", () => response.destroy());
      },
    });
    const error = await failure(read(`${origin}/`), "fetch-failed");
    assert.match(error.userMessage, /before the page was complete/u);
    assert.equal(error.retryable, true);
  });

  it("reads no further than a declared length that is too short", async () => {
    const { origin } = await site({
      "/": (_request, response) => {
        response.socket?.end(
          "HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\nContent-Length: 4\r\n\r\n# Hi and more",
        );
      },
    });
    assert.equal(textOf(await read(`${origin}/`)), "# Hi");
  });

  it("names a damaged answer", async () => {
    const { origin } = await site({
      "/gzip": { body: "not gzip at all", headers: { "content-encoding": "gzip" } },
      "/cut": { body: gzipSync(article).subarray(0, 60), headers: { "content-encoding": "gzip" } },
      "/unknown": { body: article, headers: { "content-encoding": "zstd-2" } },
      "/garbage": (_request, response) => {
        response.socket?.end("this is not HTTP\r\n\r\n");
      },
    });
    for (const path of ["/gzip", "/cut", "/unknown", "/garbage"]) {
      assert.match((await failure(read(origin + path), "fetch-failed")).userMessage, /damaged/u, path);
    }
  });

  const binaries: Readonly<Record<string, string>> = {
    "a PDF": "%PDF-1.7\n%\u0080",
    "a PNG": "\u0089PNG\r\n\u001a\n",
    "a zip archive": "PK\u0003\u0004",
    noise: Array.from({ length: 400 }, (_, index) => String.fromCharCode((index * 37) % 256)).join(""),
  };
  for (const [what, bytes] of Object.entries(binaries)) {
    it(`refuses ${what}, whatever its type says`, async () => {
      const { origin } = await site({ "/": { body: Buffer.from(bytes, "latin1"), type: "text/html" } });
      await failure(read(`${origin}/`), "unsupported-type");
    });
  }

  it("reads HTML that calls itself a PDF, and text without a type", async () => {
    const { origin } = await site({
      "/pdf": { body: article, type: "application/pdf" },
      "/none": { body: "# Title\n\nText.", type: "" },
    });
    assert.equal(textOf(await read(`${origin}/pdf`)), article);
    assert.equal(textOf(await read(`${origin}/none`)), "# Title\n\nText.");
  });
});
