import { createCutStages, cutPage } from "../../../src/core/cut.ts";
import type { Embedder } from "../../../src/core/ports.ts";
import { parseStrategy } from "../../../src/core/strategy.ts";
import { countTokens } from "../../../src/core/util/tokens.ts";
import { describeCut } from "../../contracts/section.ts";
import type { Cut, CutPromises } from "../../contracts/section.ts";

/** Tells texts apart by their letters: enough for drifts of any size. */
const embedder: Embedder = {
  id: "letters",
  dims: 8,
  maxTokens: 1000,
  meaningWeight: 1,
  embed: (texts) =>
    Promise.resolve(
      texts.map((text) => {
        const vector = new Float32Array(8);
        for (const character of text) vector[(character.codePointAt(0) ?? 0) % 8]! += 1;
        const length = Math.hypot(...vector);
        return length === 0 ? undefined : vector.map((value) => value / length);
      }),
    ),
};

const stages = createCutStages(() => Promise.resolve(countTokens));
function cutBy(name: string): Cut {
  const strategy = parseStrategy(name);
  if (typeof strategy === "string") throw new TypeError(strategy);
  return (text) => cutPage(text, strategy, { stages, embedder }, new AbortController().signal);
}

const promised: readonly (readonly [string, CutPromises])[] = [
  ["fixed", { minTokens: 1, maxTokens: 4000, overlap: 0, hardMinimum: true }],
  ["fixed:64", { minTokens: 31, maxTokens: 64, overlap: 0, hardMinimum: true }],
  ["fixed:64:20", { minTokens: 31, maxTokens: 64, overlap: 20, hardMinimum: true }],
  ["recursive:64:min=16", { minTokens: 16, maxTokens: 64, overlap: 0, hardMinimum: true }],
  ["recursive:96:24:min=20", { minTokens: 20, maxTokens: 96, overlap: 24, hardMinimum: true }],
  [
    "sentence:4:min=20:max=80",
    { minTokens: 20, maxTokens: 80, overlap: 0, sums: true, structure: 80, hardMinimum: false },
  ],
  [
    "sentence:6:2:min=20:max=80",
    { minTokens: 20, maxTokens: 80, overlap: 80, sums: true, structure: 80, hardMinimum: false },
  ],
  [
    "semantic:100:min=25",
    { minTokens: 25, maxTokens: 100, overlap: 0, sums: true, structure: 100, hardMinimum: false },
  ],
  [
    "semantic:100:min=25:t=0.9",
    { minTokens: 25, maxTokens: 100, overlap: 0, sums: true, structure: 100, hardMinimum: false },
  ],
  [
    "headings:400:min=60",
    { minTokens: 60, maxTokens: 400, overlap: 0, sums: true, structure: Infinity, hardMinimum: false },
  ],
  [
    "parent-document:512:64",
    { minTokens: 16, maxTokens: 64, overlap: 0, sums: true, structure: 64, hardMinimum: false },
  ],
];

for (const [name, promises] of promised) describeCut(name, cutBy(name), promises);
