import type { Fact, Section } from "../types.ts";
import { codeBlocks } from "../util/markdown.ts";
import { mentions, mentionsFlag, mentionsName, mentionsNumber, specifics } from "./specifics.ts";

/**
 * What a section says and none of its facts does: numbers, versions, flags, identifiers, and code blocks.
 * Sections without facts are left out: they were called noise, or are not distilled yet.
 */
export function missingOf(
  facts: readonly Fact[],
  sections: ReadonlyMap<number, Section>,
  text: string,
): { sectionIndex: number; specifics: string[] }[] {
  const told = new Map<number, string[]>();
  for (const fact of facts) {
    const texts = told.get(fact.sectionIndex) ?? [];
    texts.push(fact.topic, fact.statement, ...fact.questions, ...fact.keywords, ...fact.symbols, fact.body);
    told.set(fact.sectionIndex, texts);
  }
  const missing: { sectionIndex: number; specifics: string[] }[] = [];
  for (const [sectionIndex, texts] of [...told].toSorted(([a], [b]) => a - b)) {
    const section = sections.get(sectionIndex);
    if (section === undefined) continue;
    const lost = lostFrom(text.slice(section.start, section.end), texts.join("\n"));
    if (lost.length > 0) missing.push({ sectionIndex, specifics: lost });
  }
  return missing;
}

/** A code block counts as told when less than this share of its names and numbers is unknown to the facts. */
const lostCodeShare = 0.5;

function lostFrom(section: string, facts: string): string[] {
  const told = mentions(facts);
  const { numbers, versions, flags, identifiers } = specifics(section);
  const lost = [
    ...numbers.filter((number) => !mentionsNumber(told, number)),
    ...versions.filter((version) => !mentionsNumber(told, version)),
    ...flags.filter((flag) => !mentionsFlag(told, flag)),
    ...identifiers.filter((name) => !mentionsName(told, name)),
  ];
  for (const { content: code } of codeBlocks(section)) {
    if (facts.includes(code)) continue;
    const { words, numbers: digits } = mentions(code);
    const unknown =
      [...words].filter((word) => !told.words.has(word)).length +
      [...digits].filter((digit) => !told.numbers.has(digit)).length;
    const line = code.trim().split("\n", 1)[0]?.trim() ?? "";
    if (unknown > 0 && unknown >= (words.size + digits.size) * lostCodeShare)
      lost.push(`code block that begins \`${line.slice(0, 80)}\``);
  }
  return lost;
}
