/** A hostile page through the whole chain, and everything that must hold of what comes out, whatever went in. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assess } from "../../src/core/capture/assess.ts";
import { capture } from "../../src/core/capture/capture.ts";
import { pageOf } from "../../src/core/capture/page.ts";
import { clean } from "../../src/core/clean/clean.ts";
import { briefOf } from "../../src/core/distill/brief.ts";
import { distillOffline } from "../../src/core/distill/offline.ts";
import { BacopaError } from "../../src/core/errors.ts";
import { hoverFactOf } from "../../src/core/hover/hoverFact.ts";
import { unitsOf } from "../../src/core/index/units.ts";
import { renderFactDocument, renderPageDocument, renderSearch } from "../../src/core/render.ts";
import { sectionByHeadings } from "../../src/core/section/headings.ts";
import type { CapturedPage, CleanPage, Fact, Page, SavedPage, Section } from "../../src/core/types.ts";
import { analyze } from "../../src/core/util/analyzer.ts";
import { codeBlocks } from "../../src/core/util/markdown.ts";
import { countTokens } from "../../src/core/util/tokens.ts";
import { verify } from "../../src/core/verify/verify.ts";
import { activeParts } from "../fakes/rendered.ts";
import { savedPage } from "../fakes/savedPages.ts";
import type { HostileInput, Seed } from "./inputs.ts";

export interface Survival {
  /** What went wrong, one sentence each; empty when all held. */
  readonly faults: readonly string[];
  /** Milliseconds by stage, in the unit of the clock that was given. */
  readonly ms: Readonly<Record<string, number>>;
  readonly facts: number;
  /** The page was refused, with a reason for the person. */
  readonly isRefused: boolean;
}

/** Larger texts are not read by the slow readers of the checks. */
const checkedLength = 20_000;
/** Facts that are looked at one by one. */
const checkedFacts = 40;

/** @param now A clock in milliseconds. */
export function survive({ format, content }: HostileInput, now: () => number): Survival {
  const faults: string[] = [];
  const ms: Record<string, number> = {};
  const timed = <T>(stage: string, work: () => T): T => {
    const started = now();
    try {
      return work();
    } finally {
      ms[stage] = (ms[stage] ?? 0) + now() - started;
    }
  };
  const attempt = <T>(stage: string, work: () => T): T | undefined => {
    try {
      return timed(stage, work);
    } catch (error) {
      const isNamed = BacopaError.is(error) && error.userMessage !== "";
      if (!isNamed) faults.push(`${stage} threw ${String(error).slice(0, 200)}`);
      return undefined;
    }
  };
  const bytes = new TextEncoder().encode(content);
  const captured = attempt("capture", () =>
    capture({ requested: url, url, redirects: [], bytes, contentType: contentTypes[format], status: 200 }, { format }),
  );
  // What it would be taken for by itself.
  attempt("capture", () => capture({ requested: url, url, redirects: [], bytes, contentType: undefined, status: 200 }));
  const cleaned = captured === undefined ? undefined : attempt("clean", () => clean(captured));
  if (captured === undefined || cleaned === undefined) return { faults, ms, facts: 0, isRefused: true };
  const isAccepted = attempt("capture", () => (assess(captured, cleaned), true)) === true;
  faults.push(...faultsOfText(cleaned));
  const facts = surviveCleaned({ captured, cleaned, faults, attempt });
  return { faults, ms, facts, isRefused: !isAccepted };
}

const url = "https://docs.example.com/guide/page";
const contentTypes = { html: "text/html", markdown: "text/markdown", text: "text/plain" };

interface Way {
  readonly captured: CapturedPage;
  readonly cleaned: CleanPage;
  readonly faults: string[];
  readonly attempt: <T>(stage: string, work: () => T) => T | undefined;
}

/** From the cleaned page on; refused pages go on too, since another page like them may pass. */
function surviveCleaned({ captured, cleaned, faults, attempt }: Way): number {
  const page: Page = pageOf(captured, cleaned, "2026-01-02T03:04:05.000Z");
  const sections = attempt("section", () => sectionByHeadings(page.text, countTokens));
  if (sections === undefined) return 0;
  faults.push(...faultsOfSections(page.text, sections));
  const drafts = attempt("distill", () => distillOffline({ page, sections, countTokens }));
  if (drafts === undefined) return 0;
  const origin = { distiller: "offline-1", extractive: true };
  const verified = attempt("verify", () => verify({ drafts, page, sections, origin, countTokens }));
  if (verified === undefined) return 0;
  const { facts } = verified;
  if (verified.dropped.code > 0)
    faults.push(`${verified.dropped.code} code blocks of the page's own were not found in it`);
  faults.push(...faultsOfFacts(page, sections, facts));
  const saved: SavedPage = {
    ...savedPage(),
    page,
    sections,
    sectionStates: sections.map(() => ({ state: "waiting" })),
    facts,
    brief: attempt("distill", () => briefOf(page, sections, new Date(Date.UTC(2026, 0, 2)))) ?? savedPage().brief,
  };
  attempt("index", () => {
    const units = unitsOf(saved);
    if (new Set(units.map(({ id }) => id)).size !== units.length) faults.push("two units have one id");
    for (const unit of units)
      for (const text of [unit.statement, unit.text, unit.headings, unit.keywords]) analyze(text);
  });
  attempt("render", () => faults.push(...faultsOfRendering(saved)));
  return facts.length;
}

