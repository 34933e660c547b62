import assert from "node:assert/strict";
import { cleanPage, markdown } from "./page.ts";

describe("cleaning structure", () => {
  it("writes terms as bold lines, definitions below", () => {
    assert.equal(
      markdown("<dl><dt>-m <i>msg</i></dt><dt>--message</dt><dd>text<dl><dt>inner</dt><dd>d</dd></dl></dd></dl>"),
      "**-m msg**\n\n**--message**\n\ntext\n\n**inner**\n\nd",
    );
  });

  it("writes a signature in a term as code in one line", () => {
    const html =
      '<dl class="py function"><dt class="sig sig-object py" id="f"><span class="sig-name descname">run</span><span class="sig-paren">(</span><dl><dd><em class="sig-param">a</em>, </dd><dd><em class="sig-param">b=1</em>, </dd></dl><span class="sig-paren">)</span><a class="headerlink" href="#f">¶</a></dt><dd><p>Runs.</p></dd></dl>';
    assert.equal(markdown(html), "**`run(a, b=1)`**\n\nRuns.");
  });

  for (const [name, html] of [
    ["Sphinx and MkDocs", '<div class="admonition warning"><p class="admonition-title">Warning</p><p>Body.</p></div>'],
    [
      "Docusaurus",
      '<div class="theme-admonition theme-admonition-warning alert"><div class="admonitionHeading_x1Y2"><svg></svg>Warning</div><div class="admonitionContent_a1B2"><p>Body.</p></div></div>',
    ],
    ["VitePress", '<div class="warning custom-block"><p class="custom-block-title">Warning</p><p>Body.</p></div>'],
    [
      "Starlight",
      '<aside aria-label="Warning" class="starlight-aside starlight-aside--warning"><p class="starlight-aside__title" aria-hidden="true">Warning</p><section class="starlight-aside__content"><p>Body.</p></section></aside>',
    ],
    ["DocBook", '<div class="warning"><h3 class="title">Warning</h3><p>Body.</p></div>'],
    [
      "Asciidoctor",
      '<div class="admonitionblock warning"><table><tr><td class="icon"><div class="title">Warning</div></td><td class="content">Body.</td></tr></table></div>',
    ],
    [
      "GitHub",
      '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title"><svg></svg>Warning</p><p>Body.</p></div>',
    ],
    ["Learn", '<div class="WARNING"><p>Warning</p><p>Body.</p></div>'],
    ["MDN", '<div class="notecard warning"><p><strong>Warning:</strong> Body.</p></div>'],
    ["Slate", '<aside class="warning">Body.</aside>'],
    [
      "ReadMe",
      '<blockquote class="callout callout_warn"><h3 class="callout-heading"><span>🚧</span>Warning</h3><p>Body.</p></blockquote>',
    ],
  ] as const) {
    it(`writes a note of ${name} as a labelled quote`, () => {
      assert.equal(markdown(html), "> **Warning:** Body.");
    });
  }

  it("keeps nested lists, numbers and tasks", () => {
    assert.equal(
      markdown(
        "<ol start=3><li>three<ul><li>sub</ul><li><p>four</p><p>more</p></ol><ul><li><input type=checkbox checked>done</ul>",
      ),
      "3. three\n   - sub\n\n4. four\n\n   more\n\n- [x] done",
    );
  });

  it("keeps folded parts with their summary", () => {
    assert.equal(markdown("<details><summary>More</summary><p>Inside.</p></details>"), "**More**\n\nInside.");
  });

  it("strips marks from headings and keeps their levels", () => {
    assert.equal(
      markdown(
        '<div class="h"><h2 id="a"><a href="#a"><code>run()</code> now</a><a class="headerlink" href="#a">¶</a></h2></div><h4>Four <a class="anchor" href="#f">#</a></h4>',
      ),
      "## `run()` now\n\n#### Four",
    );
  });

  it("gives a page without an h1 its title, and raises a heading that is the title", () => {
    const page = (body: string): string =>
      cleanPage(`<head><title>Locks - Acme Docs</title></head><body><p>Acme Docs</p>${body}</body>`).text;
    assert.match(page("<p>Text of some length.</p>"), /^# Locks\n/u);
    assert.match(page("<h2>Locks</h2><p>Text.</p><h3>Kinds</h3>"), /# Locks\n\nText\.\n\n### Kinds\n/u);
  });

  it("keeps many h1 as they are", () => {
    const text = cleanPage(
      "<head><title>Book</title></head><body><main><h1>One</h1><p>a</p><h1>Two</h1><p>b</p></main></body>",
    ).text;
    assert.equal(text, "# One\n\na\n\n# Two\n\nb\n");
  });

  it("gives a manual page in one pre its headings and loses no line", () => {
    const section = (name: string): string =>
      `${name}\n${"       Some text that explains it well enough to be read.\n".repeat(4)}\n`;
    const html = `<head><title>acme(1)</title></head><body><pre>ACME(1)        ACME(1)\n\n${["NAME", "SYNOPSIS", "LIST OPTIONS", "SEE ALSO"].map(section).join("")}</pre></body>`;
    const text = cleanPage(html).text;
    assert.deepEqual(text.match(/^#+ .*$/gmu), [
      "# acme(1)",
      "## NAME",
      "## SYNOPSIS",
      "## LIST OPTIONS",
      "## SEE ALSO",
    ]);
    assert.equal(text.match(/^ {7}Some text/gmu)?.length, 16);
  });
});
