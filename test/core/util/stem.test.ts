import assert from "node:assert/strict";
import { stem } from "../../../src/core/util/stem.ts";

const together: readonly (readonly string[])[] = [
  ["retry", "retries", "retried", "retrying"],
  ["batch", "batches", "batched", "batching"],
  ["stop", "stops", "stopped", "stopping"],
  ["cache", "caches", "cached", "caching"],
  ["configure", "configures", "configured", "configuring", "configuration", "configurations"],
  ["listen", "listens", "listening", "listener", "listeners"],
  ["deploy", "deploys", "deployed", "deployment", "deployments"],
  ["query", "queries", "queried"],
  ["automatic", "automatics"],
  ["recent", "recently"],
];

const apart: readonly (readonly [string, string])[] = [
  ["class", "clas"],
  ["string", "str"],
  ["status", "stat"],
  ["process", "proces"],
  ["speed", "spe"],
  ["string", "strong"],
];

describe("stem", () => {
  for (const words of together) {
    it(`brings ${words.join(", ")} together`, () => {
      assert.equal(new Set(words.map(stem)).size, 1, words.map(stem).join(" "));
    });
  }
  for (const [first, second] of apart) {
    it(`keeps ${first} and ${second} apart`, () => assert.notEqual(stem(first), stem(second)));
  }
  it("leaves short words and names alone", () => {
    for (const word of ["as", "bus", "utf8s", "max_retries", "--no-edits", "c++", "größes"])
      assert.equal(stem(word), word);
  });
});
