/** An evaluation corpus on disk. Its form is described in `test/eval/README.md`. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseManifest, parseQuestions } from "../../core/lab/questions.ts";
import type { CorpusPage, Question } from "../../core/lab/questions.ts";
import type { RawPage } from "../../core/types.ts";

export interface CorpusFolder {
  readonly folder: string;
  /** First 12 hex digits of the SHA-256 of the questions file. */
  readonly id: string;
  readonly pages: readonly CorpusPage[];
  /** Pages of the same products without questions; empty when the corpus has none. */
  readonly distractors: readonly CorpusPage[];
  /** Of `questions.jsonl`; empty when the corpus has none. */
  readonly questions: readonly Question[];
  readonly problems: readonly string[];
}

export function isCorpusFolder(folder: string): boolean {
  return existsSync(join(folder, "manifest.json"));
}

export async function openCorpus(folder: string): Promise<CorpusFolder> {
  const questionsFile = existsSync(join(folder, "questions.jsonl"))
    ? await readFile(join(folder, "questions.jsonl"), "utf8")
    : "";
  const manifest = parseManifest(await readFile(join(folder, "manifest.json"), "utf8"));
  const extra = existsSync(join(folder, "distractors.json"))
    ? parseManifest(await readFile(join(folder, "distractors.json"), "utf8"))
    : { entries: [], problems: [] };
  const questions = parseQuestions(questionsFile);
  return {
    folder,
    id: contentId(questionsFile),
    pages: manifest.entries,
    distractors: extra.entries,
    questions: questions.entries,
    problems: [...manifest.problems, ...extra.problems, ...questions.problems],
  };
}

/** First 12 hex digits of the SHA-256: enough to tell question sets apart. */
export function contentId(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
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
