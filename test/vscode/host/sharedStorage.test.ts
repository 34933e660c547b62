import { strict as assert } from "node:assert";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharedStorage } from "../../../src/vscode/host/sharedStorage.ts";

describe("the storage that windows on one workspace share", () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), "bacopa-storage-"));
    for (const name of ["d41d8cd98f00b204e9800998ecf8427e", "-5f1c22aa"]) mkdirSync(join(root, name));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const shared = (name: string): string => sharedStorage(join(root, name, "bacopa.bacopa"));

  it("is the first window's, for a window that got a numbered one", () => {
    assert.equal(
      shared("d41d8cd98f00b204e9800998ecf8427e-1"),
      join(root, "d41d8cd98f00b204e9800998ecf8427e", "bacopa.bacopa"),
    );
    assert.equal(shared("-5f1c22aa-3"), join(root, "-5f1c22aa", "bacopa.bacopa"));
  });

  it("is the window's own where it has no number, or no first window was there", () => {
    for (const name of ["d41d8cd98f00b204e9800998ecf8427e", "-5f1c22aa", "0123456789abcdef-1"])
      assert.equal(shared(name), join(root, name, "bacopa.bacopa"));
  });
});
