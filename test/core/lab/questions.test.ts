import assert from "node:assert/strict";
import fc from "fast-check";
import { parseManifest, parseQuestions } from "../../../src/core/lab/questions.ts";

const good = {
  id: "q1",
  type: "factoid",
  style: "keyword",
  query: "retries",
  gold: [{ page: "p", evidence: ["it retries three times by default"] }],
  nuggets: ["three"],
  answer: "Three.",
};

describe("corpus files", () => {
  it("reads questions a line each", () => {
    const { entries, problems } = parseQuestions(`${JSON.stringify(good)}\n\n`);
    assert.deepEqual(problems, []);
    assert.deepEqual(entries, [good]);
  });

  it("names what it leaves out and keeps the rest", () => {
    const lines = [
      good,
      { ...good, id: "q1" },
      { ...good, id: "q2", type: "riddle" },
      { ...good, id: "q3", gold: [] },
      { ...good, id: "q4", type: "none" },
      { ...good, id: "q5", gold: [{ page: "p", evidence: [] }] },
      { ...good, id: "q6", nuggets: [3] },
      [],
    ].map((line) => JSON.stringify(line));
    const { entries, problems } = parseQuestions([...lines, "{"].join("\n"));
    assert.deepEqual(
      entries.map(({ id }) => id),
      ["q1"],
    );
    assert.equal(problems.length, 8);
    assert.match(problems[0] ?? "", /^line 2: .*q1.*twice/);
  });

  it("reads a manifest and refuses files outside the corpus", () => {
    const page = {
      id: "p",
      file: "pages/p.html",
      url: "https://example.org/p",
      content_type: "text/html",
      charset: "utf-8",
    };
    const { entries, problems } = parseManifest(
      JSON.stringify([page, { ...page, id: "x", file: "../secret" }, { ...page, id: "y", file: "/etc/passwd" }, 1]),
    );
    assert.deepEqual(entries, [
      { id: "p", file: "pages/p.html", url: "https://example.org/p", contentType: "text/html", charset: "utf-8" },
    ]);
    assert.equal(problems.length, 3);
    assert.equal(parseManifest("{}").problems.length, 1);
  });

  it("takes any text without throwing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        parseQuestions(text);
        parseManifest(text);
      }),
    );
  });
});
