/** One module that a document uses. */
export interface Import {
  /** As written: `node:fs/promises`, `std::sync::mpsc`, `github.com/gin-gonic/gin`. */
  readonly module: string;
  /** Names it brings into the document: `readFile`, `fs`, `np`. */
  readonly names: readonly string[];
  /** A file of the project itself: `./retry`. */
  readonly local: boolean;
}

/** Only the beginning of a document is read: imports stand there. Characters. */
const maxText = 100_000;

/** The modules of a document, by the statements of its language. A language without a row below has none. */
export function importsOf(text: string, languageId: string): Import[] {
  const patterns = patternsOf(languageId);
  const start = text.slice(0, maxText);
  return patterns.flatMap(({ pattern, read }) =>
    [...start.matchAll(pattern)].flatMap((match) => read(match[1] ?? "", match[2] ?? "")),
  );
}

interface ImportPattern {
  readonly pattern: RegExp;
  /** Reads the pattern's two groups. */
  readonly read: (first: string, second: string) => Import[];
}

const moduleOf = (module: string, names: readonly string[]): Import => ({
  module,
  names,
  local: /^\.{0,2}\/|^\.|^(?:crate|self|super)(?:::|$)/.test(module),
});

/** The identifiers of a clause, aliases instead of what they rename: `{ a, b as c }` gives `a` and `c`. */
function namesOf(clause: string): string[] {
  return clause
    .replace(/([\p{L}\p{N}_$*]+)\s*(?:\bas\b|:)\s*([\p{L}\p{N}_$]+)/gu, "$2")
    .split(/[^\p{L}\p{N}_$]+/u)
    .filter((name) => name !== "" && name !== "type" && name !== "typeof");
}

const lastOf = (path: string): string => /[^./\\:]+$/.exec(path)?.[0] ?? path;

const script: readonly ImportPattern[] = [
  {
    pattern: /\bimport\s+(?:type\s+)?([^"'`;=]{1,2000}?)\s+from\s*["']([^"'\n]+)["']/gu,
    read: (clause, module) => [moduleOf(module, namesOf(clause))],
  },
  { pattern: /\bimport\s*["']([^"'\n]+)["']/gu, read: (module) => [moduleOf(module, [])] },
  {
    pattern: /\b(?:const|let|var)\s+([^=;]{1,500}?)=\s*(?:await\s+)?(?:require|import)\(\s*["']([^"'\n]+)["']/gu,
    read: (clause, module) => [moduleOf(module, namesOf(clause))],
  },
];

const python: readonly ImportPattern[] = [
  {
    pattern: /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)/gmu,
    read: (module, clause) => [moduleOf(module, namesOf(clause))],
  },
  {
    pattern: /^[ \t]*import[ \t]+([\w., \t]+)/gmu,
    read: (clause) =>
      clause.split(",").map((part) => {
        const [module = "", alias] = part.trim().split(/\s+as\s+/u);
        return moduleOf(module, [alias ?? module.split(".")[0] ?? module]);
      }),
  },
];

const rust: readonly ImportPattern[] = [
  {
    pattern: /^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?use[ \t]+([^;]{1,1000});/gmu,
    read: (path) => [moduleOf(path.replace(/\s+/gu, ""), namesOf(path))],
  },
];

const go: readonly ImportPattern[] = [
  {
    pattern: /^[ \t]*(?:import[ \t]+)?(?:([\w.]+)[ \t]+)?"([^"\s]+)"[ \t]*$/gmu,
    read: (alias, module) => [moduleOf(module, [alias === "" ? lastOf(module.replace(/\/v\d+$/u, "")) : alias])],
  },
];

/** Java, Kotlin, Scala, Groovy, Swift, Haskell and others that say `import a.b.C`. */
const dotted: readonly ImportPattern[] = [
  {
    pattern: /^[ \t]*import[ \t]+(?:static[ \t]+|qualified[ \t]+)?([\w.*]+)(?:[ \t]+as[ \t]+(\w+))?/gmu,
    read: (module, alias) => [moduleOf(module, [alias === "" ? lastOf(module) : alias])],
  },
];

