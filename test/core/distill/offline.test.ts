import assert from "node:assert/strict";
import { describe, it } from "mocha";
import fc from "fast-check";
import { distillOffline } from "../../../src/core/distill/offline.ts";
import { codeBlocks } from "../../../src/core/util/markdown.ts";
import type { FactDraft, Section } from "../../../src/core/types.ts";
import { countTokens } from "../../../src/core/util/tokens.ts";

interface TestPage {
  readonly text: string;
  readonly title?: string;
  readonly site?: string;
  readonly language?: string;
}

/** The whole page as one section, as a short page is cut. */
function distill({ text, title = "Queues", site = "Larkspur", language }: TestPage): FactDraft[] {
  return distillOffline({ page: { text, title, site, language }, sections: [wholeOf(text)], countTokens });
}

function wholeOf(text: string): Section {
  return { index: 0, start: 0, end: text.length, headingPath: [], tokens: countTokens(text) };
}

function about(drafts: readonly FactDraft[], words: string): FactDraft {
  const found = drafts.find(({ body }) => body.includes(words));
  assert.ok(found, `no draft holds: ${words}`);
  return found;
}

const settings = [
  "# Queues",
  "",
  "A queue keeps jobs until a worker takes them.",
  "",
  "## Settings",
  "",
  "**`max_attempts`**",
  "",
  "How many times a job is run before it is given up. This setting must be a whole number up to 20. Defaults to 4.",
  "",
  "Every attempt is written to the log of the worker, with the time it took and the error that ended it, so that a job which fails again and again can be told from one that was never started. The log is kept for a week and read by the dashboard.",
  "",
  "**`lease_seconds`**",
  "",
  "How long a worker may keep a job. When a lease ends, the job returns to the queue and `LeaseExpiredError` is raised in the worker.",
  "",
  "A worker that is still busy can ask for more time before the lease ends. The queue grants it as long as no other worker has taken the job meanwhile, and counts the attempt once.",
  "",
  "Default: `30`",
  "",
].join("\n");

