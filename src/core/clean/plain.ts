/** Text that needs no conversion: line ends and characters set right. */
import type { CapturedPage, CleanPage } from "../types.ts";
import { cleanCharacters } from "./escape.ts";

export function cleanPlain(captured: CapturedPage): CleanPage {
  const text = cleanCharacters(captured.content.replace(/\r\n?/gu, "\n"));
  const title = /^#\s+(.+)$/mu.exec(text)?.[1] ?? captured.url;
  return { title, text, coverage: 1, leftOut: [] };
}
