import { readingOf } from "./reading.ts";

/**
 * A text in which no tag can be read that the pattern describes, also when it is spelled with full-width, invisible or
 * look-alike characters or character references: the bracket that opens it becomes `&lt;`.
 *
 * @param tag Begins with `<`; matched on the text as a model reads it, in lower case.
 */
export function withoutTag(text: string, tag: RegExp): string {
  if (!/saved|[^\u0000-\u007f]|&/iu.test(text)) return text;
  const reading = readingOf(text);
  const opened = new Set<number>();
  for (const read of [reading.text, reading.latin ?? ""])
    for (const { index } of read.matchAll(tag)) opened.add(reading.at[index] ?? 0);
  let out = "";
  let at = 0;
  for (const start of [...opened].toSorted((a, b) => a - b)) {
    // A reference such as `&lt;` keeps its letters and loses what makes it one.
    out += `${text.slice(at, start)}${text.charAt(start) === "&" ? "&amp;" : "&lt;"}`;
    at = start + 1;
  }
  return out + text.slice(at);
}
