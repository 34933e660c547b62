import assert from "node:assert/strict";
import fc from "fast-check";
import { editorModelError } from "../../../src/vscode/models/editorModelErrors.ts";
import { parseJsonReply } from "../../../src/vscode/models/jsonReply.ts";

describe("reading JSON out of a chat model's text", () => {
  const value = { facts: [{ topic: "Retries", body: "```js\nconst a = { b: 1 };\n```" }] };
  const json = JSON.stringify(value);

  it("finds the object bare, in a fence, and after some words", () => {
    for (const text of [json, `\`\`\`json\n${json}\n\`\`\``, `Here it is {as asked}:\n${json}\nAnything else?`]) {
      assert.deepEqual(parseJsonReply(text), { kind: "value", value });
    }
  });

  it("takes raw line ends and tabs inside strings as meant", () => {
    assert.deepEqual(parseJsonReply('{"body": "one\n\ttwo"}'), { kind: "value", value: { body: "one\n\ttwo" } });
  });

  it("tells a cut-off answer from one without JSON", () => {
    assert.deepEqual(parseJsonReply(json.slice(0, -5)), { kind: "cut-off" });
    assert.deepEqual(parseJsonReply("I cannot do that."), { kind: "none" });
    assert.deepEqual(parseJsonReply(""), { kind: "none" });
    assert.deepEqual(parseJsonReply("{ not JSON }"), { kind: "none" });
  });

  it("reads back any object, and calls every beginning of it cut off", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()), fc.nat(), (object, seed) => {
        const text = JSON.stringify({ a: 1, ...object });
        assert.deepEqual(parseJsonReply(text), { kind: "value", value: JSON.parse(text) });
        const end = 2 + (seed % (text.length - 2));
        assert.equal(parseJsonReply(text.slice(0, end)).kind, "cut-off");
      }),
    );
  });
});

describe("a failure of an editor's model", () => {
  const coded = (code: string, message = ""): Error => Object.assign(new Error(message), { code });

  it("has one reason by its code, its words, or the clock", () => {
    const reasons = [
      coded("NoPermissions"),
      coded("NotFound"),
      coded("Blocked", "quota exceeded"),
      coded("Blocked", "filtered"),
      new Error("Request Failed: 429 Too Many Requests"),
      new Error("prompt is too long"),
      new Error("Response got filtered"),
      new Error("socket hang up"),
    ].map((error) => editorModelError(error, "Fake One", false).reason);
    assert.deepEqual(reasons, [
      "model-auth",
      "model-missing",
      "model-rate-limited",
      "model-refused",
      "model-rate-limited",
      "model-too-large",
      "model-refused",
      "model-unavailable",
    ]);
    assert.equal(editorModelError(new Error("aborted"), "Fake One", true).reason, "model-unavailable");
  });

  it("finds the words in the cause, and leads to choosing a distiller", () => {
    const error = editorModelError(new Error("Unknown", { cause: new Error("rate limit") }), "Fake One", false);
    assert.equal(error.reason, "model-rate-limited");
    assert.equal(error.action?.command, "bacopa.chooseDistiller");
  });
});
