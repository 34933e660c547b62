import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalUrl } from "../../../src/core/capture/canonicalUrl.ts";
import { capture, pageIdOf, rawText } from "../../../src/core/capture/capture.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import type { RawPage } from "../../../src/core/types.ts";

function raw(content: string, parts: Partial<RawPage> = {}): RawPage {
  return {
    requested: "https://docs.test/a",
    url: "https://docs.test/a",
    redirects: [],
    bytes: new TextEncoder().encode(content),
    contentType: "text/html; charset=utf-8",
    status: 200,
    ...parts,
  };
}

describe("canonicalUrl", () => {
  const cases: Readonly<Record<string, string>> = {
    "https://Docs.Test:443/a#install": "https://docs.test/a",
    "http://docs.test:80": "http://docs.test/",
    "http://docs.test:8080/a": "http://docs.test:8080/a",
    "https://docs.test/#/guide/start": "https://docs.test/#/guide/start",
    "https://docs.test/#!/guide": "https://docs.test/#!/guide",
    "https://docs.test/?utm_source=x&b=2&utm_medium=y&a=1&gclid=z#top": "https://docs.test/?b=2&a=1",
    "https://docs.test/a?fbclid=1": "https://docs.test/a",
    "https://docs.test/a?q=a%20b+c&x": "https://docs.test/a?q=a%20b+c&x",
    "https://docs.test/a?ref=main": "https://docs.test/a?ref=main",
    "https://docs.test/a/?": "https://docs.test/a/",
    "https://docs.test/a?&?": "https://docs.test/a??",
    "https://me:secret@docs.test/a": "https://docs.test/a",
    "file:///docs/a.md#b": "file:///docs/a.md",
    "bacopa:text/0123": "bacopa:text/0123",
    "no url": "no url",
  };
  for (const [url, canonical] of Object.entries(cases)) {
    it(`makes ${canonical} of ${url}`, () => assert.equal(canonicalUrl(url), canonical));
  }

  it("changes nothing more the second time", () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
        assert.equal(canonicalUrl(canonicalUrl(url)), canonicalUrl(url));
      }),
    );
  });
});

describe("capture: identity", () => {
  const declaring = (href: string) =>
    `<html><head><link rel="canonical" href="${href}"></head><body><p>Text</p></body></html>`;
  const cases: readonly (readonly [what: string, url: string, declared: string, identity: string])[] = [
    [
      "takes the declared address on the same host",
      "https://docs.test/a?x=1",
      "https://docs.test/b#c",
      "https://docs.test/b",
    ],
    ["takes a relative one", "https://docs.test/guide/a", "./", "https://docs.test/guide/"],
    ["resolves character references", "https://docs.test/a", "/a?b=1&amp;c=2", "https://docs.test/a?b=1&c=2"],
    ["not one of another host", "https://docs.test/a", "https://www.test/a", "https://docs.test/a"],
    ["not one of another port", "https://docs.test/a", "https://docs.test:8443/a", "https://docs.test/a"],
    ["not the bare root for a deeper page", "https://docs.test/a/b", "https://docs.test/", "https://docs.test/a/b"],
    ["the root for the root", "https://docs.test/?lang=en", "https://docs.test/", "https://docs.test/"],
    ["not another version", "https://docs.test/3.11/a", "https://docs.test/3/a", "https://docs.test/3.11/a"],
    [
      "not the current version for an old one",
      "https://docs.test/tool-4.96/a",
      "https://docs.test/tool-current/a",
      "https://docs.test/tool-4.96/a",
    ],
    ["not for a hash route", "https://docs.test/#/guide", "https://docs.test/index", "https://docs.test/#/guide"],
    ["not an empty one", "https://docs.test/a", "", "https://docs.test/a"],
    ["not one that is no web address", "https://docs.test/a", "javascript:void(0)", "https://docs.test/a"],
  ];
  for (const [what, url, declared, identity] of cases) {
    it(what, () => assert.equal(capture(raw(declaring(declared), { url })).url, identity));
  }

  it("does not look for a declaration in the body", () => {
    const html = `<html><head></head><body><pre>&lt;link&gt;</pre><link rel=canonical href="/b"></body></html>`;
    assert.equal(capture(raw(html)).url, "https://docs.test/a");
  });

  it("takes the address given with a file as it is", () => {
    const file = raw(declaring("https://docs.test/b"), { url: "file:///tmp/a.html", requested: "a.html" });
    assert.equal(capture(file, { url: "https://docs.test/a?utm_source=x#y" }).url, "https://docs.test/a");
    assert.equal(capture(file).url, "file:///tmp/a.html");
  });

  it("gives a text from nowhere an address by its content", () => {
    const one = capture(rawText("# One")).url;
    assert.match(one, /^bacopa:text\/[0-9a-f]{16}$/u);
    assert.equal(capture(rawText("# One")).url, one);
    assert.notEqual(capture(rawText("# Two")).url, one);
  });

  it("keeps what the source said", () => {
    const page = capture(raw("<p>x</p>", { redirects: ["https://docs.test/old"], etag: '"1"', lastModified: "then" }));
    assert.deepEqual(page.redirects, ["https://docs.test/old"]);
    assert.equal(page.etag, '"1"');
    assert.equal(page.lastModified, "then");
    assert.equal(page.byteLength, 8);
  });

  it("refuses a PDF", () => {
    assert.throws(
      () => capture(raw("%PDF-1.7")),
      (error) => BacopaError.is(error, "unsupported-type"),
    );
  });
});

