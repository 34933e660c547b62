import assert from "node:assert/strict";
import { cleanPage } from "./page.ts";

describe("a page's metadata", () => {
  for (const [title, heading, expected] of [
    [
      "Worker threads | Acme v18.2.0 Documentation",
      "<h1>Acme v18.2.0 documentation</h1><h2>Worker threads</h2>",
      ["Worker threads", "Acme Documentation", "18.2.0"],
    ],
    ["Tasks — Acme 3.11.2 documentation", "<h1>Tasks</h1>", ["Tasks", "Acme documentation", "3.11.2"]],
    [
      "Acme: Documentation: 15: 13.3. Explicit Locking",
      "<h2>13.3. Explicit Locking</h2>",
      ["13.3. Explicit Locking", "Acme: Documentation: 15", "15"],
    ],
    ["Acme -- Supervisors", "<h1>5 Supervisors</h1>", ["Supervisors", "Acme", undefined]],
    ["Builder (Acme SE 17 & Kit 17)", "<h1>Class Builder</h1>", ["Builder", "Acme SE 17 & Kit 17", "17"]],
    ["R8 / ProGuard - Acme", "<h1>R8 / ProGuard</h1>", ["R8 / ProGuard", "Acme", undefined]],
    ["Just a title", "<h1>Another heading</h1>", ["Just a title", undefined, undefined]],
  ] as const) {
    it(`reads title, site and version of "${title}"`, () => {
      const page = cleanPage(
        `<html><head><title>${title}</title></head><body>${heading}<p>Text of the page.</p></body></html>`,
      );
      assert.deepEqual([page.title, page.site, page.version], [...expected]);
    });
  }

  it("reads description, date and language", () => {
    const page = cleanPage(
      '<html lang="pt-br"><head><title>T</title><meta name="description" content="What it does."></head><body><h1>T</h1><p>x</p><p>Last updated on <time datetime="2024-03-05T10:00:00Z">March 5</time></p></body></html>',
    );
    assert.deepEqual([page.description, page.modified, page.language], ["What it does.", "2024-03-05", "pt-br"]);
    assert.equal(
      cleanPage("<h1>T</h1><p>x</p><div id=footer>Last updated 2024-05-31 00:35:55 UTC</div>").modified,
      "2024-05-31",
    );
  });
});
