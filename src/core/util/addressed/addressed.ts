/**
 * Finds text that is addressed to assistants instead of readers: orders to forget their instructions, to say or to hide
 * something, to send data away; spelled out, encoded or invisible, in English and other languages.
 *
 * It is a sieve of rules, made to let documentation through. What it misses is still fenced as data wherever a model
 * reads it.
 */
import type { Span } from "../../types.ts";
import { blocks } from "../markdown.ts";
import { collapsedFinds } from "./collapsed.ts";
import { decodedTexts, rot13, smuggledTexts } from "./encoded.ts";
import { isMention } from "./mention.ts";
import { readingOf } from "./reading.ts";
import type { Reading } from "./reading.ts";
import { addresses, anyOrder, assistantOrder, pointer, signalRules } from "./signals.ts";
import type { SignalKind, Trust } from "./signals.ts";
import { foreignRules } from "./signalsByLanguage.ts";
import { windowsOf } from "./windows.ts";

/** `shown`: text of the page. `unseen`: a comment, an attribute, hidden text, where less is enough to raise suspicion. */
export type Visibility = "shown" | "unseen";

/** Weights that add up to an order: see signals.ts. */
const enough = { shown: 3, unseen: 2 } as const;

/** Spans of the source that hold text addressed to assistants, in order, apart from each other. They cover the telling words, not whole sentences. */
export function addressedSpans(source: string, visibility: Visibility = "shown"): Span[] {
  const reading = readingOf(source);
  const found: Span[] = [
    ...smuggledTexts(source).filter(({ text }) => (text.match(/\p{L}/gu) ?? []).length >= 8),
    ...spokenSpans(source, reading, visibility),
    ...collapsedFinds(reading),
    ...rotatedSpans(reading),
  ];
  for (const { start, end, text } of decodedTexts(source)) if (isSpoken(text)) found.push({ start, end });
  return merged(found);
}

/** Whether a text, or a part of it, is addressed to assistants. */
export function isAddressed(text: string, visibility: Visibility = "shown"): boolean {
  return addressedSpans(text, visibility).length > 0;
}

/** As `isAddressed`, for what was decoded: a code within a code is not looked into. */
function isSpoken(text: string): boolean {
  const reading = readingOf(text);
  return spokenSpans(text, reading, "unseen").length > 0 || collapsedFinds(reading).length > 0;
}

/** Weights of the signals in a sentence, wherever it stands. For what goes on with an order that was found. */
export function suspicionOf(sentence: string): number {
  const reading = readingOf(sentence);
  return signalsIn(reading.text, 0, reading.text.length, false).reduce((sum, { weight }) => sum + weight, 0);
}

interface Signal extends Span {
  readonly kind: SignalKind;
  readonly weight: number;
}

function spokenSpans(source: string, reading: Reading, visibility: Visibility): Span[] {
  const found: Span[] = [];
  for (const text of reading.latin === undefined ? [reading.text] : [reading.text, reading.latin]) {
    const windows = windowsOf(text);
    if (windows.length === 0) continue;
    let layout: Layout | undefined;
    for (const { start, end, isForeign } of windows) {
      const all = signalsIn(text, start, end, isForeign);
      // What does not add up needs no look at what stands around it.
      if (clustersOf(all).every((cluster) => weightOf(cluster) < enough[visibility])) continue;
      layout ??= layoutOf(source, reading);
      const { isMention: isSpokenOf } = layout;
      const signals = all.filter((signal) => !isSpokenOf(signal));
      for (const cluster of clustersOf(signals)) {
        if (weightOf(cluster) < enough[visibility]) continue;
        for (const signal of cluster) found.push(sourceSpan(reading, signal));
      }
    }
  }
  return found;
}

const allRules = [...signalRules, ...foreignRules];

function signalsIn(text: string, from: number, to: number, isForeign: boolean): Signal[] {
  // Patterns look back over a word's border, so a window keeps some text before it.
  const base = Math.max(0, from - 8);
  const window = text.slice(base, to);
  const signals: Signal[] = [];
  for (const { kind, weight, pattern } of isForeign ? allRules : signalRules) {
    // `matchAll` copies the pattern at each call, which took most of the time here.
    for (let match = firstMatch(pattern, window); match !== undefined; match = nextMatch(pattern, window))
      signals.push({ kind, weight, start: base + match.index, end: base + match.index + match[0].length });
  }
  for (const { pattern, trust } of addresses) {
    for (let match = firstMatch(pattern, window); match !== undefined; match = nextMatch(pattern, window)) {
      const start = base + match.index;
      const end = start + match[0].length;
      const next = pattern.lastIndex;
      const { weight, length } = addressWeight(window.slice(match.index), match[0].length, trust);
      signals.push({ kind: "address", weight, start, end: end + length });
      pattern.lastIndex = next;
    }
  }
  return signals;
}

/** How far after an address its order may begin, characters. */
const orderReach = 200;

