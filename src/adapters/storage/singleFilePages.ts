/**
 * Format 0, from before the first release: `pages/<page id>.json`, one file a page with all of it. Becomes format 1,
 * a folder for each write of a page.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseSavedPage } from "../../core/util/savedPageFormat.ts";
import type { SavedPage } from "../../core/types.ts";
import { attempt, codeOf, ifThere, renamePatiently, syncFolder, writeDurably } from "./fileSystem.ts";
import type { FileSystem } from "./fileSystem.ts";
import type { Migration } from "./libraryFormat.ts";
import { isPageId, parseGenerationName, randomDigits, revisionAfter, revisionLength } from "./names.ts";
import { pageFileNames, parseObject } from "./pageFiles.ts";
import { createPageFolders } from "./pageFolders.ts";
import { writeReason } from "./quarantine.ts";

/** Whether a folder `pages` holds pages of this format. */
export async function hasSingleFilePages(fileSystem: FileSystem, pages: string): Promise<boolean> {
  return ((await ifThere(fileSystem.readdir(pages))) ?? []).some((name) => pageIdIn(name) !== undefined);
}

/**
 * Page by page, so a kill leaves each page in one form or in both. The revision comes from the file itself: of two
 * processes that do this at once, one puts the folder in place and the other finds it there.
 */
export const migrateSingleFilePages: Migration = async (fileSystem, places) => {
  const prepare = async (): Promise<void> => {
    for (const path of [places.pages, places.scratch]) await fileSystem.mkdir(path);
  };
  const folders = createPageFolders({ fileSystem, places, prepare, onChange: () => undefined });
  await prepare();
  const names = await fileSystem.readdir(places.pages);
  for (const name of names) {
    const pageId = pageIdIn(name);
    if (pageId === undefined) continue;
    const path = join(places.pages, name);
    const bytes = await ifThere(fileSystem.readFile(path));
    if (bytes === undefined) continue; // another process was here
    const saved = parsePage(bytes, pageId);
    if (typeof saved === "string") {
      await setAside(path, pageId, bytes, saved);
      continue;
    }
    const revision = `${revisionAfter(undefined, Date.parse(saved.page.savedAt)).slice(0, revisionLength - 8)}${sha256(bytes).slice(0, 8)}`;
    const isThere = names.some((other) => parseGenerationName(other)?.pageId === pageId);
    try {
      // Removed meanwhile: by another process that has put it in place, after which a person may have removed the page.
      if (!isThere)
        await folders.publish({ pageId, revision }, saved, async () => (await fileSystem.kindOf(path)) !== undefined);
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
    await fileSystem.rm(path);
  }

  /** First the copy with its reason, named by its content, then the file: a kill in between leads to the same again. */
  async function setAside(path: string, pageId: string, bytes: Uint8Array, reason: string): Promise<void> {
    const half = join(places.scratch, `${pageId}.${randomDigits()}`);
    const place = join(places.damaged, `${pageId}-${parseInt(sha256(bytes).slice(0, 8), 16)}`);
    await fileSystem.mkdir(half);
    await fileSystem.mkdir(places.damaged);
    await writeDurably(fileSystem, join(half, pageFileNames.manifest), bytes);
    await writeReason(fileSystem, half, pageId, reason);
    try {
      await renamePatiently(fileSystem, half, place);
      await syncFolder(fileSystem, places.damaged);
    } catch (error) {
      await attempt(fileSystem.rm(half));
      if (!isTaken(error)) throw error;
    }
    await fileSystem.rm(path);
  }
};

/** Ids of that time end in ten hex digits; other files in the folder are somebody's own. */
function pageIdIn(name: string): string | undefined {
  const id = /^(.+-[0-9a-f]{10})\.json$/.exec(name)?.[1];
  return id !== undefined && isPageId(id) ? id : undefined;
}

/** @returns Why it cannot be read, in words. */
function parsePage(bytes: Uint8Array, pageId: string): SavedPage | string {
  const value = parseObject(bytes);
  if (value === undefined) return `${pageId}.json is cut off or is not JSON`;
  try {
    const saved = parseSavedPage(value);
    return saved.page.id === pageId ? saved : `${pageId}.json holds the page ${saved.page.id}`;
  } catch (error) {
    return `${pageId}.json does not fit: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Another process put it there. */
function isTaken(error: unknown): boolean {
  return ["ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? "");
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
