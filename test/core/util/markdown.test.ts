import assert from "node:assert/strict";
import { blocks, blockTree, codeBlocks, inlineCode, plainText, tableRows } from "../../../src/core/util/markdown.ts";
import { sentences } from "../../../src/core/util/sentences.ts";

describe("reading Markdown", () => {
  it("finds the top-level blocks", () => {
    const text =
      "Title\n=====\n\nA\nparagraph.\n\n## Two `x`\n~~~sh title=a\n# no heading\n~~~\n- one\n\n  ```js\n  a\n  ```\n- two\n\n> q\nlazy\n\n|a|b|\n|-|-|\n|1|2\\|3|\n\n***\n<div>\nx\n</div>\n\n[a]: b\n";
    const found = blocks(text);
    assert.deepEqual(
      found.map(({ kind }) => kind),
      ["heading", "paragraph", "heading", "code", "list", "quote", "table", "rule", "html", "definition"],
    );
    assert.equal(found[2]?.title, "Two x");
    assert.equal(found[3]?.content, "# no heading");
    assert.equal(found[3].language, "sh");
    const list = found[4];
    const table = found[6];
    assert.ok(list !== undefined && table !== undefined);
    assert.equal(blockTree(text, list)[0]?.children.length, 2);
    assert.deepEqual(
      tableRows(text, table).map(({ cells }) => cells),
      [
        ["a", "b"],
        ["1", "2\\|3"],
      ],
    );
  });

  it("finds code inside lists and quotes, without their marks", () => {
    assert.deepEqual(
      codeBlocks("1. a\n\n   ```py\n   if x:\n       y\n\n   z\n   ```\n\n> ```\n> q\n> ```\n\n```\nopen").map(
        (code) => code.content,
      ),
      ["if x:\n    y\n\nz", "q", "open"],
    );
  });

  it("gives plain text and inline code", () => {
    assert.equal(plainText("**Use** [the `map`](x.md) of \\*snake_case_name*"), "Use the map of *snake_case_name*");
    assert.deepEqual(inlineCode("`a` and ``b`c``\n\n```\n`no`\n```\n"), ["a", "b`c"]);
  });
});

describe("cutting sentences", () => {
  const cut = (text: string): string[] => sentences(text).map(({ start, end }) => text.slice(start, end));

  it("tiles the text and keeps abbreviations, versions and code whole", () => {
    const parts = [
      "Use 3.11.2, e.g. Foo in foo.py. ",
      "It says `a. B` here! ",
      "See Fig. 3 vs. Bar. ",
      "完了です。",
      "次へ。",
    ];
    assert.deepEqual(cut(parts.join("")), parts);
  });
});
