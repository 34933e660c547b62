/**
 * Words of a text in any script. Where words are not separated by blanks (Chinese, Japanese, Thai),
 * two characters count as a word.
 */
export function countWords(text: string): number {
  const joined = text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu,
  );
  const rest =
    joined === null
      ? text
      : text.replace(
          /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu,
          " ",
        );
  return (rest.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}_'’.-]*/gu)?.length ?? 0) + Math.ceil((joined?.length ?? 0) / 2);
}
