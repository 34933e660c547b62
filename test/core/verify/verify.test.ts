import assert from "node:assert/strict";
import fc from "fast-check";
import type { FactDraft, Page, Section } from "../../../src/core/types.ts";
import { codeBlocks } from "../../../src/core/util/markdown.ts";
import { createFindCode } from "../../../src/core/verify/verbatim.ts";
import { verify } from "../../../src/core/verify/verify.ts";
import type { VerifyResult } from "../../../src/core/verify/verify.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);

function pageOf(text: string, over: Partial<Page> = {}): Page {
  return {
    id: "marmot-0123456789",
    url: "https://docs.example.com/marmot",
    requested: "https://docs.example.com/marmot",
    redirects: [],
    format: "markdown",
    charset: "utf-8",
    savedAt: "2026-01-02T03:04:05.000Z",
    title: "Marmot Queue retries",
    coverage: 1,
    leftOut: [],
    text,
    ...over,
  };
}

/** One section a text; together they are the page. */
function sectionsOf(
  texts: readonly string[],
  headingPath: readonly string[] = ["Retries"],
): { page: Page; sections: Section[] } {
  let start = 0;
  const sections = texts.map((text, index) => {
    const section = { index, start, end: start + text.length, headingPath, tokens: countTokens(text) };
    start += text.length;
    return section;
  });
  return { page: pageOf(texts.join("")), sections };
}

function draft(over: Partial<FactDraft> = {}): FactDraft {
  return {
    sectionIndex: 0,
    topic: "Marmot Queue retries",
    statement: "Marmot Queue retries a message.",
    questions: ["How do retries work?"],
    keywords: [],
    symbols: [],
    body: "",
    ...over,
  };
}

function check(drafts: readonly FactDraft[], texts: readonly string[], headingPath?: readonly string[]): VerifyResult {
  const { page, sections } = sectionsOf(texts, headingPath);
  return verify({ drafts, page, sections, origin: { distiller: "test:one", extractive: false }, countTokens });
}

const retries =
  "## Retries\n\nA message is retried up to `max_tries` times (default 5, at most 1,000), 30 seconds apart, with `--wait`.\n\n";

