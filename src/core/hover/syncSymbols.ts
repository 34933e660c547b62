import { BacopaError } from "../errors.ts";
import type { Library } from "../library.ts";
import type { SymbolTable } from "./symbolTable.ts";

/**
 * Brings the table to what the library holds. Pages are read one by one, each a few milliseconds of work with a wait
 * for the disk in between, so that the host's loop is never held up.
 */
export async function syncSymbols(
  table: SymbolTable,
  library: Pick<Library, "revisions" | "page">,
  signal: AbortSignal,
): Promise<void> {
  const revisions = await library.revisions();
  const known = table.revisions;
  for (const pageId of known.keys()) if (!revisions.has(pageId)) table.removePage(pageId);
  for (const [pageId, revision] of revisions) {
    if (known.get(pageId) === revision) continue;
    signal.throwIfAborted();
    try {
      table.putPage(await library.page(pageId), revision);
    } catch (error) {
      // Removed since, or damaged: the library says so where a person looks at pages.
      if (!BacopaError.is(error)) throw error;
      table.removePage(pageId);
    }
  }
}
