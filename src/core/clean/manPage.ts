/** A manual page that is one `<pre>`: its sections get headings, its text stays as it is set. */
import { codeText } from "./code.ts";
import { descendants, made, plainText, replace, textNode } from "./tree.ts";
import type { ElementNode } from "./tree.ts";

/** "NAME", "LIST MEMBERSHIP": capitals at the start of the line. */
const sectionLine = /^\p{Lu}[\p{Lu}\p{N} ,/&'().-]{2,60}$/u;

/** Fewer headings than this make no manual page. */
const minSections = 3;

export function splitManPage(main: ElementNode): void {
  const pres = descendants(main).filter((node) => node.tag === "pre");
  const [pre] = pres;
  if (pre === undefined || pres.length !== 1) return;
  const text = codeText(pre);
  if (text.length < 0.8 * plainText(main).length || text.length < 400) return;
  const lines = text.split("\n");
  // The first and last lines ("LS(1)   LS(1)") name the page; they hold a section in parentheses.
  const isSection = (line: string, index: number): boolean =>
    sectionLine.test(line) &&
    !/\(\d\w?\)/u.test(line) &&
    (index === 0 || (lines[index - 1] ?? "").trim() === "" || index === 1);
  const starts = lines.flatMap((line, index) => (isSection(line, index) ? [index] : []));
  const indented = lines.filter((line) => /^\s{3,}\S/u.test(line)).length;
  if (starts.length < minSections || indented < lines.filter((line) => line.trim() !== "").length * 0.6) return;
  const parts: ElementNode[] = [];
  const body = (from: number, to: number): void => {
    const shown = lines.slice(from, to).join("\n");
    if (shown.trim() !== "") parts.push(made("pre", [textNode(shown)]));
  };
  body(0, starts[0] ?? 0);
  starts.forEach((start, index) => {
    parts.push(made("h2", [textNode(lines[start] ?? "")]));
    body(start + 1, starts[index + 1] ?? lines.length);
  });
  replace(pre, parts);
}
