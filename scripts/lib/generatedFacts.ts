/** Made-up facts for figures of the index at sizes no corpus has. The same seed gives the same facts everywhere. */
import type { IndexUnit } from "../../src/core/index/units.ts";
import { randomFrom } from "../../src/core/lab/bootstrap.ts";

/** Facts a generated page has. */
export const factsPerPage = 40;

export interface GeneratedPage {
  readonly pageId: string;
  readonly units: IndexUnit[];
  /** One a unit, of length 1, around 256 centers as embedded texts are. Made anew at each call. */
  vectors(): Float32Array[];
}

/** Dimensions of generated vectors: those of the common small sentence models. */
export const generatedDims = 384;

/** @param count Facts; the last page may have fewer than 40. @param seed Another seed gives other pages. */
export function* generatedPages(count: number, seed = 1): Generator<GeneratedPage> {
  const write = writer(seed);
  for (let first = 0; first < count; first += factsPerPage) {
    const pageId = `generated-${seed}-${first.toString(16).padStart(10, "0")}`;
    const title = write.words(4);
    const units = Array.from({ length: Math.min(factsPerPage, count - first) }, (_, index): IndexUnit => {
      const symbols = [write.identifier(), write.identifier()];
      const topic = write.words(5);
      const statement = write.words(26);
      const questions = [write.words(9), write.words(9), write.words(9)].join("\n");
      return {
        id: `${pageId}.${(first + index).toString(16).padStart(10, "0")}`,
        pageId,
        tier: "fact",
        statement,
        questions,
        keywords: [...symbols, write.words(2), write.words(2)].join("\n"),
        topic,
        headings: write.words(3),
        title,
        text: "",
        symbols,
        meaningText: [topic, statement, questions].join("\n"),
      };
    });
    yield { pageId, units, vectors: () => units.map((_, index) => generatedVector(seed * 1e7 + first + index)) };
  }
}

/** The same number gives the same vector everywhere. */
export function generatedVector(number: number): Float32Array {
  const random = randomFrom(number + 1);
  const center = centers()[Math.floor(random() * centerCount)] ?? new Float32Array(generatedDims);
  return unitOf(center.map((value) => value + (random() - 0.5) * noise));
}

const centerCount = 256;
/** Beside centers of length 1: neighbors of one center have a cosine of about 0.6. */
const noise = 0.14;
let madeCenters: Float32Array[] | undefined;

function centers(): Float32Array[] {
  madeCenters ??= Array.from({ length: centerCount }, (_, index) => {
    const random = randomFrom(index + 77);
    return unitOf(Float32Array.from({ length: generatedDims }, () => random() - 0.5));
  });
  return madeCenters;
}

function unitOf(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

export interface GeneratedQueries {
  readonly question: readonly string[];
  readonly keywords: readonly string[];
  readonly identifier: readonly string[];
}

/** Queries worded from the same vocabulary as the facts, `count` of each kind. */
export function generatedQueries(count: number): GeneratedQueries {
  const write = writer(2);
  const many = (make: () => string): string[] => Array.from({ length: count }, make);
  return {
    question: many(() => `how do I ${write.words(7)}`),
    keywords: many(() => write.words(3)),
    identifier: many(() => write.identifier()),
  };
}

/** Word frequencies fall as in running text (rank to the power of -1), over 30,000 words and 60,000 identifiers. */
function writer(seed: number): { words(count: number): string; identifier(): string } {
  const random = randomFrom(seed);
  const word = (rank: number): string => (rank < frequent.length ? (frequent[rank] ?? "the") : syllables(rank));
  return {
    words: (count) => Array.from({ length: count }, () => word(zipf(random(), 30_000))).join(" "),
    identifier: () => {
      const rank = zipf(random(), 60_000);
      return `${syllables(rank * 3 + 1)}_${syllables(rank + 40_000)}`;
    },
  };
}

/** Rank from 0, so that its logarithm is even: a rank's chance falls as 1 / rank. */
function zipf(random: number, size: number): number {
  return Math.floor(Math.exp(random * Math.log(size))) - 1;
}

const frequent =
  "the a to of is in for and with that it on be this by as an are or from not when can if default value".split(" ");
const parts =
  "ba ce di fo gu ha je ki lo mu na pe qui ro sa te vi wo xa zu con der ling port set key map run log net".split(" ");

function syllables(number: number): string {
  let text = "";
  for (let rest = number + 31; rest > 0; rest = Math.floor(rest / parts.length))
    text += parts[rest % parts.length] ?? "";
  return text;
}
