/**
 * Unfinished jobs in the folder `jobs/` of a library, one small file each.
 *
 * A file's name says who owns it: `<job id>.<process id>-<machine>-<random>.json`. A job changes owner by a rename,
 * which only one of several adopters can win. A job is left behind
 *
 * - when its process is gone, which this machine can tell at once;
 * - or when its owner has not touched the file for a while: the owner hangs, sits on another machine or in another
 *   container, or its number went to a new process. What counts is that the time does not *change*, so clocks that
 *   differ or go backwards mean nothing; and looks are counted, so a machine that slept has missed nothing.
 *
 * A job that two processes work at after all (one was only stopped) is harmless: saves can be repeated.
 */
import { createHash, randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { JobRecord, JobStore } from "../../core/ports.ts";
import type { FileSystem } from "./fileSystem.ts";
import { attempt, codeOf, ifThere, isMisshapen, nodeFileSystem } from "./fileSystem.ts";
import { renamePatiently, syncFolder, writeDurably } from "./fileSystem.ts";
import { randomDigits } from "./names.ts";
import { parseObject } from "./pageFiles.ts";
import { storageError } from "./storageErrors.ts";

export interface FileJobsOptions {
  /** Default: the number of this process. */
  readonly processId?: number | undefined;
  /** Whether a process of this machine runs. Default: signal 0. */
  readonly alive?: ((processId: number) => boolean) | undefined;
  /** Where process numbers mean the same. Default: this machine, or this container. */
  readonly machine?: string | undefined;
  /** Default: the real one. */
  readonly fileSystem?: FileSystem | undefined;
  /** Monotonic milliseconds. */
  readonly elapsed?: (() => number) | undefined;
  /** How often an owner touches its files, milliseconds. Default 10,000. */
  readonly beatMs?: number | undefined;
  /** A record could not be read and was moved to `keptAt`. */
  readonly onDamaged?: ((damage: { readonly reason: string; readonly keptAt: string }) => void) | undefined;
}

const fileName = /^([\w-]{1,80})\.(\d+)-([0-9a-f]{8})-([0-9a-f]{8})\.json$/;

/** Looks, a beat apart, after which an untouched file has no owner any more: an owner that is alive touched it four times. */
const staleAfterLooks = 5;

/** @param folder The library's folder. It is made when the first job is put. */
export function createFileJobs(folder: string, options: FileJobsOptions = {}): JobStore {
  const { processId = process.pid, alive = isAlive, machine = thisMachine(), fileSystem = nodeFileSystem } = options;
  const { elapsed = () => performance.now(), beatMs = 10_000, onDamaged } = options;
  const jobs = join(folder, "jobs");
  const owner = `${processId}-${machine}-${randomBytes(4).toString("hex")}`;
  const own = (id: string): string => join(jobs, `${id}.${owner}.json`);
  const held = new Set<string>();
  /** What was seen of files of owners that seem to be alive. */
  const looks = new Map<string, { readonly modifiedNs: bigint; readonly atMs: number; readonly count: number }>();
  let beat: NodeJS.Timeout | undefined;

  return {
    async put(record) {
      if (!/^[\w-]{1,80}$/.test(record.id)) throw new RangeError(`"${record.id}" cannot be the id of a job`);
      const temporary = join(jobs, `${record.id}.${randomDigits()}.tmp`);
      try {
        await fileSystem.mkdir(jobs);
        await writeDurably(fileSystem, temporary, encode(record));
        await renamePatiently(fileSystem, temporary, own(record.id));
        await syncFolder(fileSystem, jobs);
      } catch (error) {
        await attempt(fileSystem.rm(temporary));
        if (!held.has(record.id)) await attempt(fileSystem.rm(own(record.id)));
        throw storageError(error, folder);
      }
      hold(record.id);
    },

    async remove(id) {
      letGo(id);
      await fileSystem.rm(own(id));
    },

    async adopt() {
      const adopted: JobRecord[] = [];
      for (const name of (await names()).sort()) {
        const [, id, number, where, random] = fileName.exec(name) ?? [];
        if (id === undefined || name === `${id}.${owner}.json`) continue;
        const knows = where === machine && random !== undefined;
        const isGone = knows && (Number(number) === processId || !alive(Number(number)));
        if (!isGone && !(await isStale(name))) continue;
        looks.delete(name);
        const record = await take(name, id);
        if (record === undefined) continue;
        hold(id);
        adopted.push(record);
      }
      return adopted.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    },
  };

  async function names(): Promise<string[]> {
    try {
      return (await ifThere(fileSystem.readdir(jobs))) ?? [];
    } catch (error) {
      if (isMisshapen(error)) return []; // a file in the way: `put` says so
      throw storageError(error, folder);
    }
  }

  async function isStale(name: string): Promise<boolean> {
    const status = await fileSystem.stat(join(jobs, name)).catch(() => undefined);
    if (status === undefined) return false;
    const seen = looks.get(name);
    const atMs = elapsed();
    if (seen?.modifiedNs !== status.modifiedNs) looks.set(name, { ...status, atMs, count: 1 });
    else if (atMs - seen.atMs >= beatMs) looks.set(name, { ...status, atMs, count: seen.count + 1 });
    return (looks.get(name)?.count ?? 0) >= staleAfterLooks;
  }

  async function take(name: string, id: string): Promise<JobRecord | undefined> {
    const from = join(jobs, name);
    try {
      const decoded = decode(await fileSystem.readFile(from), id);
      if (decoded === "of-another-version") return undefined; // its own version will come for it
      if (decoded === undefined) {
        await setAside(name, "was altered or cut off");
        return undefined;
      }
      await fileSystem.rename(from, own(id));
      await attempt(fileSystem.touch(own(id)));
      return decoded;
    } catch (error) {
      if (codeOf(error) === "ENOENT" && (await fileSystem.kindOf(from)) === undefined) return undefined; // another was first
      if (isMisshapen(error)) await attempt(setAside(name, `is no file (${codeOf(error) ?? ""})`));
      return undefined; // not readable or not ours to move: the next look may find it better
    }
  }

  /** A pasted text may be in it: it is kept, and the person is told. */
  async function setAside(name: string, reason: string): Promise<void> {
    const keptAt = join(folder, "damaged", "jobs", name);
    await fileSystem.mkdir(join(folder, "damaged", "jobs"));
    await fileSystem.rename(join(jobs, name), keptAt);
    onDamaged?.({ reason: `The record of a save ${reason}`, keptAt });
  }

  function hold(id: string): void {
    held.add(id);
    beat ??= setInterval(() => {
      for (const each of held) void attempt(fileSystem.touch(own(each)));
    }, beatMs).unref();
  }

  function letGo(id: string): void {
    held.delete(id);
    if (held.size > 0) return;
    clearInterval(beat);
    beat = undefined;
  }
}

const recordFormat = "bacopa-job/1";

function encode(record: JobRecord): Buffer {
  const body = { format: recordFormat, ...record };
  return Buffer.from(`${JSON.stringify({ ...body, sha256: hashOf(body) }, undefined, 2)}\n`, "utf8");
}

/** @returns `undefined` when damaged. */
function decode(bytes: Uint8Array, name: string): JobRecord | "of-another-version" | undefined {
  const { sha256, ...body } = parseObject(bytes) ?? {};
  if (sha256 !== hashOf(body)) return undefined;
  const { format, id, kind, target, createdAt } = body;
  if (format !== recordFormat) return "of-another-version";
  if (id !== name || typeof target !== "string" || typeof createdAt !== "string") return undefined;
  if (kind !== "save" && kind !== "refresh" && kind !== "distill") return "of-another-version";
  const text = (field: string): string | undefined => (typeof body[field] === "string" ? body[field] : undefined);
  return {
    id: name,
    kind,
    target,
    createdAt,
    text: text("text"),
    url: text("url"),
    title: text("title"),
    strategy: text("strategy"),
    force: body.force === true,
  };
}

function hashOf(body: Readonly<Record<string, unknown>>): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("hex");
}

/** A container has numbers of its own, also where it shares the machine's name. */
function thisMachine(): string {
  let space = "";
  try {
    space = readlinkSync("/proc/self/ns/pid");
  } catch {
    // Not Linux: one space of numbers.
  }
  return createHash("sha256").update(`${hostname()} ${space}`).digest("hex").slice(0, 8);
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // Not permitted means that it runs, under another user.
    return codeOf(error) === "EPERM";
  }
}
