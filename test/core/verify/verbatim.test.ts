import assert from "node:assert/strict";
import fc from "fast-check";
import { createFindCode } from "../../../src/core/verify/verbatim.ts";

const page = `# Marmot

Install it with \`npm install marmot\` first.

\`\`\`py
def run(queue):
    for message in queue:

        message.ack()
    return True
\`\`\`

- In a list:

  \`\`\`sh
  marmot start \\
    --port 80
  \`\`\`

> \`\`\`js
> go();
> stop();
> \`\`\`
`;

describe("finding code in a page", () => {
  const find = createFindCode(page);

  it("returns a block as the page has it", () => {
    const code = "def run(queue):\n    for message in queue:\n\n        message.ack()\n    return True";
    assert.equal(find(code), code);
  });

  it("takes lines one after the other, also from the middle of a block", () => {
    assert.equal(
      find("    for message in queue:\n\n        message.ack()"),
      "    for message in queue:\n\n        message.ack()",
    );
  });

  it("puts white space right that the copy changed", () => {
    assert.equal(
      find("def run(queue):\n\tfor message in queue:\n\t\tmessage.ack()\n\treturn True"),
      "def run(queue):\n    for message in queue:\n\n        message.ack()\n    return True",
    );
  });

  it("takes off the indentation of the list or quote around the block", () => {
    assert.equal(find("marmot start \\\n  --port 80"), "marmot start \\\n  --port 80");
    assert.equal(find("go();\nstop();"), "go();\nstop();");
  });

  it("finds a command that stands within a sentence", () => {
    assert.equal(find("npm install marmot"), "npm install marmot");
  });

  const absent: [string, string][] = [
    ["a changed word", "def run(queues):\n    for message in queue:"],
    ["a line left out", "def run(queue):\n        message.ack()"],
    ["a line added", "def run(queue):\n    log()\n    for message in queue:"],
    ["lines of two blocks", "    return True\nmarmot start \\"],
    ["a comment in place of code", "def run(queue):\n    # ...\n    return True"],
    ["a command that ends within a number", "--port 8"],
    ["nothing but blanks", " \n "],
  ];
  for (const [name, code] of absent) it(`does not find ${name}`, () => assert.equal(find(code), undefined));

  it("finds every run of lines of any block, whatever the indentation of the copy", () => {
    const line = fc.stringMatching(/^ {0,4}[a-z(){};.=]{1,12}$/u);
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        fc.constantFrom("", "  ", "\t"),
        (lines, from, count, indent) => {
          const text = `Words before.\n\n\`\`\`\n${lines.join("\n")}\n\`\`\`\n\nWords after.`;
          const first = from % lines.length;
          const taken = lines.slice(first, first + 1 + (count % (lines.length - first)));
          const found = createFindCode(text)(taken.map((content) => `${indent}${content}`).join("\n"));
          assert.ok(found !== undefined);
          assert.ok(text.includes(found), "what is found stands in the page, character for character");
          assert.equal(found.replace(/\s/gu, ""), taken.join("").replace(/\s/gu, ""));
        },
      ),
    );
  });

  it("never returns what is not in the page", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "`", ">", "-") });
    fc.assert(
      fc.property(text, text, (whole, code) => {
        const found = createFindCode(whole)(code);
        if (found === undefined) return;
        const squeezed = (value: string) => value.replace(/[\s>-]/gu, "");
        assert.ok(squeezed(whole).includes(squeezed(found)));
      }),
    );
  });

  it("is quick where a line repeats thousands of times", () => {
    const repeated = `\`\`\`\n${"}\n".repeat(20_000)}end\n\`\`\``;
    const findThere = createFindCode(repeated);
    // Where this were quadratic it would run into the suite's time limit.
    assert.equal(findThere("}\n}\nend"), "}\n}\nend");
    assert.equal(findThere("}\n}\nother"), undefined);
  });
});
