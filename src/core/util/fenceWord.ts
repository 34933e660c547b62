import { sha256Hex } from "./hash.ts";

/** A word of 8 hex digits that none of the texts holds, so that nothing in them can close a fence made with it. The same for the same texts. */
export function fenceWordFor(texts: readonly string[]): string {
  const all = texts.join("\n");
  let word = sha256Hex(all, 8);
  for (let turn = 0; all.includes(word); turn++) word = sha256Hex(`${word}${turn}`, 8);
  return word;
}
