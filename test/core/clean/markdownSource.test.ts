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

  it("keeps types and placeholders that look like tags", () => {
    const line = "An Array<T> of Map<String, List<T>>, a Vec<u8>, a <T>, a <name>, and x<b && c>d.";
    assert.ok(clean(`# T\n\n${line}\n`).text.includes(line));
  });

  it("parts what a line break parts", () => {
    const { text } = clean("# T\n\n| a | b |\n|---|---|\n| 2<br>3 | x |\n\nOne<br/>two\n");
    assert.ok(text.includes("| 2; 3 | x |"), text);
    assert.ok(text.includes("One\ntwo"), text);
  });

  it("keeps what a component's attributes show", () => {
    const { text } = clean(
      '# T\n\n<ParamField path="limit" type="number" default="20" required>\nRows.\n</ParamField>\n\n<Card title="Start" href="/start">\nGo.\n</Card>\n',
    );
    assert.ok(text.includes("**limit** type: number; default: 20; required"), text);
    assert.ok(text.includes("**[Start](/start)**"), text);
  });

  it("takes out script of MDX, and no sentence about imports", () => {
    const { text } = clean(
      'import {\n  Tabs,\n  Tab,\n} from "x";\n\n# T\n\n<Tab>\nimport the module before use.\n</Tab>\n',
    );
    assert.ok(!text.includes("Tabs,") && text.includes("import the module before use."), text);
    const plain = 'import a from "b"';
    assert.ok(clean(`# T\n\n${plain}\n`).text.includes(plain));
  });

  it("outdents the bodies of tabs and notes with the fences in them", () => {
    const { text } = clean(
      '# T\n\n=== "npm"\n\n    ```sh\n    npm i\n      x\n    ```\n\n!!! note\n    Mind.\n\nEnd.\n',
    );
    assert.ok(text.includes("**npm**\n\n\n```sh\nnpm i\n  x\n```"), text);
    assert.ok(text.includes("**Note**\n\nMind."), text);
  });

  it("labels a fence with its file's name", () => {
    assert.ok(clean('# T\n\n```js title="a.js"\nx\n```\n').text.includes('**a.js**\n\n```js title="a.js"'));
  });

  it("lets no script, frame or link that runs something into the text", () => {
    const { text, leftOut } = clean(
      '# T\n\n<script>alert(1)</script>\n\n<iframe src="javascript:alert(2)">x</iframe>\n\n[Go](javascript:alert(3)) and <a href=" javascript:alert(4)">run</a>.\n\n```html\n<script>kept()</script>\n```\n',
    );
    assert.doesNotMatch(text, /alert|javascript:|iframe/u);
    assert.match(text, /\[Go\] and run\./u);
    assert.ok(text.includes("<script>kept()</script>"), text);
    assert.ok(leftOut.some(({ what }) => what === "script"));
  });

  for (const [what, text] of Object.entries({
    "comments that never end": "<!--".repeat(50_000),
    "tags that never end": "<a ".repeat(50_000),
    "scripts that never end": "<script>".repeat(50_000),
    "less-than signs": "<".repeat(200_000),
    "pictures that never end": "![[](".repeat(50_000),
    entities: "&".repeat(100_000),
    "code marks": "`a ".repeat(50_001),
    "shortcodes that never end": "{{< x ".repeat(50_000),
    containers: ":::".repeat(50_000),
    braces: "{".repeat(100_000),
    "attributes that never end": `<Tab ${'a="b" '.repeat(50_000)}`,
  })) {
    it(`reads a line of ${what}`, () => {
      const { text: cleaned } = clean(`# T\n\nBefore.\n\n${text}\n\nAfter.\n`);
      assert.ok(cleaned.includes("Before.") && cleaned.includes("After."));
    });
  }
});