function faultsOfText({ title, text, coverage, leftOut }: CleanPage): string[] {
  const faults: string[] = [];
  if (/[\uD800-\uDFFF]/u.test(text)) faults.push("the text holds a lone surrogate");
  if (/[\0\r]/u.test(text + title)) faults.push("the text holds a NUL or CR");
  if (!(coverage >= 0 && coverage <= 1)) faults.push(`coverage is ${coverage}`);
  if (leftOut.some(({ excerpt }) => excerpt.length > 200)) faults.push("an excerpt is too long");
  return faults;
}

function faultsOfSections(text: string, sections: readonly Section[]): string[] {
  const faults: string[] = [];
  let at = 0;
  for (const { index, start, end } of sections) {
    if (start !== at || end <= start) faults.push(`section ${index} begins at ${start} instead of ${at}`);
    if (/^[\uDC00-\uDFFF]/.test(text.slice(start, start + 1))) faults.push(`section ${index} splits a surrogate pair`);
    at = end;
  }
  if (at !== text.length) faults.push(`the sections end at ${at} of ${text.length}`);
  const cuts = sections.slice(1).map(({ start }) => start);
  let next = 0;
  for (const { start, end } of codeBlocks(text)) {
    while ((cuts[next] ?? Infinity) <= start) next++;
    if ((cuts[next] ?? Infinity) < end) faults.push(`a section begins inside the code at ${start}`);
  }
  for (const cut of cuts) {
    const line = text.slice(text.lastIndexOf("\n", cut - 1) + 1, cut);
    if (/^\|.*[^\s]/u.test(line) && line.length < 2_000) faults.push(`a section begins inside the row at ${cut}`);
  }
  return faults.slice(0, 5);
}

/** White space, and the marks of quotes that code can stand in, do not count. */
const squeezed = (text: string): string => text.replace(/[\s>]+/gu, "");
const letters = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

function faultsOfFacts(page: Page, sections: readonly Section[], facts: readonly Fact[]): string[] {
  const faults: string[] = [];
  if (new Set(facts.map(({ id }) => id)).size !== facts.length) faults.push("two facts have one id");
  const wholeCode = page.text.length < 2_000_000 ? squeezed(page.text) : undefined;
  const wholeText = page.text.length < 2_000_000 ? letters(`${page.title} ${page.url} ${page.text}`) : undefined;
  const step = Math.max(1, Math.floor(facts.length / checkedFacts));
  for (const [index, fact] of facts.entries()) {
    const section = sections[fact.sectionIndex];
    const { start, end } = fact.source;
    if (section === undefined || start < section.start || end > section.end || start >= end)
      faults.push(`the span of ${fact.id} is not in its section`);
    if (index % step !== 0) continue;
    for (const { content } of codeBlocks(fact.body))
      if (wholeCode?.includes(squeezed(content)) === false) faults.push(`code of ${fact.id} is not in the page`);
    for (const keyword of [...fact.keywords, ...fact.symbols])
      if (wholeText?.includes(letters(keyword)) === false) faults.push(`"${keyword.slice(0, 60)}" is not in the page`);
  }
  return faults.slice(0, 5);
}

function faultsOfRendering(saved: SavedPage): string[] {
  const faults: string[] = [];
  const check = (what: string, markdown: string): void => {
    if (markdown.length > checkedLength) return;
    const active = activeParts(markdown);
    if (active.length > 0) faults.push(`${what} holds ${active.slice(0, 3).join(", ")}`);
  };
  check("the page's document", renderPageDocument(saved));
  for (const fact of saved.facts.slice(0, 3)) {
    check("a fact's document", renderFactDocument(fact, saved));
    check("a hover", hoverFactOf(fact, saved, fact.symbols[0] ?? "").statement);
    const answer = renderSearch({
      query: "q",
      mode: "words",
      ms: 1,
      tokens: 1,
      hits: [
        {
          rank: 1,
          score: 1,
          ranks: { words: 1, meaning: null },
          tier: "fact",
          fact: { ...fact, extractive: true },
          page: { id: saved.page.id, url: saved.page.url, title: saved.page.title, brief: saved.brief },
          source: fact.source,
        },
      ],
    });
    if (answer.split(/<\/?saved-docs/iu).length !== 3) faults.push("a page's text closes the fence around it");
  }
  return faults.slice(0, 5);
}

/** Pages of the repository to mutate. */
export function seedPages(root: string): Seed[] {
  return ["test/fixtures/clean", "test/eval/corpus/pages", "samples"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => /\.(?:html|md)$/u.test(name))
      .sort()
      .map((name) => ({
        name: `${folder}/${name}`,
        format: name.endsWith(".md") ? ("markdown" as const) : ("html" as const),
        content: readFileSync(join(root, folder, name), "utf8"),
      })),
  );
}
