import assert from "node:assert/strict";
import fc from "fast-check";
import { coversPlace, matchingKey, matchingText, placesOf } from "../../../src/core/lab/matching.ts";

describe("matching key", () => {
  it("keeps letters and digits only, case-folded", () => {
    assert.equal(matchingKey("| `max_retries` | **3** |\n"), "maxretries3");
    assert.equal(matchingKey("Straße ΣΑΣ"), "strasseσασ");
  });

  it("removes link and image targets", () => {
    assert.equal(matchingKey("See [the guide](https://example.org/a1) and ![x](y.png)."), "seetheguideandx");
  });

  it("does not run away from an unclosed target", () => {
    assert.equal(matchingKey("[a](b [c"), "abc");
  });

  it("normalizes compatibility forms and composes accents", () => {
    assert.equal(matchingKey("ﬁle ２ cafe\u0301"), "file2café");
    assert.equal(matchingKey("cafe\u0301"), matchingKey("café"));
  });

  it("folds text of other scripts", () => {
    assert.equal(matchingKey("요청할때마다, por conexión"), "요청할때마다porconexión");
  });

  it("finds every place of a snippet in the text it came from", () => {
    const text = "One `max_retries` here.\n\nAnd [max retries](#there) there: 𝟛 times.";
    const places = placesOf(matchingKey("max retries"), matchingText(text));
    assert.deepEqual(
      places.map(({ start, end }) => text.slice(start, end)),
      ["max_retries", "max retries"],
    );
    const [digits] = placesOf("3times", matchingText(text));
    assert.equal(text.slice(digits!.start, digits!.end), "𝟛 times");
  });

  it("finds an empty snippet nowhere", () => {
    assert.deepEqual(placesOf("", matchingText("abc")), []);
  });

  it("asks a span to hold one place whole", () => {
    const places = [
      { start: 10, end: 20 },
      { start: 50, end: 60 },
    ];
    assert.equal(coversPlace({ start: 10, end: 20 }, places), true);
    assert.equal(coversPlace({ start: 11, end: 55 }, places), false);
    assert.equal(coversPlace({ start: 15, end: 60 }, places), true);
  });

  it("agrees with the mapped key, whose places give their own key back", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 60 });
    fc.assert(
      fc.property(text, text, text, (before, snippet, after) => {
        const whole = `${before} ${snippet} ${after}`;
        const mapped = matchingText(whole);
        assert.equal(mapped.key, matchingKey(whole));
        assert.equal(mapped.starts.length, mapped.key.length);
        const key = matchingKey(snippet);
        for (const { start, end } of placesOf(key, mapped)) {
          assert.ok(start < end && end <= whole.length);
          assert.ok(matchingText(whole.slice(start, end)).key.includes(key));
        }
      }),
    );
  });

  it("keys 400,000 characters in linear time", () => {
    const text = "The `Retry-After` header, naïvely [read](x) | 3 |\n".repeat(8000);
    // Where this were quadratic it would run into the suite's time limit.
    assert.ok(matchingText(text).key.length > 100_000);
    matchingText("](".repeat(200_000));
  });
});