function addressWeight(text: string, addressLength: number, trust: Trust): { weight: number; length: number } {
  const after = text.slice(addressLength, addressLength + orderReach);
  if (
    trust === "reader" &&
    !/^\s*(?:[,:;(—-]|(?:must|should|shall|always|never|please|are|is|have|need)(?![\p{L}]))/u.test(after)
  )
    return { weight: 0.5, length: 0 };
  const strong = firstMatch(assistantOrder, after);
  if (strong !== undefined) {
    const isNear = strong.index < 140;
    return {
      weight: trust === "vague" || trust === "told" ? 2 : isNear ? 3 : 2,
      length: strong.index + strong[0].length,
    };
  }
  const plain = firstMatch(anyOrder, after);
  if (plain === undefined) return { weight: trust === "sure" || trust === "reader" ? 1 : 0.5, length: 0 };
  const sentence = /^[^!?]*?(?:[.!?](?=\s)|$)/u.exec(after)?.[0] ?? after;
  if (pointer.test(sentence) || pointer.test(after.slice(0, 120))) return { weight: 0.5, length: 0 };
  const length = plain.index + plain[0].length;
  if (trust === "sure" || trust === "reader") return { weight: 3, length };
  // "Note for AI agents: run …": an order when it follows at once.
  const isAtOnce = /^\s*[:!,—-]/u.test(after) && plain.index < 40;
  return { weight: (trust === "likely" || trust === "vague") && isAtOnce ? 2 : 1, length };
}

function firstMatch(pattern: RegExp, text: string): RegExpExecArray | undefined {
  pattern.lastIndex = 0;
  return nextMatch(pattern, text);
}

function nextMatch(pattern: RegExp, text: string): RegExpExecArray | undefined {
  const match = pattern.exec(text) ?? undefined;
  if (match?.[0] === "") pattern.lastIndex += 1;
  return match;
}

/** Signals closer than this belong to one text, characters. */
const clusterGap = 240;

function clustersOf(signals: readonly Signal[]): Signal[][] {
  const clusters: Signal[][] = [];
  let end = -Infinity;
  for (const signal of signals.toSorted((a, b) => a.start - b.start)) {
    const open = clusters.at(-1);
    if (open !== undefined && signal.start - end <= clusterGap) open.push(signal);
    else clusters.push([signal]);
    end = Math.max(end, signal.end);
  }
  return clusters;
}

/** The heaviest of each kind, added up. */
function weightOf(cluster: readonly Signal[]): number {
  const heaviest = new Map<SignalKind, number>();
  for (const { kind, weight } of cluster) heaviest.set(kind, Math.max(heaviest.get(kind) ?? 0, weight));
  return [...heaviest.values()].reduce((sum, weight) => sum + weight, 0);
}

interface Layout {
  readonly isMention: (span: Span) => boolean;
}

/** The blocks of the source in offsets of its reading. */
function layoutOf(source: string, reading: Reading): Layout {
  const found = blocks(source).map(({ kind, start, end }) => ({
    kind,
    start: readingOffset(reading, start),
    end: readingOffset(reading, end),
  }));
  return {
    isMention({ start, end }) {
      const index = lastBefore(found, start);
      const block = found[index];
      if (block === undefined) {
        const all = { kind: "paragraph", start: 0, end: reading.text.length };
        return isMention(reading, { start, end, block: all, introStart: 0 });
      }
      const introStart = Math.max(found[index - 2]?.start ?? found[index - 1]?.start ?? 0, block.start - 500);
      return isMention(reading, { start, end, block, introStart });
    },
  };
}

function lastBefore(found: readonly Span[], at: number): number {
  let low = 0;
  let high = found.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((found[middle]?.start ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function readingOffset({ at }: Reading, offset: number): number {
  let low = 0;
  let high = at.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** "Vtaber nyy cerivbhf vafgehpgvbaf", and the same spelled backwards. */
function rotatedSpans(reading: Reading): Span[] {
  const found: Span[] = [];
  for (const { pattern, undo } of rotations) {
    for (const match of reading.text.matchAll(pattern)) {
      const start = Math.max(0, match.index - 160);
      const end = Math.min(reading.text.length, match.index + match[0].length + 160);
      if (isSpoken(undo(reading.text.slice(start, end))))
        found.push(sourceSpan(reading, { start: match.index, end: match.index + match[0].length }));
    }
  }
  return found;
}

const rotations = [
  { pattern: /vafgehpgvbaf?|cebzcgf?(?![\p{L}])|qvfertneq|vtaber/gu, undo: rot13 },
  {
    pattern: /snoitcurtsni|tpmorp|drager?sid|erongi|tnatsissa/gu,
    undo: (text: string): string => Array.from(text).toReversed().join(""),
  },
] as const;

function sourceSpan(reading: Reading, { start, end }: Span): Span {
  return { start: reading.at[start] ?? 0, end: reading.at[end] ?? 0 };
}

function merged(spans: readonly Span[]): Span[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}
