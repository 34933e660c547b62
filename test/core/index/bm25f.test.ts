import assert from "node:assert/strict";
import fc from "fast-check";
import { Lexicon, type Ranking } from "../../../src/core/index/bm25f.ts";
import { noPause } from "../../../src/core/util/pause.ts";

const ranking: Ranking = {
  fields: [
    { name: "statement", weight: 2, b: 0.75, bits: 6 },
    { name: "text", weight: 1, b: 0.5, bits: 6 },
  ],
  k1: 1.2,
};

type Unit = readonly [string[], string[]];

const words = ["queue", "retry", "batch", "worker", "constructor", "__proto__", "naïve"];
const tokens = fc.array(fc.constantFrom(...words), { maxLength: 8 });
const unit: fc.Arbitrary<Unit> = fc.tuple(tokens, tokens);
const query = fc.array(fc.constantFrom(...words, "absent"), { minLength: 1, maxLength: 4 });

/** BM25F as the paper has it. */
function naive(units: ReadonlyMap<string, Unit>, query: readonly string[]): [string, number][] {
  const all = [...units];
  const average = (field: 0 | 1): number => {
    const lengths = all.map(([, fields]) => fields[field].length).filter((length) => length > 0);
    return lengths.length === 0 ? 1 : lengths.reduce((a, b) => a + b, 0) / lengths.length;
  };
  const holds = (fields: Unit, word: string): boolean => fields.some((field) => field.includes(word));
  const idf = (word: string): number => {
    const holders = all.filter(([, fields]) => holds(fields, word)).length;
    return Math.log(1 + (all.length - holders + 0.5) / (holders + 0.5));
  };
  const terms = [...new Set(query)];
  const scored = all.flatMap(([id, fields]): [string, number][] => {
    let score = 0;
    for (const word of terms) {
      let frequency = 0;
      ([0, 1] as const).forEach((field) => {
        const { weight = 0, b = 0 } = ranking.fields[field] ?? {};
        const count = fields[field].filter((token) => token === word).length;
        if (count > 0) frequency += (weight * count) / (1 - b + (b * fields[field].length) / average(field));
      });
      score += (idf(word) * frequency * (ranking.k1 + 1)) / (ranking.k1 + frequency);
    }
    return score === 0 ? [] : [[id, score]];
  });
  return scored.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

class Named {
  lexicon = new Lexicon(ranking);
  ids: string[] = [];

  put(id: string, fields: Unit): void {
    this.remove(id);
    const slot = this.lexicon.add(fields);
    this.lexicon.reveal(slot);
    this.ids[slot] = id;
  }

  remove(id: string): void {
    const slot = this.ids.lastIndexOf(id);
    if (slot >= 0) this.lexicon.remove(slot);
  }

  async compact(): Promise<void> {
    const { parts, slots } = await this.lexicon.compact(noPause);
    this.lexicon = new Lexicon(ranking, parts);
    this.ids = Array.from(slots, (slot) => this.ids[slot] ?? "");
  }

  search(tokens: readonly string[], limit = 10): [string, number][] {
    const compareTies = (a: number, b: number): number => ((this.ids[a] ?? "") < (this.ids[b] ?? "") ? -1 : 1);
    return this.lexicon.search({ tokens, limit, compareTies }).map(({ slot, score }) => [this.ids[slot] ?? "", score]);
  }
}

type Step = { put: string; fields: Unit } | { remove: string } | { compact: true };
const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ put: id, fields: unit }) },
  { weight: 2, arbitrary: fc.record({ remove: id }) },
  { weight: 1, arbitrary: fc.constant({ compact: true as const }) },
);

async function play(steps: readonly Step[]): Promise<{ named: Named; units: Map<string, Unit> }> {
  const named = new Named();
  const units = new Map<string, Unit>();
  for (const one of steps) {
    if ("put" in one) {
      named.put(one.put, one.fields);
      units.set(one.put, one.fields);
    } else if ("remove" in one) {
      named.remove(one.remove);
      units.delete(one.remove);
    } else await named.compact();
  }
  return { named, units };
}

