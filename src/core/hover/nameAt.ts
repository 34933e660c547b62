/** A name in code, as the pointer found it. */
export interface CodeName {
  /** The part under the pointer: `readFile` of `fs.promises.readFile`, `--no-verify`, `@media`. */
  readonly name: string;
  /** What stands before it, joined as in the code: `fs.promises`, `Vec`. Empty when it stands alone. */
  readonly owner: string;
  /** Where `name` is in the line, UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  /** For a flag: the first words of its command, `git` and `rebase` of `git rebase --onto`. Else empty. */
  readonly command: readonly string[];
  /** It is called: `name(`, `name!(`, `name<T>(`. */
  readonly called: boolean;
  /** It is a key of a setting: `name:`, `name =`. */
  readonly key: boolean;
  /** It stands in a comment, so that it may be prose. */
  readonly inComment: boolean;
}

/** Longer lines are not written by people. */
const maxLine = 2000;

/** Flags and at-rules with their signs; hyphenated names only where no operator can be meant (both sides are letters). */
const name =
  /--[A-Za-z][\w-]*|@[A-Za-z][\w-]*(?:\/[\w-]+)?|[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}_][\p{L}\p{N}_]*)*[?!]?/gu;
const joint = /(?:\?\.|\.|::|->|#|\\)$/;

/**
 * The names that the character at `character` may be a part of, the longest first: `max-retries` may be a setting or a
 * subtraction, so that `retries` is a second reading. Empty between names, in numbers and in very long lines.
 */
export function namesAt(line: string, character: number): CodeName[] {
  if (line.length > maxLine) return [];
  const inComment = commentStart(line) <= character;
  for (const match of line.matchAll(name)) {
    const start = match.index;
    // `vec!` and `empty?` are names in some languages; the sign is never part of the word a symbol is found by.
    const found = match[0].replace(/[?!]$/, "");
    const end = start + found.length;
    if (start > character) return [];
    if (character > end) continue;
    const readings = [{ start, end }];
    if (found.includes("-") && !/^[-@]/.test(found)) readings.push(partAt(line, start, end, character));
    return readings.map((reading) => nameOf(line, reading, inComment));
  }
  return [];
}

function nameOf(line: string, { start, end }: { start: number; end: number }, inComment: boolean): CodeName {
  const after = line.slice(end, end + 80);
  return {
    name: line.slice(start, end),
    owner: ownerBefore(line, start),
    start,
    end,
    command: line.startsWith("--", start) ? commandBefore(line.slice(0, start)) : [],
    called: /^!?\s*(?:<[^<>()]*>)?\s*[([{]/.test(after) && !/^\s*[[{]/.test(after),
    key: /^["']?\s*(?::(?!:)|=(?![=>]))/.test(after),
    inComment,
  };
}

/** The hyphen-free part under the pointer. */
function partAt(line: string, start: number, end: number, character: number): { start: number; end: number } {
  let from = start;
  for (const part of line.slice(start, end).split("-")) {
    const to = from + part.length;
    if (character <= to) return { start: from, end: to };
    from = to + 1;
  }
  return { start, end };
}

/** `a.b` before `.name`; calls in between (`open(x).read`) end it, since what they return is unknown. */
function ownerBefore(line: string, start: number): string {
  const parts: string[] = [];
  let at = start;
  for (;;) {
    const before = line.slice(Math.max(0, at - 200), at);
    const sign = joint.exec(before)?.[0];
    if (sign === undefined) break;
    const owner = /[\p{L}_$@][\p{L}\p{N}_$]*$/u.exec(before.slice(0, -sign.length))?.[0];
    if (owner === undefined) break;
    parts.unshift(owner);
    at -= sign.length + owner.length;
  }
  return parts.filter((part) => !/^(?:this|self|super|cls|crate|global|globalThis|window)$/.test(part)).join(".");
}

function commandBefore(text: string): string[] {
  const command = text.split(/[|;&]|\$\(|^\s*[$>#] /u).at(-1) ?? "";
  return (command.match(/(?<![\w./-])[a-z][\w-]*(?![\w./=])/giu) ?? [])
    .filter((word) => !/^(?:sudo|RUN|npx|exec|time|env)$/u.test(word))
    .slice(0, 2);
}

/** Where a comment begins on the line, by the marks of common languages; `Infinity` when none does. */
function commentStart(line: string): number {
  const lead = /^\s*(?:\/\/|\/\*|\*(?!\w)|#(?![\w[!])|#\s|--\s|;|%|<!--)/.exec(line);
  if (lead !== null) return lead.index;
  const tail = /\s(?:\/\/|#\s|--\s|\/\*)/.exec(line);
  return tail?.index ?? Infinity;
}
