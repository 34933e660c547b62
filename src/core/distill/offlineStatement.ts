/**
 * The statement of a group: its most informative sentence or two behind the names that resolve them.
 * Nothing is invented: every word is from the page, its title or its headings.
 */
import type { Group } from "./offlineGroups.ts";
import type { Subject } from "./offlineNames.ts";
import { shortName } from "./offlineNames.ts";
import { readable, sentencesOf, wordCount, withoutStop } from "./offlineText.ts";
import type { Block } from "./offlineBlocks.ts";

/** What a group says, read once and shared by statement, questions and keywords. */
export interface Reading {
  /** Sentences of paragraphs, list items and quotes, in page order. */
  readonly sentences: readonly string[];
  /** Rows of tables, cells as readable text, header rows first. */
  readonly tables: readonly (readonly (readonly string[])[])[];
  /** Code blocks without their fences. */
  readonly code: readonly string[];
}

/** A statement is cut after this many words; the body goes on. */
const maxWords = 60;

export function readGroup(text: string, group: Group): Reading {
  const sentences: string[] = [];
  const tables: string[][][] = [];
  const code: string[] = [];
  const visit = (blocks: readonly Block[]) => {
    for (const block of blocks) {
      const source = text.slice(block.start, block.end);
      if (block.children.length > 0) visit(block.children);
      else if (block.kind === "table") tables.push(rowsOf(source, group.tableHead));
      else if (block.kind === "code") code.push(source.replace(/^\s*(?:`{3,}|~{3,}).*\n?/gmu, ""));
      else if (block.kind !== "heading" && block.kind !== "rule") sentences.push(...sentencesOf(readable(source)));
    }
  };
  visit(group.blocks);
  const term = group.term === undefined ? undefined : readable(group.term);
  return { sentences: sentences.filter((sentence) => sentence !== term), tables, code };
}

function rowsOf(table: string, head: string | undefined): string[][] {
  const source = head === undefined ? table : `${head}\n${table}`;
  return source
    .split("\n")
    .filter((line) => line.includes("|") && !/^[\s|:-]+$/u.test(line))
    .map((line) =>
      line
        .replace(/^\s*\|/u, "")
        .replace(/\|\s*$/u, "")
        .split(/(?<!\\)\|/u)
        .map((cell) => readable(cell)),
    );
}

export function statementOf(subject: Subject, group: Group, reading: Reading): string {
  const name = shortName(subject);
  const best = chosen(reading.sentences, subject.term !== undefined);
  if (best.length > 0) return limited(`${name}: ${best.map((sentence) => resolved(sentence, subject)).join(" ")}`);
  const [head, ...rows] = reading.tables[0] ?? [];
  if (head !== undefined && rows.length > 0) {
    const listed = rows
      .map((row) => row[0] ?? "")
      .filter((cell) => cell !== "")
      .slice(0, 8);
    const columns = head.filter((cell) => cell !== "").join(", ");
    return limited(`${name}: ${columns === "" ? "" : `${columns} of `}${listed.join(", ")}.`);
  }
  if (group.leadIn !== undefined) return limited(`${name}: ${withoutStop(readable(group.leadIn))}.`);
  return reading.code.length > 0 ? `${name}: example code.` : `${name}.`;
}

function limited(statement: string): string {
  const words = statement.split(" ");
  if (words.length <= maxWords) return statement;
  const cut = words.slice(0, maxWords).join(" ");
  const ticks = cut.split("`").length % 2 === 0 ? "`" : "";
  return `${cut}${ticks} …`;
}

/** Sentences that state something checkable are worth more than those that lead somewhere. */
const telling =
  /\b(?:defaults?|maximum|minimum|at most|at least|limit(?:ed|s)?|must|required?|requires?|returns?|raises?|throws?|only|never|always|cannot|can't|won't|deprecated|instead|unless|means|allows?|lets|enables?|ensures?|prevents?|fails?|error|not supported|since|available)\b/giu;
const leading =
  /^(?:for example|for instance|e\.g\.|see\b|note that this (?:section|page)|in this (?:section|chapter|guide|page)|this (?:section|chapter|page|guide|document|tutorial)|here(?:'s| is| are|,)|consider\b|let(?:'s|’s| us)\b|suppose\b|now\b|first,|as (?:shown|mentioned|described|noted|above|below)|the following|example\b|source code:|defined in|read more|learn more|more info)/iu;
const anaphoric =
  /^(?:it|this|that|these|those|they|such|he|she|however|but|also|and|so|or|otherwise|in (?:this|that|these|both) cases?|then|thus|therefore|instead|similarly|likewise|again|additionally|furthermore|moreover|yet|still)\b/iu;

function worth(sentence: string, index: number): number {
  const words = wordCount(sentence);
  let score = index === 0 ? 2.5 : 1 / (1 + index);
  score += Math.min(2, new Set((sentence.match(telling) ?? []).map((word) => word.toLowerCase())).size * 0.8);
  if (/`[^`]+`/u.test(sentence)) score += 0.5;
  if (/\d/u.test(sentence)) score += 0.4;
  if (leading.test(sentence)) score -= 3;
  if (anaphoric.test(sentence)) score -= 1;
  if (words < 4) score -= 2;
  if (words > 45) score -= 1;
  if (/:$/u.test(sentence)) score -= 1;
  if (!/[.!?。！？]["')\]]*$/u.test(sentence)) score -= 0.7;
  return score;
}

function chosen(sentences: readonly string[], definition: boolean): string[] {
  const scored = sentences.map((sentence, index) => ({ sentence, index, score: worth(sentence, index) }));
  const usable = scored.filter(({ sentence }) => wordCount(sentence) >= 2 && /\p{L}{2}/u.test(sentence));
  const ranked = [...usable].sort((left, right) => right.score - left.score || left.index - right.index);
  const first = definition ? (usable[0] ?? ranked[0]) : ranked[0];
  if (first === undefined) return [];
  const second = ranked.find(
    (entry) => entry !== first && specific.test(entry.sentence) && wordCount(entry.sentence) <= 30,
  );
  const picked = second !== undefined && wordCount(first.sentence) <= 28 ? [first, second] : [first];
  return picked.sort((left, right) => left.index - right.index).map((entry) => entry.sentence);
}

/** Sentences worth a second place: defaults, limits, failures. */
const specific =
  /\b(?:defaults? (?:is|to|value)|by default|the default|maximum|minimum|at most|up to \d|at least \d|limit|must (?:not )?be|required|raises?|throws?|deprecated|only (?:if|when|be)|never|cannot|not supported)\b/iu;

const kinds =
  "function|method|option|setting|parameter|argument|property|attribute|variable|field|flag|command|class|module|macro|" +
  "hook|type|directive|keyword|constructor|value|header|operator|statement|event|callback|component|decorator|feature|api";
const leadingPronoun = new RegExp(
  `^(?:It|This|This (?:${kinds}))(?=\\s+(?:is|are|was|has|can|may|must|will|should|does|also|only|cannot|returns?|\\w+s\\b))`,
  "u",
);

/** "It returns …" of a definition becomes "`name` returns …". */
function resolved(sentence: string, subject: Subject): string {
  const { term } = subject;
  if (term === undefined) return sentence;
  const short = shortTerm(term);
  return leadingPronoun.test(sentence) ? sentence.replace(leadingPronoun, () => short) : sentence;
}

/** A signature's name in ticks: `asyncio.create_task(coro, *, name=None)` becomes `asyncio.create_task()`. */
export function shortTerm(term: string): string {
  const bare = term.replace(/`/gu, "");
  const call = /(?:^|\s)([\w$.:#@-]+[!?]?)\(/u.exec(bare);
  if (call?.[1] !== undefined) return bare.length <= 24 && !/\s/u.test(bare) ? `\`${bare}\`` : `\`${call[1]}()\``;
  const named = /^(--?[\w-]+|[\w$.:-]*[_.:][\w$.:-]*|[a-z]+[A-Z]\w*)(?:\s|=|,|$)/u.exec(bare);
  if (named?.[1] !== undefined) return `\`${named[1]}\``;
  return /\s/u.test(bare) ? term : `\`${bare}\``;
}
