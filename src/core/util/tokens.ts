import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import type { CountTokens } from "../ports.ts";

/** Text that looks like a special token (`<|endoftext|>`) is counted as ordinary text, not refused. */
const asPlainText = { disallowedSpecial: new Set<string>() };

/**
 * The tokenizer merges pairs in quadratic time within one unbroken run: 200,000 equal signs took 41 s.
 * Runs longer than this are cut and counted by pieces, which can overcount by one token a piece.
 */
const maxRunLength = 256;
const longRun = new RegExp(`\\S{${maxRunLength},}|\\s{${maxRunLength},}`, "u");
const pieces = new RegExp(`[^]{1,${maxRunLength}}`, "gu");

/** Counts o200k tokens; the one owner of the tokenizer. Any text is fine, also `<|endoftext|>`. */
export const countTokens: CountTokens = (text) => {
  let total = 0;
  let rest = text;
  for (let run = longRun.exec(rest); run !== null; run = longRun.exec(rest)) {
    total += countO200k(rest.slice(0, run.index), asPlainText);
    for (const [piece] of run[0].matchAll(pieces)) total += countO200k(piece, asPlainText);
    rest = rest.slice(run.index + run[0].length);
  }
  return total + countO200k(rest, asPlainText);
};
