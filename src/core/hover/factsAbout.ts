import type { FactId } from "../types.ts";
import type { CodeName } from "./nameAt.ts";
import { moduleParts } from "./imports.ts";
import type { Import } from "./imports.ts";
import type { SymbolEntry, SymbolTable } from "./symbolTable.ts";
import { isCodeForm, isCommonWord, isKeyword } from "./words.ts";

export interface CodeContext {
  readonly imports: readonly Import[];
  /** The editor's name of the language. */
  readonly languageId: string;
}

/** Facts shown in one hover. */
const limit = 2;

/** A module's name on the page outweighs everything a fact can say about the name by itself (at most 4). */
const moduleWeight = 5;
const ownerWeight = 3;
/** The page names a module that the document imports, though not the one this name comes from. */
const otherImport = 0.6;
/** A second fact is shown only if it is about as good as the first. */
const secondShare = 0.6;

/**
 * The facts about a name in code, best first. Only facts that list the name count, never a match in their text. A word
 * that many programs hold needs more: the page of an imported module, or the owner that the fact's symbol has.
 */
export function factsAbout(table: SymbolTable, name: CodeName, context: CodeContext): FactId[] {
  const standing = standingOf(name, context);
  if (standing === "none") return [];
  const source = importOf(name, context.imports);
  if (source?.local === true) return [];
  const own = source === undefined ? [] : partsBeside(moduleParts(source.module), name.name);
  const others =
    source === undefined
      ? context.imports.filter(({ local }) => !local).flatMap(({ module }) => moduleParts(module))
      : [];
  // That the page of some import also has a common word is no surprise: such a word must itself come from the module.
  const othersCount = !isCommonWord(name.name);
  const scored: { readonly factId: FactId; readonly score: number }[] = [];
  for (const entry of table.find(name.name)) {
    const module = share(own, entry) || (share(others, entry) > 0 ? otherImport : 0);
    const owner = ownerEvidence(name, entry);
    const evident = owner >= 1 || (source === undefined ? module > 0 && othersCount : module > 0);
    if (standing === "needsEvidence" && (entry.keyword || !evident)) continue;
    scored.push({ factId: entry.factId, score: moduleWeight * module + ownerWeight * owner + entry.aboutness });
  }
  scored.sort((a, b) => b.score - a.score || (a.factId < b.factId ? -1 : 1));
  const best = scored[0]?.score ?? 0;
  return scored
    .slice(0, limit)
    .filter(({ score }) => score >= secondShare * best)
    .map(({ factId }) => factId);
}

/** Whether a name by itself may raise a hover, only with evidence, or never. */
function standingOf(
  { name, owner, called, key, inComment }: CodeName,
  { languageId }: CodeContext,
): "alone" | "needsEvidence" | "none" {
  if (isCodeForm(name)) return "alone";
  if (name.length < 3 && !(called && owner !== "")) return "none";
  const prose = inComment || proseLanguages.has(languageId);
  if (prose) return "none";
  if (isKeyword(name)) return owner === "" ? "none" : "needsEvidence";
  if (isCommonWord(name) || owner !== "") return "needsEvidence";
  if (called) return "alone";
  if (key && settingLanguages.has(languageId)) return "alone";
  if (/^\p{Lu}{3,}$/u.test(name) && statementLanguages.has(languageId)) return "alone";
  return "needsEvidence";
}

const proseLanguages = new Set(["markdown", "plaintext", "latex", "restructuredtext", "asciidoc", "git-commit", "log"]);
const settingLanguages = new Set([
  "yaml",
  "dockercompose",
  "github-actions-workflow",
  "toml",
  "ini",
  "properties",
  "json",
  "jsonc",
  "dotenv",
]);
const statementLanguages = new Set(["sql", "dockerfile", "makefile", "plsql", "postgres"]);

/** The import that brings the name, or the first part of its owner, into the document. */
function importOf({ name, owner }: CodeName, imports: readonly Import[]): Import | undefined {
  const root = owner === "" ? name : owner.split(".")[0];
  return root === undefined ? undefined : imports.find(({ names }) => names.includes(root));
}

/** How many of the module's parts the page has, 0..1. */
function share(parts: readonly (readonly string[])[], { page }: SymbolEntry): number {
  if (parts.length === 0) return 0;
  return parts.filter((variants) => variants.some((word) => page.words.has(word))).length / parts.length;
}

/** The name itself, last in `import okhttp3.Cache`, says nothing about the module. */
function partsBeside(parts: readonly string[][], name: string): string[][] {
  const beside = parts.filter(([part]) => part !== name.toLowerCase());
  return beside.length > 0 ? beside : [...parts];
}

/** 1 or more: the owner in the code is the symbol's, or the owner or the flag's command names the page. */
function ownerEvidence({ owner, command }: CodeName, entry: SymbolEntry): number {
  if (command.length > 0)
    return command.filter((word) => entry.page.words.has(word.toLowerCase())).length / command.length;
  if (owner === "") return 0;
  const parts = owner.split(".");
  const last = parts.at(-1) ?? "";
  if (entry.owner === owner) return 1.2;
  if (entry.owner !== "" && entry.owner.split(".").at(-1)?.toLowerCase() === last.toLowerCase()) return 1;
  const root = parts[0]?.toLowerCase() ?? "";
  return root.length >= 2 && !isCommonWord(root) && entry.page.words.has(root) ? 1 : 0;
}
