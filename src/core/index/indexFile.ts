import type { CacheReader } from "../ports.ts";
import type { PageId } from "../types.ts";
import type { LexiconParts } from "./bm25f.ts";
import type { IdListParts } from "./idList.ts";
import { fastestRows, strideOf } from "./rowMemory.ts";
import type { RowMemory } from "./rowMemory.ts";
import { bytesOf, readSnapshot, wholeArray as whole, writeSnapshot } from "./snapshot.ts";
import type { ArrayToWrite, SnapshotArray } from "./snapshot.ts";
import type { ExactRows, KeptRows, VectorParts } from "./vectors.ts";

/** Everything an index file holds but the vectors. Slots are without gaps. */
export interface IndexContents {
  /** Whose vectors the file holds. */
  readonly embedder: { readonly id: string; readonly dims: number; readonly isComplete: boolean } | null;
  readonly revisions: readonly (readonly [PageId, string])[];
  /** By slot. */
  readonly ids: IdListParts;
  /** By slot: position in `revisions`. */
  readonly pageOf: Uint32Array;
  readonly lexicon: LexiconParts;
  /** Slots that the embedder has not seen. */
  readonly unembedded: Uint32Array;
}

/** What must be equal for a file to be used: schema, analyzer, fields. */
export type IndexKey = Readonly<Record<string, unknown>>;

/** The file, piece by piece. */
export function writeIndexFile(
  key: IndexKey,
  { embedder, revisions, ids, pageOf, lexicon, unembedded }: IndexContents,
  rows: KeptRows | undefined,
): AsyncGenerator<Uint8Array> {
  const arrays: ArrayToWrite[] = [
    whole("ids.bytes", ids.bytes),
    whole("ids.starts", ids.starts),
    whole("pageOf", pageOf),
    whole("terms.bytes", lexicon.terms.bytes),
    whole("terms.starts", lexicon.terms.starts),
    whole("terms.table", lexicon.terms.table),
    whole("postings.starts", lexicon.starts),
    whole("postings.slots", lexicon.slots),
    whole("postings.counts", lexicon.counts),
    whole("lengths", lexicon.lengths),
    whole("unembedded", unembedded),
  ];
  const cold: ArrayToWrite[] = [];
  if (rows !== undefined && embedder !== null) {
    const count = rows.slots.length;
    const stride = strideOf(embedder.dims);
    arrays.push(whole("vectors.slots", rows.slots), whole("vectors.scales", rows.scales), {
      name: "vectors.small",
      kind: "i8",
      length: count * stride,
      pieces: rows.small(),
    });
    cold.push({ name: "vectors.exact", kind: "f32", length: count * stride, pieces: rows.exact() });
  }
  return writeSnapshot({ key, embedder, revisions }, arrays, cold);
}

/** `undefined` for a damaged file and for one with another key. Rejects when reading fails. */
export async function readIndexFile(
  reader: CacheReader,
  key: IndexKey,
): Promise<(IndexContents & { readonly vectors: VectorParts | undefined }) | undefined> {
  let dims: number | undefined;
  let small: RowMemory | undefined;
  const snapshot = await readSnapshot(
    reader,
    (header) => {
      const found = header as Pick<IndexContents, "embedder" | "revisions"> & { readonly key: unknown };
      if (JSON.stringify(found.key) !== JSON.stringify(key)) return undefined;
      dims = found.embedder?.dims;
      return found;
    },
    (name, length) => {
      if (name !== "vectors.small" || dims === undefined) return undefined;
      small = fastestRows(strideOf(dims));
      small.reserve(length / strideOf(dims));
      return small.cells;
    },
  );
  if (snapshot === undefined) return undefined;
  // Checksums and key are right, so this very code wrote the file: a missing array is a fault of the program.
  const array = <A extends SnapshotArray>(name: string, type: abstract new (...parts: never[]) => A): A => {
    const found = snapshot.arrays.get(name);
    if (!(found instanceof type)) throw new TypeError(`${name} is missing in the index file`);
    return found;
  };
  const exactStart = snapshot.cold.get("vectors.exact");
  return {
    embedder: snapshot.header.embedder,
    revisions: snapshot.header.revisions,
    ids: { bytes: array("ids.bytes", Uint8Array), starts: array("ids.starts", Uint32Array) },
    pageOf: array("pageOf", Uint32Array),
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
    vectors:
      exactStart === undefined || dims === undefined || small === undefined
        ? undefined
        : {
            slots: array("vectors.slots", Uint32Array),
            scales: array("vectors.scales", Float32Array),
            small,
            exact: rowsInFile(reader, exactStart, dims),
          },
  };
}

function rowsInFile(reader: CacheReader, start: number, dims: number): ExactRows {
  const rowBytes = strideOf(dims) * Float32Array.BYTES_PER_ELEMENT;
  return {
    read: (rows, target) =>
      reader.read(
        bytesOf(target),
        rows.map((row) => start + row * rowBytes),
      ),
  };
}
