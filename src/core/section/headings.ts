/** Cuts a page at its headings into sections of a size that one fact or a few can hold. */
import type { CountTokens } from "../ports.ts";
import type { Section, Span } from "../types.ts";
import { outlineOf } from "./outline.ts";
import type { SizeLimits } from "./pieces.ts";
import { splitBlock } from "./splitBlock.ts";

/** A section under this joins a neighbor; from the product's requirements. */
export const minTokens = 200;
/** A section over this is cut; from the product's requirements. */
export const maxTokens = 3000;

/** What is never cut again here: a block with the blank lines after it, or a part of a block that is too long. */
interface Atom extends Span {
  readonly tokens: number;
  /** Headings over it: h1, h2, and h3. */
  readonly path: readonly string[];
  /** 1..6 for a heading, 0 for all else. */
  readonly depth: number;
}

interface Piece {
  readonly atoms: readonly Atom[];
  readonly tokens: number;
  /** Cut at h3, so its path names the h3. */
  readonly deep: boolean;
}

/**
 * Sections tile the text: joined they give it back. Sizes are sums of the blocks' tokens, so the text is counted once.
 *
 * `headingPath` is that of the first content in the section: a bare title joined with what follows takes the path of
 * what follows, since its own headings are a part of that path. Headings further on stand in the section's text.
 */
export function sectionByHeadings(
  text: string,
  countTokens: CountTokens,
  limits: SizeLimits = { minTokens, maxTokens },
): Section[] {
  if (text === "") return [];
  const pieces = joinSmall(cutBefore(atomsOf(text, countTokens), 2), limits.minTokens);
  const fitting = pieces.flatMap((piece) =>
    piece.tokens <= limits.maxTokens ? [piece] : cutLong(piece, text, limits, countTokens),
  );
  return joinLeft(fitting, limits).map(({ atoms, tokens, deep }, index) => {
    const content = atoms.find((atom) => atom.depth === 0) ?? atoms.at(-1);
    return {
      index,
      start: atoms[0]?.start ?? 0,
      end: atoms.at(-1)?.end ?? text.length,
      headingPath: (content?.path ?? []).slice(0, deep ? 3 : 2).filter((title) => title !== ""),
      tokens,
    };
  });
}

function atomsOf(text: string, countTokens: CountTokens): Atom[] {
  const outline = outlineOf(text);
  if (outline.length === 0) return [{ start: 0, end: text.length, tokens: countTokens(text), path: [], depth: 0 }];
  return outline.map((block) => ({ ...block, tokens: countTokens(text.slice(block.start, block.end)) }));
}

function pieceOf(atoms: readonly Atom[], deep: boolean): Piece {
  return { atoms, tokens: atoms.reduce((sum, atom) => sum + atom.tokens, 0), deep };
}

/** Pieces that start at headings of `depth` or higher up. */
function cutBefore(atoms: readonly Atom[], depth: number): Piece[] {
  const groups: Atom[][] = [];
  for (const atom of atoms) {
    const last = groups.at(-1);
    if (last === undefined || (atom.depth > 0 && atom.depth <= depth)) groups.push([atom]);
    else last.push(atom);
  }
  return groups.map((group) => pieceOf(group, depth > 2));
}

/** A piece under the minimum joins the next one, the last one the previous, as long as the maximum allows where one is given. */
function joinSmall(pieces: readonly Piece[], least: number, limit = Number.POSITIVE_INFINITY): Piece[] {
  const joined: Piece[] = [];
  let open: Piece[] = [];
  let tokens = 0;
  const close = (): void => {
    if (open.length > 0) joined.push(merge(open));
    open = [];
    tokens = 0;
  };
  for (const piece of pieces) {
    if (tokens + piece.tokens > limit) close();
    open.push(piece);
    tokens += piece.tokens;
    if (tokens >= least) close();
  }
  const last = tokens > 0 && tokens < least ? joined.at(-1) : undefined;
  if (last !== undefined && last.tokens + tokens <= limit) {
    joined.pop();
    open = [last, ...open];
  }
  close();
  return joined;
}

/** What cutting a long piece left under the minimum joins the next piece, else the one before, where the maximum allows. */
function joinLeft(pieces: readonly Piece[], { minTokens: least, maxTokens: most }: SizeLimits): Piece[] {
  const joined = [...pieces];
  for (let at = 0; at < joined.length;) {
    const piece = joined[at];
    const next = joined[at + 1];
    const before = joined[at - 1];
    if (piece === undefined || piece.tokens >= least) at++;
    else if (next !== undefined && piece.tokens + next.tokens <= most) joined.splice(at, 2, merge([piece, next]));
    else if (before !== undefined && before.tokens + piece.tokens <= most)
      joined.splice(at - 1, 2, merge([before, piece]));
    else at++;
  }
  return joined;
}

function merge(pieces: readonly Piece[]): Piece {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  return {
    atoms: pieces.flatMap((piece) => piece.atoms),
    tokens: pieces.reduce((sum, piece) => sum + piece.tokens, 0),
    deep: pieces.some((piece) => piece.deep),
  };
}

function cutLong(piece: Piece, text: string, limits: SizeLimits, countTokens: CountTokens): Piece[] {
  const parts = cutBefore(piece.atoms, 3);
  const deep = parts.length > 1;
  const { minTokens: least, maxTokens: most } = limits;
  const fitting = parts.flatMap((part) => (part.tokens <= most ? [part] : pack(part, deep, text, most, countTokens)));
  return joinSmall(fitting, least, most);
}

/** Fills pieces with whole blocks; a heading stays with what follows it, and no short rest is left at the end. */
function pack(part: Piece, deep: boolean, text: string, most: number, countTokens: CountTokens): Piece[] {
  const atoms = part.atoms.flatMap((atom) =>
    atom.tokens <= most ? [atom] : splitBlock(text, atom, most, countTokens).map((span) => ({ ...atom, ...span })),
  );
  const total = atoms.reduce((sum, atom) => sum + atom.tokens, 0);
  // Pieces of about the same size rather than full ones and a rest.
  const target = total / Math.ceil(total / most);
  const groups: Atom[][] = [];
  let size = 0;
  for (const atom of atoms) {
    const last = groups.at(-1);
    if (last === undefined || size + atom.tokens > most || size >= target) {
      const carried: Atom[] = [];
      let carriedTokens = atom.tokens;
      while (last !== undefined && last.length > 1) {
        const heading = last.at(-1);
        if (heading === undefined || heading.depth === 0 || carriedTokens + heading.tokens > most) break;
        last.pop();
        carried.unshift(heading);
        carriedTokens += heading.tokens;
      }
      groups.push([...carried, atom]);
      size = carriedTokens;
    } else {
      last.push(atom);
      size += atom.tokens;
    }
  }
  return groups.map((group) => pieceOf(group, deep));
}
