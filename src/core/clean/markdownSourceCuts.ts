/** Cuts parts out of a text in one pass. Regular expressions rescan to the end for each opening that is never closed. */

type Note = (found: string) => void;

/** Without what stands between `open` and `close`, both included. An opening that is never closed is text. */
export function withoutBetween(text: string, open: string, close: string, note: Note): string {
  let out = "";
  let at = 0;
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, at)) {
    const end = text.indexOf(close, start + open.length);
    if (end < 0) break;
    out += text.slice(at, start);
    at = end + close.length;
    note(text.slice(start, at));
  }
  return out + text.slice(at);
}

/** Elements whose content is no text of the page. */
const silent = /<(script|style|iframe|template|noembed)(?=[\s/>])/giu;

/** Without scripts, styles and frames. One that is never closed loses its tag alone, which the rewriting of tags does. */
export function withoutSilentElements(text: string, note: Note): string {
  let out = "";
  let at = 0;
  const lower = text.toLowerCase();
  const unclosed = new Set<string>();
  for (const match of text.matchAll(silent)) {
    const name = (match[1] ?? "").toLowerCase();
    if (match.index < at || unclosed.has(name)) continue;
    const close = lower.indexOf(`</${name}`, match.index);
    const end = close < 0 ? -1 : text.indexOf(">", close);
    if (end < 0) {
      unclosed.add(name);
      continue;
    }
    out += text.slice(at, match.index);
    at = end + 1;
    note(text.slice(match.index, at));
  }
  return out + text.slice(at);
}

/** Links that would run something keep their text and lose their target. */
export function withoutActiveLinks(text: string): string {
  return text.replace(
    /\]\([ \t]*<?[ \t]*(?:javascript|data|vbscript|command):[^()\n]{0,2000}(?:\([^()\n]{0,500}\)[^()\n]{0,500}){0,20}\)/giu,
    "]",
  );
}

/** Whether a link may lead there. */
export function isPassive(href: string): boolean {
  return !/^[\s\u0000-\u001f]*(?:javascript|data|vbscript|command):/iu.test(href);
}