describe("lexicon", () => {
  it("scores as BM25F is written down, however the units came and went", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), query, async (steps, tokens) => {
        const { named, units } = await play(steps);
        const expected = naive(units, tokens);
        const found = named.search(tokens);
        assert.equal(named.lexicon.size, units.size);
        assert.equal(found.length, expected.length);
        const scores = new Map(expected);
        for (const [name, score] of found) assert.ok(Math.abs(score - (scores.get(name) ?? 0)) < 1e-9);
        assert.deepEqual(
          found.map(([, score]) => score),
          found.map(([, score]) => score).sort((a, b) => b - a),
        );
      }),
    );
  });

  it("gives the same scores, to the last bit, after many updates as when built anew", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), query, async (steps, tokens) => {
        const { named, units } = await play(steps);
        const fresh = new Named();
        for (const [name, fields] of units) fresh.put(name, fields);
        assert.deepEqual(named.search(tokens), fresh.search(tokens));
      }),
    );
  });

  it("gives the first of the whole list when only a few are asked for", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 30 }),
        query,
        fc.integer({ min: 0, max: 6 }),
        async (steps, tokens, limit) => {
          const { named } = await play(steps);
          assert.deepEqual(named.search(tokens, limit), named.search(tokens, 100).slice(0, limit));
        },
      ),
    );
  });

  it("orders units of equal score by the caller's order", () => {
    const named = new Named();
    for (const name of ["c", "a", "d", "b"]) named.put(name, [["queue"], []]);
    assert.deepEqual(
      named.search(["queue"], 3).map(([name]) => name),
      ["a", "b", "c"],
    );
  });

  it("keeps a word that is in a thousand units", () => {
    const lexicon = new Lexicon(ranking);
    for (let i = 0; i < 3000; i++) lexicon.reveal(lexicon.add([i % 2 === 0 ? ["even"] : ["odd"], [`word${i}`]]));
    const found = lexicon.search({ tokens: ["even"], limit: 2000, compareTies: (a, b) => a - b });
    assert.equal(found.length, 1500);
    assert.deepEqual(found[1499]?.slot, 2998);
  });

  it("skips a word that nearly every unit of a large library holds", () => {
    const lexicon = new Lexicon(ranking);
    for (let i = 0; i < 100; i++) lexicon.reveal(lexicon.add([["docs", ...(i === 7 ? ["rare"] : [])], []]));
    const search = (tokens: string[]): number[] =>
      lexicon.search({ tokens, limit: 5, compareTies: (a, b) => a - b }).map(({ slot }) => slot);
    assert.deepEqual(search(["docs", "rare"]), [7]);
  });

  it("does not skip the words of a query that has no others", () => {
    const lexicon = new Lexicon(ranking);
    for (let i = 0; i < 100; i++) lexicon.reveal(lexicon.add([["docs"], []]));
    assert.equal(lexicon.search({ tokens: ["docs"], limit: 5, compareTies: (a, b) => a - b }).length, 5);
  });

  it("takes the last word as a beginning only when asked and when no unit holds the word itself", () => {
    const named = new Named();
    named.put("a", [["acknowledge"], []]);
    named.put("b", [["acknowledgement", "acks"], []]);
    named.put("c", [["ack"], []]);
    const search = (tokens: string[], prefix: boolean): string[] =>
      named.lexicon
        .search({ tokens, limit: 5, prefix, compareTies: (a, b) => a - b })
        .map(({ slot }) => named.ids[slot] ?? "");
    assert.deepEqual(search(["ackno"], false), []);
    assert.deepEqual(search(["ackno"], true).sort(), ["a", "b"]);
    assert.deepEqual(search(["ack"], true), ["c"]);
    assert.deepEqual(search(["ackno", "ack"], true), ["c"]);
  });

  it("counts to the field's bits and no further", () => {
    const lexicon = new Lexicon(ranking);
    lexicon.reveal(lexicon.add([Array<string>(70_000).fill("queue"), []]));
    lexicon.reveal(lexicon.add([["other"], ["queue"]]));
    const [first, second] = lexicon.search({ tokens: ["queue"], limit: 2, compareTies: (a, b) => a - b });
    assert.ok(first && second && Number.isFinite(first.score));
  });

  it("shows no unit before it is revealed, and counts it nowhere", () => {
    const lexicon = new Lexicon(ranking);
    const search = (): { slot: number; score: number }[] =>
      lexicon.search({ tokens: ["queue"], limit: 5, compareTies: (a, b) => a - b });
    lexicon.reveal(lexicon.add([["queue"], []]));
    const before = search();
    const hidden = lexicon.add([["queue", "queue", "long"], ["queue"]]);
    assert.deepEqual(search(), before);
    assert.equal(lexicon.size, 1);
    lexicon.reveal(hidden);
    assert.equal(search().length, 2);
  });

  it("compacts to what it was, whatever comes in the pauses", async () => {
    const lexicon = new Lexicon(ranking);
    for (let i = 0; i < 50; i++) lexicon.reveal(lexicon.add([["queue", `word${i}`], []]));
    let pauses = 0;
    const { parts } = await lexicon.compact(() => {
      lexicon.remove(pauses++);
      lexicon.reveal(lexicon.add([["queue", "late"], []]));
      return Promise.resolve();
    });
    assert.ok(pauses > 0);
    const compacted = new Lexicon(ranking, parts);
    const search = (token: string): number =>
      compacted.search({ tokens: [token], limit: 99, compareTies: (a, b) => a - b }).length;
    assert.deepEqual([search("queue"), search("word0"), search("late")], [50, 1, 0]);
  });

  it("refuses fields that do not fit into 32 bits", () => {
    assert.throws(() => new Lexicon({ ...ranking, fields: [{ name: "a", weight: 1, b: 0, bits: 33 }] }), RangeError);
  });
});
