import assert from "node:assert/strict";
import fc from "fast-check";
import { compileNugget, holdsNugget, nuggetRecall, nuggetText } from "../../../src/core/lab/nuggets.ts";

const holds = (text: string, nugget: string): boolean => holdsNugget(nuggetText(text), compileNugget(nugget));

describe("nuggets", () => {
  it("asks one word for whole-word matches", () => {
    assert.equal(holds("waits 30 s", "3"), false);
    assert.equal(holds("waits 3s", "3"), false);
    assert.equal(holds("waits 3.", "3"), true);
    assert.equal(holds("Set MAX_RETRIES first", "max_retries"), true);
    assert.equal(holds("the max_retries_total counter", "max_retries"), true);
  });

  it("ignores Markdown marks and the kind of quote", () => {
    assert.equal(holds("call `retry`**()**", "retry()"), true);
    assert.equal(holds("set max\\_retries", "max_retries"), true);
    assert.equal(holds('engine="numba"', "engine='numba'"), true);
    assert.equal(holds("see [`ack()`](#ack) above", "ack()"), true);
  });

  it("matches a nugget with code marks as it is spelled", () => {
    assert.equal(compileNugget("exit(Child, kill)").kind, "literal");
    assert.equal(holds("sends `exit(Child, kill)` at once", "exit(Child, kill)"), true);
    assert.equal(holds("exit and kill the Child", "exit(Child, kill)"), false);
    assert.equal(compileNugget("timeout: '1s'").kind, "literal");
    assert.equal(compileNugget("npm i widget@lite").kind, "literal");
  });

  it("matches content words of a phrase in any order, by their first five letters", () => {
    assert.equal(compileNugget("entire batch").kind, "words");
    assert.equal(holds("All batches are retried entirely.", "entire batch"), true);
    assert.equal(holds("The limit is 100 for messages", "100 messages"), true);
    assert.equal(holds("The limit is 1000 messages", "100 messages"), false);
  });

  it("wants the words within 25 consecutive words", () => {
    const filler = (count: number): string => "so ".repeat(count);
    assert.equal(holds(`alpha ${filler(23)}omega`, "alpha omega"), true);
    assert.equal(holds(`alpha ${filler(24)}omega`, "alpha omega"), false);
    // A later alpha is near enough although the first is not.
    assert.equal(holds(`alpha ${filler(24)}alpha omega`, "alpha omega"), true);
  });

  it("takes function words when there are no others", () => {
    assert.equal(holds("it is up to you", "up to"), true);
    assert.equal(holds("nothing else", "up to"), false);
  });

  it("gives the share found", () => {
    assert.equal(nuggetRecall("3 retries", ["3", "12 hours"].map(compileNugget)), 0.5);
    assert.equal(nuggetRecall("3 retries", []), 0);
  });

  it("finds every nugget in a text that quotes it", () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9]{1,9}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.array(word),
        fc.array(word),
        (words, before, after) => {
          const nugget = words.join(" ");
          assert.equal(holds([...before, nugget, ...after].join(" "), nugget), true);
        },
      ),
    );
  });
});
