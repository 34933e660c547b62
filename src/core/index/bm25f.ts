import type { Pause } from "../util/pause.ts";
import { BlockLists } from "./blockLists.ts";
import { grown, StringTable, type StringTableParts } from "./stringTable.ts";

/** One searched field. */
export interface Field {
  readonly name: string;
  /** How much one occurrence counts, beside the other fields' occurrences. */
  readonly weight: number;
  /** How strongly a field longer than the average is held against its words, 0..1. */
  readonly b: number;
  /** Bits kept for the number of occurrences of a word: 4 count to 15. All fields together: 32 at most. */
  readonly bits: number;
}

export interface Ranking {
  readonly fields: readonly Field[];
  /** How soon more occurrences of a word stop to count; 0: at once. */
  readonly k1: number;
}

/** A unit found, by its slot. */
export interface SlotScore {
  readonly slot: number;
  readonly score: number;
}

export interface LexiconQuery {
  /** Tokens; repeats count once. */
  readonly tokens: readonly string[];
  readonly limit: number;
  /** Leaves out the units it refuses. */
  readonly accepts?: ((slot: number) => boolean) | undefined;
  /** The order of units of equal score. */
  readonly compareTies: (a: number, b: number) => number;
  /** The last token may stand for the words that begin with it, if no unit holds the token itself. */
  readonly prefix?: boolean | undefined;
}

/** Arrays of a snapshot. Removed units and words that no unit holds are not in it. */
export interface LexiconParts {
  readonly terms: StringTableParts;
  /** Where each term's postings start; one more entry for the end of the last. */
  readonly starts: Uint32Array;
  /** Slots, ascending within a term. */
  readonly slots: Uint32Array;
  /** Occurrences in each field, packed. */
  readonly counts: Uint32Array;
  /** Tokens in each field: `lengths[slot × fields + field]`. */
  readonly lengths: Uint16Array;
}

/** In a library of fewer units, a word that nearly all of them hold is not skipped: it may still tell two of them apart. */
const smallLibrary = 50;
/** A word that more units hold than this share says nothing and costs most. */
const everywhere = 0.95;
/** Words that a prefix stands for, and how much they count. */
const maxExpansions = 20;
const expansionWeight = 0.5;
const maxLength = 0xffff;
/** Postings copied between two pauses: a few milliseconds. */
const compactSlice = 200_000;

/**
 * Ranks units by the words they hold: BM25F (Robertson, Zaragoza, Taylor, CIKM 2004). The occurrences of a word in all
 * fields, weighted and normalized by the length of their field, are added before they are saturated, so a word in two
 * fields counts as one word.
 *
 * Postings live in a frozen base, which a snapshot can hand over as it is, and a tail of chained blocks that takes new
 * units. A unit has a slot, never used twice; removing it only marks the slot. Counts of units and lengths are exact at
 * any time, so scores are those of an index built anew from the same units.
 */
export class Lexicon {
  readonly #ranking: Ranking;
  readonly #shifts: readonly number[];
  readonly #terms: StringTable;
  readonly #base: Pick<LexiconParts, "starts" | "slots" | "counts">;
  readonly #baseTerms: number;
  readonly #baseSlots: number;
  readonly #tail = new BlockLists();
  #lengths: Uint16Array;
  /** 1 for slots that no search finds: removed, or not revealed yet. */
  #removed: Uint8Array;
  #slotCount: number;
  #liveCount: number;
  #removedInBase = 0;
  /** Live units that hold a term, for the terms asked for since the last change. */
  readonly #holderCounts = new Map<number, number>();
  readonly #totals: Float64Array;
  readonly #nonEmpty: Float64Array;
  /** Scratch of a search, by slot; all zero between searches. */
  #scores = new Float64Array(0);

