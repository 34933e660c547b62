/**
 * Questions a developer would ask that a group answers, made from its headings, terms and sentences.
 * A wrong question pulls a fact before the wrong reader, so a rule that is not sure of its English stays silent.
 */
import type { Subject } from "./offlineNames.ts";
import { lowerFirst, shortTerm } from "./offlineNames.ts";
import type { Reading } from "./offlineReading.ts";
import { isGeneric, looksLikeName, plain, withoutStop, wordCount } from "./offlineText.ts";
import { baseVerb, hasVerb, reworded } from "./offlineWords.ts";

/** Most questions of one fact. */
const maxQuestions = 6;
/** Longer clauses are left alone: what is asked would be the page's sentence again. */
const maxClauseWords = 16;
/** Sentences looked at: what comes later in a group is seldom what it is about. */
const maxSentences = 14;

/** Questions about each subject of a group, in turn, so that the first does not take all places. */
export function questionsOfParts(told: readonly { readonly subject: Subject; readonly reading: Reading }[]): string[] {
  const lists = told.map(({ subject, reading }) => questionsOf(subject, reading));
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const inTurn = Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat();
  return [...new Set(inTurn)].slice(0, maxQuestions);
}

export function questionsOf(subject: Subject, reading: Reading): string[] {
  const asked = [
    ...fromTerms(subject, reading),
    ...fromHeading(subject),
    ...reading.sentences.slice(0, maxSentences).flatMap((sentence, index) => fromSentence(sentence, index, subject)),
  ];
  const seen = new Set<string>();
  const kept: string[] = [];
  for (const question of asked) {
    const key = question.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
    if (seen.has(key) || !sound(question)) continue;
    seen.add(key);
    kept.push(question);
  }
  return kept.slice(0, maxQuestions);
}

