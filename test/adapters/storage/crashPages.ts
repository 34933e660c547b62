import type { SavedPage } from "../../../src/core/types.ts";
import { savedPage } from "../../fakes/savedPages.ts";

/** The page that a worker saves under this title, always the same: what is read can be compared to the last byte. */
export function crashPage(pageId: string, title: string): SavedPage {
  const n = Number(title.split(":")[1]);
  return savedPage(pageId, { title, note: `Attempt ${title} is logged. `.repeat((n * 37) % 800) });
}
