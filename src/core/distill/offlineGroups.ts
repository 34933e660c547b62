/**
 * Divides a section into groups: the smallest stretches of a page that still make sense together.
 * A group is one subsection, one definition, a few list items, some rows of a table, or a paragraph with the
 * code it introduces. Groups cover every block of the section and never cut a code fence or a table row.
 */
import { append } from "../util/append.ts";
import type { CountTokens } from "../ports.ts";
import type { Section, Span } from "../types.ts";
import { blockTree } from "../util/markdown.ts";
import type { TreeBlock } from "../util/markdown.ts";
import type { Group, Piece } from "./offlinePacking.ts";
import { groupSizes, joinBound, pack } from "./offlinePacking.ts";
import type { OutlineEntry } from "./offlineOutline.ts";
import { openAt } from "./offlineOutline.ts";
import { isGeneric, isMeta, looksLikeName, plain, readable } from "./offlineText.ts";

/**
 * The groups of one section, in page order.
 *
 * @param outline All headings of the page, so that a section cut below its h2 still knows what is above it.
 */
export function groupsOf(
  text: string,
  section: Section,
  outline: readonly OutlineEntry[],
  countTokens: CountTokens,
): Group[] {
  const above = openAt(outline, section.start);
  return new GroupReader(text, countTokens).read(blockTree(text, section), above, section.headingPath);
}

class GroupReader {
  readonly #text: string;
  readonly #count: CountTokens;

  constructor(text: string, countTokens: CountTokens) {
    this.#text = text;
    this.#count = countTokens;
  }

  read(blocks: readonly TreeBlock[], above: readonly OutlineEntry[], sectionPath: readonly string[]): Group[] {
    const path = above.length > 0 ? above.map((entry) => entry.text) : sectionPath;
    return pack(joinBound(this.#pieces(blocks, path, above)));
  }

  #tokens(block: Span): number {
    return this.#count(this.#text.slice(block.start, block.end));
  }

  #source(block: Span): string {
    return this.#text.slice(block.start, block.end);
  }

