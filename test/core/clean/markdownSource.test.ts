import assert from "node:assert/strict";
import { cleanMarkdown } from "../../../src/core/clean/markdownSource.ts";

const clean = (content: string) =>
  cleanMarkdown({
    url: "https://docs.example/a.md",
    requested: "a.md",
    redirects: [],
    format: "markdown",
    content,
    charset: "utf-8",
    byteLength: content.length,
  });

describe("cleaning a page that is Markdown", () => {
  it("reads and removes front matter", () => {
    const page = clean('---\ntitle: "Heron: setup"\ndescription: How to.\ndate: 2025-03-04\n---\n\nText.\n');
    assert.equal(page.title, "Heron: setup");
    assert.equal(page.text, "# Heron: setup\n\nText.\n");
    assert.equal(page.description, "How to.");
    assert.equal(page.modified, "2025-03-04");
    assert.equal(page.leftOut[0]?.what, "front matter");
  });

  it("turns containers and components into labels and keeps code as it is", () => {
    const code = '```js title="a.js"\nimport x from "y";\n\n\t<Note>:::</Note>\n```';
    const { text } = clean(
      `# T\n\nimport Tabs from "x";\n\n:::note[Mind]\nBody.\n:::\n\n<Tab title="npm">\n\n${code}\n\n</Tab>\n\n2<sup>16</sup> \`<Note>\`\n`,
    );
    assert.ok(text.includes(code));
    for (const kept of ["**Mind**", "Body.", "**npm**", "2^16", "`<Note>`"]) assert.ok(text.includes(kept), kept);
    for (const gone of ["import Tabs", "</Tab>"]) assert.ok(!text.includes(gone), gone);
  });
});
