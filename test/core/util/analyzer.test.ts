import assert from "node:assert/strict";
import fc from "fast-check";
import { analyze, tokenMark } from "../../../src/core/util/analyzer.ts";
import { stem } from "../../../src/core/util/stem.ts";

const golden: readonly (readonly [string, string])[] = [
  ["max_retries", "max_retries max retries"],
  ["retryAll()", "retryall retry all"],
  ["fs.promises.readFile", "fs.promises.readfile fs promises readfile read file"],
  ["--no-verify", "--no-verify no-verify no verify"],
  ["@media", "@media media"],
  ["C++", "c++"],
  ["C#", "c#"],
  [".NET", ".net net"],
  ["ASP.NET", "asp.net asp net"],
  ["std::mpsc", "std::mpsc std mpsc"],
  ["node:fs/promises", "node:fs/promises node fs promises"],
  ["XMLHttpRequest", "xmlhttprequest xml http request"],
  ["utf8mb4", "utf8mb4"],
  ["constructor", "constructor"],
  ["__proto__", "__proto__ proto"],
  ["toString hasOwnProperty", "tostring string hasownproperty own property"],
  ["Class#method", "class#method class method"],
  ["$HOME/.config", "$home home .config config"],
  ["@orama/orama", "@orama/orama orama/orama orama"],
  ["3.11", "3.11"],
  ["version 2.4.4.", "version 2.4.4"],
  ["v1.2.3", "v1.2.3 1.2.3"],
  ["python3", "python3 python"],
  ["1,000 messages", "1000 messages"],
  ["1_000", "1_000 1000 000"],
  ["1,2,3", "1 2 3"],
  ["Naïve", "naïve naive"],
  ["Größe", "größe große"],
  ["ﬁle ＡＰＩ", "file api"],
  ["очередь сообщений", "очередь сообщений"],
  ["東京都", "東京 京都"],
  ["字", "字"],
  ["使用Redis缓存", "使用 redis 缓存"],
  ["コンテナー", "コン ンテ テナ ナー"],
  ["the Worker's queue", "worker queue"],
  ["How do I do it if I can't", "how do i do it if i can't can"],
  ["R and C", "r c"],
  ["git commit -m", "git commit -m m"],
  ["x--y", "x y"],
  ["--max-old-space-size=4096", "--max-old-space-size max-old-space-size max old space size 4096"],
  ["", ""],
  ["?!… — ()", ""],
];

describe("analyzer", () => {
  for (const [text, expected] of golden) {
    it(`reads ${JSON.stringify(text)} as ${JSON.stringify(expected)}`, () => {
      const words = analyze(text).map((token) => token.slice(1));
      // Written unstemmed, to be readable.
      assert.equal(words.join(" "), expected.split(" ").map(stem).join(" "));
    });
  }

  it("keeps repeats, in reading order", () => {
    assert.deepEqual(analyze("queue, Queue; message queue"), ["=queu", "=queu", "=messag", "=queu"]);
  });

  it("marks every token, so that none is a property name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const token of analyze(text)) {
          assert.ok(token.startsWith(tokenMark) && token.length > 1, JSON.stringify(token));
        }
      }),
    );
  });

  it("finds a name by any of its parts", () => {
    const part = fc.stringMatching(/^[a-z]{4,9}$/).filter((word) => analyze(`${word} zzz`).length === 2);
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.constantFrom("_", ".", "::", "/", "-"),
        (parts, joint) => {
          const tokens = new Set(analyze(`see ${parts.join(joint)}()`));
          for (const token of analyze(parts.join(" "))) assert.ok(tokens.has(token), token);
        },
      ),
    );
  });

  it("takes linear time on a long run without blanks", () => {
    // Where this were quadratic it would run into the suite's time limit.
    analyze("=".repeat(200_000));
    analyze("a".repeat(200_000));
    analyze("a.".repeat(100_000));
    analyze("-".repeat(200_000));
    analyze("界".repeat(100_000));
  });
});
