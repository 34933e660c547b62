import type { FactId } from "../types.ts";
import type { CodeName } from "./nameAt.ts";
import { moduleParts } from "./imports.ts";
import type { Import } from "./imports.ts";
import { lastOwner } from "./symbolTable.ts";
import type { SymbolPage, SymbolTable } from "./symbolTable.ts";
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
  const best: ScoredFact[] = [];
  const sameOwner = lastOwner(name.owner);
  const ownerWords = ownerWordsOf(name);
  for (const { page, entries, owners } of table.find(name.name)) {
    const module = share(own, page) || (share(others, page) > 0 ? otherImport : 0);
    const pageOwner = shareOfWords(ownerWords, page);
    const evident = pageOwner >= 1 || (source === undefined ? module > 0 && othersCount : module > 0);
    const ownerKnown = sameOwner !== "" && owners.has(sameOwner);
    if (standing === "needsEvidence" && !evident && !ownerKnown) continue;
    // A name can be on thousands of pages: most cannot come near the best ones.
    const reach = moduleWeight * module + ownerWeight * Math.max(pageOwner, ownerKnown ? fullOwner : 0);
    if (reach + (entries[0]?.aboutness ?? 0) < (best[limit - 1]?.score ?? -Infinity)) continue;
    // Without a difference in owners the first entries of a page are its best.
    for (const entry of ownerKnown ? entries : entries.slice(0, limit + 1)) {
      const owner = Math.max(pageOwner, ownerKnown ? ownersMeet(name.owner, entry.owner) : 0);
      if (standing === "needsEvidence" && (entry.keyword || (!evident && owner < 1))) continue;
      keepBest(best, { factId: entry.factId, score: moduleWeight * module + ownerWeight * owner + entry.aboutness });
    }
  }
  const enough = secondShare * (best[0]?.score ?? 0);
  return best.filter(({ score }) => score >= enough).map(({ factId }) => factId);
}

interface ScoredFact {
  readonly factId: FactId;
  readonly score: number;
}

/** Puts a fact in its place among the best, equal scores by id. A name can be on thousands of pages: no sorting of all. */
function keepBest(best: ScoredFact[], fact: ScoredFact): void {
  const isBefore = (other: ScoredFact): boolean =>
    fact.score > other.score || (fact.score === other.score && fact.factId < other.factId);
  const last = best[limit - 1];
  if (last !== undefined && !isBefore(last)) return;
  const place = best.findIndex(isBefore);
  best.splice(place === -1 ? best.length : place, 0, fact);
  best.length = Math.min(best.length, limit);
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
function share(parts: readonly (readonly string[])[], { words }: SymbolPage): number {
  if (parts.length === 0) return 0;
  return parts.filter((variants) => variants.some((word) => words.has(word))).length / parts.length;
}

/** The name itself, last in `import okhttp3.Cache`, says nothing about the module. */
function partsBeside(parts: readonly string[][], name: string): string[][] {
  const beside = parts.filter(([part]) => part !== name.toLowerCase());
  return beside.length > 0 ? beside : [...parts];
}

/** Words of the owner in the code, or of the flag's command, that a page about it has. */
function ownerWordsOf({ owner, command }: CodeName): readonly string[] {
  if (command.length > 0) return command.map((word) => word.toLowerCase());
  const root = owner.split(".", 1)[0]?.toLowerCase() ?? "";
  return root.length >= 2 && !isCommonWord(root) ? [root] : [];
}

/** 1: the page has all of them. */
function shareOfWords(wanted: readonly string[], { words }: SymbolPage): number {
  return wanted.length === 0 ? 0 : wanted.filter((word) => words.has(word)).length / wanted.length;
}

const fullOwner = 1.2;

/** 1: the symbol has this owner, by its last part. A little more when all of it is the same. */
function ownersMeet(owner: string, symbolOwner: string): number {
  if (symbolOwner === "") return 0;
  if (symbolOwner === owner) return fullOwner;
  return lastOwner(symbolOwner) === lastOwner(owner) ? 1 : 0;
}
