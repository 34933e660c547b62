/** Helpers of the cleaning tests: a page from a fragment, and Markdown read back. */
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { clean } from "../../../src/core/clean/clean.ts";
import type { CleanPage } from "../../../src/core/types.ts";

export function cleanPage(html: string, url = "https://docs.example.com/guide/page.html"): CleanPage {
  return clean({
    url,
    requested: url,
    redirects: [],
    format: "html",
    content: html,
    charset: "utf-8",
    byteLength: html.length,
  });
}

/** Markdown of a fragment under the heading "T", without that heading. */
export function markdown(fragment: string): string {
  return cleanPage(`<html><head><title>T</title></head><body><main><h1>T</h1>${fragment}</main></body></html>`)
    .text.replace(/^# T\n+/u, "")
    .trimEnd();
}

interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly lang?: string | null;
  readonly children?: readonly MarkdownNode[];
}

export function parseMarkdown(text: string): MarkdownNode {
  return unified().use(remarkParse).use(remarkGfm).parse(text) as MarkdownNode;
}

export function nodesOf(node: MarkdownNode, type: string): MarkdownNode[] {
  return [...(node.type === type ? [node] : []), ...(node.children ?? []).flatMap((child) => nodesOf(child, type))];
}

export function textOf(node: MarkdownNode): string {
  return node.value ?? (node.children ?? []).map(textOf).join("");
}

export function escapeHtml(text: string): string {
  return text.replace(/&/gu, "&amp;").replace(/</gu, "&lt;").replace(/>/gu, "&gt;");
}
