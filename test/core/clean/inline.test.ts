import assert from "node:assert/strict";
import fc from "fast-check";
import { escapeHtml, markdown, nodesOf, parseMarkdown, textOf } from "./page.ts";

describe("cleaning prose", () => {
  it("lets any text survive as text", () => {
    const text = fc.stringMatching(/^[a-c1 *_`<>&#;[\]()!~$|\\+.:=-]{1,30}$/u).filter((value) => /[a-c1]/u.test(value));
    fc.assert(
      fc.property(text, (value) => {
        const tree = parseMarkdown(markdown(`<p>${escapeHtml(value)}</p>`));
        assert.equal(nodesOf(tree, "html").length, 0);
        assert.equal(textOf(tree), value.replace(/\s+/gu, " ").trim());
      }),
      { numRuns: 500 },
    );
  });

  it("lets any code span survive as code", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-c`*_<|\\]{1,12}$/u), (value) => {
        const spans = nodesOf(parseMarkdown(markdown(`<p>x <code>${escapeHtml(value)}</code> y</p>`)), "inlineCode");
        assert.deepEqual(
          spans.map((span) => span.value),
          [value],
        );
      }),
      { numRuns: 300 },
    );
  });

  for (const [html, expected] of [
    ["2<sup>16</sup>", "2^16"],
    ["10<sup>-3</sup>", "10^-3"],
    ["x<sup>n + 1</sup>", "x^(n + 1)"],
    ["the 1<sup>st</sup>", "the 1st"],
    ["Java<sup>TM</sup>", "Java™"],
    ["H<sub>2</sub>O", "H_2O"],
    ["log<sub>2</sub>(n)", "log_2(n)"],
    ["<code>2</code><sup>32</sup>", "`2`^32"],
    ["<b>bold </b>text", "**bold** text"],
    ["<b>a</b><b>b</b>", "**ab**"],
    ["<b>note:</b>text", "note:text"],
    ["<code>a</code><code>b</code>", "`ab`"],
    ["<kbd>Ctrl</kbd>+<kbd>C</kbd>", "`Ctrl`+`C`"],
    ["<del>old</del> <ins>new</ins>", "~~old~~ new"],
    ["Map&lt;K, V&gt;", "Map\\<K, V>"],
    ["max_retries and snake_case", "max_retries and snake_case"],
    ["new Worker(filename[, options])", "new Worker(filename[, options])"],
    ['<a href="/a/b.html">B</a>', "[B](https://docs.example.com/a/b.html)"],
    ['<code><a href="x.html">x()</a></code>', "[`x()`](https://docs.example.com/guide/x.html)"],
    ['<a href="#part">part</a>', "part"],
    ['<a href="javascript:go()">go</a>', "go"],
    ['<a href="data:text/html,x">data</a>', "data"],
    ['<a href="https://e.org/x">https://e.org/x</a>', "https://e.org/x"],
    ['<img src="https://evil.example/x.png" alt="The queue is full">', "The queue is full"],
    ['<img src="x.png" alt="x.png">text', "text"],
    ["<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢 (kan)"],
    ['name<span class="badge">deprecated</span>', "name deprecated"],
  ] as const) {
    it(`writes ${html} as ${expected}`, () => {
      assert.equal(markdown(`<p>${html}</p>`), expected);
    });
  }

  it("escapes what would start a block", () => {
    assert.equal(
      markdown("<p>1. one</p><p># two</p><p>- three</p><p>&gt; four</p>"),
      "1\\. one\n\n\\# two\n\n\\- three\n\n\\> four",
    );
  });

  it("writes formulas once, as TeX", () => {
    const katex =
      '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x^2_i</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x2i</span></span>';
    assert.equal(markdown(`<p>So ${katex} holds.</p>`), "So $x^2_i$ holds.");
    assert.equal(
      markdown('<p><span class="math">\\(a_b*c\\)</span></p><div class="math">\\[E = mc^2\\]</div>'),
      "$a_b*c$\n\n$$E = mc^2$$",
    );
    assert.equal(markdown('<p><script type="math/tex">y</script></p>'), "$y$");
    assert.equal(markdown("<p><math><msup><mi>e</mi><mi>x</mi></msup></math></p>"), "$e^{x}$");
  });

  it("links footnotes with their notes", () => {
    const html =
      '<p>Text.<sup id="fnref:1"><a href="#fn:1">1</a></sup></p><div class="footnotes"><ol><li id="fn:1"><p>Note. <a href="#fnref:1" class="footnote-backref">↩</a></p></li></ol></div>';
    assert.equal(markdown(html), "Text.[^1]\n\n[^1]: Note.");
  });
});
