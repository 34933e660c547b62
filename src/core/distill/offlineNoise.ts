/** Groups that teach nothing: left-over navigation, lists of links, license footers. */
import type { Group } from "./offlinePacking.ts";
import { plain, wordCount } from "./offlineText.ts";

const link = /!?\[(?:[^[\]]|\[[^\]]{0,200}\]){0,1000}\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]]*\])/gu;
const noiseHeading =
  /^(?:on this page|in this (?:section|article|page|chapter)|table of contents|contents|toc|index|see also|related(?: (?:pages|links|articles|topics))?|further reading|next steps?|what'?s next|more (?:information|resources)|external links|references|navigation|feedback|was this page helpful\??|edit this page|contributors?|license|copyright)$/iu;
const footer =
  /^(?:copyright\b|©|\(c\) \d{4}|licensed under|all rights reserved|last (?:updated|modified)|this (?:page|work) is licensed|edit (?:this page|on github)|previous|next)\b/iu;

export function isNoise(text: string, group: Group): boolean {
  const source = text.slice(group.start, group.end);
  const content = group.blocks.filter((block) => block.kind !== "heading" && block.kind !== "rule");
  if (content.length === 0) return wordCount(plain(source)) < 3 || !/[(_.]/u.test(source);
  if (content.some((block) => block.kind === "code" || block.kind === "table")) return false;
  const own = content.map((block) => text.slice(block.start, block.end)).join("\n");
  const words = wordCount(plain(own));
  if (!/[\p{L}\p{N}]/u.test(own)) return true;
  if (footer.test(plain(own)) && words < 40) return true;
  const unlinked = wordCount(plain(own.replace(link, " ").replace(/[-*+|,.;:·•]/gu, " ")));
  const linked = words - unlinked;
  const heading = group.headingPath.at(-1) ?? "";
  if (noiseHeading.test(heading) && linked > 0 && unlinked < linked * 2 + 6) return true;
  // A list of links without a word about them is a table of contents.
  return linked >= 4 && unlinked <= Math.max(1, linked * 0.1) && content.every((block) => block.kind === "list");
}
