/** What the writers of blocks share: the kinds of Markdown blocks and what a writer can ask the others for. */
import type { InlineContext } from "./inline.ts";
import type { ElementNode, TreeNode } from "./tree.ts";

/** A block of Markdown without blank lines around it. */
export interface Block {
  /** `code` and `table` stand at the start of the line wherever they came from, so that they are found exactly. */
  readonly kind: "text" | "heading" | "code" | "table" | "list" | "quote";
  readonly text: string;
}

/** The writers, handed to one another by `blocks.ts`. */
export interface Writers {
  readonly context: InlineContext;
  blocksOf(nodes: readonly TreeNode[]): Block[];
  /** Inline Markdown of nodes that may hold blocks too; those are run together. */
  inline(nodes: readonly TreeNode[]): string;
  withContext(context: Partial<InlineContext>): Writers;
  isBlock(node: ElementNode): boolean;
}

export function joinBlocks(blocks: readonly Block[]): string {
  return blocks.map((block) => block.text).join("\n\n");
}

/** A fence, a table or a heading loses its meaning when it is indented or quoted by whoever reads line by line. */
export function standsAlone(block: Block): boolean {
  return block.kind === "code" || block.kind === "table" || block.kind === "heading";
}
