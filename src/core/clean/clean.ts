/** Cleans a captured page: content as Markdown, with an account of what was left out. */
import type { CapturedPage, CleanPage } from "../types.ts";
import { withoutAddressedText } from "./addressedText.ts";
import { cleanHtml } from "./htmlPage.ts";
import { cleanMarkdown } from "./markdownSource.ts";

export function clean(captured: CapturedPage): CleanPage {
  return withoutAddressedText(cleanFormat(captured), captured);
}

function cleanFormat(captured: CapturedPage): CleanPage {
  switch (captured.format) {
    case "html":
      return cleanHtml(captured);
    case "markdown":
    case "text":
      return cleanMarkdown(captured);
  }
}
