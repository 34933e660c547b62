/** What every request to a model about a page holds. */
import type { Page } from "../types.ts";
import { fenceWordFor } from "./fenceWord.ts";

/** A word that the page does not hold, so that nothing in it can close a fence made with it. */
export function fenceWord(page: Page): string {
  return fenceWordFor(textsOf(page));
}

/** What a page says, for a word that it does not hold. */
export function textsOf({ text, title, description = "", site = "", url }: Page): string[] {
  return [text, title, description, site, url];
}

/** Title, address and what else is known of the page, one line each. */
export function pageHead(page: Page, word: string): string {
  const lines: [string, string | undefined][] = [
    ["Title", page.title],
    ["Address", page.url],
    ["Site or product", page.site],
    ["Version", page.version],
    ["Description", page.description],
    ["Last changed", page.modified],
    ["Language", page.language],
    ["Saved", page.savedAt.slice(0, 10)],
  ];
  const known = lines.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${name}: ${oneLine(value)}`],
  );
  return `<page-${word}>\n${known.join("\n")}\n</page-${word}>`;
}

export function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A line as it may be kept: control characters and lone surrogates taken out, white space joined. `undefined` for no text. */
export function cleanLine(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return oneLine(value.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|\p{Surrogate}/gu, ""));
}
