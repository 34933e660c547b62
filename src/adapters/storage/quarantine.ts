/**
 * `damaged/<page id>-<n>/`: page folders that could not be read, with `reason.json`. Nothing in here is deleted, save at a
 * person's word.
 */
import { join } from "node:path";
import type { DamagedPage } from "../../core/ports.ts";
import type { PageId } from "../../core/types.ts";
import type { FileSystem } from "./fileSystem.ts";
import { attempt, codeOf, ifThere, renamePatiently, syncFolder, writeDurably } from "./fileSystem.ts";
import { isPageId } from "./names.ts";
import { pageFileNames, parseObject } from "./pageFiles.ts";
import { readPageFolder } from "./pageFolders.ts";

const reasonFileName = "reason.json";

/** @returns Where the folder lies now; `undefined` when another process took it away first. */
export async function quarantine(
  fileSystem: FileSystem,
  damagedFolder: string,
  from: string,
  pageId: PageId,
  reason: string,
): Promise<string | undefined> {
  await fileSystem.mkdir(damagedFolder);
  // The reason first: once the folder has moved, nothing of it is missing. A full disk must not stop the move.
  // A link is moved as it is: what it leads to may lie outside the library.
  if ((await fileSystem.kindOf(from)) === "folder") await attempt(writeReason(fileSystem, from, pageId, reason));
  const taken = new Set(await fileSystem.readdir(damagedFolder));
  for (let n = 1; ; n++) {
    if (taken.has(`${pageId}-${n}`)) continue;
    const place = join(damagedFolder, `${pageId}-${n}`);
    try {
      await renamePatiently(fileSystem, from, place);
      await syncFolder(fileSystem, damagedFolder);
      return place;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      // Another process took the number since we looked.
      if (!["ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? "")) throw error;
    }
  }
}

export function writeReason(fileSystem: FileSystem, folder: string, pageId: PageId, reason: string): Promise<void> {
  const text = `${JSON.stringify({ pageId, reason }, undefined, 2)}\n`;
  return writeDurably(fileSystem, join(folder, reasonFileName), Buffer.from(text, "utf8"));
}

export async function listQuarantined(fileSystem: FileSystem, damagedFolder: string): Promise<DamagedPage[]> {
  const found: DamagedPage[] = [];
  for (const name of ((await ifThere(fileSystem.readdir(damagedFolder))) ?? []).sort()) {
    const pageId = /^(.+)-\d+$/.exec(name)?.[1];
    if (pageId === undefined || !isPageId(pageId)) continue;
    const keptAt = join(damagedFolder, name);
    const bytes = await fileSystem.readFile(join(keptAt, reasonFileName)).catch(() => undefined);
    const written = bytes === undefined ? undefined : parseObject(bytes)?.reason;
    const reason = typeof written === "string" ? written : await reasonOf(fileSystem, keptAt);
    found.push({ pageId, reason, keptAt, source: await sourceOf(fileSystem, keptAt) });
  }
  return found;
}

export async function forgetQuarantined(
  fileSystem: FileSystem,
  damagedFolder: string,
  pageId: PageId,
): Promise<boolean> {
  const names = (await ifThere(fileSystem.readdir(damagedFolder))) ?? [];
  const own = names.filter((name) => /^(.+)-\d+$/.exec(name)?.[1] === pageId);
  for (const name of own) await fileSystem.rm(join(damagedFolder, name));
  return own.length > 0;
}

/** The reason could not be written (a full disk, a kill): what is wrong shows again. */
async function reasonOf(fileSystem: FileSystem, path: string): Promise<string> {
  const found = await readPageFolder(fileSystem, path).catch(() => undefined);
  return found !== undefined && found.kind !== "whole" ? found.reason : "the reason was not recorded";
}

/** Where a page was read from, by its manifest, even one with a hole: the two lines are found as text. */
export async function sourceOf(fileSystem: FileSystem, path: string): Promise<DamagedPage["source"]> {
  const bytes = await fileSystem.readFile(join(path, pageFileNames.manifest)).catch(() => undefined);
  const text = bytes?.toString("utf8") ?? "";
  const [requested, url] = ["requested", "url"].map((name) => lineOf(text, name));
  return url === undefined ? undefined : { requested: requested ?? url, url };
}

function lineOf(text: string, name: string): string | undefined {
  const value = new RegExp(`^ {4}"${name}": ("(?:[^"\\\\]|\\\\.)*"),?$`, "m").exec(text)?.[1];
  if (value === undefined) return undefined;
  try {
    return String(JSON.parse(value));
  } catch {
    return undefined;
  }
}
