import assert from "node:assert/strict";
import fc from "fast-check";
import { maxTokens, minTokens, sectionByHeadings } from "../../../src/core/section/headings.ts";
import { codeBlocks } from "../../../src/core/util/markdown.ts";
import { countTokens } from "../../../src/core/util/tokens.ts";

const words = (count: number): string => "A worker takes one message and answers it. ".repeat(Math.ceil(count / 9));

describe("cutting a page at its headings", () => {
  it("gives no section for an empty text", () => {
    assert.deepEqual(sectionByHeadings("", countTokens), []);
  });

  it("cuts at h1 and h2 and tells the path", () => {
    const text = `# Heron\n\n${words(250)}\n\n## Set \`up\`\n\n${words(250)}\n\n### Deep\n\n${words(250)}\n`;
    assert.deepEqual(
      sectionByHeadings(text, countTokens).map((section) => section.headingPath),
      [["Heron"], ["Heron", "Set up"]],
    );
  });

  it("joins a short section with the next, the last with the previous", () => {
    const text = `# Heron\n\n## One\n\n${words(300)}\n\n## Two\n\nShort.\n`;
    const sections = sectionByHeadings(text, countTokens);
    assert.equal(sections.length, 1);
    assert.deepEqual(sections[0]?.headingPath, ["Heron", "One"]);
  });

  it("cuts a long section at h3", () => {
    const text = `# Heron\n\n## Ways\n\n${[1, 2, 3].map((n) => `### Way ${n}\n\n${words(1500)}\n\n`).join("")}`;
    assert.deepEqual(
      sectionByHeadings(text, countTokens).map((section) => section.headingPath.at(-1)),
      ["Way 1", "Way 2", "Way 3"],
    );
  });

  it("cuts a long table between rows, and a long sentence between words", () => {
    const table = `| a | b |\n|---|---|\n${"| one cell | another cell |\n".repeat(1500)}`;
    for (const section of sectionByHeadings(`${table}\n${"word ".repeat(9000)}`, countTokens)) {
      assert.ok(section.tokens <= maxTokens);
      assert.ok(section.tokens >= minTokens);
    }
  });

  const longItems = {
    "list item": (n: number) =>
      `${n === 0 ? "- " : "  "}Step ${n}: ${words(60)}.\n\n  \`\`\`js\n  call(${n});\n\n  done(${n});\n  \`\`\`\n\n`,
    quote: (n: number) => `> Step ${n}: ${words(60)}.\n>\n> \`\`\`js\n> call(${n});\n>\n> done(${n});\n> \`\`\`\n>\n`,
  };
  for (const [what, step] of Object.entries(longItems)) {
    it(`cuts a long ${what} between its blocks and never inside its code`, () => {
      const text = `# T\n\n${Array.from({ length: 200 }, (_, n) => step(n)).join("")}`;
      const sections = sectionByHeadings(text, countTokens);
      assert.ok(sections.length > 3);
      assert.ok(sections.every(({ tokens }) => tokens <= 3_000));
      for (const { start } of sections.slice(1)) {
        assert.equal(text[start - 1], "\n");
        assert.ok(codeBlocks(text).every((code) => start <= code.start || start >= code.end));
      }
    });
  }

  it("keeps a long fence whole", () => {
    const text = `# T\n\n\`\`\`sh\n${"# not a heading\nrun it\n\n".repeat(1200)}\`\`\`\n\n${words(400)}\n`;
    const [code] = codeBlocks(text);
    assert.ok(code !== undefined);
    for (const { start } of sectionByHeadings(text, countTokens)) assert.ok(start <= code.start || start >= code.end);
  });

  it("tiles any text, cuts no fence and no surrogate pair", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "# A",
        "## B",
        "### C",
        "```",
        "~~~~",
        "    x",
        "- item",
        "  - inner",
        "> q",
        "",
        "",
        "|a|b|",
        "|-|-|",
        "===",
      ),
      fc.constant("🦩".repeat(4000)),
      fc.constant(words(900)),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const text = lines.join("\n");
        const sections = sectionByHeadings(text, countTokens);
        assert.equal(sections.map(({ start, end }) => text.slice(start, end)).join(""), text);
        const fences = codeBlocks(text);
        sections.forEach(({ start, end, index }, at) => {
          assert.equal(index, at);
          assert.ok(end > start);
          assert.ok(!/^[\uDC00-\uDFFF]/u.test(text.slice(start)) || !/[\uD800-\uDBFF]$/u.test(text.slice(0, start)));
          for (const fence of fences) assert.ok(start <= fence.start || start >= fence.end);
        });
      }),
      { numRuns: 60 },
    );
  }).timeout(20_000);
});