describe("offline distiller", () => {
  it("makes one fact of each definition", () => {
    const drafts = distill({ text: settings });
    assert.deepEqual(about(drafts, "How many times").symbols, ["max_attempts"]);
    assert.deepEqual(about(drafts, "How long a worker").symbols, ["lease_seconds"]);
  });

  it("keeps a default that stands alone with the option it belongs to", () => {
    assert.match(about(distill({ text: settings }), "How long a worker").body, /Default: `30`$/);
  });

  it("names the product and the option in the statement, and says what the option does", () => {
    const { statement } = about(distill({ text: settings }), "How many times");
    assert.match(statement, /^Larkspur `max_attempts`: How many times a job is run before it is given up\./);
  });

  it("asks for the default, the maximum and the meaning of an option", () => {
    const { questions } = about(distill({ text: settings }), "How many times");
    assert.ok(questions.includes("What does `max_attempts` do in Larkspur?"));
    assert.ok(questions.includes("What is the default of `max_attempts`, if I change nothing?"));
    assert.ok(questions.includes("What is the maximum for `max_attempts`?"));
  });

  it("asks what happens under a condition and where an error comes from", () => {
    const { questions } = about(distill({ text: settings }), "How long a worker");
    assert.ok(questions.includes("What happens with `lease_seconds` when a lease ends?"));
    assert.ok(questions.includes("Why do I get `LeaseExpiredError` in Larkspur?"));
  });

  it("puts the heading path into the topic", () => {
    assert.equal(about(distill({ text: settings }), "How many times").topic, "Larkspur: Queues > Settings");
  });

  it("resolves a leading pronoun of a definition", () => {
    const text = "# API\n\n## `drain()`\n\nIt returns a promise that is kept once the queue is empty.\n";
    const [draft] = distill({ text, title: "API" });
    assert.equal(
      draft?.statement,
      "Larkspur `drain()`: `drain()` returns a promise that is kept once the queue is empty.",
    );
  });

  it("asks in the page's words and in others", () => {
    const text =
      "# Guide\n\n## Removing a job\n\nJobs leave the queue when a worker acknowledges them or when they are removed by hand.\n";
    const { questions } = about(distill({ text }), "Jobs leave");
    assert.ok(questions.includes("How do I remove a job in Larkspur?"));
    assert.ok(questions.includes("How can I delete a job in Larkspur?"));
  });

  it("asks nothing about headings that say nothing", () => {
    const text =
      "# Guide\n\n## Note\n\nJobs are kept in memory.\n\n## Overview\n\nThe queue is a process of its own.\n";
    assert.deepEqual(
      distill({ text }).flatMap(({ questions }) => questions),
      [],
    );
  });

  it("asks no English questions of a page in another language", () => {
    const text =
      "# 대기열\n\n## 설정\n\n**`max_attempts`**\n\n작업을 포기하기 전에 실행하는 횟수이다. 기본값은 4이다.\n";
    const drafts = distill({ text, title: "대기열", language: "ko" });
    assert.ok(drafts.length > 0);
    assert.deepEqual(
      drafts.flatMap(({ questions }) => questions),
      [],
    );
  });

  it("keeps code with the sentence that introduces it", () => {
    const filler = "Workers are processes of their own and share nothing but the queue they read from. ".repeat(12);
    const text = `# Guide\n\n## Start\n\n${filler}\n\n${filler}\n\nStart a worker like this:\n\n\`\`\`sh\nlarkspur work --slots 3\n\`\`\`\n\n${filler}\n`;
    assert.match(about(distill({ text }), "larkspur work").body, /Start a worker like this:\n\n```sh/);
  });

  it("cuts a long table by rows and repeats its header", () => {
    const row = (n: number) =>
      `| \`option_${n}\` | Sets the number of things that are kept for step ${n} of the run | ${n} |`;
    const rows = Array.from({ length: 60 }, (_, n) => row(n));
    const text = `# Options\n\n| Name | Meaning | Default |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
    const drafts = distill({ text, title: "Options" });
    assert.ok(drafts.length > 3);
    for (const { body } of drafts)
      assert.match(body, /\| Name \| Meaning \| Default \|\n\| --- \| --- \| --- \|\n\| `option_/);
    for (const line of rows) assert.equal(drafts.filter(({ body }) => body.includes(line)).length, 1);
  });

  it("keeps a note with what it qualifies", () => {
    const text =
      "# Guide\n\n## Purge\n\nPurging empties a queue at once.\n\n> **Warning:** Jobs that were purged cannot be brought back.\n";
    assert.equal(
      distill({ text }).filter(({ body }) => body.includes("Purging") && body.includes("Warning")).length,
      1,
    );
  });

  it("keeps the parameters of a function with its signature", () => {
    const text =
      "# API\n\n### push(job, options)\n\nAdds a job to the queue.\n\n#### Parameters\n\n- `job`: what to run\n- `options`: how to run it\n\n#### Returns\n\nThe id of the job.\n";
    assert.equal(distill({ text }).filter(({ symbols }) => symbols.includes("push")).length, 1);
    assert.match(about(distill({ text }), "Adds a job").body, /The id of the job/);
  });

  it("does not take a computed member for a link", () => {
    const text = "# API\n\n#### `lease[Symbol.dispose]()`\n\nGives the job back.\n";
    assert.equal(distill({ text, title: "API" })[0]?.topic, "Larkspur: API > lease[Symbol.dispose]()");
  });

  it("gives nothing for links without a word about them", () => {
    const text =
      "# Guide\n\nA queue keeps jobs until a worker takes them.\n\n## See also\n\n- [Workers](https://larkspur.test/workers)\n- [Leases](https://larkspur.test/leases)\n- [Metrics](https://larkspur.test/metrics)\n- [Limits](https://larkspur.test/limits)\n";
    assert.ok(distill({ text }).every(({ body }) => !body.includes("larkspur.test/metrics")));
  });

  it("gives nothing for a page of marks alone", () => {
    assert.deepEqual(distill({ text: "---\n\n***\n" }), []);
  });

  it("knows the headings above a section that begins below its h2", () => {
    const text =
      "# Guide\n\n## Workers\n\n### Slots\n\nA slot runs one job at a time, and a worker has three slots unless told otherwise.\n";
    const start = text.indexOf("### Slots");
    const section: Section = {
      index: 4,
      start,
      end: text.length,
      headingPath: ["Guide", "Workers", "Slots"],
      tokens: 30,
    };
    const [draft] = distillOffline({
      page: { text, title: "Guide", site: "Larkspur" },
      sections: [section],
      countTokens,
    });
    assert.equal(draft?.sectionIndex, 4);
    assert.equal(draft.topic, "Larkspur: Guide > Workers > Slots");
  });

  it("reads a page of 400 kB a few times over and no more", () => {
    const text = settings.repeat(Math.ceil(400_000 / settings.length));
    let counted = 0;
    const count = (part: string) => {
      counted += part.length;
      return Math.ceil(part.length / 4);
    };
    const input = { page: { text, title: "Queues", site: "Larkspur" }, sections: [wholeOf(text)] };
    assert.ok(distillOffline({ ...input, countTokens: count }).length > 1000);
    assert.ok(counted < 3 * text.length, `counted ${counted} characters of ${text.length}`);
  });
});

