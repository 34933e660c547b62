/** How a name in code was found among the symbols of a unit, best first. */
export type SymbolMatch =
  /** The name as written, `()` aside. */
  | "exact"
  /** The last part of both is the same: `readFile` and `fs.promises.readFile`. */
  | "lastPart"
  /** The last part of both is the same but for capitals. */
  | "ignoringCase";

export interface SymbolSlots {
  readonly match: SymbolMatch;
  /** Ascending. */
  readonly slots: readonly number[];
}

/** Finds the units that are about a name in code, for the hover: three look-ups, however large the library. */
export class SymbolLookup {
  readonly #exact = new Map<string, number[]>();
  readonly #lastPart = new Map<string, number[]>();
  readonly #ignoringCase = new Map<string, number[]>();

  add(slot: number, symbols: readonly string[]): void {
    for (const symbol of symbols) {
      const name = bareName(symbol);
      if (name === "") continue;
      const last = lastPartOf(name);
      push(this.#exact, name, slot);
      push(this.#lastPart, last, slot);
      push(this.#ignoringCase, last.toLowerCase(), slot);
    }
  }

  /** Each kind of match that finds something, best first; a slot is listed once, with its best match. */
  find(symbol: string, isLive: (slot: number) => boolean): SymbolSlots[] {
    const name = bareName(symbol);
    if (name === "") return [];
    const last = lastPartOf(name);
    const seen = new Set<number>();
    const found: SymbolSlots[] = [];
    const take = (match: SymbolMatch, slots: readonly number[] = []): void => {
      const fresh = slots.filter((slot) => !seen.has(slot) && isLive(slot));
      for (const slot of fresh) seen.add(slot);
      if (fresh.length > 0) found.push({ match, slots: fresh });
    };
    take("exact", this.#exact.get(name));
    take("lastPart", this.#lastPart.get(last));
    take("ignoringCase", this.#ignoringCase.get(last.toLowerCase()));
    return found;
  }
}

/** `fs.readFile(path, cb)` is `fs.readFile`. */
function bareName(symbol: string): string {
  return symbol.trim().replace(/\(.*$/s, "");
}

function lastPartOf(name: string): string {
  return /[^.:#/]+$/.exec(name)?.[0] ?? name;
}

function push(map: Map<string, number[]>, key: string, slot: number): void {
  const slots = map.get(key);
  if (slots === undefined) map.set(key, [slot]);
  else if (slots.at(-1) !== slot) slots.push(slot);
}
