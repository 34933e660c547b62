/**
 * MkDocs tabs and admonitions: their indented bodies lose the indentation, so that fences and lists in them are read as
 * what they are; their titles become bold labels.
 */
export function outdentBodies(text: string): string {
  /** Columns of the bodies that are open, outermost first. */
  const open: number[] = [];
  let fence: string | undefined;
  const lines = text.split("\n").map((line) => {
    if (line.trim() === "") return "";
    const columns = /^[ \t]*/u.exec(line)?.[0].replace(/\t/gu, "    ").length ?? 0;
    while (open.length > 0 && columns < (open.at(-1) ?? 0)) {
      open.pop();
      fence = undefined;
    }
    const kept = outdented(line, 4 * open.length);
    if (fence !== undefined) {
      if (kept.trim().startsWith(fence) && /^(`+|~+)$/u.test(kept.trim())) fence = undefined;
      return kept;
    }
    fence = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/u.exec(kept)?.[1];
    const opener =
      /^([ \t]*)(?:===[+!]?[ \t]+"([^"]+)"|(?:!!!|\?\?\?\+?)[ \t]+([\w-]+)[^"]*(?:"([^"]*)")?)[ \t]*$/u.exec(kept);
    if (opener === null || fence !== undefined || open.length > 20) return kept;
    open.push(columns + 4);
    const [, indent, tab, kind, title] = opener;
    const label = tab ?? title ?? `${(kind ?? "").charAt(0).toUpperCase()}${(kind ?? "").slice(1)}`;
    return label === "" ? "" : `${indent ?? ""}**${label}**\n`;
  });
  return lines.join("\n");
}

function outdented(line: string, columns: number): string {
  let at = 0;
  for (let passed = 0; passed < columns && /[ \t]/u.test(line.charAt(at)); at++)
    passed += line.charAt(at) === "\t" ? 4 : 1;
  return line.slice(at);
}
