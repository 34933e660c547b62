import type { Page, Section } from "../../src/core/types.ts";

/** Four characters a token: close enough for tests, and easy to reckon with. */
export const countTokens = (text: string): number => Math.ceil(text.length / 4);

/** A page whose text is the given sections one after the other. */
export function pageOfSections(
  texts: readonly string[],
  over: Partial<Page> = {},
): { readonly page: Page; readonly sections: Section[] } {
  let start = 0;
  const sections = texts.map((text, index) => {
    const heading = /^#{1,6}\s+(.+)$/mu.exec(text)?.[1] ?? `Section ${index}`;
    const section = {
      index,
      start,
      end: start + text.length,
      headingPath: ["Marmot", heading],
      tokens: countTokens(text),
    };
    start += text.length;
    return section;
  });
  const page: Page = {
    id: "marmot-0123456789",
    url: "https://docs.example.com/marmot",
    requested: "https://docs.example.com/marmot",
    redirects: [],
    format: "markdown",
    charset: "utf-8",
    savedAt: "2026-01-02T03:04:05.000Z",
    title: "Marmot Queue",
    coverage: 1,
    leftOut: [],
    text: texts.join(""),
    ...over,
  };
  return { page, sections };
}
