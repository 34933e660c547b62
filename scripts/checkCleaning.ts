/**
 * Holds the cleaned text of a corpus to its lists: `tsx scripts/checkCleaning.ts DIR`.
 *
 * DIR holds `manifest.json`, `pages/`, `cleaning.jsonl` and `questions.jsonl`; `distractors.json` is read when it is
 * there. Checked: every `must_contain` is in the text, no `must_not_contain` is, every evidence snippet is found by
 * its letters and digits. Reported besides: code lines and table cells of the page that the text does not have.
 * Exit 1 when a list does not hold.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clean } from "../src/core/clean/clean.ts";
import type { CleanPage, PageFormat } from "../src/core/types.ts";

interface Entry {
  readonly id: string;
  readonly file: string;
  readonly url: string;
  readonly content_type: string;
  readonly charset: string;
}

const [folder, outFolder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: tsx scripts/checkCleaning.ts DIR [FOLDER for the cleaned texts]");
  process.exit(2);
}

const read = (name: string): string => readFileSync(join(folder, name), "utf8");
const entries = (JSON.parse(read("manifest.json")) as Entry[]).concat(
  existsSync(join(folder, "distractors.json")) ? (JSON.parse(read("distractors.json")) as Entry[]) : [],
);
const lines = <Line>(name: string): Line[] =>
  existsSync(join(folder, name))
    ? read(name)
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => JSON.parse(line) as Line)
    : [];

const cleaned = new Map<string, CleanPage>();
const times: number[] = [];
for (const entry of entries) {
  const bytes = readFileSync(join(folder, entry.file));
  const content = new TextDecoder(entry.charset).decode(bytes);
  const format: PageFormat = entry.content_type.includes("html") ? "html" : "markdown";
  const start = performance.now();
  const page = clean({
    url: entry.url,
    requested: entry.url,
    redirects: [],
    format,
    content,
    charset: entry.charset,
    byteLength: bytes.length,
  });
  times.push(performance.now() - start);
  cleaned.set(entry.id, page);
  if (outFolder !== undefined) {
    writeFileSync(join(outFolder, `${entry.id}.md`), page.text);
    writeFileSync(join(outFolder, `${entry.id}.json`), JSON.stringify({ ...page, text: undefined }, null, 1));
  }
}

const foldBlanks = (text: string): string =>
  text
    .replace(/[\u200b-\u200d\ufeff\u00ad]/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
const keyOf = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*\)/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");
const codeLines = (text: string): string =>
  `\n${text
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n")}\n`;

let failures = 0;
const fail = (message: string): void => {
  failures += 1;
  console.log(message);
};

for (const check of lines<{ page: string; must_contain: string[]; must_not_contain: string[] }>("cleaning.jsonl")) {
  const text = cleaned.get(check.page)?.text ?? "";
  const [folded, key, code] = [foldBlanks(text), keyOf(text), codeLines(text)];
  for (const wanted of check.must_contain) {
    if (/^\s|\n/u.test(wanted)) {
      const exact = codeLines(wanted).replace(/^\n/u, wanted.startsWith("\n") ? "\n" : "");
      if (!code.includes(exact.replace(/\n$/u, wanted.endsWith("\n") ? "\n" : "")))
        fail(`${check.page}: code not found: ${JSON.stringify(wanted)}`);
    } else if (!folded.includes(foldBlanks(wanted))) {
      if (key.includes(keyOf(wanted))) console.log(`${check.page}: found by letters only: ${JSON.stringify(wanted)}`);
      else fail(`${check.page}: not found: ${JSON.stringify(wanted)}`);
    }
  }
  for (const unwanted of check.must_not_contain)
    if (folded.includes(foldBlanks(unwanted)) || key.includes(keyOf(unwanted)))
      fail(`${check.page}: still there: ${JSON.stringify(unwanted)}`);
}

let snippets = 0;
let missing = 0;
const keys = new Map<string, string>();
for (const question of lines<{ id: string; gold: { page: string; evidence: string[] }[] }>("questions.jsonl")) {
  for (const { page, evidence } of question.gold) {
    if (!keys.has(page)) keys.set(page, keyOf(cleaned.get(page)?.text ?? ""));
    for (const snippet of evidence) {
      snippets += 1;
      if (keys.get(page)?.includes(keyOf(snippet)) === true) continue;
      missing += 1;
      fail(`${question.id} ${page}: evidence not found: ${JSON.stringify(snippet)}`);
    }
  }
}

const sorted = [...times].sort((left, right) => left - right);
const at = (share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(0);
console.log(`${cleaned.size} pages, ${snippets - missing} of ${snippets} snippets found, ${failures} failures`);
console.log(`clean: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`);
process.exit(failures === 0 ? 0 : 1);
