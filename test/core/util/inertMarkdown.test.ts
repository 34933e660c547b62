import assert from "node:assert/strict";
import fc from "fast-check";
import { inertMarkdown } from "../../../src/core/util/inertMarkdown.ts";
import { codeBlocks } from "../../../src/core/util/markdown.ts";
import { activeParts } from "../../fakes/rendered.ts";

describe("inertMarkdown", () => {
  const unchanged: Readonly<Record<string, string>> = {
    prose: "Set `max` to 3, then **restart** it. 1 < 2 and a & b; see [the guide](https://docs.test/a_(b)#c).",
    "a fence after a paragraph": "One\n\n```js\nconst a = b[0](`<img>`);\n```\n\nTwo\n",
    "a table": "| a | b |\n| --- | --- |\n| `x` | 1 |\n",
    "a list": "- one\n- two\n  - three\n\n1. four\n",
    "links within the site": "[a](#b) [c](../d/e.md) [f](/g?h=i) [j](mailto:k@l.test) <https://docs.test>",
    "inline code that spells pictures and tags": "Write `![alt](src)` or `<img src=x>` or ``a ` b``.",
    "a macro": "Call `vec![1, 2](x)` there.",
    "line breaks in cells": "| a<br>b |\n| --- |\n| c<br/>d |",
    formulas: "The sum $a_1 + b$ and\n\n$$\nx^2\n$$\n",
  };
  for (const [what, markdown] of Object.entries(unchanged)) {
    it(`leaves ${what} as it is`, () => assert.equal(inertMarkdown(markdown), markdown));
  }

  const rewritten: readonly (readonly [what: string, markdown: string, inert: string])[] = [
    ["a picture to a link", "a ![b](https://t.test/p.png) c", "a [b](https://t.test/p.png) c"],
    ["a badge to its text", "[![build](https://t.test/b.svg)](https://ci.test)", "[build](https://ci.test)"],
    ["a picture by reference", "![a][b]\n\n[b]: https://t.test/x.png", "[a][b]\n\n[b]: https://t.test/x.png"],
    ["a macro outside of code", "vec![1]", "vec&#33;[1]"],
    ["a tag", "<img src=x onerror=y>", "&lt;img src=x onerror=y>"],
    ["a comment", "a <!-- b -->", "a &lt;!-- b -->"],
    ["a link that runs a command", "[a](command:x)", "[a]&#40;command:x)"],
    ["a link with a hidden scheme", "[a](java&#115;cript:x)", "[a]&#40;java&#115;cript:x)"],
    ["a definition", "[a]: javascript:x", "[a]&#58; javascript:x"],
    ["a definition on two lines", "[a]:\njavascript:x", "[a]&#58;\njavascript:x"],
    ["an autolink to a command", "<command:x>", "&lt;command:x>"],
    ["code in a list to the line's start", "- a\n\n  ~~~\n  <b>\n  ~~~", "- a\n\n```\n<b>\n```\n"],
    ["indented code to a fence", "a\n\n    <b>\n\nc", "a\n\n```\n<b>\n```\n\nc"],
    ["inline code on two lines", "a `b\nc` d", "a `b c` d"],
    ["a fence that does not end", "```\n<b>", "```\n<b>\n```\n"],
    ["code cut by a table", "| ` | ![x](https://t.test/) ` |", "| &#96; | [x](https://t.test/) &#96; |"],
    ["code inside a formula", "$x `$ ![a](https://t.test/)`", "&#36;x `$ ![a](https://t.test/)`"],
  ];
  for (const [what, markdown, inert] of rewritten) {
    it(`rewrites ${what}`, () => {
      assert.equal(inertMarkdown(markdown), inert);
      assert.deepEqual(activeParts(inert), []);
    });
  }

  it("is told from what it guards against: the text before is active", () => {
    for (const markdown of ["![a](https://t.test)", "<img src=x>", "[a](command:x)", "<javascript:x>"])
      assert.notDeepEqual(activeParts(markdown), []);
  });

  it("leaves no more quotes and lists in each other than a reader can take", () => {
    for (const mark of ["> ", ">", "- ", "1. ", "> - "]) {
      const inert = inertMarkdown(`${mark.repeat(20_000)}deep`);
      assert.deepEqual(activeParts(inert), []);
      assert.match(inert, /deep$/u);
    }
    activeParts(inertMarkdown(Array.from({ length: 3_000 }, (_, level) => `${"  ".repeat(level)}- a`).join("\n")));
  });

  const pieces = [
    "![a](https://t.test/p)", "[a](javascript:x)", "[a](command:x)", "<img src=https://t.test>", "<script>", "</script>",
    "<a href='command:x'>", "<!--", "-->", "<?", "?>", "<![CDATA[", "]]>", "[a]:", " javascript:x", "![", "](", "]", "[", ")",
    "(", "!", "<", ">", "`", "``", "```", "````", "~~~", "\n", "\n\n", "\n", " ", "    ", "\t", "> ", "- ", "1. ", "|", "\n|---|\n",
    "\n---\n", "\n===\n", "# ", "\\", "&lt;", "&colon;", "$", "$$", "*", "_", "a", "b c", "https://t.test", "<https://t.test>",
    "[x]: https://t.test", "javascript:x", "data:image/png;base64,AA", "<svg onload=x>", "<pre>", "<textarea>", "[^1]: ", "\r", "\0",
    ":::", "<br>", "\u00A0", "\u2028", "\uD800", "\"", "'", "{", "}",
  ]; // prettier-ignore

  it("gives nothing active to a reader, whatever the text", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 24 }), (parts) => {
        const markdown = parts.join("");
        const inert = inertMarkdown(markdown);
        assert.deepEqual(activeParts(inert), [], JSON.stringify({ markdown, inert }));
      }),
      { numRuns: 2_000 },
    );
  });

  it("changes no code block", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 24 }), (parts) => {
        const markdown = `${parts.join("").replace(/[\r\0]/gu, "")}\n`;
        const before = codeBlocks(markdown).map(({ content }) => content);
        const after = codeBlocks(inertMarkdown(markdown)).map(({ content }) => content);
        assert.ok(
          before.every((content) => after.includes(content)),
          JSON.stringify({ markdown, before, after }),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
