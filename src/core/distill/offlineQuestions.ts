/**
 * Questions a developer would ask that a group answers, made from its headings, terms and sentences.
 * A wrong question pulls a fact before the wrong reader, so a rule that is not sure of its English stays silent.
 */
import type { Subject } from "./offlineNames.ts";
import { isGeneric, lowerFirst, shortTerm } from "./offlineNames.ts";
import type { Reading } from "./offlineReading.ts";
import { looksLikeSymbol } from "./offlineSymbols.ts";
import { wordCount, withoutStop } from "./offlineText.ts";
import { baseVerb, reworded } from "./offlineWords.ts";

/** Most questions of one fact. */
const maxQuestions = 6;
/** Longer clauses are left alone: what is asked would be the page's sentence again. */
const maxClauseWords = 16;

export function questionsOf(subject: Subject, reading: Reading): string[] {
  const asked = [
    ...fromTerm(subject, reading),
    ...fromHeading(subject),
    ...reading.sentences.slice(0, 14).flatMap((sentence, index) => fromSentence(sentence, index, subject)),
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
  if (/[\n|<>{}…]|\.\s|:\s|\?.|\(\s*\)?\?$|,\?$/u.test(question.replace(/`[^`]*`/gu, "code"))) return false;
  if (question.split("`").length % 2 === 0) return false;
  if (question.split("(").length !== question.split(")").length) return false;
  return !/\b(?:the|a|an|of|to|in|for|with|and|or|by|is|are|that|which|this|as|from|on|at|if|when)\?$/iu.test(question);
}

function fromTerm(subject: Subject, reading: Reading): string[] {
  const { term, product } = subject;
  if (term === undefined || wordCount(term) > 12) return [];
  const name = shortTerm(term);
  const within = product === "" || name.toLowerCase().includes(product.toLowerCase()) ? "" : ` in ${product}`;
  const questions: string[] = [];
  const whole = reading.sentences.join(" ");
  if (looksLikeSymbol(name.replace(/`|\(\)/gu, ""))) {
    questions.push(`What does ${name} do${within}?`);
    if (/\bdefaults?\b/iu.test(whole)) questions.push(`What is the default of ${name}, if I change nothing?`);
    if (/\b(?:maximum|at most|up to \d|upper limit|limit)\b/iu.test(whole))
      questions.push(`What is the maximum or limit for ${name}?`);
    if (
      /\b(?:allowed|possible|valid|accepted|supported) values\b|\bcan be (?:set to|one of)\b|\bone of\b/iu.test(whole)
    )
      questions.push(`Which values does ${name} accept?`);
  } else if (wordCount(term) <= 6 && /^[\p{L}\d\s'-]+$/u.test(term)) {
    questions.push(`What is meant by ${lowerFirst(term)}${within}?`);
  }
  return questions;
}

function fromHeading(subject: Subject): string[] {
  const heading = subject.headings.at(-1);
  if (heading === undefined || isGeneric(heading)) return [];
  const within = suffix(subject, heading);
  const text = withoutStop(heading);
  if (/\?$/u.test(heading)) return [heading];
  if (/^(?:why|how|what|when|where|which)\b/iu.test(text)) {
    const how = /^how to (.+)$/iu.exec(text);
    return how?.[1] === undefined ? [] : doQuestions(how[1], within);
  }
  const versus = /^(.+?)\s+(?:vs\.?|versus)\s+(.+)$/iu.exec(text);
  if (versus !== null) return [`What is the difference between ${versus[1] ?? ""} and ${versus[2] ?? ""}${within}?`];
  const [first = "", ...rest] = text.split(" ");
  if (rest.length === 0 || wordCount(text) > 10 || /[()`]/u.test(first)) return [];
  const verb = baseVerb(first);
  const imperative =
    verb !== undefined && (first.toLowerCase() === verb ? startsObject(rest[0] ?? "") : /ing$/iu.test(first));
  if (verb !== undefined && imperative) return doQuestions([verb, ...rest].join(" "), within);
  return [];
}

/** "Set the timeout" is an order, "Set operations" is not. */
function startsObject(word: string): boolean {
  return /^(?:an?|the|your|up|to|with|from|all|multiple|custom|new|one|this|it|in|on|for)$/iu.test(word);
}

function suffix(subject: Subject, text: string): string {
  const { product } = subject;
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
    .replace(/\byou are\b/giu, "I am")
    .replace(/\byou're\b/giu, "I'm")
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
  support,
  version,
];

function fromSentence(sentence: string, index: number, subject: Subject): string[] {
  if (/^(?:for example|see\b|e\.g\.)/iu.test(sentence)) return [];
  const questions = rules.flatMap((rule) => rule(sentence, subject));
  if (index === 0) questions.unshift(...whatItDoes(sentence, subject));
  return questions;
}

/** "Return the current task." of a definition is asked as "How do I get the current task?" */
function whatItDoes(sentence: string, subject: Subject): string[] {
  if (subject.term === undefined) return [];
  const clause = firstClause(sentence);
  const [first = "", ...rest] = clause.split(" ");
  const verb = baseVerb(first);
  if (verb === undefined || rest.length === 0 || rest.length > maxClauseWords) return [];
  if (/^(?:is|are|was|for|if|when|and|or|type|name|value|default)$/iu.test(first)) return [];
  const act = verb === "return" ? "get" : verb;
  return doQuestions([act, ...rest].join(" "), suffix(subject, clause));
}

/** Up to the first comma, semicolon, relative clause or full stop. */
function firstClause(sentence: string): string {
  const [clause = ""] = withoutStop(sentence).split(
    /,|;|\s[-–—]\s|\s\(|\.\s|:\s|\s(?:which|where|so that|unless|because|but|and then)\s/u,
  );
  return clause.trim();
}

/** "To cancel a task, call …" and "If you want to cancel a task, …". */
function purposeBefore(sentence: string, subject: Subject): string[] {
  const match =
    /^(?:in order to|to|if you (?:want|need|wish|would like) to|when you (?:want|need) to)\s+([a-z][^,;:]{6,120}),\s/iu.exec(
      sentence,
    );
  return asPurpose(match?.[1], subject);
}

/** "… is used to cancel a task", "lets you cancel a task". */
function purposeAfter(sentence: string, subject: Subject): string[] {
  const match =
    /\b(?:(?:is|are|be) used to|(?:lets|allows|enables) (?:you|users?|one) (?:to )?|allows? you to|makes it possible to|provides? (?:a|the) way to|ability to|(?:useful|possible) to)\s*([a-z][^,;:.()]{6,110})/iu.exec(
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
  const phrase = match?.[1]?.split(/\s(?:by|using|via|with the|through|if|when|so|as follows|instead|like this)\b/u)[0];
  return asPurpose(phrase, subject);
}

function asPurpose(phrase: string | undefined, subject: Subject): string[] {
  const clause = phrase === undefined ? "" : firstClause(phrase);
  const [first = "", ...rest] = clause.split(" ");
  if (baseVerb(first) !== first.toLowerCase() || rest.length === 0 || rest.length > maxClauseWords) return [];
  if (/\b(?:it|this|that|these|those|them|they|above|below|following)\b/iu.test(clause)) return [];
  return doQuestions(clause, suffix(subject, clause));
}

/** "If the queue is empty, …" is asked as "What happens if the queue is empty?" */
function condition(sentence: string, subject: Subject): string[] {
  const match =
    /^(if|when|whenever|once) ((?:an?|the|no|there|you|your|`|[A-Z]|any|all|multiple|two|either|both|one)[^,;:]{5,110}),\s+(.+)$/iu.exec(
      sentence,
    );
  const [, word = "", clause = "", rest = ""] = match ?? [];
  if (
    clause === "" ||
    wordCount(clause) > maxClauseWords ||
    /^you (?:want|need|wish|would like|prefer|have questions)\b/iu.test(clause)
  )
    return [];
  if (/\b(?:it|this|that|these|those|they|them|above|below|following)\b/iu.test(clause)) return [];
  const lead = /^if$/iu.test(word) ? "if" : "when";
  const name = subject.term === undefined ? suffix(subject, clause) : ` with ${shortTerm(subject.term)}`;
  const inside = subject.term !== undefined && clause.includes(shortTerm(subject.term)) ? "" : name;
  const questions = [`What happens${inside} ${lead} ${asMine(lowerFirst(clause))}?`];
  const error = errorName(rest);
  if (error !== undefined) questions.push(`Why do I get ${error}${suffix(subject, error)}?`);
  return questions;
}

function errorName(text: string): string | undefined {
  const match = /`?\b((?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning)|E[A-Z]{4,}|[A-Z]+_ERR\w*|ERR_[A-Z_]+)\b`?/u.exec(
    text,
  );
  return match?.[1] === undefined ? undefined : `\`${match[1]}\``;
}

/** "`x` defaults to 5", "the default timeout is 5 seconds". */
function defaults(sentence: string, subject: Subject): string[] {
  const named = /(`[^`]+`)[^.;]{0,40}?\b(?:defaults? to|\(default|by default)/iu.exec(sentence);
  if (named?.[1] !== undefined && subject.term === undefined)
    return [`What is the default of ${named[1]}${suffix(subject, "")}?`];
  const noun = /\bthe default ((?:[a-z-]+ ){0,3}[a-z-]+) (?:is|are) /u.exec(sentence);
  if (noun?.[1] !== undefined && !/^(?:value|behaviou?r|setting)?$/u.test(noun[1]))
    return [
      `What is the default ${noun[1]}${subject.term === undefined ? suffix(subject, noun[1]) : ` of ${shortTerm(subject.term)}`}?`,
    ];
  return [];
}

function limits(sentence: string, subject: Subject): string[] {
  const noun =
    /\b(maximum|minimum) ((?:(?:number|size|length|amount|time|duration|age) of )?(?:[a-z-]+ ){0,2}[a-z-]+)(?= (?:is|are|of|that|in|for|to|before|per)\b|[.,;)])/u.exec(
      sentence,
    );
  const [, extreme = "", thing = ""] = noun ?? [];
  if (thing === "" || /^(?:is|are|of|value)\b/u.test(thing)) return [];
  const where = subject.term === undefined ? suffix(subject, thing) : ` for ${shortTerm(subject.term)}`;
  const number = /^number of (.+)$/u.exec(thing);
  if (number?.[1] !== undefined && extreme === "maximum") return [`How many ${number[1]} are allowed at most${where}?`];
  return [`What is the ${extreme} ${thing}${where}?`];
}

/** "Raises `ValueError` if …", "an error is thrown when …". */
function failure(sentence: string, subject: Subject): string[] {
  const match = /\b(?:raises?|throws?|raised|thrown|fails? with|results? in|causes?|returns?)\b/iu.test(sentence)
    ? errorName(sentence)
    : undefined;
  if (match === undefined) return [];
  if (subject.term !== undefined) return [`Why does ${shortTerm(subject.term)} fail with ${match}?`];
  return [`When do I get the error ${match}${suffix(subject, match)}?`];
}

function support(sentence: string, subject: Subject): string[] {
  const cannot = /\byou (?:cannot|can't|can not|must not|should not|shouldn't) ([a-z]+ [^,;:.()]{4,80})/iu.exec(
    sentence,
  );
  if (cannot?.[1] !== undefined) {
    const clause = firstClause(cannot[1]);
    if (baseVerb(clause.split(" ")[0] ?? "") !== undefined && !/\b(?:it|this|that|these|those|them)\b/u.test(clause))
      return [`Can I ${asMine(clause)}${suffix(subject, clause)}?`];
  }
  const instead = /\b(?:deprecated|removed|obsolete)\b/iu.test(sentence) && subject.term !== undefined;
  return instead ? [`Is ${shortTerm(subject.term)} deprecated, and what replaces it?`] : [];
}

function version(sentence: string, subject: Subject): string[] {
  if (subject.term === undefined) return [];
  if (/^(?:new in|added in|since|available since|introduced in)(?: version)?:? v?\d/iu.test(sentence))
    return [`Since which version is ${shortTerm(subject.term)} available?`];
  return [];
}
