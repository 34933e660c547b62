import assert from "node:assert/strict";
import fc from "fast-check";
import { escapeHtml, markdown, nodesOf, parseMarkdown } from "./page.ts";

describe("cleaning code", () => {
  it("keeps any code to the letter", () => {
    const line = fc.stringMatching(/^[ \t]{0,6}[ -~äß日]{0,30}[!-~]$/u);
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.constant("")), { minLength: 1, maxLength: 12 }), (lines) => {
        const code = lines
          .join("\n")
          .replace(/^(?:[ \t]*\n)+/u, "")
          .trimEnd();
        fc.pre(code.trim() !== "");
        const blocks = nodesOf(parseMarkdown(markdown(`<pre><code>\n${escapeHtml(code)}</code></pre>`)), "code");
        assert.deepEqual(
          blocks.map((block) => block.value),
          [code],
        );
      }),
      { numRuns: 200 },
    );
  });

  it("fences code with backticks by a longer fence", () => {
    assert.equal(markdown("<pre>```js\nx\n```</pre>"), "````\n```js\nx\n```\n````");
  });

  it("fences a pre without code, and keeps prompts, output and blank lines", () => {
    assert.equal(markdown("<pre>&gt;&gt;&gt; f()\n1\n\n$ ls</pre>"), "```\n>>> f()\n1\n\n$ ls\n```");
  });

  for (const [name, html] of [
    [
      "Prism with breaks",
      '<pre class="prism-code language-js"><code><span class="token-line"><span>a {</span><br></span><span class="token-line"><span style="display:inline-block"></span><br></span><span class="token-line">  b<br></span></code></pre>',
    ],
    [
      "Shiki",
      '<pre class="shiki"><code class="language-js"><span class="line">a {</span>\n<span class="line"></span>\n<span class="line">  b</span></code></pre>',
    ],
    [
      "Shiki without line feeds",
      '<pre><code data-language="js"><span class="line">a {</span><span class="line"></span><span class="line">  b</span></code></pre>',
    ],
    [
      "Expressive Code",
      '<pre data-language="js"><code><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">1</div></div><div class="code">a {</div></div><div class="ec-line"><div class="code">\n</div></div><div class="ec-line"><div class="code">  b</div></div></code></pre>',
    ],
    [
      "Chroma",
      '<div class="highlight"><pre><code class="language-js" data-lang="js"><span style="display:flex;"><span>a {\n</span></span><span style="display:flex;"><span>\n</span></span><span style="display:flex;"><span>  b\n</span></span></code></pre></div>',
    ],
    [
      "GitBook",
      '<pre><code class="language-js"><span class="highlight-line"><span class="highlight-line-content">a {\n</span></span><span class="highlight-line"><span class="highlight-line-content">\n</span></span><span class="highlight-line"><span class="highlight-line-content">  b\n</span></span></code></pre>',
    ],
    [
      "Pygments with a table of numbers",
      '<div class="highlight-js"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2\n3</pre></div></td><td class="code"><div class="highlight"><pre>a {\n\n  b\n</pre></div></td></tr></table></div>',
    ],
    [
      "Rouge with a gutter",
      '<div class="language-js highlighter-rouge"><pre class="highlight"><code><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n3\n</pre></td><td class="rouge-code"><pre>a {\n\n  b\n</pre></td></tr></tbody></table></code></pre></div>',
    ],
    [
      "numbers in the lines",
      '<div class="highlight-js"><pre><span class="linenos">1</span>a {\n<span class="linenos">2</span>\n<span class="linenos">3</span>  b\n</pre></div>',
    ],
    ["non-breaking blanks", '<pre class="brush: js">a {\n\n&nbsp;&nbsp;b</pre>'],
  ] as const) {
    it(`reads lines as written by ${name}`, () => {
      assert.equal(markdown(html), "```js\na {\n\n  b\n```");
    });
  }

  it("splits variants that share one pre", () => {
    const html =
      '<pre><input type="checkbox"><code class="language-mjs">import a</code><code class="language-cjs">require(a)</code></pre>';
    assert.equal(markdown(html), "```mjs\nimport a\n```\n\n```cjs\nrequire(a)\n```");
  });

  it("keeps inline code in a pre on its line", () => {
    assert.equal(
      markdown("<pre><code>a</code>   wrong\n<code>b</code>   right</pre>"),
      "```\na   wrong\nb   right\n```",
    );
  });

  it("takes buttons and labels out, and keeps the file's name", () => {
    const html =
      '<div class="language-js"><button class="copy">Copy</button><span class="lang">js</span><div class="codeBlockTitle_Ktv7">src/a.js</div><pre><code>let a</code></pre></div>';
    assert.equal(markdown(html), "**src/a.js**\n\n```js\nlet a\n```");
  });

  it("writes code in list items and notes from the start of the line", () => {
    assert.equal(
      markdown("<ol><li>Run:<pre>a\n  b</pre>then wait.<li>Done.</ol>"),
      "1. Run:\n\n```\na\n  b\n```\n\nthen wait.\n\n2. Done.",
    );
    assert.equal(
      markdown('<div class="admonition tip"><p class="admonition-title">Tip</p><p>Try</p><pre>x\n y</pre></div>'),
      "> **Tip:** Try\n\n```\nx\n y\n```",
    );
  });

  it("fences code whose lines are breaks", () => {
    assert.equal(markdown("<p><code>a<br>&nbsp;b</code></p>"), "```\na\n b\n```");
  });

  it("keeps samples that stand in a text field", () => {
    assert.equal(
      markdown("<textarea>package main\n\nfunc main() {}</textarea>"),
      "```\npackage main\n\nfunc main() {}\n```",
    );
  });
});