/** Questions with broken marks, dangling words or nothing to hold on to are worse than none. */
function sound(question: string): boolean {
  const words = wordCount(question);
  if (words < 4 || words > 28) return false;
  if (/[\n|<>{}…“”"]|\.\s|:\s|\?.|\(\s*\)?\?$|,\?$/u.test(question.replace(/`[^`]*`/gu, "code"))) return false;
  if (question.split("`").length % 2 === 0) return false;
  if (question.split("(").length !== question.split(")").length) return false;
  return !/\b(?:the|a|an|of|to|in|for|with|and|or|by|is|are|that|which|this|as|from|on|at|if|when|following|below|above|such)\?$/iu.test(
    question,
  );
}

/** What a group defines is asked for by name. */
function fromTerms(subject: Subject, reading: Reading): string[] {
  const fresh = subject.continues ? [] : subject.terms;
  const questions = fresh.slice(0, maxQuestions - 2).flatMap((term) => aboutTerm(term, subject));
  const name = onlyName(subject);
  if (name === undefined) return questions;
  const whole = reading.sentences;
  if (whole.some((sentence) => statesDefault.test(sentence)))
    questions.push(`What is the default of ${name}, if I change nothing?`);
  if (!isCall(subject) && whole.some((sentence) => statesLimit.test(sentence)))
    questions.push(`What is the maximum for ${name}?`);
  if (whole.some((sentence) => statesValues.test(sentence))) questions.push(`Which values does ${name} accept?`);
  if (isCall(subject) && whole.some((sentence) => /^returns?\b/iu.test(sentence)))
    questions.push(`What does ${name} return?`);
  return questions;
}

function aboutTerm(term: string, subject: Subject): string[] {
  const name = shortTerm(term);
  if (isCode(term)) return [`What does ${name} do${suffix(subject, name)}?`];
  if (wordCount(term) > 4 || !/^[\p{L}\d\s'-]+$/u.test(term)) return [];
  const words = lowerFirst(term);
  return [
    /[^s]s$/u.test(words)
      ? `What are ${words}${suffix(subject, words)}?`
      : `What does the term ${words} mean${suffix(subject, words)}?`,
  ];
}

function isCode(term: string): boolean {
  return term.includes("`") || looksLikeName(plain(term));
}

function isCall(subject: Subject): boolean {
  return /\w\(/u.test(subject.terms[0] ?? "");
}

/** The name of the one thing that a group defines, in ticks. */
function onlyName(subject: Subject): string | undefined {
  const [term] = subject.terms;
  if (term === undefined || subject.terms.length > 1 || !isCode(term)) return undefined;
  return shortTerm(term);
}

const statesDefault =
  /^(?:defaults? (?:to|is|value)|default:|the default (?:is|value))|(?:` |^it |setting |option |[;,] )defaults to\b|\(default|\bby default\b|\bthe default\)/iu;
const statesLimit =
  /\b(?:maximum|at most|no more than|upper limit|up to|cannot (?:exceed|be (?:larger|greater|more|longer))|must (?:be less|not exceed))\b[^.]*\d/iu;
const statesValues =
  /\b(?:allowed|possible|valid|accepted|supported|permitted) values\b|\bcan be (?:set to|one of|either)\b|\b(?:must be|is) (?:one of|either)\b/iu;

function fromHeading(subject: Subject): string[] {
  const heading = subject.headings.at(-1);
  if (heading === undefined || subject.continues || subject.terms.length > 0 || isGeneric(heading)) return [];
  if (/\?$/u.test(heading)) return wordCount(heading) > 2 ? [heading] : [];
  const text = withoutStop(heading);
  const how = /^how to (.+)$/iu.exec(text);
  if (how?.[1] !== undefined) return doQuestions(how[1], suffix(subject, text));
  if (/^(?:why|how|what|when|where|which|who)\b/iu.test(text)) return [];
  const versus = /^(.+?)\s+(?:vs\.?|versus)\s+(.+)$/iu.exec(text);
  if (versus !== null)
    return [`What is the difference between ${versus[1] ?? ""} and ${versus[2] ?? ""}${suffix(subject, text)}?`];
  const phrase = headingVerbPhrase(text);
  return phrase === undefined ? [] : doQuestions(phrase, suffix(subject, text));
}

/** "Setting and disabling timeouts" and "Set the timeout" as "set and disable timeouts", "set the timeout". */
function headingVerbPhrase(heading: string): string | undefined {
  const words = heading.replace(/\s*\([^()]*\)$/u, "").split(" ");
  const [first = "", second = "", third = ""] = words;
  const verb = baseVerb(first);
  if (verb === undefined || words.length < 2 || words.length > 10 || /`/u.test(first)) return undefined;
  if (!/ing$/iu.test(first))
    return first.toLowerCase() === verb && startsObject(second) ? [verb, ...words.slice(1)].join(" ") : undefined;
  if (!/^(?:and|or)$/iu.test(second))
    return /^(?:is|are|of|vs)$/iu.test(second) ? undefined : [verb, ...words.slice(1)].join(" ");
  const other = baseVerb(third);
  return other === undefined || words.length < 4 ? undefined : [verb, second, other, ...words.slice(3)].join(" ");
}

/** "Set the timeout" is an order, "Set operations" is not. */
function startsObject(word: string): boolean {
  return /^(?:an?|the|your|up|to|with|from|all|multiple|custom|new|one|this|it|in|on|for|`.*)$/iu.test(word);
}

/** " in <product>", unless the text names it already. */
function suffix({ product }: Subject, text: string): string {
  return product === "" || text.toLowerCase().includes(product.toLowerCase()) ? "" : ` in ${product}`;
}

/** "cancel a task" as asked: once in the page's words, once in others. */
function doQuestions(verbPhrase: string, within: string): string[] {
  const phrase = asMine(lowerFirst(withoutStop(verbPhrase)));
  const questions = [`How do I ${phrase}${within}?`];
  const other = reworded(phrase);
  if (other !== undefined) questions.push(`How can I ${other}${within}?`);
  return questions;
}

/** What the page tells "you" becomes what "I" ask. */
function asMine(text: string): string {
  return text
    .replace(/\byour\b/giu, "my")
    .replace(/\byourself\b/giu, "myself")
    .replace(/\byou(?: a|')re\b/giu, "I am")
    .replace(/\byou\b/giu, "I");
}

type Rule = (sentence: string, subject: Subject) => string[];

const rules: readonly Rule[] = [
  purposeBefore,
  purposeAfter,
  youCan,
  condition,
  defaults,
  limits,
  failure,
  refusal,
  since,
];

function fromSentence(sentence: string, index: number, subject: Subject): string[] {
  if (/^(?:for example|see\b|e\.g\.|suppose|assume|consider|imagine|let'?s)/iu.test(sentence)) return [];
  const questions = rules.flatMap((rule) => rule(sentence, subject));
  if (index === 0 && !subject.continues) questions.unshift(...whatItDoes(sentence, subject));
  return questions;
}

/** "Return the current task." of a definition is asked as "How do I get the current task?" */
function whatItDoes(sentence: string, subject: Subject): string[] {
  if (subject.terms.length !== 1) return [];
  // "Opens a stream and returns it" does two things; the first is asked for.
  const clause = firstClause(sentence).replace(/\s+and\s+[a-z]+s\s.*$/u, "");
  const [first = "", second = "", ...rest] = clause.split(" ");
  const verb = baseVerb(first);
  if (verb === undefined || rest.length === 0 || rest.length > maxClauseWords || pointsElsewhere.test(clause))
    return [];
  if (/^(?:type|name|value|default|method|set|list|map)$/iu.test(first) && !startsObject(second)) return [];
  return doQuestions([verb === "return" ? "get" : verb, second, ...rest].join(" "), suffix(subject, clause));
}

/** Words whose meaning stays on the page. */
const pointsElsewhere =
  /\b(?:it|its|this|that|these|those|them|they|their|above|below|following|here|there|former|latter|section|chapter|figure|to the (?:right|left))\b/iu;

/** Up to the first comma, semicolon, relative clause or full stop. */
function firstClause(sentence: string): string {
  const [clause = ""] = withoutStop(sentence).split(
    /,|;|\s[-–—]\s|\s\(|\.\s|:\s|\s(?:which|where|so that|unless|because|but|and then)\s/u,
  );
  return clause.trim();
}

/** "To cancel a task, call …" and "If you want to cancel a task, …". */
function purposeBefore(sentence: string, subject: Subject): string[] {
  const match = /^(?:in order to|to|(?:if|when) you (?:want|need|wish|would like) to)\s+([a-z][^,;:]{6,120}),\s/iu.exec(
    sentence,
  );
  return asPurpose(match?.[1], subject);
}

/** "… is used to cancel a task", "lets you cancel a task". */
function purposeAfter(sentence: string, subject: Subject): string[] {
  const match =
    /\b(?:(?:is|are|be) used to|(?:lets|allows|enables) (?:you|users?|one) (?:to )?|makes it possible to|provides? (?:a|the) way to)\s*([a-z][^,;:.()]{6,110})/iu.exec(
      sentence,
    );
  return asPurpose(match?.[1], subject);
}

/** "You can cancel a task with …". */
function youCan(sentence: string, subject: Subject): string[] {
  const match =
    /\byou (?:can|may|could) (?:also |either |simply |easily |then |now |explicitly )?([a-z]+ [^,;:.()]{4,90})/iu.exec(
      sentence,
    );
  const phrase = match?.[1]?.split(
    /\s(?:by|using|via|with the|through|if|when|so|as follows|instead|like this|in the same way)\b/u,
  )[0];
  return asPurpose(phrase, subject);
}

function asPurpose(phrase: string | undefined, subject: Subject): string[] {
  const clause = phrase === undefined ? "" : firstClause(phrase);
  const [first = "", ...rest] = clause.split(" ");
  if (baseVerb(first) !== first.toLowerCase() || rest.length === 0 || rest.length > maxClauseWords) return [];
  if (pointsElsewhere.test(clause) || /^(?:see|refer|find|use|note|read)$/iu.test(first)) return [];
  return doQuestions(clause, suffix(subject, clause));
}

/** "If the queue is empty, …" is asked as "What happens if the queue is empty?" */
function condition(sentence: string, subject: Subject): string[] {
  const match =
    /^(if|when) ((?:an?|the|no|there|you|your|`|any|all|multiple|two|either|both|one|another|some|[A-Z])[^,;:]{5,110}),\s+(.+)$/iu.exec(
      sentence,
    );
  const [, word = "", clause = "", rest = ""] = match ?? [];
  if (clause === "" || wordCount(clause) > maxClauseWords || pointsElsewhere.test(clause) || !hasVerb(clause))
    return [];
  if (/^you (?:want|need|wish|would like|prefer|have questions|are (?:using|new))\b/iu.test(clause)) return [];
  const name = onlyName(subject);
  // Without a name to go by, "the value" could be any.
  if (
    name === undefined &&
    /^the (?:value|argument|parameter|option|function|method|property|result|first|second|last)\b/iu.test(clause)
  )
    return [];
  const inside = name === undefined ? suffix(subject, clause) : clause.includes(name) ? "" : ` with ${name}`;
  const questions = [`What happens${inside} ${word.toLowerCase()} ${asMine(lowerFirst(clause))}?`];
  const error = raised(rest);
  if (error !== undefined) questions.push(`Why do I get ${error}${suffix(subject, error)}?`);
  return questions;
}

const errorName = "`?((?:\\w+\\.)*[A-Z]\\w*(?:Error|Exception)|ERR_[A-Z_]+|E[A-Z]{4,})\\b`?";
const raisedBefore = new RegExp(
  `\\b(?:raises?|throws?|fails? with|rejects? with|results? in|causes?|raise|throw) (?:an? |the )?${errorName}`,
  "u",
);
const raisedAfter = new RegExp(
  `${errorName}(?: exception| error)? (?:is|are|will be|to be|may be|can be) (?:raised|thrown|returned)`,
  "u",
);

function raised(text: string): string | undefined {
  const name = raisedBefore.exec(text)?.[1] ?? raisedAfter.exec(text)?.[1];
  return name === undefined ? undefined : `\`${name}\``;
}

/** "Raises `ValueError` if …". */
function failure(sentence: string, subject: Subject): string[] {
  const error = raised(`${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`);
  if (error === undefined) return [];
  const name = onlyName(subject);
  if (name !== undefined && isCall(subject)) return [`Why does ${name} fail with ${error}?`];
  return [`When do I get the error ${error}${suffix(subject, error)}?`];
}

/** "`x` defaults to 5", "the default timeout is 5 seconds". */
function defaults(sentence: string, subject: Subject): string[] {
  const name = onlyName(subject);
  const named = /(`[^`]+`) (?:\([^)]*\) )?(?:defaults to|\(default)/iu.exec(sentence);
  if (named?.[1] !== undefined && name === undefined)
    return [`What is the default of ${named[1]}${suffix(subject, "")}?`];
  const noun = /\bthe default ((?:[a-z-]+ ){0,3}[a-z-]+) (?:is|are) /iu.exec(sentence);
  if (noun?.[1] === undefined || /^(?:values?$|behaviou?r\b|settings?$)/u.test(noun[1])) return [];
  return [`What is the default ${noun[1]}${name === undefined ? suffix(subject, noun[1]) : ` of ${name}`}?`];
}

/** "The maximum size of a message is …". */
function limits(sentence: string, subject: Subject): string[] {
  const noun =
    /\b(maximum|minimum) ((?:(?:number|size|length|amount|age) of )?(?:[a-z-]+ ){0,2}[a-z-]+)(?= (?:is|are|that|in|for|to|before|per)\b|[.,;)]|$)/u.exec(
      sentence,
    );
  const [, extreme = "", thing = ""] = noun ?? [];
  if (thing === "" || /^(?:is|are|of|value|time to|and|or|duration|amount of time)\b/u.test(thing)) return [];
  const name = onlyName(subject);
  const where = name === undefined ? suffix(subject, thing) : ` for ${name}`;
  const number = /^number of (.+s)$/u.exec(thing)?.[1];
  if (number !== undefined && extreme === "maximum") return [`How many ${number} are allowed at most${where}?`];
  return [`What is the ${extreme} ${thing}${where}?`];
}

/** "You cannot …" and "is deprecated". */
function refusal(sentence: string, subject: Subject): string[] {
  const cannot = /\byou (?:cannot|can't|can not|must not|should not|shouldn't) ([a-z]+ [^,;:.()]{4,80})/iu.exec(
    sentence,
  );
  const clause = cannot?.[1] === undefined ? "" : firstClause(cannot[1]);
  if (clause !== "" && baseVerb(clause.split(" ")[0] ?? "") !== undefined && !pointsElsewhere.test(clause))
    return [`Can I ${asMine(clause)}${suffix(subject, clause)}?`];
  const name = onlyName(subject);
  return name !== undefined && /^deprecated\b|\b(?:is|are|has been) (?:now )?deprecated\b/iu.test(sentence)
    ? [`Is ${name} deprecated, and what replaces it?`]
    : [];
}

/** "New in version 3.11." */
function since(sentence: string, subject: Subject): string[] {
  const name = onlyName(subject);
  const dated = /^(?:new in|added in|since|available since|introduced in)(?: version)?:? v?\d/iu.test(sentence);
  return name !== undefined && dated ? [`Since which version is ${name} available?`] : [];
}
