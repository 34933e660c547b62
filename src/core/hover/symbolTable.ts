import type { Fact, FactId, PageId, SavedPage } from "../types.ts";
import { isCodeForm } from "./words.ts";

/** A fact that lists a name among its symbols. */
export interface SymbolEntry {
  readonly factId: FactId;
  readonly page: SymbolPage;
  /** The symbol's owner, `fs` of `fs.readFile`; empty when it has none. */
  readonly owner: string;
  /** How much the fact is about the name, 0..4.5: named in the topic, first among the symbols, in the heading, ... */
  readonly aboutness: number;
  /** It is a keyword of the fact rather than one of its symbols. */
  readonly keyword: boolean;
}

/** The facts of one page that list a name: on a page, all share what its words say about a module. */
export interface PageEntries {
  readonly page: SymbolPage;
  /** Most about the name first. */
  readonly entries: readonly SymbolEntry[];
  /** The last part of each entry's owner, lower case. */
  readonly owners: ReadonlySet<string>;
}

export interface SymbolPage {
  readonly id: PageId;
  /** Words of its title, address, site and topics that a module's name can meet. Lower case. */
  readonly words: ReadonlySet<string>;
}

/** From a name in code to the facts about it: one look-up, however large the library. */
export class SymbolTable {
  readonly #names = new Map<string, Map<PageId, PageEntries>>();
  readonly #pages = new Map<PageId, { readonly revision: string; readonly keys: readonly string[] }>();

  get revisions(): ReadonlyMap<PageId, string> {
    return new Map([...this.#pages].map(([id, { revision }]) => [id, revision]));
  }

  /** Whether no page has been put yet. */
  get isEmpty(): boolean {
    return this.#pages.size === 0;
  }

  putPage(saved: SavedPage, revision: string): void {
    this.removePage(saved.page.id);
    const page: SymbolPage = { id: saved.page.id, words: pageWords(saved) };
    const byName = new Map<string, SymbolEntry[]>();
    for (const fact of saved.facts) {
      for (const { key, entry } of entriesOf(fact, page)) {
        const entries = byName.get(key);
        if (entries === undefined) byName.set(key, [entry]);
        else entries.push(entry);
      }
    }
    for (const [name, entries] of byName) {
      entries.sort((a, b) => b.aboutness - a.aboutness);
      const owners = new Set(entries.flatMap(({ owner }) => (owner === "" ? [] : [lastOwner(owner)])));
      const pages = this.#names.get(name) ?? new Map<PageId, PageEntries>();
      this.#names.set(name, pages.set(page.id, { page, entries, owners }));
    }
    this.#pages.set(page.id, { revision, keys: [...byName.keys()] });
  }

  removePage(pageId: PageId): void {
    for (const key of this.#pages.get(pageId)?.keys ?? []) {
      const pages = this.#names.get(key);
      pages?.delete(pageId);
      if (pages?.size === 0) this.#names.delete(key);
    }
    this.#pages.delete(pageId);
  }

  /** @param name The last part alone, as written in code: `readFile`, `--no-verify`. */
  find(name: string): Iterable<PageEntries> {
    return this.#names.get(name)?.values() ?? [];
  }
}

/** `promises` of `fs.Promises`. */
export function lastOwner(owner: string): string {
  return owner.slice(owner.lastIndexOf(".") + 1).toLowerCase();
}

function* entriesOf(fact: Fact, page: SymbolPage): Generator<{ readonly key: string; readonly entry: SymbolEntry }> {
  const seen = new Set<string>();
  const heading = fact.source.headingPath.at(-1) ?? "";
  const add = (symbol: string, position: number, keyword: boolean): { key: string; entry: SymbolEntry } | undefined => {
    const { key, owner } = splitSymbol(symbol);
    if (key === "" || seen.has(key)) return undefined;
    seen.add(key);
    const aboutness =
      (holds(fact.topic, key) ? 1 : 0) +
      (holds(heading, key) ? 1 : 0) +
      (holds(fact.statement, key) ? 0.5 : 0) +
      1 / (1 + position) +
      (keyword ? 0 : 1);
    return { key, entry: { factId: fact.id, page, owner, aboutness, keyword } };
  };
  for (const [position, symbol] of fact.symbols.entries()) {
    const added = add(symbol, position, false);
    if (added !== undefined) yield added;
  }
  for (const keyword of fact.keywords) {
    const name = codeIn(keyword);
    const added = name === undefined ? undefined : add(name, fact.symbols.length, true);
    if (added !== undefined) yield added;
  }
}

/** The name of a keyword in code form: all of it, or what a signature (`int json_put(struct json *object)`) declares. */
function codeIn(keyword: string): string | undefined {
  const name = /\s/u.test(keyword.trim()) ? /([\p{L}_$][\p{L}\p{N}_$.:]*) ?\(/u.exec(keyword)?.[1] : keyword.trim();
  return name !== undefined && isCodeForm(name) ? name : undefined;
}

/** `fs.promises.readFile(path)` is the name `readFile` of the owner `fs.promises`; flags and at-rules stay whole. */
export function splitSymbol(symbol: string): { readonly key: string; readonly owner: string } {
  const bare = symbol
    .trim()
    .replace(/^(?:\[|<|`)+/u, "")
    .replace(/[\s(<[=`,;>\]].*$/su, "")
    .replace(/[!?:.]+$/u, "");
  if (/^(?:--|@)/u.test(bare)) return { key: bare, owner: "" };
  const parts = bare.split(/\.|::|->|#|\\/u).filter((part) => part !== "");
  return { key: parts.at(-1) ?? "", owner: parts.slice(0, -1).join(".") };
}

function pageWords({ page, facts }: SavedPage): Set<string> {
  const words = new Set<string>();
  const topics = facts.slice(0, 3).map(({ topic }) => topic);
  for (const text of [page.title, page.url, page.site ?? "", ...topics]) {
    for (const run of text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u)) {
      for (const word of [run, ...run.split(/[-_]+/u)]) if (word.length >= 2) words.add(word);
    }
  }
  return words;
}

function holds(text: string, name: string): boolean {
  const at = text.indexOf(name);
  if (at === -1) return false;
  return !/[\p{L}\p{N}_]/u.test(text.charAt(at - 1)) && !/[\p{L}\p{N}_]/u.test(text.charAt(at + name.length));
}
