import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BacopaError } from "../../core/errors.ts";
import type { Embedder, EmbedderChoice, TokenVectors } from "../../core/ports.ts";
import type { Span } from "../../core/types.ts";

/**
 * The embedded default embedder: a table of word vectors trained on documentation (`media/docs-static`, 6 MB). It needs
 * no network, no model runtime and no wait: some ten thousand texts a second.
 *
 * A text's vector is the sum of its distinct words' rows, each times 1 + ln(occurrences), brought to length 1. A word that
 * is not in the table is the mean of the rows its groups of 3 to 5 characters are hashed to. Texts without a Latin letter
 * have no vector.
 *
 * @param folder Holds `meta.json`, `vocab.txt`, `table.i8` and `scale.f32`. Only `meta.json` is read at once, the rest
 *   with the first text.
 * @throws When the folder is not there or its files do not fit together: a fault of the installation.
 */
export function createDocsStaticEmbedder(folder: string): Embedder {
  const meta = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8")) as Meta;
  let table: Table | undefined;
  return {
    id: meta.id,
    dims: meta.dims,
    // Words are added up, so nothing is cut off.
    maxTokens: Number.MAX_SAFE_INTEGER,
    meaningWeight,
    // eslint-disable-next-line @typescript-eslint/require-await -- a port: other embedders wait
    embed: async (texts, _kind, signal) => {
      signal.throwIfAborted();
      const loaded = (table ??= readTable(folder, meta));
      return texts.map((text) => vectorOf(text, loaded));
    },
    // A table knows no context: a token's vector is its word's own row, wherever it stands. Pooled over a span they give
    // what `embed` gives for the span's text, but for words that repeat, which here count once each time and there are
    // damped. So late chunking with this embedder is not late chunking; it is here that the lab can say so in numbers.
    // eslint-disable-next-line @typescript-eslint/require-await -- a port: other embedders wait
    embedTokens: async (text, signal) => {
      signal.throwIfAborted();
      return tokenVectorsOf(text, (table ??= readTable(folder, meta)));
    },
  };
}

/** The embedded embedder as a choice; its files are read when it is opened. */
export function docsStaticChoice(folder: string): EmbedderChoice {
  return {
    name: "docs-static",
    isInstant: true,
    // eslint-disable-next-line @typescript-eslint/require-await -- a port: other embedders wait
    open: async () => {
      try {
        return createDocsStaticEmbedder(folder);
      } catch (cause) {
        throw new BacopaError("embedder-missing", {
          message: `The embedding table in ${folder} cannot be read: ${String(cause)}`,
          userMessage: "The built-in embedding table cannot be read. Install Bacopa again.",
          cause,
        });
      }
    },
  };
}

/**
 * Weight of this embedder's ranking in reciprocal rank fusion, where the words' weight is 1. Two-fold cross-validation picks
 * .05 to .25 over facts. At .1 recall@5 rises by .01 and MRR@10 stays level, both within noise (360 model-written facts,
 * n = 119; 3,796 extractive ones, n = 235); at .5 MRR@10 falls by .04 [.01, .08] over extractive facts.
 * With so low a weight the ranking by meaning orders what words find, and adds what they miss only when they find little.
 */
const meaningWeight = 0.1;

interface Meta {
  readonly id: string;
  readonly dims: number;
  readonly vocab: number;
  readonly buckets: number;
}

interface Table {
  readonly dims: number;
  readonly buckets: number;
  /** Row of each known word. */
  readonly rowOf: ReadonlyMap<string, number>;
  /** Row after row: the words of `rowOf`, then the buckets. */
  readonly rows: Int8Array;
  /** What each row is multiplied with. */
  readonly scales: Float32Array;
}

function readTable(folder: string, { dims, vocab, buckets }: Meta): Table {
  const words = readFileSync(join(folder, "vocab.txt"), "latin1").trimEnd().split("\n");
  const rows = readFileSync(join(folder, "table.i8"));
  const scales = readFileSync(join(folder, "scale.f32"));
  const rowCount = vocab + buckets;
  if (words.length !== vocab || rows.length !== rowCount * dims || scales.length !== rowCount * 4) {
    throw new Error(`The files of the embedding table in ${folder} do not fit together; install Bacopa again.`);
  }
  return {
    dims,
    buckets,
    rowOf: new Map(words.map((word, row) => [word, row])),
    rows: new Int8Array(rows.buffer, rows.byteOffset, rows.length),
    // Copied, because the file's bytes may lie at an odd place.
    scales: Float32Array.from({ length: rowCount }, (_, row) => scales.readFloatLE(row * 4)),
  };
}

