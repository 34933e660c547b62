import assert from "node:assert/strict";
import fc from "fast-check";
import { cleanPage, nodesOf, parseMarkdown } from "./page.ts";

describe("cleaning hostile pages", () => {
  for (const tag of ["div", "b", "span", "blockquote", "ul><li", "table><tr><td", "dl><dd", "pre", "svg><g", "font"]) {
    it(`survives 100,000 nested <${tag}>`, () => {
      const page = cleanPage(`${`<${tag}>`.repeat(100_000)}deep text`);
      if (!tag.startsWith("svg")) assert.match(page.text, /deep text/u);
    });
  }

  it("survives unclosed comments, quotes and brackets", () => {
    for (const piece of ["<!--", '<a "', "<", "<a href='", "&", "]]>", "<table><td rowspan=60000 colspan=9999>x"])
      cleanPage(piece.repeat(20_000));
  });

  // Each took more than 20 s when its time grew with the square of the page.
  const large: Readonly<Record<string, string>> = {
    "40,000 headings side by side": Array.from({ length: 40_000 }, (_, n) => `<h2>H ${n}</h2><p>v ${n}</p>`).join(""),
    "80,000 marked words of code": `<pre><code>${"<span class=k>let</span> <span>x</span>\n".repeat(40_000)}</code></pre>`,
    "an element with 100,000 attributes": `<p ${Array.from({ length: 100_000 }, (_, n) => `a${n}=1`).join(" ")}>x</p>`,
    "a tag with 100,000 attributes that does not end": `<p ${Array.from({ length: 100_000 }, (_, n) => `a${n}`).join(" ")}`,
  };
  for (const [what, html] of Object.entries(large)) {
    it(`cleans ${what} in seconds`, function () {
      this.timeout(20_000);
      assert.match(cleanPage(`<h1>T</h1><p>kept text</p>${html}`).text, /kept text/u);
    });
  }

  const spanning: Readonly<Record<string, string>> = {
    "wide cells": "<tr><td colspan=1000 rowspan=65534>c</tr>".repeat(1_000),
    "many cells in each row": `<tr>${"<td colspan=1000 rowspan=65534>c".repeat(50)}</tr>`.repeat(50),
    "a long cell": `<tr><td rowspan=65534>${"long ".repeat(20_000)}<td>x</tr>${"<tr><td>y<td>z</tr>".repeat(1_000)}`,
    "a long row above short ones": `<tr>${"<td>c".repeat(3_000)}</tr>${"<tr><td>y<td>z</tr>".repeat(3_000)}`,
    "cells of code": `<tr>${"<td colspan=100 rowspan=60000><pre>a\nb</pre>".repeat(30)}</tr>`.repeat(100),
  };
  for (const [what, rows] of Object.entries(spanning)) {
    it(`bounds the text of a table that spans ${what}`, () => {
      const { text } = cleanPage(`<h1>T</h1><table>${rows}</table>`);
      assert.ok(text.length < 5_000_000, `${text.length} characters`);
    });
  }

  it("lets no script, handler or remote image into the text", () => {
    const html =
      '<body onload="evil()"><h1>T</h1><p onclick="evil()">a<script>evil()</script><img src="https://evil.example/a.png" onerror="evil()"><iframe src="https://evil.example"></iframe><a href=" java\nscript:evil()">b</a><a href="vbscript:evil()">c</a></p><style>evil{}</style><template>evil</template></body>';
    const { text } = cleanPage(html);
    assert.doesNotMatch(text, /evil/u);
    assert.match(text, /abc/u);
  });

  it("writes no HTML, NUL or lone surrogate for any input", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<p>",
        "</p>",
        "<b>",
        "<table><tr><td>",
        "<pre>",
        "</pre>",
        "<li>",
        "<code>",
        "</code>",
        "<a href=x>",
        "</a>",
        "<br>",
        "&lt;img src=x&gt;",
        "&#0;",
        "\uD800",
        "<h2>",
        "</h2>",
        "<dl><dt>",
        "<dd>",
        "<sup>",
        "<math>",
      ),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const { text, coverage } = cleanPage(pieces.join(""));
        assert.ok(!/[\uD800-\uDFFF]/u.test(text) && !text.includes("\0") && !text.includes("\r"));
        assert.ok(coverage >= 0 && coverage <= 1);
        assert.equal(nodesOf(parseMarkdown(text), "html").length, 0);
      }),
      { numRuns: 400 },
    );
  });
});
