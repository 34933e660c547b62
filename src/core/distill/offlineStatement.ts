/**
 * The statement of a group: its most informative sentence or two behind the names that resolve them.
 * Nothing is invented: every word is from the page, its title or its headings.
 */
import type { Group } from "./offlinePacking.ts";
import type { Subject } from "./offlineNames.ts";
import { shortName, shortTerm } from "./offlineNames.ts";
import type { Reading } from "./offlineReading.ts";
import { isMeta, readable, sentencesOf, upperFirst, withoutStop, wordCount } from "./offlineText.ts";

/** A statement is cut after this many words; the body goes on. */
const maxWords = 60;
/** A first sentence longer than this stands alone. */
const maxFirstWords = 28;

/** One subject that a group tells of. */
export interface Told {
  readonly subject: Subject;
  readonly part: Group;
  readonly reading: Reading;
}

/** Each subject of a group with a sentence of its own, so that no name gets what is said of another. */
export function statementOfParts(told: readonly Told[]): string {
  const [first, ...others] = told;
  if (first === undefined) return "";
  const statement = statementOf(first.subject, first.part, first.reading);
  if (others.length === 0) return statement;
  const more = others.map(({ subject, part, reading }) => statementOf(subject, part, reading)).map(ended);
  return limited([ended(statement), ...more].join(" "));
}

function ended(statement: string): string {
  return /[.!?…。！？]["')\]]*$/u.test(statement) ? statement : `${statement.replace(/:$/u, "")}.`;
}

export function statementOf(subject: Subject, group: Group, reading: Reading): string {
  const name = shortName(subject);
  const best = chosen(reading.sentences, subject.terms.length > 0 && !group.continues);
  const said = best.map((sentence) => resolved(sentence, subject));
  const context = contextOf(group, said);
  if (context !== undefined) said.unshift(context);
  if (said.length > 0) return limited(`${name}: ${said.join(" ")}`);
  const [head, ...rows] = reading.tables[0] ?? [];
  if (head !== undefined && rows.length > 0) return limited(`${name}: ${tableInWords(head, rows)}`);
  return reading.code.length > 0 ? `${name}: example code.` : `${name}.`;
}

/** The sentence that introduces a group from outside it: what its list lists. */
function contextOf(group: Group, said: readonly string[]): string | undefined {
  if (group.leadIn === undefined) return undefined;
  const [first] = sentencesOf(readable(group.leadIn));
  if (first === undefined || isMeta(first) || wordCount(first) < 3 || wordCount(first) > 25) return undefined;
  return said.includes(first) ? undefined : first;
}

function tableInWords(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const listed = rows.map((row) => row[0] ?? "").filter((cell) => cell !== "");
  const columns = head.filter((cell) => cell !== "").join(", ");
  const first = [...new Set(listed)].slice(0, 8).join(", ");
  return columns === "" ? `${first}.` : `${columns} of ${first}.`;
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
  /\b(?:defaults?|maximum|minimum|at most|at least|limit(?:ed|s)?|must|required?|requires?|returns?|raises?|throws?|only|never|always|cannot|can't|won't|deprecated|instead|unless|means|allows?|lets|enables?|ensures?|prevents?|fails?|error|not supported|available)\b/giu;
const leading =
  /^(?:for example|for instance|e\.g\.|see\b|note that this (?:section|page)|in this (?:section|chapter|guide|page)|this (?:section|chapter|page|guide|document|tutorial)|here(?:'s| is| are|,)|consider\b|let(?:'s|’s| us)\b|suppose\b|assume\b|now\b|first,|as (?:shown|mentioned|described|noted|above|below)|the following|example\b|read more|learn more|more info|to (?:see|learn))/iu;
const anaphoric =
  /^(?:it|this|that|these|those|they|such|he|she|but|and|so|or|otherwise|in (?:this|that|these|both) cases?|then|thus|instead|similarly|likewise|again|yet|still)\b/iu;
/** What joins a sentence to the one before it; without it the sentence says the same. */
const connective =
  /^(?:however|also|therefore|thus|hence|in addition|additionally|furthermore|moreover|similarly|likewise|finally|note that|please note that|note|in general|generally|basically|actually|of course|as a result|consequently|additionally),?\s+(?=\p{L}|`)/iu;

function worth(sentence: string, index: number): number {
  const words = wordCount(sentence);
  let score = index === 0 ? 2.5 : 1 / (1 + index);
  score += Math.min(2, new Set((sentence.match(telling) ?? []).map((word) => word.toLowerCase())).size * 0.8);
  if (/`[^`]+`/u.test(sentence)) score += 0.5;
  if (/\d/u.test(sentence)) score += 0.4;
  if (leading.test(sentence)) score -= 3;
  if (anaphoric.test(sentence)) score -= 2;
  if (words < 4) score -= 2;
  if (words > 45) score -= 1;
  if (/:$/u.test(sentence)) score -= 1;
  if (!/[.!?。！？]["')\]]*$/u.test(sentence)) score -= 1.2;
  return score;
}

/** Sentences worth a second place: defaults, limits, failures. */
const specific =
  /\b(?:defaults? (?:is|to|value)|by default|the default|maximum|minimum|at most|up to \d|at least \d|limit|must (?:not )?be|required|raises?|throws?|deprecated|only (?:if|when|be)|never|cannot|not supported)\b/iu;

function chosen(sentences: readonly string[], definition: boolean): string[] {
  const usable = sentences
    .map((sentence, index) => ({ sentence, index }))
    .filter(({ sentence }) => wordCount(sentence) >= 3 && /\p{L}{2}/u.test(sentence) && !isMeta(sentence))
    .map((entry, place) => ({ ...entry, score: worth(entry.sentence, place) }));
  const ranked = [...usable].sort((left, right) => right.score - left.score || left.index - right.index);
  const first = definition ? (usable.find(({ sentence }) => !leading.test(sentence)) ?? ranked[0]) : ranked[0];
  if (first === undefined) return [];
  const second = ranked.find(
    (entry) =>
      entry !== first &&
      specific.test(entry.sentence) &&
      wordCount(entry.sentence) <= 30 &&
      !leading.test(entry.sentence),
  );
  const picked = second !== undefined && wordCount(first.sentence) <= maxFirstWords ? [first, second] : [first];
  return picked
    .sort((left, right) => left.index - right.index)
    .flatMap(({ sentence, index }) =>
      /:$/u.test(sentence) ? [sentence, ...listed(sentences.slice(index + 1))] : [sentence],
    );
}

/** What follows a colon, as far as it is short. */
function listed(sentences: readonly string[]): string[] {
  const items = sentences.slice(0, 3).filter((sentence) => !isMeta(sentence) && wordCount(sentence) <= 14);
  return items.length === 0 ? [] : [items.map(withoutStop).join("; ") + "."];
}

const kinds =
  "function|method|option|setting|parameter|argument|property|attribute|variable|field|flag|command|class|module|macro|" +
  "hook|type|directive|keyword|constructor|value|header|operator|statement|event|callback|component|decorator|feature|api";
const leadingPronoun = new RegExp(
  `^(?:It|This|This (?:${kinds}))(?=\\s+(?:is|are|was|has|can|may|must|will|should|does|also|only|cannot|\\w+s)\\b)`,
  "u",
);

/** "However, it returns …" of a definition becomes "`name` returns …". */
function resolved(sentence: string, subject: Subject): string {
  const own = upperFirst(sentence.replace(connective, ""));
  const [term] = subject.terms;
  return term !== undefined && subject.terms.length === 1 && leadingPronoun.test(own)
    ? own.replace(leadingPronoun, () => shortTerm(term))
    : own;
}
