/**
 * Names on the disk. Everything that becomes part of a path is checked here.
 *
 * A generation is one write of one page: the folder `<page id>.<revision>`.
 */
import { randomBytes } from "node:crypto";
import type { PageId } from "../../core/types.ts";

export interface Generation {
  readonly pageId: PageId;
  readonly revision: string;
}

/**
 * Lower case alone, so that two ids never share a folder on a file system that ignores case; no dot, so that an id ends
 * where the revision begins; short enough that `<library>/pages/<id>.<revision>/facts.json` stays within Windows' 260 characters.
 */
export function isPageId(id: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,99}$/.test(id) && !isReserved(id);
}

export function isCacheName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,99}$/.test(name) && !name.endsWith(".") && !isReserved(name);
}

/** Windows opens a device for these names, also with an extension. */
function isReserved(name: string): boolean {
  return /^(?:con|prn|aux|nul|conin|conout|com\d|lpt\d)(?:\.|$)/.test(name);
}

export function generationName({ pageId, revision }: Generation): string {
  return `${pageId}.${revision}`;
}

export function parseGenerationName(name: string): Generation | undefined {
  const dot = name.indexOf(".");
  const pageId = name.slice(0, dot);
  const revision = name.slice(dot + 1);
  return dot > 0 && revisionPattern.test(revision) && isPageId(pageId) ? { pageId, revision } : undefined;
}

/** 9 base-36 digits of milliseconds (enough until the year 5188), 8 random hex digits, then one `s` for each repair. */
const revisionPattern = /^[0-9a-z]{9}-[0-9a-f]{8}s*$/;
const timeDigits = 9;
/** Of a revision that was never repaired, characters. */
export const revisionLength = timeDigits + 1 + 8;
const latestMs = 36 ** timeDigits - 1;

/**
 * A revision that sorts (as plain text) after `previous`, whatever the clock says: after a clock went backwards, time
 * goes on from the newest revision there is. The random digits tell apart two processes that write in the same millisecond.
 */
export function revisionAfter(previous: string | undefined, nowMs: number): string {
  const previousMs = previous === undefined ? 0 : parseInt(previous.slice(0, timeDigits), 36);
  const sane = nowMs >= 0 && nowMs < latestMs ? Math.trunc(nowMs) : 0;
  const timeMs = Math.max(sane, previousMs + 1);
  // Longer names sort later too: there is room after the last time, which only a broken clock or a stranger writes.
  if (timeMs >= latestMs) return `${previous ?? ""}s`;
  return `${timeMs.toString(36).padStart(timeDigits, "0")}-${randomDigits()}`;
}

/**
 * The revision of what could be saved from a damaged generation: after the damaged one, but before any real save, so
 * that a repair never hides a save that another process makes meanwhile. Two processes that repair choose the same name.
 */
export function repairedRevision(damaged: string): string {
  return `${damaged}s`;
}

export function randomDigits(): string {
  return randomBytes(4).toString("hex");
}
