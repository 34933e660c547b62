import assert from "node:assert/strict";
import fc from "fast-check";
import { assess } from "../../../src/core/capture/assess.ts";
import { capture } from "../../../src/core/capture/capture.ts";
import { htmlSigns, textOf } from "../../../src/core/capture/shell.ts";
import { stripElements } from "../../../src/core/capture/stripElements.ts";
import { markdownCandidates, isTwinOf } from "../../../src/adapters/sources/markdownTwin.ts";
import { BacopaError } from "../../../src/core/errors.ts";

const url = "https://docs.test/a";
const raw = (content: string) => ({
  requested: url,
  url,
  redirects: [],
  bytes: new TextEncoder().encode(content),
  contentType: "text/html",
  status: 200,
});

describe("capture of hostile pages", () => {
  const unit = 40_000;
  const pages: Readonly<Record<string, string>> = {
    "unclosed scripts": "<script ".repeat(unit),
    "unclosed script elements": "<script>".repeat(unit),
    "unclosed templates": "<template>".repeat(unit),
    "unclosed titles": "<title>".repeat(unit),
    "unclosed headings": "<h1>".repeat(unit),
    "unclosed comments": "<!--".repeat(unit),
    "comments before nothing": "<!-- a -->".repeat(unit),
    "open angle brackets": "<".repeat(unit * 4),
    "open forms": "<form action=".repeat(unit),
    "open metas": "<meta charset".repeat(unit),
    "open links": '<link rel="canonical" '.repeat(unit),
    "open brackets": "[".repeat(unit * 4),
    "open image brackets": "![".repeat(unit * 2),
    "emphasis without end": "** ".repeat(unit * 2),
    backticks: "`a ".repeat(unit * 2),
    "nested containers": '<div id="root">'.repeat(unit),
    "custom elements": "<a-app-".repeat(unit),
    "front matter without end": `---\n${"a: b\n".repeat(unit)}`,
    blanks: " ".repeat(unit * 4),
    "line ends": "\n".repeat(unit * 4),
  };
  for (const [what, content] of Object.entries(pages)) {
    it(`takes its time for ${what} from the page's size alone`, function () {
      this.timeout(2000);
      const captured = capture(raw(content));
      capture(raw(content), { format: "html" });
      for (const text of ["", content.slice(0, 19_000)]) {
        try {
          assess({ ...captured, format: "html" }, { title: content.slice(0, 500), text, coverage: 1, leftOut: [] });
        } catch (error) {
          assert.ok(BacopaError.is(error));
        }
      }
      markdownCandidates(new URL(url), content, content);
      isTwinOf({ text: content, contentType: "text/markdown" }, content);
    });
  }

  it("captures any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        try {
          const captured = capture({ ...raw(""), bytes });
          assess(captured, { title: "", text: captured.content, coverage: 1, leftOut: [] });
        } catch (error) {
          assert.ok(BacopaError.is(error));
        }
      }),
    );
  });
});

describe("stripElements", () => {
  it("cuts elements and comments and keeps the rest", () => {
    assert.equal(stripElements("a<!-- b --><SCRIPT src=x>c</Script >d<style>e</style>f", ["script", "style"]), "adf");
  });

  it("cuts an unclosed script to the end and only the tag of another element", () => {
    assert.equal(stripElements("a<script>b<nav>c", ["script", "nav"]), "a");
    assert.equal(stripElements("a<nav>b<nav>c", ["script", "nav"]), "abc");
  });

  it("does not take a longer name for a shorter one", () => {
    assert.equal(stripElements("<header>a</header><head>b</head>", ["head"]), "<header>a</header>");
  });

  it("keeps letters that change their length in lower case", () => {
    assert.equal(stripElements("İİ<nav>x</nav>İ", ["nav"]), "İİİ");
  });

  it("hands over what it cuts", () => {
    const seen: string[] = [];
    stripElements("<h1 class=a>One</h1><h1>Two</h1>", ["h1"], (name, inner) => {
      seen.push(`${name} ${inner}`);
      return "";
    });
    assert.deepEqual(seen, ["h1 One", "h1 Two"]);
  });

  it("leaves text without tags alone", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }).filter((text) => !text.includes("<")),
        (text) => stripElements(text, ["script"]) === text,
      ),
    );
  });
});

describe("htmlSigns", () => {
  it("reads title, headings and noscript text", () => {
    const signs = htmlSigns(
      "<html><head><title>A &amp; B</title><style>h1{}</style></head><body><h1>One <b>two</b></h1><noscript>Enable it</noscript><p>Three</p></body></html>",
    );
    assert.equal(signs.title, "A & B");
    assert.deepEqual(signs.headings, ["One two"]);
    assert.equal(signs.noscript, "Enable it");
    assert.equal(signs.visibleWords, 3);
  });

  it("does not take a form in an example for a form", () => {
    const signs = htmlSigns('<pre>&lt;input type="password"&gt;</pre><template><input type="password"></template>');
    assert.equal(signs.passwordField, false);
  });

  it("reads text out of markup", () => assert.equal(textOf("<p>a&nbsp;b<br>c &amp; d</p>"), "a b c & d"));
});
