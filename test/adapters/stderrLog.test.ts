import assert from "node:assert/strict";
import { createStderrLog } from "../../src/adapters/stderrLog.ts";

describe("stderrLog", () => {
  it("writes events at or above its level, one line each", () => {
    const lines: string[] = [];
    const log = createStderrLog("info", (line) => lines.push(line));
    log.debug("cleaned");
    log.info("saved", { pageId: "a-1", facts: 12 });
    log.warn("page is damaged", { reason: "text.md is missing", none: undefined });
    assert.deepEqual(lines, [
      "bacopa: info  saved pageId=a-1 facts=12\n",
      'bacopa: warn  page is damaged reason="text.md is missing"\n',
    ]);
  });

  it("keeps values short and free of line breaks and control sequences", () => {
    const lines: string[] = [];
    createStderrLog("warn", (line) => lines.push(line)).warn("odd", {
      title: `a\nb\u001b[2J${"x".repeat(500)}`,
      cause: new Error("disk\nfull"),
    });
    const [line = ""] = lines;
    assert.equal(line.indexOf("\n"), line.length - 1);
    assert.ok(!line.includes("\u001b"));
    assert.ok(line.length < 300);
    assert.ok(line.includes('cause="disk full"'));
  });

  it("says nothing when it is off", () => {
    createStderrLog("off", () => assert.fail("wrote")).warn("anything");
  });
});
