import assert from "node:assert/strict";
import fc from "fast-check";
import { escapeHtml, markdown, nodesOf, parseMarkdown, textOf } from "./page.ts";

describe("cleaning tables", () => {
  it("fills a rowspan so that each row stands alone", () => {
    assert.equal(
      markdown("<table><tr><th>Shell<th>Command<tr><td rowspan=2>POSIX<td>a<tr><td>b</table>"),
      "| Shell | Command |\n| --- | --- |\n| POSIX | a |\n| POSIX | b |",
    );
  });

  it("fills a colspan of a body row and joins head rows by column", () => {
    const table =
      "<table><thead><tr><th rowspan=2>Mode<th colspan=2>Existing<tr><th>A<th>B</thead><tr><td>x<td colspan=2>both</table>";
    assert.equal(markdown(table), "| Mode | Existing / A | Existing / B |\n| --- | --- | --- |\n| x | both | both |");
  });

  it("keeps values apart that a line break separates", () => {
    assert.match(markdown("<table><tr><th>a<th>b<tr><td>2<br>3<td>x</table>"), /\| 2; 3 \| x \|/u);
  });

  it("writes lists, paragraphs and a line of code in one row", () => {
    const row = "<td><p>One.</p><p>Two</p><ul><li>x<li>y</ul><td><pre>a | b</pre>";
    assert.match(markdown(`<table><tr><th>a<th>b<tr>${row}</table>`), /\| One\. Two; x; y \| `a \\\| b` \|/u);
  });

  it("turns rows with several lines of code into labelled blocks", () => {
    const text = markdown(
      "<table><tr><th>Bad<th>Good<tr><td><pre>if (x) {\n  y\n}</pre><td>Use <code>z</code>.</table>",
    );
    assert.equal(text, "**Bad:**\n\n```\nif (x) {\n  y\n}\n```\n\n**Good:** Use `z`.");
  });

  it("keeps a caption as a line above", () => {
    assert.match(
      markdown("<table><caption>Table 1. Modes</caption><tr><th>a<th>b<tr><td>1<td>2</table>"),
      /^\*\*Table 1\. Modes\*\*\n\n\| a \| b \|/u,
    );
  });

  it("writes an empty head for a table without one", () => {
    assert.equal(
      markdown("<table><tr><td>1<td>2<tr><td>3<td>4</table>"),
      "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
    );
  });

  it("dissolves tables that lay out the page", () => {
    assert.equal(markdown("<table role=presentation><tr><td><p>One</p><td><p>Two</p></table>"), "One Two");
    assert.equal(markdown("<table><tr><td><p>Only cell</p><pre>x\n y</pre></table>"), "Only cell\n\n```\nx\n y\n```");
  });

  it("reads tables made of roles and of Javadoc's columns", () => {
    const roles =
      "<div role=table><div role=row><span role=columnheader>Name</span><span role=columnheader>Use</span></div><div role=row><span role=cell>a</span><span role=cell>b</span></div></div>";
    assert.equal(markdown(roles), "| Name | Use |\n| --- | --- |\n| a | b |");
    const columns =
      '<div class="summary-table two-column-summary"><div class="table-header col-first">Type</div><div class="table-header col-last">Text</div><div class="col-constructor-name even">int</div><div class="col-last even">count</div></div>';
    assert.equal(markdown(columns), "| Type | Text |\n| --- | --- |\n| int | count |");
  });

  it("keeps every cell of any table, in order", () => {
    const cell = fc.stringMatching(/^[a-z0-9|*_`<>&\\ [\]~$.-]{0,12}$/u);
    fc.assert(
      fc.property(
        fc
          .integer({ min: 2, max: 5 })
          .chain((width) =>
            fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
          ),
        (rows) => {
          const width = rows[0]!.length;
          const head = `<tr>${Array.from({ length: width }, (_unused, index) => `<th>h${index}`).join("")}`;
          const body = rows
            .map((row) => `<tr>${row.map((value) => `<td>x${escapeHtml(value)}y</td>`).join("")}`)
            .join("");
          const cells = nodesOf(parseMarkdown(markdown(`<table>${head}${body}</table>`)), "tableCell")
            .slice(width)
            .map(textOf);
          assert.deepEqual(
            cells,
            rows.flat().map((value) => `x${value}y`.replace(/\s+/gu, " ")),
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});
