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
