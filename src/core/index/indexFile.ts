import type { FactId, PageId, Tier } from "../types.ts";
import type { LexiconParts } from "./bm25f.ts";
import { readSnapshot, writeSnapshot, type SnapshotArray } from "./snapshot.ts";
import type { VectorParts } from "./vectors.ts";

/** What a saved index holds. Slots are without gaps. */
export interface IndexContents {
  /** What must be equal for the file to be used: schema, analyzer, fields. */
  readonly key: Readonly<Record<string, unknown>>;
  /** Whose vectors the file holds. */
  readonly embedder: { readonly id: string; readonly dims: number; readonly isComplete: boolean } | null;
  readonly revisions: readonly (readonly [PageId, string])[];
  /** By slot. */
  readonly ids: readonly FactId[];
  /** By slot: position in `revisions`. */
  readonly pageOf: Uint32Array;
  /** By slot. */
  readonly tiers: readonly Tier[];
  /** By slot. */
  readonly symbols: readonly (readonly string[])[];
  readonly lexicon: LexiconParts;
  /** Slots that the embedder has not seen. */
  readonly unembedded: Uint32Array;
  readonly vectors: VectorParts | undefined;
}

export function writeIndexFile({
  key,
  embedder,
  revisions,
  ids,
  pageOf,
  tiers,
  symbols,
  lexicon,
  unembedded,
  vectors,
}: IndexContents): Uint8Array {
  const arrays: [string, SnapshotArray][] = [
    // A line each: ids hold no line breaks. As JSON, 100,000 of them would take three times as long to read.
    ["ids", new TextEncoder().encode(ids.join("\n"))],
    ["symbols", new TextEncoder().encode(symbols.map(symbolLine).join("\n"))],
    ["pageOf", pageOf],
    ["tiers", Uint8Array.from(tiers, (tier) => (tier === "section" ? 1 : 0))],
    ["terms.bytes", lexicon.terms.bytes],
    ["terms.starts", lexicon.terms.starts],
    ["terms.table", lexicon.terms.table],
    ["postings.starts", lexicon.starts],
    ["postings.slots", lexicon.slots],
    ["postings.counts", lexicon.counts],
    ["lengths", lexicon.lengths],
    ["unembedded", unembedded],
  ];
  if (vectors !== undefined) {
    arrays.push(
      ["vectors.slots", vectors.slots],
      ["vectors.rows", vectors.rows],
      ["vectors.small", vectors.small],
      ["vectors.scales", vectors.scales],
    );
  }
  return writeSnapshot({ key, embedder, revisions }, new Map(arrays));
}

/** `undefined` for a damaged file and for one with another key. Never throws. */
export function readIndexFile(bytes: Uint8Array, key: Readonly<Record<string, unknown>>): IndexContents | undefined {
  const snapshot = readSnapshot(bytes);
  if (snapshot === undefined) return undefined;
  const header = snapshot.header as Pick<IndexContents, "key" | "embedder" | "revisions">;
  if (JSON.stringify(header.key) !== JSON.stringify(key)) return undefined;
  // Checksum and key are right, so this very code wrote the file: a missing array is a fault of the program.
  const array = <A extends SnapshotArray>(name: string, type: abstract new (...parts: never[]) => A): A => {
    const found = snapshot.arrays.get(name);
    if (!(found instanceof type)) throw new TypeError(`${name} is missing in the index file`);
    return found;
  };
  const ids = new TextDecoder().decode(array("ids", Uint8Array));
  const symbols = new TextDecoder().decode(array("symbols", Uint8Array)).split("\n");
  return {
    key,
    embedder: header.embedder,
    revisions: header.revisions,
    ids: ids === "" ? [] : ids.split("\n"),
    pageOf: array("pageOf", Uint32Array),
    tiers: Array.from(array("tiers", Uint8Array), (tier) => (tier === 1 ? "section" : "fact")),
    symbols: ids === "" ? [] : symbols.map((line) => (line === "" ? [] : line.split("\t"))),
    lexicon: {
      terms: {
        bytes: array("terms.bytes", Uint8Array),
        starts: array("terms.starts", Uint32Array),
        table: array("terms.table", Uint32Array),
      },
      starts: array("postings.starts", Uint32Array),
      slots: array("postings.slots", Uint32Array),
      counts: array("postings.counts", Uint32Array),
      lengths: array("lengths", Uint16Array),
    },
    unembedded: array("unembedded", Uint32Array),
    vectors: snapshot.arrays.has("vectors.slots")
      ? {
          slots: array("vectors.slots", Uint32Array),
          rows: array("vectors.rows", Float32Array),
          small: array("vectors.small", Int8Array),
          scales: array("vectors.scales", Float32Array),
        }
      : undefined,
  };
}

/** One line a unit, tabs between the names. */
function symbolLine(symbols: readonly string[]): string {
  return symbols.map((symbol) => symbol.replace(/\s+/g, " ")).join("\t");
}
