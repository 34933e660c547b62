import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFilePrompts } from "../../src/adapters/filePrompts.ts";
import { BacopaError } from "../../src/core/errors.ts";

describe("filePrompts", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "bacopa-prompts-"));
    await writeFile(join(folder, "facts.md"), "Write facts.\r\nOne each.\r\n");
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("reads a prompt by name, with the same line ends on every system", () => {
    assert.equal(createFilePrompts(folder)("facts"), "Write facts.\nOne each.\n");
  });

  it("names a prompt that is not there, and looks nowhere else", () => {
    for (const name of ["brief", "../facts", "", "facts.md"]) {
      assert.throws(
        () => createFilePrompts(folder)(name),
        (error) => BacopaError.is(error, "storage-failed") && error.userMessage.includes(`"${name}.md"`),
      );
    }
  });
});
