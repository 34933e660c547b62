/**
 * Tells a text that speaks *of* such orders from one that gives them: documentation of prompts, agents and attacks quotes
 * them, shows them in code and says what they do.
 */
import type { Reading } from "./reading.ts";

/** What documentation of models and their prompts talks of. */
const subject =
  /prompt\W?injection|jailbreak|guardrails?|system\W+prompts?|prompt\W+(?:engineering|template|library|file)s?|red\W?team\p{L}*|llms?(?![\p{L}])|language\W+models?|agents\.md|claude\.md|llms(?:-full)?\.txt|chat\W+templates?|adversarial|untrusted\W+(?:input|content|text|data)|few\W?shot|(?<![\p{L}])prompts?(?![\p{L}])|ai\W+(?:agents?|safety|security)|moderation|classifiers?|fine\W?tun|embeddings?|model\W+context\W+protocol|tool\W+call|inyeccion de prompts?|injection de prompt|prompt\W?injektion|промпт\W?инъекци|提示词注入|提示注入|プロンプトインジェクション|프롬프트 인젝션/gu;

/** Words that introduce something said by others, or shown as an example. */
const cue =
  /(?<![\p{L}])(?:attack\p{L}*|inject\p{L}*|jailbreak\p{L}*|malicious|adversar\p{L}*|hostile|e\.?g|for example|for instance|examples?|such as|(?:text|phrases?|words|things|something|prompts?|inputs?|strings?|messages?|sentences?|requests?|instructions?|content|lines?|commands?|one)\W+like|like\W+["'`]|phrases?|payloads?|trick\p{L}*|attempts?|tries|trying|says?|said|saying|contain(?:s|ed|ing)?|reads|quot\p{L}+|instructs|instructed|told|asks|asked|asking|detect\p{L}*|block\p{L}*|filter\p{L}*|refus\p{L}*|resist\p{L}*|prevent\p{L}*|untrusted|test\p{L}*|inputs?|types?|typed|writes|wrote|written|called|known as|named|labell?ed|classif\p{L}*|flag\p{L}*|match\p{L}*|detector|heuristic\p{L}*|pattern\p{L}*|smuggl\p{L}*|embed\p{L}*|victim|dataset|benchmark|system prompt|ejemplo|ataque|beispiel\p{L}*|angriff\p{L}*|angreifer\p{L}*|exemple|attaqu\p{L}*|exemplo|atacante|esempio|attacc\p{L}*|пример\p{L}*|атак\p{L}*|злоумышлен\p{L}*|przykład|atak\p{L}*)(?![\p{L}])|例如|比如|攻击|攻擊|注入|诸如|例え|たとえば|攻撃|という|例：|예를|공격|같은|مثال|هجوم|उदाहरण|हमला/u;
/** Cues that make an example of what comes, even where nothing else on the page speaks of prompts. */
const attackCue =
  /(?<![\p{L}])(?:attack\p{L}*|prompt\W?injection\p{L}*|injection\p{L}*|injected|jailbreak\p{L}*|malicious|adversar\p{L}*|untrusted|hostile|payloads?|red\W?team\p{L}*|guardrails?|angriff\p{L}*|angreifer\p{L}*|ataque|attaqu\p{L}*|attacc\p{L}*|атак\p{L}*|инъекци\p{L}*)(?![\p{L}])|攻击|攻擊|注入|攻撃|インジェクション|공격|인젝션|هجوم|हमला/u;

export interface Place {
  /** Offsets in the reading. */
  readonly start: number;
  readonly end: number;
  readonly block: { readonly kind: string; readonly start: number; readonly end: number };
  /** Offset in the reading at which the text before the block that introduces it begins. */
  readonly introStart: number;
}

/** What stands further before or after says nothing of a place, characters. Keeps the work of a block linear in its length. */
const mentionReach = 2_000;

/** Whether what stands at a place is spoken of rather than said. */
export function isMention(reading: Reading, { start, end, block, introStart }: Place): boolean {
  const { text } = reading;
  const about = subjectsOutsideBlock(reading, block);
  const from = Math.max(block.start, start - mentionReach);
  const intro = text.slice(introStart, block.start);
  const sentenceStart = sentenceBefore(text, start, from);
  const before = text.slice(sentenceStart, start);
  const after = text.slice(end, Math.min(block.end, end + 160));
  if (isInAddress(text, start, end)) return true;
  if (isTold(before)) return true;
  const hasCue = cue.test(before) || cue.test(intro) || cue.test(after);
  const hasAttackCue = attackCue.test(before) || attackCue.test(intro) || attackCue.test(after);
  if (block.kind === "code") {
    if (isComment(text, start, from) && !hasAttackCue) return false;
    return hasAttackCue || about >= 2 || (about >= 1 && subjectsOutside(intro, 0, 0) >= 1);
  }
  if (isQuoted(text, start, Math.max(block.start, start - 400)))
    return hasAttackCue || (hasCue && about >= 1) || about >= 3 || isMidSentence(before);
  if (block.kind === "heading") return about >= 2;
  if (block.kind !== "paragraph") return about >= 2 && (attackCue.test(intro) || (cue.test(intro) && about >= 3));
  // Within a sentence that began with other words, and on a page about such things.
  return isMidSentence(before) && hasCue && about >= 1;
}

function isMidSentence(before: string): boolean {
  return (before.match(/\p{L}+/gu) ?? []).length >= 3 && !/[:;\n]\s*["'`(]?$/u.test(before);
}

const counted = new WeakMap<Reading, Map<number, number>>();

/** Counted once a block: a block can hold thousands of telling words. */
function subjectsOutsideBlock(reading: Reading, { start, end }: Place["block"]): number {
  const known = counted.get(reading) ?? new Map<number, number>();
  counted.set(reading, known);
  const count = known.get(start) ?? subjectsOutside(reading.text, start, end);
  known.set(start, count);
  return count;
}

function subjectsOutside(text: string, start: number, end: number): number {
  let count = 0;
  for (const match of text.matchAll(subject)) {
    if (match.index >= start && match.index < end) continue;
    count += 1;
    if (count >= 6) break;
  }
  return count;
}

function sentenceBefore(text: string, at: number, from: number): number {
  const before = text.slice(from, at);
  const end = [...before.matchAll(/[.!?。！？]["')\]]?(?:\s+|$)|\n\s*\n/gu)].at(-1);
  return end === undefined ? from : from + end.index + end[0].length;
}

/** "to ignore", "the model may ignore": told of someone, ordered of nobody. */
function isTold(before: string): boolean {
  const told =
    /(?<![\p{L}])(?:to|can|could|may|might|would|will|cannot|can.?t|won.?t|not|never|that|which|who|and|or|then|models?|llms?|assistants?|agents?|attackers?|they|it|users?|someone|anyone|we|i|you)\s+(?:simply |just |then |also |safely |silently |completely |always |often )?$/u.exec(
      before,
    );
  if (told === null) return false;
  const head = before.slice(0, told.index + told[0].length);
  // "You must", "you are to", "AI assistants should": orders all the same.
  if (
    /(?<![\p{L}])(?:must|shall|should|need|needs|have|has|required|instructed|ordered|supposed|asked|obliged|are|want you|please|directed|going|free|allowed|now)\s+(?:to\s+)?(?:\p{L}+\s+)?$/u.test(
      head,
    )
  )
    return false;
  const word = /(\p{L}+)\s+(?:\p{L}+\s+)?$/u.exec(told[0])?.[1] ?? told[0].trim();
  if (/^(?:and|or|then)$/u.test(word)) return false;
  if (/^(?:not|never)$/u.test(word)) return false;
  // "It is time to ignore", "your task is to ignore".
  if (word === "to")
    return (
      /\p{L}+\s+(?:\p{L}+\s+){1,8}to\s+(?:\p{L}+\s+)?$/u.test(head) &&
      !/(?:task|job|goal|role|mission|time|instruction|order)s?\s+(?:is|are)\s+(?:now\s+)?to\s+$/u.test(head)
    );
  return true;
}

/** Between quotation marks or backticks that opened before, in the same paragraph. */
function isQuoted(text: string, at: number, from: number): boolean {
  const before =
    text
      .slice(from, at)
      .split(/\n\s*\n/u)
      .at(-1) ?? "";
  for (const mark of ['"', "`"]) if ((before.split(mark).length - 1) % 2 === 1) return true;
  if (/(?:^|[\s([{=:,])'[^'\n]{0,120}$/u.test(before) && !/(?:^|[\s([{=:,])'[^'\n]*'[^'\n]{0,120}$/u.test(before))
    return true;
  return /[「『《〈][^」』》〉\n]{0,200}$/u.test(before);
}

/** Within the address of a link, whose words nobody reads as a sentence. */
function isInAddress(text: string, start: number, end: number): boolean {
  const near = text.slice(Math.max(0, start - mentionReach), end);
  const line = near.slice(near.lastIndexOf("\n", near.length - (end - start)) + 1);
  const address = /https?:\/\/[^\s<>"]*$/u.exec(line)?.[0] ?? "";
  return address.length >= end - start && !/[?#=]/u.test(address);
}

const commentMark = /(?:^|\s)(?:\/\/|#|--|;;?|%|\/\*|\*|<!--|"""|''')/u;

function isComment(text: string, at: number, from: number): boolean {
  const before = text.slice(from, at);
  if (commentMark.test(before.slice(before.lastIndexOf("\n") + 1))) return true;
  return before.lastIndexOf("/*") > before.lastIndexOf("*/") || before.lastIndexOf("<!--") > before.lastIndexOf("-->");
}
