/** An evaluation corpus on disk. Its form is described in `test/eval/README.md`. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseManifest, parseQuestions } from "../../src/core/lab/questions.ts";
import type { CorpusPage, Question } from "../../src/core/lab/questions.ts";
import type { RawPage } from "../../src/core/types.ts";

export interface CorpusFolder {
  readonly folder: string;
  /** First 12 hex digits of the SHA-256 of the questions file. */
  readonly id: string;
  readonly pages: readonly CorpusPage[];
  /** Pages of the same products without questions; empty when the corpus has none. */
  readonly distractors: readonly CorpusPage[];
  readonly questions: readonly Question[];
  readonly problems: readonly string[];
}

export const projectFolder = fileURLToPath(new URL("../..", import.meta.url));

/** The folder asked for; else the shared corpus beside the project, `BACOPA_CORPUS`, or the project's own small one. */
export function corpusFolderOf(asked: string | undefined): string {
  if (asked !== undefined) return resolve(asked);
  const beside = join(projectFolder, "..", "shared", "corpus");
  if (existsSync(join(beside, "questions.jsonl"))) return beside;
  return process.env["BACOPA_CORPUS"] ?? ownCorpusFolder;
}

export const ownCorpusFolder = join(projectFolder, "test", "eval", "corpus");

export async function openCorpus(folder: string): Promise<CorpusFolder> {
  const questionsFile = await readFile(join(folder, "questions.jsonl"), "utf8");
  const manifest = parseManifest(await readFile(join(folder, "manifest.json"), "utf8"));
  const extra = existsSync(join(folder, "distractors.json"))
    ? parseManifest(await readFile(join(folder, "distractors.json"), "utf8"))
    : { entries: [], problems: [] };
  const questions = parseQuestions(questionsFile);
  return {
    folder,
    id: createHash("sha256").update(questionsFile).digest("hex").slice(0, 12),
    pages: manifest.entries,
    distractors: extra.entries,
    questions: questions.entries,
    problems: [...manifest.problems, ...extra.problems, ...questions.problems],
  };
}

/** The page's bytes as its site serves them; the charset is left for capture to find. */
export async function rawPageOf(folder: string, page: CorpusPage): Promise<RawPage> {
  return {
    requested: page.url,
    url: page.url,
    redirects: [],
    bytes: await readFile(join(folder, page.file)),
    contentType: page.contentType,
    status: 200,
  };
}
