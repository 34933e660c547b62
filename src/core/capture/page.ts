import type { CapturedPage, CleanPage, Page } from "../types.ts";
import { pageIdOf } from "./pageId.ts";

/** A page from what capture and cleaning made of it. @param savedAt ISO time. */
export function pageOf(captured: CapturedPage, cleaned: CleanPage, savedAt: string): Page {
  const { url, requested, redirects, format, charset, etag, lastModified } = captured;
  return { ...cleaned, id: pageIdOf(url), url, requested, redirects, format, charset, etag, lastModified, savedAt };
}
