/** What the comparison asks of each search engine. All get the same generated facts and the same questions. */
import type { GeneratedPage } from "../lib/generatedFacts.ts";

export interface Engine {
  /** Indexes all pages and writes what a later start needs into `folder`. Returns bytes written, and the time of parts. */
  build(pages: Iterable<GeneratedPage>, folder: string): Promise<{ readonly bytes: number; readonly saveMs: number }>;
  open(folder: string): Promise<OpenEngine>;
}

export interface OpenEngine {
  /** The best ten. */
  search(query: Question): Promise<unknown>;
  /** Puts one more page. */
  add(page: GeneratedPage): Promise<void>;
  close(): Promise<void>;
}

export interface Question {
  readonly text: string;
  readonly vector: Float32Array;
}

/** Fields as the engines of others get them: those a person would search. */
export const fields = ["statement", "questions", "keywords", "topic", "headings", "title"] as const;
