/** Results as a person reads them on a terminal. Agents and tools read JSON or core/render.ts. */
import type { PageSummary } from "../core/library.ts";
import type { SaveReport } from "../core/save.ts";
import { unitsInWords } from "../core/strategy.ts";
import { shownTarget } from "../core/util/shownTarget.ts";
import type { Fact, SavedPage, SearchResult } from "../core/types.ts";

export function printSave(report: SaveReport, target: string): string {
  const name = report.title === null ? shownTarget(target) : `${report.title} (${report.pageId ?? ""})`;
  const lines: string[] = [];
  const why = report.commandLine ?? report.message ?? report.reason ?? "";
  if (report.state === "canceled")
    lines.push(
      `Canceled: ${name}. ${report.message ?? (report.pageId === null ? "" : "What was done so far is kept.")}`.trim(),
    );
  else if (report.state === "failed") lines.push(`Not saved: ${name}: ${why}`);
  else lines.push(`Saved ${name}`);
  if (report.state === "failed" && report.sections > 0) {
    lines[0] = `Saved as sections only: ${name}: ${why}`;
  }
  if (report.sections > 0) {
    const { dropped, ms, tokens } = report;
    const kept = report.keptSections === 0 ? "" : `, ${plural(report.keptSections, "section")} unchanged`;
    lines.push(
      report.strategy === "facts"
        ? `  ${plural(report.facts, "fact")} from ${plural(report.sections, "section")} by ${report.distiller}${kept}`
        : `  ${unitsInWords(report.strategy, report)}${kept}`,
    );
    if (report.failedSections > 0 && report.state === "done") {
      lines.push(
        `  ${plural(report.failedSections, "section")} without ${report.strategy === "facts" ? "facts" : "what the strategy writes"} yet: ${why} Save again to retry.`,
      );
    }
    lines.push(
      `  coverage ${(report.coverage * 100).toFixed(1)} %, ${plural(report.leftOut.length, "thing")} left out; dropped ${dropped.code} code, ${dropped.keywords} keywords; ${dropped.unverified} unverified, ${report.missingSpecifics} specifics in no fact`,
    );
    if (report.calls > 0) {
      lines.push(
        `  ${plural(report.calls, "model call")}, ${tokens.in} tokens in, ${tokens.out} out, about $${report.costUsd.toFixed(4)}`,
      );
    }
    lines.push(`  searchable after ${ms.searchable.toFixed(0)} ms, done after ${ms.total.toFixed(0)} ms`);
  }
  return lines.join("\n");
}

export function printSearch(result: SearchResult): string {
  const lines: string[] = [];
  if (result.note !== undefined) lines.push(result.note, "");
  if (result.hits.length === 0) lines.push("Nothing saved matches.");
  for (const { rank, fact, page, source, tier, ranks } of result.hits) {
    lines.push(`${rank}. ${fact.topic}`);
    if (fact.statement !== "" && !fact.extractive) lines.push(indent(fact.statement));
    if (fact.body !== "") lines.push("", indent(fact.body));
    lines.push("", indent(`from ${[page.title, ...source.headingPath.slice(1)].join(" > ")}, ${page.url}`));
    lines.push(indent(`brief: ${[page.brief.covers, ...page.brief.caveats].join(" ")}`));
    lines.push(
      indent(`${tier} ${fact.id}, words ${ranks.words ?? "-"}, meaning ${ranks.meaning ?? "-"}, ${fact.tokens} tokens`),
      "",
    );
  }
  lines.push(
    `${plural(result.hits.length, "hit")}, ${result.tokens} tokens, ${result.mode}, ${result.ms.toFixed(1)} ms`,
  );
  return lines.join("\n");
}

export function printPages(pages: readonly PageSummary[]): string {
  if (pages.length === 0) return "Nothing is saved yet. Save a page with: bacopa save <url>";
  return pages
    .map(({ id, title, url, facts, sections, undistilled, savedAt, strategy }) => {
      const waiting = undistilled === 0 ? "" : `, ${undistilled} unwritten`;
      const units =
        strategy === "facts"
          ? `${plural(facts, "fact")}, ${plural(sections, "section")}`
          : unitsInWords(strategy, { facts, sections });
      return `${id}\n  ${title}\n  ${url}\n  ${units}${waiting}, saved ${savedAt.slice(0, 10)}`;
    })
    .join("\n");
}

export function printPage({ page, brief, sections, sectionStates, facts, figures }: SavedPage): string {
  const lines = [page.title, page.url, "", brief.covers, ...brief.caveats.map((caveat) => `Caveat: ${caveat}`), ""];
  for (const section of sections) {
    const state = sectionStates[section.index];
    const note =
      state?.state === "failed" ? ` (failed: ${state.reason})` : state?.state === "waiting" ? " (not distilled)" : "";
    lines.push(`${section.headingPath.join(" > ") || "(no heading)"}  ${section.tokens} tokens${note}`);
    for (const fact of facts.filter(({ sectionIndex }) => sectionIndex === section.index)) lines.push(printFact(fact));
  }
  lines.push(
    "",
    `Coverage ${(page.coverage * 100).toFixed(1)} %. ${figures.missingSpecifics} specifics are in no fact.`,
    "Left out:",
  );
  for (const { what, excerpt, words } of page.leftOut) lines.push(`  ${what} (${plural(words, "word")}): ${excerpt}`);
  return lines.join("\n");
}

export function printFact(fact: Fact): string {
  const lines = [`  - ${fact.topic}  [${fact.id}]`, indent(fact.statement, 4)];
  for (const question of fact.questions) lines.push(`      ? ${question}`);
  for (const sentence of fact.unverified) lines.push(`      ! not found in the page: ${sentence}`);
  return lines.join("\n");
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function indent(text: string, by = 3): string {
  return text.replace(/^(?=.)/gm, " ".repeat(by));
}
