/** `damaged/<page id>-<n>/`: page folders that could not be read, with `reason.json`. Nothing in here is ever deleted. */
import { join } from "node:path";
import type { DamagedPage } from "../../core/ports.ts";
import type { PageId } from "../../core/types.ts";
import type { FileSystem } from "./fileSystem.ts";
import { attempt, codeOf, ifThere, renamePatiently, syncFolder, writeDurably } from "./fileSystem.ts";
import { isPageId } from "./names.ts";
import { parseObject } from "./pageFiles.ts";

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
  await attempt(
    writeDurably(
      fileSystem,
      join(from, reasonFileName),
      Buffer.from(`${JSON.stringify({ pageId, reason }, undefined, 2)}\n`, "utf8"),
    ),
  );
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

export async function listQuarantined(fileSystem: FileSystem, damagedFolder: string): Promise<DamagedPage[]> {
  const found: DamagedPage[] = [];
  for (const name of ((await ifThere(fileSystem.readdir(damagedFolder))) ?? []).sort()) {
    const pageId = /^(.+)-\d+$/.exec(name)?.[1];
    if (pageId === undefined || !isPageId(pageId)) continue;
    const keptAt = join(damagedFolder, name);
    const bytes = await fileSystem.readFile(join(keptAt, reasonFileName)).catch(() => undefined);
    const reason = bytes === undefined ? undefined : parseObject(bytes)?.reason;
    found.push({ pageId, reason: typeof reason === "string" ? reason : "the reason was not recorded", keptAt });
  }
  return found;
}
