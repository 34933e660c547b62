import assert from "node:assert/strict";
import fc from "fast-check";
import { factsSchema, parseReply, repairSchema } from "../../../src/core/distill/reply.ts";
import { replyFact } from "../../fakes/scriptedModel.ts";

const brief = { covers: "Marmot Queue.", caveats: ["Beta."] };

describe("reply", () => {
  it("takes facts, noise and brief", () => {
    const parsed = parseReply({ facts: [replyFact(1)], noise: [2, 9], brief }, [1, 2]);
    assert.equal(parsed?.drafts[0]?.topic, "Marmot subject B");
    assert.deepEqual(parsed.noise, [2]);
    assert.deepEqual(parsed.brief, brief);
    assert.deepEqual(parsed.problems, { unknownSection: 0, duplicate: 0, malformed: 0, oversize: 0 });
  });

  it("drops and counts facts of a section that was not given", () => {
    const parsed = parseReply({ facts: [replyFact(1), replyFact(8)], noise: [], brief }, [1]);
    assert.equal(parsed?.drafts.length, 1);
    assert.equal(parsed.problems.unknownSection, 1);
  });

  it("drops and counts facts that repeat another", () => {
    const parsed = parseReply({ facts: [replyFact(1), replyFact(1), replyFact(1, { statement: "Another." })] }, [1]);
    assert.equal(parsed?.drafts.length, 2);
    assert.equal(parsed.problems.duplicate, 1);
  });

  const malformed: [string, unknown][] = [
    ["that is no object", "fact"],
    ["without a section", replyFact(1, { section: "1" })],
    ["with a fractional section", replyFact(1, { section: 1.5 })],
    ["without a topic", replyFact(1, { topic: "  " })],
    ["without a statement", replyFact(1, { statement: null })],
    ["with a body that is no text", replyFact(1, { body: ["a"] })],
  ];
  for (const [name, fact] of malformed) {
    it(`drops and counts a fact ${name}, keeping the good one`, () => {
      const parsed = parseReply({ facts: [fact, replyFact(1)] }, [1]);
      assert.equal(parsed?.drafts.length, 1);
      assert.equal(parsed.problems.malformed, 1);
    });
  }

  it("drops what is too long, and list entries too many, too long or of another type", () => {
    const keywords = [
      ...Array.from({ length: 100 }, (_, index) => `word ${index}`),
      "x".repeat(500),
      7,
      null,
      "word 1",
    ];
    const parsed = parseReply(
      { facts: [replyFact(1, { keywords }), replyFact(1, { statement: "x".repeat(5_000) })] },
      [1],
    );
    assert.equal(parsed?.drafts.length, 1);
    assert.equal(parsed.drafts[0]?.keywords.length, 80);
    assert.ok(parsed.problems.oversize > 1);
  });

  it("takes control characters and lone surrogates out", () => {
    const parsed = parseReply({ facts: [replyFact(1, { body: "a\u0000b\uD800c\r\nd\te", topic: "two\nlines" })] }, [1]);
    assert.equal(parsed?.drafts[0]?.body, "abc\nd\te");
    assert.equal(parsed.drafts[0].topic, "two lines");
  });

  for (const [name, value] of [
    ["no object", "text"],
    ["no list of facts", { facts: "none" }],
    ["only malformed facts", { facts: [{}, 3] }],
    ["a null", null],
    ["a list", [replyFact(1)]],
  ] as const) {
    it(`cannot use ${name}`, () => assert.equal(parseReply(value, [1]), undefined));
  }

  it("reads the number of the fact that a repair replaces; 0 is a new fact", () => {
    const parsed = parseReply(
      { facts: [replyFact(1, { replaces: 2 }), replyFact(1, { replaces: 0, statement: "New." })] },
      [1],
    );
    assert.deepEqual(
      parsed?.drafts.map(({ replaces }) => replaces),
      [2, undefined],
    );
  });

  it("never throws and never lets through what was not asked for", () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 4 }), fc.array(fc.anything(), { maxLength: 4 }), (noise, facts) => {
        const parsed = parseReply({ facts: [...facts, replyFact(1)], noise, brief: noise }, [1]);
        for (const draft of parsed?.drafts ?? []) {
          assert.equal(draft.sectionIndex, 1);
          assert.equal(typeof draft.body, "string");
        }
      }),
    );
  });

  it("is asked for by schemas that structured output takes: all fields required, none beside them", () => {
    const walk = (schema: Record<string, unknown>): void => {
      if (schema["type"] === "object") {
        const properties = schema["properties"] as Record<string, Record<string, unknown>>;
        assert.deepEqual(schema["required"], Object.keys(properties));
        assert.equal(schema["additionalProperties"], false);
        Object.values(properties).forEach(walk);
      } else if (schema["type"] === "array") walk(schema["items"] as Record<string, unknown>);
    };
    walk(factsSchema.schema);
    walk(repairSchema.schema);
  });
});