const using: readonly ImportPattern[] = [
  {
    pattern:
      /^[ \t]*(?:global[ \t]+)?(?:using|use|open)[ \t]+(?:static[ \t]+|function[ \t]+|const[ \t]+)?([\w.\\]+)(?:[ \t]+as[ \t]+(\w+))?/gmu,
    read: (module, alias) => [moduleOf(module, [alias === "" ? lastOf(module) : alias])],
  },
];

const ruby: readonly ImportPattern[] = [
  { pattern: /^[ \t]*require[ \t(]+["']([^"'\n]+)["']/gmu, read: (module) => [moduleOf(module, [])] },
  { pattern: /^[ \t]*require_relative[ \t(]+["']([^"'\n]+)["']/gmu, read: (module) => [moduleOf(`./${module}`, [])] },
];

const c: readonly ImportPattern[] = [
  { pattern: /^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>/gmu, read: (module) => [moduleOf(module, [])] },
];

const r: readonly ImportPattern[] = [
  { pattern: /\b(?:library|require|requireNamespace)\(\s*["']?([\w.]+)/gu, read: (module) => [moduleOf(module, [])] },
];

const elixir: readonly ImportPattern[] = [
  {
    pattern: /^[ \t]*(?:alias|import|use|require)[ \t]+([\w.]+)/gmu,
    read: (module) => [moduleOf(module, [lastOf(module)])],
  },
];

const style: readonly ImportPattern[] = [
  { pattern: /@(?:use|import|forward|plugin)\s+["']([^"'\n]+)["']/gu, read: (module) => [moduleOf(module, [])] },
];

function patternsOf(languageId: string): readonly ImportPattern[] {
  switch (languageId) {
    case "javascript":
    case "javascriptreact":
    case "typescript":
    case "typescriptreact":
    case "vue":
    case "svelte":
    case "astro":
    case "html":
    case "mdx":
      return script;
    case "python":
    case "jupyter":
    case "cython":
      return python;
    case "rust":
      return rust;
    case "go":
      return go;
    case "java":
    case "kotlin":
    case "scala":
    case "groovy":
    case "swift":
    case "haskell":
    case "dart":
    case "d":
      return [...dotted, ...(languageId === "dart" ? script : [])];
    case "csharp":
    case "fsharp":
    case "php":
    case "perl":
    case "julia":
      return using;
    case "ruby":
      return ruby;
    case "c":
    case "cpp":
    case "objective-c":
    case "objective-cpp":
    case "cuda-cpp":
      return c;
    case "r":
      return r;
    case "elixir":
      return elixir;
    case "css":
    case "scss":
    case "less":
    case "sass":
      return style;
    default:
      return [];
  }
}

/** Parts of module paths that name no product. */
const generic = new Set(
  "index src lib libs core util utils utility common types type std com org net io dev java javax main mod api docs js ts node src cmd pkg internal github gitlab google the client server h hpp dist esm cjs".split(
    " ",
  ),
);

/**
 * The parts of a module path that may name a page, each in its variants: `node:fs/promises` gives `fs` and `promises`,
 * `com.squareup.okhttp3` gives `squareup` and `okhttp3` or `okhttp`. Lower case.
 */
export function moduleParts(module: string): string[][] {
  const parts: string[][] = [];
  for (const segment of module.toLowerCase().split(/[/:.\\{},*\s]+/u)) {
    const bare = segment.replace(/^@/u, "");
    const variants = [bare, bare.replace(/\d+$/u, ""), ...bare.split(/[-_]+/u)].filter(
      (word) => word.length >= 2 && !generic.has(word),
    );
    if (variants.length > 0) parts.push([...new Set(variants)]);
  }
  return parts;
}