function vectorOf(text: string, table: Table): Float32Array | undefined {
  const { dims } = table;
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sum = new Float64Array(dims);
  for (const [word, count] of counts) addWord(word, 1 + Math.log(count), table, sum, 0);
  let squares = 0;
  for (const value of sum) squares += value * value;
  if (squares === 0) return undefined;
  const length = Math.sqrt(squares);
  return Float32Array.from(sum, (value) => value / length);
}

function tokenVectorsOf(text: string, table: Table): TokenVectors {
  const known = wordSpansOf(text).filter(({ word }) => table.rowOf.has(word) || bucketRows(word, table).length > 0);
  const vectors = new Float32Array(known.length * table.dims);
  known.forEach(({ word }, i) => addWord(word, 1, table, vectors, i * table.dims));
  return { spans: known.map(({ start, end }) => ({ start, end })), vectors };
}

/** Adds a word's row, or the mean of its buckets' rows, to the `dims` numbers of `sum` from `at` on. */
function addWord(word: string, weight: number, table: Table, sum: Float32Array | Float64Array, at: number): void {
  const { dims, rows, scales } = table;
  const known = table.rowOf.get(word);
  const wordRows = known === undefined ? bucketRows(word, table) : [known];
  for (const row of wordRows) {
    const factor = ((scales[row] ?? 0) * weight) / wordRows.length;
    const start = row * dims;
    for (let i = 0; i < dims; i++) sum[at + i] = (sum[at + i] ?? 0) + factor * (rows[start + i] ?? 0);
  }
}

/** Words as the table was trained on: not the analyzer's tokens. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKD")
      .replace(/[\u0300-\u036f]/g, "")
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  );
}

/** The words of `wordsOf`, with where they stand in the text. */
export function wordSpansOf(text: string): (Span & { readonly word: string })[] {
  // Letters are taken apart one by one, so that each normalized character is known by where it came from.
  let normalized = "";
  const from: number[] = [];
  const to: number[] = [];
  let at = 0;
  for (const character of text) {
    for (const part of character.normalize("NFKD").replace(/[\u0300-\u036f]/g, "")) {
      for (let i = 0; i < part.length; i++) {
        from.push(at);
        to.push(at + character.length);
      }
      normalized += part;
    }
    at += character.length;
  }
  return [...normalized.matchAll(/[A-Z]*[a-z0-9]+|[A-Z]+/g)].flatMap(({ 0: run, index }) =>
    // "HTTPServer": the last capital belongs to the next word.
    splitCapitals(run).map(({ part, offset }) => ({
      word: part.toLowerCase(),
      start: from[index + offset] ?? 0,
      end: to[index + offset + part.length - 1] ?? 0,
    })),
  );
}

/** @param run Capitals, then small letters and digits; either may be missing. */
function splitCapitals(run: string): { readonly part: string; readonly offset: number }[] {
  const split = /^[A-Z]+(?=[A-Z][a-z])/.exec(run)?.[0].length ?? 0;
  const rest = { part: run.slice(split), offset: split };
  return split === 0 ? [rest] : [{ part: run.slice(0, split), offset: 0 }, rest];
}

const groupLengths = [3, 4, 5];
const maxHashedLength = 40;

/** Rows of an unknown word's character groups; none for a number. Groups are hashed with FNV-1a, 32 bits. */
function bucketRows(word: string, { rowOf, buckets }: Table): number[] {
  if (!/[a-z]/.test(word)) return [];
  const marked = `<${word.slice(0, maxHashedLength)}>`;
  const rows: number[] = [];
  for (const length of groupLengths) {
    for (let start = 0; start + length <= marked.length; start++) {
      let hash = 0x811c9dc5;
      for (let i = start; i < start + length; i++) hash = Math.imul(hash ^ marked.charCodeAt(i), 0x01000193);
      rows.push(rowOf.size + ((hash >>> 0) % buckets));
    }
  }
  return rows;
}
