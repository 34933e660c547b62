import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileStorage } from "../../../src/adapters/storage/fileStorage.ts";
import { describeStorage } from "../../contracts/storage.ts";
import { createMemoryStorage } from "../../fakes/memoryStorage.ts";

describeStorage("memoryStorage", createMemoryStorage);

describe("on disk", () => {
  const folders: string[] = [];
  after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  describeStorage("fileStorage", async () => {
    const folder = await mkdtemp(join(tmpdir(), "bacopa-storage-"));
    folders.push(folder);
    return createFileStorage(join(folder, "library"));
  });
});