  constructor(ranking: Ranking, parts?: LexiconParts) {
    if (ranking.fields.reduce((sum, { bits }) => sum + bits, 0) > 32)
      throw new RangeError("fields take more than 32 bits");
    this.#ranking = ranking;
    let shift = 0;
    this.#shifts = ranking.fields.map(({ bits }) => (shift += bits) - bits);
    this.#terms = new StringTable(parts?.terms);
    this.#base = parts ?? { starts: new Uint32Array(1), slots: new Uint32Array(0), counts: new Uint32Array(0) };
    this.#baseTerms = this.#terms.size;
    this.#lengths = parts?.lengths ?? new Uint16Array(0);
    this.#slotCount = this.#lengths.length / ranking.fields.length;
    this.#baseSlots = this.#slotCount;
    this.#liveCount = this.#slotCount;
    this.#removed = new Uint8Array(this.#slotCount);
    this.#totals = new Float64Array(ranking.fields.length);
    this.#nonEmpty = new Float64Array(ranking.fields.length);
    this.#countAllLengths();
  }

  /** Units that a search can find. */
  get size(): number {
    return this.#liveCount;
  }

  /** Slots ever given, removed ones included. */
  get slotCount(): number {
    return this.#slotCount;
  }

  isLive(slot: number): boolean {
    return slot < this.#slotCount && this.#removed[slot] === 0;
  }