describe("verify", () => {
  it("takes a fact over with its page, section, span and tokens", () => {
    const { facts } = check([draft({ body: "It waits 30 seconds." })], [retries], ["Marmot", "Retries"]);
    const [fact] = facts;
    assert.match(fact?.id ?? "", /^marmot-0123456789\.[0-9a-f]{10}$/u);
    assert.equal(fact?.pageId, "marmot-0123456789");
    assert.deepEqual(fact.source, { start: 0, end: retries.length, headingPath: ["Marmot", "Retries"] });
    assert.equal(
      fact.tokens,
      countTokens("### Marmot Queue retries\n\nMarmot Queue retries a message.\n\nIt waits 30 seconds."),
    );
    assert.deepEqual(fact.origin, { distiller: "test:one", extractive: false });
  });

  it("gives equal facts ids of their own, and the same ones each time", () => {
    const ids = () => check([draft(), draft(), draft({ statement: "Another." })], [retries]).facts.map(({ id }) => id);
    assert.equal(new Set(ids()).size, 3);
    assert.deepEqual(ids(), ids());
  });

  it("leaves out a draft of a section that does not exist", () => {
    assert.deepEqual(check([draft({ sectionIndex: 7 })], [retries]).facts, []);
  });

  describe("code", () => {
    const text = "Run it:\n\n```py\nrun(\n    5)\n```\n";

    it("stays when the page holds it", () => {
      const body = "Run Marmot:\n\n```py\nrun(\n    5)\n```\n\nDone.";
      const { facts, dropped } = check([draft({ body })], [text]);
      assert.equal(facts[0]?.body, body);
      assert.equal(dropped.code, 0);
    });

    it("is put right where only white space differs", () => {
      const { facts } = check([draft({ body: "```py\nrun(\n5)\n```" })], [text]);
      assert.equal(facts[0]?.body, "```py\nrun(\n    5)\n```");
    });

    it("goes when the page does not hold it, is counted and sent back", () => {
      const { facts, dropped, repairs } = check([draft({ body: "Before.\n\n```py\nrun(6)\n```\n\nAfter." })], [text]);
      assert.equal(facts[0]?.body, "Before.\n\nAfter.");
      assert.equal(dropped.code, 1);
      assert.deepEqual(repairs[0]?.unsupported, ["code block that begins `run(6)`"]);
    });

    it("may come from another section of the page", () => {
      assert.equal(check([draft({ body: "```py\nrun(\n    5)\n```" })], [retries, text]).dropped.code, 0);
    });

    it("with backticks in it keeps a fence that is long enough", () => {
      const page = "````md\n```js\ngo()\n```\n````\n";
      const { facts, dropped } = check([draft({ body: page.trim() })], [page]);
      assert.equal(dropped.code, 0);
      assert.equal(facts[0]?.body, page.trim());
    });

    it("inside a list stays in its list", () => {
      const body = "- Run it:\n\n  ```py\n  run(\n      5)\n  ```\n- Stop it.";
      assert.equal(check([draft({ body })], [text]).facts[0]?.body, body);
    });

    it("after a list mark stays in its list", () => {
      const body = "- ```py\n  run(\n      5)\n  ```\n- Stop it.";
      assert.equal(check([draft({ body })], [text]).facts[0]?.body, body);
    });

    it("that is left stands in the page, whatever the body, and is left alone by a second check", () => {
      const page = "Do:\n\n```js\na();\n\n  b();\n```\n\n- In a list:\n\n  ```js\n  c();\n  ```\n\n> ```\n> d\n> ```\n";
      const piece = fc.constantFrom(
        "```js\n",
        "```\n",
        "~~~\n",
        "````\n",
        "a();\n",
        "  b();\n",
        "c();\n",
        "d\n",
        "x();\n",
        "\n",
        "- ",
        "> ",
        "Words. ",
        "  ",
      );
      const find = createFindCode(page);
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
          const body = check([draft({ body: pieces.join("") })], [page]).facts[0]?.body ?? "";
          for (const { content: code } of codeBlocks(body))
            if (code.trim() !== "") assert.ok(find(code) !== undefined, JSON.stringify({ body, code }));
          const again = check([draft({ body })], [page]);
          assert.equal(again.facts[0]?.body, body);
          assert.equal(again.dropped.code, 0);
        }),
        { numRuns: 2_000 },
      );
    });

    it("that is taken out leaves no marks that open another block", () => {
      const body = "```js\n````\n  - ```js\n```js\n";
      const once = check([draft({ body })], ["Words.\n"]).facts[0]?.body ?? "";
      assert.equal(check([draft({ body: once })], ["Words.\n"]).facts[0]?.body ?? "", once);
    });

    it("inline is unsupported when it is more than a name and not in the page", () => {
      const { repairs } = check([draft({ body: "Use `run(5, fast=True)` or `run(\n`." })], ["Use `run(5)`.\n"]);
      assert.deepEqual(repairs[0]?.unsupported, ["`run(5, fast=True)`"]);
    });
  });

  describe("keywords and symbols", () => {
    it("stay when the page holds them, whatever the case, marks and white space", () => {
      const text = "The **default retry** limit\nof `max_tries` isn\u2019t [fixed](x.html).\n";
      const keywords = ["Default retry limit", "isn't fixed", "`max_tries`", "MAX_TRIES"];
      assert.deepEqual(check([draft({ keywords })], [text]).facts[0]?.keywords, keywords);
    });

    it("go when it does not, and are counted", () => {
      const { facts, dropped } = check(
        [draft({ keywords: ["max_tries", "dead letter"], symbols: ["max_tries", "ackAll()"] })],
        [retries],
      );
      assert.deepEqual(facts[0]?.keywords, ["max_tries"]);
      assert.deepEqual(facts[0].symbols, ["max_tries"]);
      assert.equal(dropped.keywords, 2);
    });

    it("are no pieces of longer numbers", () => {
      const text = "It holds 300 rows, 1.30 or 2<sup>16</sup> in all, in the packages.\n";
      const keywords = ["30", "216", "300 rows", "2^16", "package"];
      assert.deepEqual(check([draft({ keywords })], [text]).facts[0]?.keywords, ["300 rows", "2^16", "package"]);
    });

    it("may join names that the page tells apart", () => {
      const text = "`ackAll()` of the `MessageBatch`\n";
      assert.deepEqual(check([draft({ symbols: ["MessageBatch.ackAll()"] })], [text]).facts[0]?.symbols, [
        "MessageBatch.ackAll()",
      ]);
    });
  });

  describe("statements", () => {
    const unsupported = (body: string, texts = [retries], path?: string[]) =>
      check([draft({ body })], texts, path).repairs[0]?.unsupported ?? [];

    it("pass with the section's numbers in any spelling", () => {
      assert.deepEqual(unsupported("Five tries; the default is 5, at most 1000, every 30s."), []);
    });

    it("fail with a number, version, flag or name that is not in the section", () => {
      assert.deepEqual(unsupported("After 7 tries, since v2.0.1, `--force` calls retryAll()."), [
        "7",
        "2.0.1",
        "--force",
        "retryAll",
      ]);
    });

    it("may use numbers of the heading path, title and version of the page, but not of another section", () => {
      assert.deepEqual(unsupported("Since 4.2 it waits.", [retries], ["Marmot 4.2"]), []);
      assert.deepEqual(unsupported("It waits 77 seconds.", [retries, "## Other\n\nIt waits 77 seconds.\n"]), ["77"]);
    });

    it("may name what another section introduces", () => {
      assert.deepEqual(
        unsupported("It goes to the `graveyard_queue`.", [retries, "## Other\n\nThe `graveyard_queue`.\n"]),
        [],
      );
    });

    it("that fail stay and are listed as unverified, the good ones beside them are not", () => {
      const { facts, dropped } = check(
        [draft({ body: "It waits 30 seconds. It gives up after 9 days.\n\n- At most 1,000 times." })],
        [retries],
      );
      assert.deepEqual(facts[0]?.unverified, ["It gives up after 9 days."]);
      assert.ok(facts[0].body.includes("9 days"));
      assert.equal(dropped.unverified, 1);
    });

    it("may put a command together from what the section tells, but not with another value", () => {
      const text = "## marmot run\n\n`--wait` waits, `--size 5` sets the size.\n";
      assert.deepEqual(unsupported("Use `marmot run --wait` or `marmot run --size 5`.", [text]), []);
      assert.deepEqual(unsupported("Use `marmot run --size=50`.", [text]), ["50", "`marmot run --size=50`"]);
    });

    it("of a wrong power are seen", () => {
      assert.deepEqual(unsupported("It holds 216 rows.", ["It holds 2<sup>16</sup> rows.\n"]), ["216"]);
      assert.deepEqual(unsupported("It holds 2^16 rows.", ["It holds 2<sup>16</sup> rows.\n"]), []);
    });
  });

  describe("what is left out", () => {
    const missing = (bodies: readonly string[], texts: readonly string[]) =>
      check(
        bodies.map((body) => draft({ body })),
        texts,
      ).missing;

    it("is every specific of a section that is in none of its facts", () => {
      assert.deepEqual(missing(["`max_tries` is 5, then 30 seconds."], [retries]), [
        { sectionIndex: 0, specifics: ["1000", "--wait"] },
      ]);
    });

    it("counts over all facts of the section", () => {
      assert.deepEqual(missing(["`max_tries` is 5, then 30 seconds.", "At most 1000, with `--wait`."], [retries]), []);
    });

    it("holds code blocks that no fact shows", () => {
      const text = "Run it:\n\n```py\nqueue.run(attempts=5)\n```\n";
      assert.deepEqual(missing(["Run it."], [text]), [
        { sectionIndex: 0, specifics: ["code block that begins `queue.run(attempts=5)`"] },
      ]);
      assert.deepEqual(missing(["Run it:\n\n```py\nqueue.run(attempts=5)\n```"], [text]), []);
    });

    it("says nothing of a section without facts", () => {
      assert.deepEqual(
        missing(["`max_tries` is 5, 30 seconds, 1,000, `--wait`."], [retries, "## Other\n\nIt waits 77 seconds.\n"]),
        [],
      );
    });
  });

  it("finds nothing wrong with facts that are the section itself", () => {
    const block = fc.constantFrom(
      "The `max_tries` setting is 1,000.\n\n",
      "- Use `--wait` with v2.3.4\n- Or wait 30s\n\n",
      "```py\nrun(\n    5)\n```\n\n",
      "| Name | Value |\n| --- | --- |\n| `a_b` | 2^16 |\n\n",
      "> Never call retryAll() three times.\n\n",
      "### 3.2 Valves (v1.2)\n\n",
    );
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 8 }), (blocks) => {
        const text = blocks.join("");
        const { dropped, repairs, missing } = check([draft({ statement: "It works.", body: text })], [text]);
        assert.deepEqual(dropped, { code: 0, keywords: 0, unverified: 0 });
        assert.deepEqual([repairs, missing], [[], []]);
      }),
    );
  });

  it("checks 500 facts of a 400 kB page in well under a second", () => {
    const texts = Array.from({ length: 500 }, (_, index) => {
      const code = Array.from(
        { length: 6 },
        (__, line) => `call_${index}_${line}(${index * line}, "--flag-${line}");`,
      ).join("\n");
      return `## Setting ${index}\n\nThe \`setting_${index}\` is ${index * 7} seconds. ${"Some more words on it. ".repeat(24)}\n\n\`\`\`js\n${code}\n\`\`\`\n\n`;
    });
    const drafts = texts.map((text, sectionIndex) =>
      draft({ sectionIndex, body: text, keywords: [`setting_${sectionIndex}`, "not there at all"] }),
    );
    assert.ok(texts.join("").length > 390_000);
    // Where this were quadratic it would run into the suite's time limit.
    const { facts } = check(drafts, texts);
    assert.equal(facts.length, 500);
  });
});
