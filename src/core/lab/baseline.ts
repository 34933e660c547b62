/** Figures of earlier runs, to tell a regression from noise. Keys name corpus, pool, strategy and mode, never a machine. */

/** Figure name to value, 0..1, four digits. */
export type BaselineFigures = Readonly<Record<string, number>>;

export interface BaselineEntry {
  /** Questions. */
  readonly n: number;
  readonly units: number;
  readonly figures: BaselineFigures;
}

/** Corpus id to `<pool>/<strategy>/<mode>` to figures. */
export type Baseline = Readonly<Record<string, Readonly<Record<string, BaselineEntry>>>>;

export interface Change {
  /** `<pool>/<strategy>/<mode>`. */
  readonly key: string;
  readonly figure: string;
  readonly before: number;
  readonly now: number;
  /** (now - before) / before; 0 when both are 0, 1 when only `before` is. */
  readonly relative: number;
}

/** Reads a stored baseline as unknown input. @throws SyntaxError when it is not JSON; entries of another shape are left out. */
export function parseBaseline(json: string): Baseline {
  const entriesOf = (corpus: unknown): [string, BaselineEntry][] =>
    recordEntries(corpus).flatMap(([key, value]) => {
      const { n, units, figures } = Object.fromEntries(recordEntries(value));
      if (typeof n !== "number" || typeof units !== "number") return [];
      const numbers = recordEntries(figures).filter((entry): entry is [string, number] => typeof entry[1] === "number");
      return [[key, { n, units, figures: Object.fromEntries(numbers) }]];
    });
  // `fromEntries` takes any name as an own one; an assignment would lose `__proto__`.
  return Object.fromEntries(
    recordEntries(JSON.parse(json)).map(([corpusId, corpus]) => [corpusId, Object.fromEntries(entriesOf(corpus))]),
  );
}

/** @returns The baseline with these entries in place of their earlier ones; keys sorted, so that a diff shows numbers alone. */
export function withEntries(
  baseline: Baseline,
  corpusId: string,
  entries: Readonly<Record<string, BaselineEntry>>,
): Baseline {
  return sorted({ ...baseline, [corpusId]: sorted({ ...baseline[corpusId], ...entries }) });
}

/** Every figure that both sides have. */
export function compare(
  before: Readonly<Record<string, BaselineEntry>>,
  now: Readonly<Record<string, BaselineEntry>>,
): Change[] {
  return Object.entries(now).flatMap(([key, entry]) => {
    const earlier = before[key];
    if (earlier === undefined) return [];
    return Object.entries(entry.figures).flatMap(([figure, value]) => {
      const old = earlier.figures[figure];
      if (old === undefined) return [];
      const relative = old === 0 ? Number(value > 0) : (value - old) / old;
      return [{ key, figure, before: old, now: value, relative }];
    });
  });
}

/** Four digits: finer than any interval here, and stable between machines. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function sorted<T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function recordEntries(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}