const word = fc.constantFrom(
  "queue",
  "worker",
  "lease",
  "`max_attempts`",
  "returns",
  "default",
  "when",
  "job",
  "30",
  "*id*",
  "[link](x)",
);
const sentence = fc.array(word, { minLength: 2, maxLength: 18 }).map((words) => `The ${words.join(" ")}.`);
const code = fc
  .array(fc.constantFrom("run()", "  if (x) {", "", "# not a heading", "| a | b |", "}"), {
    minLength: 1,
    maxLength: 6,
  })
  .map((lines) => `\`\`\`js\n${lines.join("\n")}\n\`\`\``);
const block = fc.oneof(
  { weight: 4, arbitrary: fc.array(sentence, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(" ")) },
  { weight: 2, arbitrary: code },
  {
    weight: 2,
    arbitrary: fc
      .array(sentence, { minLength: 1, maxLength: 8 })
      .map((items) => items.map((item) => `- ${item}`).join("\n")),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(sentence, code).map(([item, fence]) => `- ${item}\n\n  ${fence.replaceAll("\n", "\n  ")}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(sentence, { minLength: 1, maxLength: 30 })
      .map((rows) => ["| Name | Text |", "| --- | --- |", ...rows.map((row, n) => `| ${n} | ${row} |`)].join("\n")),
  },
  { weight: 1, arbitrary: sentence.map((text) => `> **Note:** ${text}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("**`lease_seconds`**", "### Leases", "#### `push(job)`", "The following holds:"),
  },
);
const page = fc
  .array(block, { minLength: 1, maxLength: 25 }) // A last heading with nothing below it says nothing, so pages end in a sentence.
  .map((blocks) => `## Jobs\n\n${blocks.join("\n\n")}\n\nThat is all.\n`);

describe("offline distiller, on any page", () => {
  const words = (text: string) => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

  it("loses no word", () => {
    fc.assert(
      fc.property(page, (text) => {
        const kept = new Map<string, number>();
        for (const { body } of distill({ text }))
          for (const each of words(body)) kept.set(each, (kept.get(each) ?? 0) + 1);
        const needed = new Map<string, number>();
        for (const each of words(text)) needed.set(each, (needed.get(each) ?? 0) + 1);
        for (const [each, count] of needed)
          assert.ok((kept.get(each) ?? 0) >= count, `${each}: ${kept.get(each) ?? 0} of ${count}`);
      }),
    );
  });

  it("cuts bodies from spans that lie in their section, in order and without overlap", () => {
    fc.assert(
      fc.property(page, (text) => {
        let end = 0;
        for (const { span, body } of distill({ text })) {
          assert.ok(span !== undefined && span.start >= end && span.end <= text.length && span.start < span.end);
          end = span.end;
          const source = text.slice(span.start, span.end);
          const lines = body.split("\n").map((line) => line.trim());
          const sourceLines = new Set(source.split("\n").map((line) => line.trim()));
          const own = lines.filter((line) => !sourceLines.has(line));
          // A table that goes on repeats its two header rows; nothing else is added.
          assert.ok(own.length === 0 || (own.length <= 2 && own[0] === "| Name | Text |"), own.join("\n"));
        }
      }),
    );
  });

  it("copies every fence whole", () => {
    fc.assert(
      fc.property(page, (text) => {
        const inPage = codeBlocks(text).map(({ content }) => content.replace(/^ +/gmu, ""));
        const inDrafts = distill({ text }).flatMap(({ body }) =>
          codeBlocks(body).map(({ content }) => content.replace(/^ +/gmu, "")),
        );
        assert.deepEqual(inDrafts, inPage);
      }),
    );
  });

  it("gives every fact a topic, a statement and keywords of the page", () => {
    fc.assert(
      fc.property(page, (text) => {
        for (const draft of distill({ text })) {
          assert.ok(draft.topic.trim() !== "" && draft.statement.trim() !== "");
          for (const keyword of draft.keywords) assert.ok(text.includes(keyword), keyword);
          assert.ok(draft.questions.length <= 6 && draft.questions.every((question) => question.endsWith("?")));
        }
      }),
    );
  });

  it("says the same for the same page", () => {
    fc.assert(fc.property(page, (text) => assert.deepEqual(distill({ text }), distill({ text }))));
  });

  it("reads the rows of a table that an earlier section began, with its head", () => {
    const row = (index: number): string =>
      `| \`option_${index}\` | ${index} | ${"Says how long a job waits. ".repeat(8)}|`;
    const rows = Array.from({ length: 400 }, (_, index) => row(index)).join("\n");
    const drafts = distill({ text: `# Options\n\n| Option | Default | Meaning |\n| --- | --- | --- |\n${rows}\n` });
    for (const { body } of drafts.slice(1)) {
      assert.match(body, /^\| Option \| Default \| Meaning \|\n\| --- \|/u);
      assert.ok(body.length < 6_000, `${body.length}`);
    }
    assert.ok(drafts.some(({ body }) => body.includes("`option_399`")));
  });

  it("keeps tabs of code with the sentence that introduces them", () => {
    const filler = "The queue of Larkspur reads its settings once, when it is opened, and never again. ".repeat(20);
    const text = `# Queues\n\n## Settings\n\n${filler}\n\nSet them where the queue is opened:\n\n**larkspur.toml**\n\n\`\`\`toml\nsize = 5\n\`\`\`\n\n**larkspur.json**\n\n\`\`\`json\n{ "size": 5 }\n\`\`\`\n`;
    const { body, symbols } = about(distill({ text }), "Set them where");
    assert.match(body, /size = 5[^]*"size": 5/u);
    assert.ok(!symbols.includes("larkspur.toml"));
  });

  it("says of each name in a shared group only what the page says of it", () => {
    const text =
      "# Queues\n\n## Errors\n\n**`E_TIMEOUT`**\n\nThe handler ran longer than 15 minutes.\n\n**`E_TOO_LARGE`**\n\nA body is larger than 128 kB.\n";
    const [draft] = distill({ text }).filter(({ body }) => body.includes("E_TOO_LARGE"));
    assert.match(draft?.statement ?? "", /`E_TIMEOUT`: The handler ran longer/u);
    assert.match(draft?.statement ?? "", /`E_TOO_LARGE`: A body is larger/u);
  });
});
