/**
 * Unfinished jobs in the folder `jobs/` of a library, one small file each.
 *
 * A file's name says who owns it: `<job id>.<process id>.json`. A job changes owner by a rename, which only one
 * of several adopters can win. A job is left behind when its process is gone; one whose number went to a new
 * process waits until that one ends.
 */
import { readdir, readFile, rename, rm, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JobRecord, JobStore } from "../../core/ports.ts";

export interface FileJobsOptions {
  /** Default: the number of this process. */
  readonly processId?: number | undefined;
  /** Whether a process runs. Default: signal 0. */
  readonly alive?: ((processId: number) => boolean) | undefined;
}

const fileName = /^([\w-]{1,80})\.(\d+)\.json$/;

/** @param folder The library's folder. It is made when the first job is put. */
export function createFileJobs(folder: string, options: FileJobsOptions = {}): JobStore {
  const { processId = process.pid, alive = isAlive } = options;
  const jobs = join(folder, "jobs");
  const own = (id: string): string => join(jobs, `${id}.${processId}.json`);

  return {
    async put(record) {
      await mkdir(jobs, { recursive: true });
      const temporary = `${own(record.id)}.tmp`;
      await writeFile(temporary, JSON.stringify(record, undefined, 2));
      await rename(temporary, own(record.id));
    },

    async remove(id) {
      await rm(own(id), { force: true });
    },

    async adopt() {
      const names = await readdir(jobs).catch(() => []);
      const adopted: JobRecord[] = [];
      for (const name of names.sort()) {
        const match = fileName.exec(name);
        const [, id, owner] = match ?? [];
        if (id === undefined || owner === undefined) continue;
        if (Number(owner) !== processId && alive(Number(owner))) continue;
        const record = await take(join(jobs, name), own(id));
        if (record !== undefined) adopted.push(record);
      }
      return adopted.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    },
  };
}

async function take(from: string, to: string): Promise<JobRecord | undefined> {
  try {
    if (from !== to) await rename(from, to);
    const record = parseJob(JSON.parse(await readFile(to, "utf8")));
    if (record === undefined) await rm(to, { force: true });
    return record;
  } catch {
    // Another process took it first, or the file is torn: a wish that was never confirmed.
    return undefined;
  }
}

function parseJob(value: unknown): JobRecord | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const text = (name: string): string | undefined => {
    const field = fields.get(name);
    return typeof field === "string" ? field : undefined;
  };
  const [id, kind, target, createdAt] = [text("id"), text("kind"), text("target"), text("createdAt")];
  if (id === undefined || target === undefined || createdAt === undefined) return undefined;
  if (kind !== "save" && kind !== "refresh" && kind !== "distill") return undefined;
  return {
    id,
    kind,
    target,
    createdAt,
    text: text("text"),
    url: text("url"),
    title: text("title"),
    strategy: text("strategy"),
    force: fields.get("force") === true,
  };
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // Not permitted means that it runs, under another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