  /**
   * @param outerPath The headings above the blocks.
   * @param above Those of them that a heading among the blocks may close; `undefined` inside a list or quote,
   *   where headings only add to the path.
   */
  #pieces(blocks: readonly TreeBlock[], outerPath: readonly string[], above?: readonly OutlineEntry[]): Piece[] {
    const pieces: Piece[] = [];
    const stack: Pick<OutlineEntry, "level" | "text">[] = [...(above ?? [])];
    const fixed = above === undefined ? outerPath : [];
    let path = outerPath;
    let previous = "";
    /** Level of the signature heading that is open; 0 for none. */
    let definedAt = 0;
    for (const [index, block] of blocks.entries()) {
      if (block.kind === "rule") continue;
      if (block.kind === "heading") {
        const heading = plain(this.#source(block));
        while ((stack.at(-1)?.level ?? 0) >= block.level) stack.pop();
        stack.push({ level: block.level, text: heading });
        path = [...fixed, ...stack.map((entry) => entry.text)];
        if (block.level <= definedAt) definedAt = 0;
        const terms = this.#signature(block);
        // "Parameters" and "Returns" below a signature are parts of its definition.
        const opens = definedAt === 0 || !isGeneric(heading);
        if (opens) definedAt = terms.length > 0 ? block.level : 0;
        pieces.push({ ...this.#piece(block, path), opens, leads: true, binds: true, terms });
        previous = "";
        continue;
      }
      if (this.#isCodeLabel(block, blocks[index + 1])) {
        pieces.push({ ...this.#piece(block, path), leads: true, follows: true });
        continue;
      }
      const term = this.#boldTerm(block, blocks[index + 1]);
      if (term !== undefined) {
        pieces.push({ ...this.#piece(block, path), terms: [term], opens: true, leads: true, binds: true });
        previous = "";
        continue;
      }
      const last = pieces.at(-1);
      if (last?.binds === true && last.leads && block.kind === "paragraph" && isMeta(readable(this.#source(block)))) {
        pieces.push({ ...this.#piece(block, path), leads: true, binds: true });
        continue;
      }
      append(pieces, this.#cut(block, path, previous, blocks[index + 1]));
      previous = block.kind === "paragraph" ? this.#source(block) : "";
    }
    return pieces;
  }

  #piece(block: TreeBlock, path: readonly string[]): Piece {
    return {
      start: block.start,
      end: block.end,
      tokens: this.#tokens(block),
      blocks: [block],
      headingPath: path,
      terms: [],
      leadIn: undefined,
      tableHead: undefined,
      opens: false,
      leads: false,
      binds: false,
      follows: false,
    };
  }

  /** A page's own heading names what all of it is about, so it defines no single group. */
  #signature(heading: TreeBlock): string[] {
    if (heading.level === 1) return [];
    const source = this.#source(heading).replace(/^\s*#+\s*/u, "");
    const code = /^`[^`]+`$/u.test(readable(source));
    return code || looksLikeName(plain(source)) ? [source] : [];
  }

  /** A definition's term stands alone on a bold line; a tab's label does too, but code follows it. */
  #boldTerm(block: TreeBlock, next: TreeBlock | undefined): string | undefined {
    if (block.kind !== "paragraph" || next === undefined) return undefined;
    const term = boldLine(this.#source(block));
    if (term === undefined || isRole(plain(term))) return undefined;
    const words = plain(term);
    if (term.includes("`") || looksLikeName(words)) return term;
    return next.kind === "paragraph" && words.length <= 60 && !/[.!?,;]$/u.test(words) ? term : undefined;
  }

  /** The bold line over a code block that names its file or tab: it parts neither the code nor the sentence before. */
  #isCodeLabel(block: TreeBlock, next: TreeBlock | undefined): boolean {
    if (block.kind !== "paragraph" || next?.kind !== "code") return false;
    const label = boldLine(this.#source(block));
    return label !== undefined && !/[`(]/u.test(label);
  }

  #cut(block: TreeBlock, path: readonly string[], previous: string, next: TreeBlock | undefined): Piece[] {
    const shown = next !== undefined && next.kind !== "paragraph" && next.kind !== "heading";
    const leadIn = introduces(previous) ? previous : undefined;
    switch (block.kind) {
      case "list":
        return this.#cutList(block, path, leadIn);
      case "table":
        return this.#cutTable(block, path, leadIn);
      case "quote":
        return this.#cutQuote(block, path);
      case "code":
        return [{ ...this.#piece(block, path), follows: true }];
      case "paragraph": {
        const source = this.#source(block);
        return [{ ...this.#piece(block, path), leads: introduces(source) || (shown && isLabel(source)) }];
      }
      default:
        return [this.#piece(block, path)];
    }
  }

  #cutList(list: TreeBlock, path: readonly string[], leadIn: string | undefined): Piece[] {
    const whole = { ...this.#piece(list, path), follows: leadIn !== undefined };
    const defining = list.children.filter((item) => this.#termOf(item) !== undefined).length;
    const reference = defining * 2 > list.children.length;
    const oneLiners = list.children.every((item) => item.children.length <= 1);
    if ((!reference || oneLiners) && whole.tokens <= groupSizes.aim) return [whole];
    return list.children.flatMap((item, index) => this.#cutItem(item, path, leadIn, index === 0, reference));
  }

  #cutItem(
    item: TreeBlock,
    path: readonly string[],
    leadIn: string | undefined,
    first: boolean,
    reference: boolean,
  ): Piece[] {
    const term = this.#termOf(item);
    const whole: Piece = {
      ...this.#piece(item, path),
      terms: term === undefined ? [] : [term],
      leadIn,
      opens: term !== undefined && reference,
      follows: first && leadIn !== undefined,
    };
    if (whole.tokens <= groupSizes.most || item.children.length < 2) return [whole];
    const inner = this.#pieces(item.children, path);
    return inner.map((piece, index) => ({
      ...piece,
      terms: piece.terms.length > 0 ? piece.terms : whole.terms,
      leadIn: piece.leadIn ?? leadIn,
      opens: index === 0 ? whole.opens : piece.opens,
      leads: piece.leads || (index === 0 && term !== undefined),
      binds: piece.binds || (index === 0 && term !== undefined),
      follows: index === 0 ? whole.follows : piece.follows,
    }));
  }

  /** A definition's name: the first paragraph of an item that goes on with other blocks, or what stands before a dash. */
  #termOf(item: TreeBlock | undefined): string | undefined {
    const first = item?.children[0];
    if (item === undefined || first?.kind !== "paragraph") return undefined;
    const source = this.#source(first)
      .replace(/^\s*(?:[-*+]|\d+[.)])\s+/u, "")
      .trim();
    if (item.children.length > 1 && !/[.:;!?]\s*$/u.test(source) && source.length < 400) return source;
    const inline =
      /^((?:\*\*[^*\n]+\*\*|`[^`\n]+`)(?:\s*(?:,|\/|or)\s*(?:\*\*[^*\n]+\*\*|`[^`\n]+`))*(?:\s*\([^()\n]{1,60}\))?)\s*(?::|[-–—]{1,2}\s)/u.exec(
        source,
      );
    return inline?.[1];
  }

  #cutTable(table: TreeBlock, path: readonly string[], leadIn: string | undefined): Piece[] {
    const whole = { ...this.#piece(table, path), follows: leadIn !== undefined };
    const { tableHead, rows, isContinued } = this.#tableParts(table);
    if (whole.tokens <= groupSizes.most) return [isContinued ? { ...whole, tableHead } : whole];
    const pieces: Piece[] = [];
    for (const row of rows) {
      const first = pieces.length === 0 && !isContinued;
      const span = { start: first ? table.start : row.start, end: row.end };
      pieces.push({
        ...whole,
        ...span,
        tokens: this.#tokens(span),
        leadIn,
        tableHead: first ? undefined : tableHead,
        follows: first && leadIn !== undefined,
        blocks: [{ ...table, ...span }],
      });
    }
    return pieces;
  }

  /** Head and rows; the head of a table that an earlier section began is found there. */
  #tableParts(table: TreeBlock): { tableHead: string; rows: Span[]; isContinued: boolean } {
    const lines = linesOf(this.#text, table);
    const started = this.#text.lastIndexOf("\n\n", table.start) + 2;
    const isContinued = started < table.start && this.#text[table.start - 1] === "\n" && this.#text[started] === "|";
    const head = isContinued
      ? linesOf(this.#text, { start: started, end: table.start }).slice(0, 2)
      : lines.slice(0, 2);
    const tableHead = this.#text.slice(head[0]?.start ?? table.start, head.at(-1)?.end ?? table.start);
    return { tableHead, rows: isContinued ? lines : lines.slice(2), isContinued };
  }

  #cutQuote(quote: TreeBlock, path: readonly string[]): Piece[] {
    const whole = { ...this.#piece(quote, path), follows: true };
    if (whole.tokens <= groupSizes.most || quote.children.length < 2) return [whole];
    return this.#pieces(quote.children, path).map((piece, index) => ({
      ...piece,
      follows: index === 0 ? true : piece.follows,
    }));
  }
}

function linesOf(text: string, span: Span): Span[] {
  const lines: Span[] = [];
  let at = span.start;
  while (at < span.end) {
    const feed = text.indexOf("\n", at);
    const end = feed < 0 || feed > span.end ? span.end : feed;
    if (text.slice(at, end).trim() !== "") lines.push({ start: at, end });
    at = end + 1;
  }
  return lines;
}

/** A paragraph that ends in a colon says something about what comes next. */
function introduces(source: string): boolean {
  return /[:：]\s*(?:\*\*|__|\*|_)?\s*$/u.test(source);
}

/** A short paragraph without an end: a caption, a tab's label, "Parameters". */
function isLabel(source: string): boolean {
  const text = source.trim();
  return text.length <= 60 && !text.includes("\n") && !/[.!?…。]["')*_`]*$/u.test(text) && /\p{L}/u.test(text);
}

function boldLine(source: string): string | undefined {
  return /^\s*\*\*((?:[^*\n]|\*(?!\*)|\\\*)+)\*\*\s*$/u.exec(source)?.[1];
}

/** Labels of a definition's own parts and of captions: they open nothing new. */
function isRole(words: string): boolean {
  return /:$|^(?:see(?: also)?|alias(?:es)?|parameters?|arguments?|returns?|return (?:value|type)|type|since|throws|raises|exceptions?|notes?|examples?|value|values|default|history|usage|options?|inherits|defined in|specified by|overrides|expand description|all methods|warning|tip|important|caution|(?:table|figure|example|listing) [\d.]+.*)$/iu.test(
    words,
  );
}
