/** What a group says, read once and shared by statement and questions. */
import { append } from "../util/append.ts";
import type { TreeBlock } from "../util/markdown.ts";
import type { Group } from "./offlinePacking.ts";
import { readable, sentencesOf } from "./offlineText.ts";

export interface Reading {
  /** Sentences of paragraphs, list items and quotes, in page order, code in its ticks. */
  readonly sentences: readonly string[];
  /** Rows of tables, cells as readable text, header rows first. */
  readonly tables: readonly (readonly (readonly string[])[])[];
  /** Code blocks without their fences. */
  readonly code: readonly string[];
}

export function readGroup(text: string, group: Group): Reading {
  const sentences: string[] = [];
  const tables: string[][][] = [];
  const code: string[] = [];
  const visit = (blocks: readonly TreeBlock[]) => {
    for (const block of blocks) {
      const source = text.slice(block.start, block.end);
      if (block.children.length > 0) visit(block.children);
      else if (block.kind === "table") tables.push(rowsOf(source, group.tableHead));
      else if (block.kind === "code") code.push(source.replace(/^\s*(?:`{3,}|~{3,}).*\n?/gmu, ""));
      else if (block.kind !== "heading" && block.kind !== "rule") append(sentences, sentencesOf(readable(source)));
    }
  };
  visit(group.blocks);
  const terms = new Set(group.terms.map(readable));
  return { sentences: sentences.filter((sentence) => !terms.has(sentence)), tables, code };
}

function rowsOf(table: string, head: string | undefined): string[][] {
  const source = head === undefined ? table : `${head}\n${table}`;
  return source
    .split("\n")
    .filter((line) => line.includes("|") && !/^[\s|:-]+$/u.test(line))
    .map((line) =>
      line
        .replace(/^\s*\|/u, "")
        .replace(/\|\s*$/u, "")
        .split(/(?<!\\)\|/u)
        .map((cell) => readable(cell)),
    );
}
