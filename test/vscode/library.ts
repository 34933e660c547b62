/** Saved pages as another process sees them: what the editor shows must also be on the disk. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createFileStorage } from "../../src/adapters/storage/fileStorage.ts";
import type { SavedPage } from "../../src/core/types.ts";

/** The environment variable that names the editor's folder of user data. */
export const dataVariable = "BACOPA_TEST_DATA";

/** Every page in every library of the extension, of workspaces and of the user. */
export async function savedPages(dataFolder: string): Promise<SavedPage[]> {
  const pages: SavedPage[] = [];
  for (const folder of libraryFolders(dataFolder)) {
    const storage = createFileStorage(folder);
    for (const id of (await storage.revisions()).keys()) {
      const saved = await storage.readPage(id);
      if (saved !== undefined) pages.push(saved);
    }
  }
  return pages;
}

/** Whether all of a page's sections were read. */
export function isDistilled({ sectionStates }: SavedPage): boolean {
  return sectionStates.every(({ state }) => state === "distilled");
}

function libraryFolders(dataFolder: string): string[] {
  const workspaces = join(dataFolder, "User", "workspaceStorage");
  const owners = existsSync(workspaces) ? readdirSync(workspaces).map((name) => join(workspaces, name)) : [];
  owners.push(join(dataFolder, "User", "globalStorage"));
  return owners.map((owner) => join(owner, "bacopa.bacopa", "library")).filter((folder) => existsSync(folder));
}
