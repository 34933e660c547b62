import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../../src", import.meta.url));

describe("messages for people and agents", () => {
  it("give advice for the command line only where it is read there", () => {
    const shared = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".ts") && /^(?:core|adapters|vscode)\b/u.test(file),
    );
    const wrong = shared.flatMap((file) =>
      readFileSync(join(source, file), "utf8")
        .split("\n")
        .filter((line) => /["`].*(?:\\`bacopa |(?:with|use|by|or) --[a-z])/u.test(line))
        .filter((line) => !/^\s*commandLine: /u.test(line) && !/^\s*(?:\*|\/\/|\/\*\*)/u.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(wrong, []);
  });
});
