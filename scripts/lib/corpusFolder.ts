/** Which corpus the project's own commands use. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const projectFolder = fileURLToPath(new URL("../..", import.meta.url));

/** The folder asked for; else the shared corpus beside the project, `BACOPA_CORPUS`, or the project's own small one. */
export function corpusFolderOf(asked: string | undefined): string {
  if (asked !== undefined) return resolve(asked);
  const beside = join(projectFolder, "..", "shared", "corpus");
  if (existsSync(join(beside, "questions.jsonl"))) return beside;
  return process.env["BACOPA_CORPUS"] ?? ownCorpusFolder;
}

export const ownCorpusFolder = join(projectFolder, "test", "eval", "corpus");