describe("capture: format", () => {
  const cases: readonly (readonly [what: string, content: string, parts: Partial<RawPage>, format: string])[] = [
    ["an HTML document", "<!DOCTYPE html><html><p>x", {}, "html"],
    ["an HTML document sent as text", "\n<!-- made by hand -->\n<HTML><p>x", { contentType: "text/plain" }, "html"],
    ["an HTML document sent as Markdown", "<!doctype html><p>x", { contentType: "text/markdown" }, "html"],
    [
      "XHTML",
      '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x"><html/>',
      { contentType: "application/xhtml+xml" },
      "html",
    ],
    [
      "an HTML fragment from the clipboard",
      "<div><h2>Limits</h2><p>Three.</p></div>",
      { contentType: "text/plain", url: undefined },
      "html",
    ],
    ["a frameset", "<html><head></head><frameset></frameset></html>", {}, "html"],
    ["Markdown by its type", "plain words", { contentType: "text/markdown" }, "markdown"],
    ["Markdown by its name", "plain words", { contentType: "text/plain", url: "https://docs.test/a.mdx" }, "markdown"],
    ["Markdown by its look", "# Limits\n\nSee [retries](./retries).\n", { contentType: "text/plain" }, "markdown"],
    [
      "Markdown without a type",
      "Limits\n\n- one\n- two\n\n```sh\nrun\n```\n",
      { contentType: undefined, url: undefined },
      "markdown",
    ],
    [
      "a README that opens with HTML",
      '<p align="center"><img src="a.png"></p>\n<p>x</p>\n\n# Tool\n\nUse `tool`.\n',
      { contentType: undefined },
      "markdown",
    ],
    [
      "MDX with front matter and JSX",
      '---\ntitle: Limits\n---\n\nimport { Tabs } from "x";\n\n<Tabs>\n  <div>a</div>\n</Tabs>\n',
      { contentType: "text/plain" },
      "markdown",
    ],
    ["Markdown sent as HTML", "# Limits\n\nUse **three** retries.", { contentType: "text/html" }, "markdown"],
    ["plain text", "The queue tries three times.\nThen it stops.\n", { contentType: "text/plain" }, "text"],
    ["a shell script", "#!/bin/sh\n# start the server\nexec server --port 80\n", { contentType: "text/plain" }, "text"],
    ["words that came as HTML", "Only words.", { contentType: "text/html" }, "html"],
  ];
  for (const [what, content, parts, format] of cases) {
    it(`takes ${what} for ${format}`, () => assert.equal(capture(raw(content, parts)).format, format));
  }

  it("takes the caller's word", () => assert.equal(capture(raw("# x"), { format: "text" }).format, "text"));
});

describe("an address given with a page", () => {
  for (const url of ["", "not a url", "javascript:alert(1)", "docs.test/y", "command://x/y", "data:text/html,x"]) {
    it(`is refused when it is ${JSON.stringify(url)}`, () => {
      assert.throws(
        () => capture(rawText("# Kelp\n\nWords."), { url }),
        (error) => BacopaError.is(error, "bad-url"),
      );
    });
  }
});

describe("pageIdOf", () => {
  it("is the same for http and https, with and without a slash at the end", () => {
    const ids = ["http://docs.test/a", "https://docs.test/a", "https://docs.test/a/"].map(pageIdOf);
    assert.equal(new Set(ids).size, 1);
  });

  it("names a local file without the folders above its own", () => {
    assert.match(pageIdOf("file:///home/someone/projects/kelp/docs/cache.html"), /^docs-cache-[0-9a-f]{10}$/u);
  });

  const cases: Readonly<Record<string, RegExp>> = {
    "https://docs.test/queues/batching-retries/": /^queues-batching-retries-[0-9a-f]{10}$/u,
    "https://docs.test/api/worker_threads.html": /^api-worker-threads-[0-9a-f]{10}$/u,
    "https://docs.test/a/index.html": /^a-[0-9a-f]{10}$/u,
    "https://docs.test/": /^docs-test-[0-9a-f]{10}$/u,
    "https://docs.test/#/configuration": /^configuration-[0-9a-f]{10}$/u,
    "https://docs.test/Gr%C3%B6%C3%9Fe/caf%C3%A9": /^gro-e-cafe-[0-9a-f]{10}$/u,
    "https://docs.test/%E8%A8%AD%E5%AE%9A": /^docs-test-[0-9a-f]{10}$/u,
    "https://docs.test/100%": /^100-[0-9a-f]{10}$/u,
    "file:///home/docs/Read%20Me.md": /^docs-read-me-[0-9a-f]{10}$/u,
    "bacopa:text/0123456789abcdef": /^text-0123456789abcdef-[0-9a-f]{10}$/u,
  };
  for (const [url, id] of Object.entries(cases)) it(`names ${url}`, () => assert.match(pageIdOf(url), id));

  it("gives a file name of at most 59 characters for any address", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()), (url) => {
        assert.match(pageIdOf(url), /^[a-z0-9][a-z0-9-]{0,47}-[0-9a-f]{10}$/u);
      }),
    );
  });

  it("tells apart addresses with the same words", () => {
    assert.notEqual(pageIdOf("https://docs.test/a/b"), pageIdOf("https://docs.test/a-b"));
  });
});