  /**
   * Adds a unit and returns its slot: the number of slots given before. No search finds it until it is revealed.
   *
   * @param fields Tokens of each field, in the order of `ranking.fields`.
   */
  add(fields: readonly (readonly string[])[]): number {
    const slot = this.#slotCount++;
    this.#reserve();
    const packed = new Map<string, number>();
    fields.forEach((tokens, field) => {
      this.#lengths[slot * this.#ranking.fields.length + field] = Math.min(tokens.length, maxLength);
      const shift = this.#shifts[field] ?? 0;
      const max = 2 ** (this.#ranking.fields[field]?.bits ?? 0) - 1;
      for (const token of tokens) {
        const counts = packed.get(token) ?? 0;
        if (((counts >>> shift) & max) >>> 0 < max) packed.set(token, (counts + 2 ** shift) >>> 0);
      }
    });
    for (const [token, counts] of packed) this.#tail.push(this.#terms.add(token), slot, counts);
    this.#removed[slot] = 1;
    return slot;
  }

  /** Lets searches find a unit that was added. */
  reveal(slot: number): void {
    if (this.isLive(slot)) return;
    this.#removed[slot] = 0;
    this.#liveCount++;
    this.#countLengths(slot, 1);
    this.#holderCounts.clear();
  }

  /** Whether there was such a unit. */
  remove(slot: number): boolean {
    if (!this.isLive(slot)) return false;
    this.#removed[slot] = 1;
    this.#liveCount--;
    if (slot < this.#baseSlots) this.#removedInBase++;
    this.#countLengths(slot, -1);
    this.#holderCounts.clear();
    return true;
  }

  /** The best units, best first. */
  search({ tokens, limit, accepts, compareTies, prefix = false }: LexiconQuery): SlotScore[] {
    if (this.#scores.length < this.#slotCount) this.#scores = new Float64Array(this.#removed.length);
    const norms = this.#norms();
    const touched: number[] = [];
    const terms = this.#termsOf([...new Set(tokens)], prefix).map((term) => ({
      ...term,
      holders: this.#holders(term.term),
    }));
    const telling = terms.filter(({ holders }) => holders <= everywhere * this.#liveCount);
    // A query of nothing but such words still wants an answer.
    const skipsCommon = this.#liveCount >= smallLibrary && telling.length > 0;
    for (const { term, factor, holders } of skipsCommon ? telling : terms) {
      const idf = Math.log(1 + (this.#liveCount - holders + 0.5) / (holders + 0.5));
      this.#score(term, idf * factor, norms, touched);
    }
    const best = this.#best(touched, limit, accepts, compareTies);
    for (const slot of touched) this.#scores[slot] = 0;
    return best;
  }

  /**
   * The index without removed units, as it is now: what changes between slices does not show. Slots are numbered anew,
   * in the same order; `slots[new]` is the old one.
   */
  async compact(pause: Pause): Promise<{ readonly parts: LexiconParts; readonly slots: Uint32Array }> {
    const removed = this.#removed.slice(0, this.#slotCount);
    const termCount = this.#terms.size;
    const slots = new Uint32Array(this.#liveCount);
    const renumbered = new Uint32Array(removed.length);
    let live = 0;
    removed.forEach((isRemoved, slot) => {
      if (isRemoved === 1) return;
      renumbered[slot] = live;
      slots[live++] = slot;
    });
    const fields = this.#ranking.fields.length;
    const lengths = new Uint16Array(live * fields);
    slots.forEach((slot, at) => {
      for (let field = 0; field < fields; field++)
        lengths[at * fields + field] = this.#lengths[slot * fields + field] ?? 0;
    });
    const terms = new StringTable();
    const postings = this.#base.slots.length + this.#tail.size;
    const starts = new Uint32Array(termCount + 1);
    const newSlots = new Uint32Array(postings);
    const newCounts = new Uint32Array(postings);
    let end = 0;
    const keep = (slot: number, counts: number): void => {
      if (removed[slot] !== 0) return; // removed, or added since
      newSlots[end] = renumbered[slot] ?? 0;
      newCounts[end++] = counts;
    };
    for (let term = 0, sliceEnd = 0; term < termCount; term++) {
      const start = end;
      this.#eachPosting(term, keep);
      if (end > start) starts[terms.add(this.#terms.at(term)) + 1] = end;
      // A term costs about as much as ten postings.
      if (end + term * 10 < sliceEnd) continue;
      sliceEnd = end + term * 10 + compactSlice;
      await pause();
    }
    return {
      parts: {
        terms: terms.parts(),
        starts: starts.slice(0, terms.size + 1),
        slots: newSlots.subarray(0, end),
        counts: newCounts.subarray(0, end),
        lengths,
      },
      slots,
    };
  }

  /** The terms to look for: the query's words, or what its last one may stand for. */
  #termsOf(tokens: readonly string[], prefix: boolean): { term: number; factor: number }[] {
    return tokens.flatMap((token, index) => {
      const term = this.#terms.numberOf(token);
      if (term !== undefined && this.#holders(term) > 0) return [{ term, factor: 1 }];
      if (!prefix || index < tokens.length - 1) return [];
      return this.#terms
        .startingWith(token, 1000)
        .map((expansion) => ({ term: expansion, holders: this.#holders(expansion), factor: expansionWeight }))
        .filter(({ holders }) => holders > 0)
        .sort((a, b) => b.holders - a.holders || (this.#terms.at(a.term) < this.#terms.at(b.term) ? -1 : 1))
        .slice(0, maxExpansions);
    });
  }

  /** Live units that hold a term. */
  #holders(term: number): number {
    let holders = this.#holderCounts.get(term);
    if (holders !== undefined) return holders;
    holders = 0;
    const removed = this.#removed;
    if (term < this.#baseTerms) {
      const { slots, starts } = this.#base;
      const start = starts[term] ?? 0;
      const end = starts[term + 1] ?? 0;
      holders = end - start;
      if (this.#removedInBase > 0) for (let i = start; i < end; i++) holders -= removed[slots[i] ?? 0] ?? 0;
    }
    let inTail = 0;
    this.#tail.each(term, (slot) => {
      if (removed[slot] === 0) inTail++;
    });
    holders += inTail;
    this.#holderCounts.set(term, holders);
    return holders;
  }

  /** Removed units too. */
  #eachPosting(term: number, visit: (slot: number, counts: number) => void): void {
    if (term < this.#baseTerms) {
      const { slots, counts, starts } = this.#base;
      const end = starts[term + 1] ?? 0;
      for (let i = starts[term] ?? 0; i < end; i++) visit(slots[i] ?? 0, counts[i] ?? 0);
    }
    this.#tail.each(term, visit);
  }

  /** Adds one term's share to the scores of the units that hold it. */
  #score(term: number, weight: number, norms: readonly FieldNorm[], touched: number[]): void {
    const { k1 } = this.#ranking;
    const lengths = this.#lengths;
    const scores = this.#scores;
    const removed = this.#removed;
    const fields = norms.length;
    const full = weight * (k1 + 1);
    this.#eachPosting(term, (slot, counts) => {
      if (removed[slot] !== 0) return;
      let frequency = 0;
      for (let field = 0, rest = counts; rest !== 0; field++) {
        const norm = norms[field];
        if (norm === undefined) break;
        const count = rest & norm.mask;
        rest >>>= norm.bits;
        if (count !== 0) {
          frequency += (norm.weight * count) / (norm.offset + norm.slope * (lengths[slot * fields + field] ?? 0));
        }
      }
      if (frequency === 0) return;
      const before = scores[slot] ?? 0;
      if (before === 0) touched.push(slot);
      scores[slot] = before + (full * frequency) / (k1 + frequency);
    });
  }

  #best(
    touched: readonly number[],
    limit: number,
    accepts: ((slot: number) => boolean) | undefined,
    compareTies: (a: number, b: number) => number,
  ): SlotScore[] {
    const best: SlotScore[] = [];
    if (limit <= 0) return best;
    const scores = this.#scores;
    /** The last of a full list: nearly every unit ends at the first comparison with it. */
    let worst = -Infinity;
    for (let i = 0; i < touched.length; i++) {
      const slot = touched[i] ?? 0;
      const score = scores[slot] ?? 0;
      if (score < worst) continue;
      if (score === worst && compareTies(slot, best[limit - 1]?.slot ?? slot) > 0) continue;
      if (accepts !== undefined && !accepts(slot)) continue;
      if (best.length === limit) best.pop();
      let place = best.length;
      for (; place > 0; place--) {
        const other = best[place - 1];
        if (other === undefined || other.score > score) break;
        if (other.score === score && compareTies(other.slot, slot) < 0) break;
      }
      best.splice(place, 0, { slot, score });
      if (best.length === limit) worst = best[limit - 1]?.score ?? worst;
    }
    return best;
  }

  #norms(): FieldNorm[] {
    return this.#ranking.fields.map(({ weight, b, bits }, field) => {
      const units = this.#nonEmpty[field] ?? 0;
      const average = units === 0 ? 1 : (this.#totals[field] ?? 0) / units;
      return { weight, bits, mask: 2 ** bits - 1, offset: 1 - b, slope: b / average };
    });
  }

  /** Averages are over the units that have the field: model-written facts have no text, sections no statement. */
  #countLengths(slot: number, sign: 1 | -1): void {
    const fields = this.#ranking.fields.length;
    for (let field = 0; field < fields; field++) {
      const length = this.#lengths[slot * fields + field] ?? 0;
      this.#totals[field] = (this.#totals[field] ?? 0) + sign * length;
      if (length > 0) this.#nonEmpty[field] = (this.#nonEmpty[field] ?? 0) + sign;
    }
  }

  #countAllLengths(): void {
    const lengths = this.#lengths;
    const fields = this.#ranking.fields.length;
    for (let field = 0; field < fields; field++) {
      let total = 0;
      let nonEmpty = 0;
      for (let at = field; at < lengths.length; at += fields) {
        const length = lengths[at] ?? 0;
        total += length;
        if (length > 0) nonEmpty++;
      }
      this.#totals[field] = total;
      this.#nonEmpty[field] = nonEmpty;
    }
  }

  #reserve(): void {
    if (this.#slotCount > this.#removed.length) {
      this.#removed = grown(this.#removed, this.#slotCount, (length) => new Uint8Array(length));
    }
    const lengths = this.#slotCount * this.#ranking.fields.length;
    if (lengths > this.#lengths.length) {
      this.#lengths = grown(this.#lengths, lengths, (length) => new Uint16Array(length));
    }
  }
}

/** What a field's count is multiplied with: `weight / (offset + slope × length)`. */
interface FieldNorm {
  readonly weight: number;
  readonly bits: number;
  readonly mask: number;
  readonly offset: number;
  readonly slope: number;
}
