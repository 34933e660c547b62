/**
 * HTML without the named elements and without comments, in one pass. A regular expression would look for the end of
 * each unclosed element anew, which takes minutes for a hostile page of a few megabytes.
 *
 * Elements are cut up to the first end tag of their name. Without one, raw text elements (`script`, `style`) reach to the
 * end of the page, as browsers read it; of others only the start tag goes.
 *
 * @param names Lower case.
 * @param onElement What stands in the place of an element, by its name and inner HTML; nothing by default.
 */
export function stripElements(
  html: string,
  names: readonly string[],
  onElement?: (name: string, inner: string) => string,
): string {
  const lower = asciiLower(html);
  const starts = new RegExp(`<!--|<(${names.join("|")})(?=[\\s/>])[^<>]*>`, "gu");
  const missing = new Set<string>();
  let kept = "";
  let position = 0;
  for (let match = starts.exec(lower); match !== null; match = starts.exec(lower)) {
    const name = match[1] ?? "";
    const innerStart = match.index + match[0].length;
    const end = endOf(lower, name, innerStart, missing);
    kept += html.slice(position, match.index);
    if (name !== "" && onElement !== undefined) kept += onElement(name, html.slice(innerStart, end.inner));
    position = end.after;
    starts.lastIndex = position;
  }
  return kept + html.slice(position);
}

/** Lower case of A to Z alone: `toLowerCase` changes the length of some texts, and offsets have to stay. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/gu, (letters) => letters.toLowerCase());
}

function endOf(lower: string, name: string, from: number, missing: Set<string>): { inner: number; after: number } {
  if (missing.has(name)) return { inner: from, after: from };
  const mark = name === "" ? "-->" : `</${name}`;
  const inner = lower.indexOf(mark, from);
  if (inner >= 0) {
    const close = name === "" ? inner + mark.length : lower.indexOf(">", inner) + 1;
    return { inner, after: close > 0 ? close : lower.length };
  }
  if (name === "script" || name === "style") return { inner: lower.length, after: lower.length };
  missing.add(name);
  return { inner: from, after: from };
}
