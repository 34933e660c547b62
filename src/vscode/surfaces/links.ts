/** Links from Markdown to facts, passages and sources. Only these commands can be reached from text we show. */
import * as vscode from "vscode";
import type { Fact, SavedPage } from "../../core/types.ts";
import { pageTextUri } from "./documents.ts";

const enabledCommands = ["bacopa.openFact", "bacopa.openPassage", "bacopa.openSource"] as const;
export type LinkCommand = (typeof enabledCommands)[number];

/**
 * Markdown in which our three commands work and nothing else: no HTML, no other command. A page's own text belongs
 * into it only as plain text, because a page could spell one of the commands.
 */
export function linkMarkdown(value: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(value, true);
  markdown.supportHtml = false;
  markdown.isTrusted = { enabledCommands };
  return markdown;
}

/** @param id Of a fact or, for `openSource`, of a page. */
export function commandLink(label: string, command: LinkCommand, id: string): string {
  return `[${label}](command:${command}?${encodeURIComponent(JSON.stringify([id]))})`;
}

/** A text as Markdown that shows it letter by letter, on one line. */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_{}[\]()<>#+\-.!|$~]/g, "\\$&");
}

/** Where a fact's passage stands in the saved page. */
export function passageLocation(saved: SavedPage, { source }: Fact): vscode.Location {
  const { text } = saved.page;
  const range = new vscode.Range(positionAt(text, source.start), positionAt(text, source.end));
  return new vscode.Location(pageTextUri(saved), range);
}

function positionAt(text: string, offset: number): vscode.Position {
  let line = 0;
  let start = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
    start = at + 1;
  }
  return new vscode.Position(line, offset - start);
}
