import assert from "node:assert/strict";
import {
  markedCredentials,
  withMarkedCredentials,
  withoutCredentials,
  withoutCredentialsOf,
} from "../../../src/core/util/credentials.ts";
import { JobQueue } from "../../../src/core/jobs.ts";
import type { JobRecord } from "../../../src/core/ports.ts";

describe("credentials in addresses", () => {
  it("are taken out of the user part, the query, the path and the fragment", () => {
    const without = {
      "https://reader:pw@docs.example/a?b=1": "https://docs.example/a?b=1",
      "https://docs.example/a?token=abc&b=1": "https://docs.example/a?b=1",
      "https://docs.example/a?b=1&ApiKey=abc#part": "https://docs.example/a?b=1#part",
      "https://docs.example/a?X-Amz-Signature=00ff": "https://docs.example/a",
      "https://docs.example/a;jsessionid=AB12?b=1": "https://docs.example/a?b=1",
      "https://docs.example/a#access_token=abc&expires_in=60": "https://docs.example/a#expires_in=60",
      "https://docs.example/#/guide?token=abc": "https://docs.example/#/guide",
      "https://docs.example/a?x=eyJhbGciOiJI.eyJzdWIiOiIx.c2ln": "https://docs.example/a",
      "https://docs.example/a?code=4f9c02d1e8a7b6c5": "https://docs.example/a",
    };
    for (const [address, expected] of Object.entries(without)) assert.equal(withoutCredentials(address), expected);
  });

  it("leave an address alone that has none", () => {
    for (const address of [
      "https://docs.example/a?key=retry_limit&code=E1204&page_token=3&tokens=all&state=done#/x?y=1",
      "https://docs.example/reference/token?q=password&next_token=abc",
      "https://docs.example/a?",
      "notes/token=1.md",
      "file:///home/docs/a.md?token=1",
    ])
      assert.equal(withoutCredentials(address), address);
  });

  it("can be seen to have been there", () => {
    const marked = withMarkedCredentials("https://docs.example/a?lang=en&token=abc&sig=1");
    assert.equal(marked, "https://docs.example/a?lang=en&token=not-kept&sig=not-kept");
    assert.deepEqual(markedCredentials(marked), ["token", "sig"]);
    assert.equal(withMarkedCredentials(marked), marked);
    assert.deepEqual(markedCredentials("https://docs.example/a?lang=en"), []);
  });

  it("are taken out of a page that repeats them, unless they are words", () => {
    const address = "https://docs.example/a?token=4f9c02d1e8a7b6c5&password=password";
    assert.equal(withoutCredentialsOf([address], "?token=4f9c02d1e8a7b6c5 a password"), "?token=not-kept a password");
  });

  it("are in no record of a job that waits", async () => {
    const put: JobRecord[] = [];
    const asked: string[] = [];
    const queue = new JobQueue({
      store: {
        put: (record) => Promise.resolve(void put.push(record)),
        remove: () => Promise.resolve(),
        adopt: () => Promise.resolve([]),
      },
      clock: { now: () => new Date(0), elapsed: () => 0 },
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
      newId: () => "1",
      run: (record) => {
        asked.push(record.target);
        return Promise.reject(new Error("enough"));
      },
    });
    const target = "https://docs.example/a?token=abc";
    const { ended } = await queue.add({ kind: "save", target, url: target });
    await ended;
    assert.deepEqual(asked, [target]);
    assert.equal(put[0]?.target, "https://docs.example/a?token=not-kept");
    assert.equal(put[0].url, "https://docs.example/a");
  });
});
