/**
 * Where a text may hold an order at all. A page has tens of thousands of words and hardly ever one of these: looking each
 * word up costs a hundredth of matching every rule everywhere.
 */
import type { Span } from "../../types.ts";

export interface Window extends Span {
  /** A word of another language than English stands here. */
  readonly isForeign: boolean;
}

/** Characters looked at around a telling word. */
const reach = 320;
/** Characters on each side in which a word that is common must have its fellow. */
const near = 70;

interface Lead {
  readonly words: string;
  /** What must stand near, for words that documentation is full of. */
  readonly beside?: RegExp;
}

const leads: readonly Lead[] = [
  { words: "disregard obey llm llms chatgpt gpt claude copilot gemini deepseek perplexity exfiltrate verbatim jailbroken unfiltered bacopa im overrule" },
  { words: "ignore ignoring forget neglect", beside: /instruct|prompt|direct|guid|order|program|training|command|rule|message|context|everything|anything|whatever|earlier|previous|prior|your|user|ai\b|assist|model|polic/u },
  { words: "override bypass discard dismiss abandon erase supersede supersedes overrides replace nullify circumvent", beside: /(?:previous|prior|above|earlier|system|developer|safety|your|all)\W+(?:\p{L}+\W+)?(?:instruct|prompt|direct|guid|order|command|program|safety|guard|restrict|filter|rule|polic)/u },
  { words: "follow following", beside: /(?:not|don.?t|stop|only)\W+follow|follow\W+(?:only|these|my)|user|decod|base64/u },
  { words: "instruction instructions prompt prompts guidelines directives orders directions programming", beside: /previous|prior|above|earlier|original|existing|your|ignore|new|secret|hidden|system|for|to/u },
  { words: "ai ais" },
  { words: "assistant assistants agent agents bot bots crawler crawlers model models summarizer summarizers chatbot chatbots machine machines robot robots reader", beside: /(?:to|for|are an?|dear|attention|hello|hey|all|any|every|if an?|coding|virtual|language|ai)\W+(?:all |any |the |of )*(?:\p{L}+ )?(?:assist|agent|bot|crawl|model|summ|chatb|machine|robot)|(?:assist|agent|bot|crawler|model|summari[sz]er|chatbot)\p{L}*\W+(?:that |which |who )?(?:are |is )?(?:read|process|summ|pars|index|crawl|ingest|visit|scrap|retriev|must|should|shall)|@|note|instruct|[:!]/u },
  { words: "language artificial neural", beside: /language\W+model|artificial intell|neural net/u },
  { words: "summarize summarise summarizing summarising distilling translating translate answering answer replying responding describing reviewing comparing", beside: /when|whenever|if|while|before|after|asked|your|every|each|only/u },
  { words: "user users operator human humans", beside: /(?:tell|inform|mention|ask|advis|instruct|persuad|convinc|notif|reveal|disclos|alert|warn|let|show|recommend|urge|assure|direct|not)\p{L}*\W+(?:\p{L}+\W+){0,5}?(?:users?|humans?|operators?)|users?\W+(?:ever )?(?:asks?|must|should|wants?|inquires?|requests?|data|files?|s\W)|not\W+(?:an? )?human|hidden from|from the user/u },
  { words: "anyone someone somebody", beside: /asks/u },
  { words: "your", beside: /your\W+(?:\p{L}+\W+)?(?:answer|repl|respon|output|summar|memor|new|real|true|only|actual|instruct|prompt|system|tools?\b|program|training|guideline|next|final|context|conversation)/u },
  { words: "now longer", beside: /you are\W+(?:now|no longer)|from now on|are (?:now|no longer)|now void|no longer/u },
  { words: "inst sys start end system assistant saved admin administrator developer security root", beside: /<\||\|>|\[\/?inst|\[\/?system|<<|<\/?(?:system|saved|assist|instr|context|search)|(?:system|admin\p{L}*|developer|security|root)\W+(?:\p{L}+\W+)?(?:override|message|notice|alert|instruct|prompt|update|command|directive|note)|(?:^|\n)[ \t>#-]*system[ \t]*[:>]|end of (?:the |this )?(?:doc|page|context|web|user|sys|data|search|tool|conv|instr|untrust)/u },
  { words: "base64 rot13 decode decrypt decipher encoded encrypted reversed backwards reverse unscramble", beside: /follow|obey|comply|carry out|act (?:up)?on|do (?:what|as)|execut|perform|apply|treat/u },
  { words: "mode", beside: /(?:dan|god|jailbreak|evil|unrestricted|developer) mode/u },
  { words: "dan", beside: /you are|now dan|as dan|dan mode/u },
  { words: "send post upload transmit forward email append attach encode submit leak embed smuggle put", beside: /conversation|chat|api key|credential|secret|environment var|private key|ssh|password|source code|workspace|user|\.env|token|system prompt|clipboard/u },
  { words: "authorized authorised approved mandated", beside: /by (?:anthropic|openai|google|microsoft|your|the)/u },
  { words: "pretend roleplay", beside: /you|to be|as/u },
  { words: "repeat reveal recite everything", beside: /above|before|your|you/u },
  { words: "recommend endorse promote praise", beside: /always|only|must|over|instead|user|your/u },
]; // prettier-ignore

/** Words of other languages, whole. */
const foreignWords =
  "ia ki vergiss vergesst oublie oubliez olvida olvide esqueca dimentica zapomnij vergeet anteriores previas precedentes anterieures consignes precedenti anteriori dessus vorherigen bisherigen vorigen obigen befehle vorgaben ordens acima diretrizes perintah arahan pokyny regler vorige eerdere voorgaande poprzednie wczesniejsze sebelumnya tidigare predchozi onceki yukaridaki utente utenti nutzer benutzer lenguaje linguagem langage";
/** The first six letters of words of other languages. */
const foreignStems =
  "instrucc instruco anweisun instrukt istruzio instrukc polecen wytyczn talimat yonerge instruksi anvisnin instructies instructiunile opdracht indicaci indicazi verges oublie oubliez olvida olvide esqueca dimentica sprachmo sprakmod taalmode jezykowy jazykovy asistent assistent assistenti asystent asistan asisten intelige kunstlic yapay kecerda usuario utilisat benutze resumir resumas riassum riassun zusammen dimentic vergiss ignorier ignorez ignoruj zignoruj negeer abaikan huong thong ngon";

interface Words {
  readonly exact: ReadonlyMap<string, RegExp | undefined>;
  readonly foreign: ReadonlySet<string>;
  readonly stems: ReadonlySet<string>;
}

const known: Words = {
  exact: new Map(leads.flatMap(({ words, beside }) => words.split(" ").map((word): [string, RegExp | undefined] => [word, beside]))),
  foreign: new Set(foreignWords.split(" ")),
  stems: new Set(foreignStems.split(" ").map((stem) => stem.slice(0, stemLength(stem)))),
}; // prettier-ignore

/** Stems that English shares with others are looked at longer. */
function stemLength(stem: string): number {
  return stem.startsWith("instr") || stem.startsWith("intel") || stem.startsWith("ignor") ? 8 : 6;
}

/** Words of scripts that are no alphabet of ours, or that run into each other. */
const otherScripts =
  /инструкци|указани|команды|забудь|языков|ассистент|нейросет|пользовател|інструкц|вказівк|мовн|(?<![\p{L}])(?:ии|ші)(?![\p{L}])|指令|指示|提示|命令|语言模型|語言模型|大模型|人工智|助手|助理|用户|用戶|使用者|总结|總結|概括|从现在|從現在|プロンプト|アシスタント|言語モデル|人工知能|ユーザーに|利用者に|要約|지시|지침|명령|프롬프트|언어 ?모델|사용자에게|사용자한테|요약|인공지능|어시스턴트|التعليمات|الأوامر|التوجيهات|الذكاء|ذكاء|نموذج|المستخدم|للمستخدم|تلخيص|دستور|مصنوعی|मॉडल|निर्देश|आदेश|एआई|उपयोगकर्ता|ההוראות|הוראות|ההנחיות|คำสั่ง|คำแนะนำ/gu;

export function windowsOf(text: string): Window[] {
  const windows: { start: number; end: number; isForeign: boolean }[] = [];
  const add = (start: number, end: number, isForeign: boolean): void => {
    const from = Math.max(0, start - reach);
    const to = Math.min(text.length, end + reach);
    const last = windows.at(-1);
    if (last !== undefined && from <= last.end) {
      last.end = Math.max(last.end, to);
      last.isForeign ||= isForeign;
    } else windows.push({ start: from, end: to, isForeign });
  };
  let hasOtherScript = false;
  let start = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const unit = at === text.length ? 32 : text.charCodeAt(at);
    if (unit >= 0x400) hasOtherScript ||= isOtherScript(unit);
    const isWord = (unit >= 97 && unit <= 122) || unit >= 0x80 || (unit >= 48 && unit <= 57);
    if (isWord) {
      if (start < 0) start = at;
      continue;
    }
    // No telling word is shorter or longer.
    if (start >= 0 && at - start >= 2 && at - start <= 20) {
      const word = text.slice(start, at);
      if (known.exact.has(word)) {
        const beside = known.exact.get(word);
        if (beside === undefined || beside.test(text.slice(Math.max(0, start - near), at + near)))
          add(start, at, false);
      }
      if (known.foreign.has(word) || (word.length >= 5 && isStem(word))) add(start, at, true);
    }
    start = -1;
  }
  if (!hasOtherScript) return windows;
  const others: Window[] = [];
  for (const match of text.matchAll(otherScripts))
    others.push({
      start: Math.max(0, match.index - reach),
      end: Math.min(text.length, match.index + match[0].length + reach),
      isForeign: true,
    });
  return joined([...windows, ...others]);
}

/** Cyrillic, Hebrew, Arabic, Devanagari, Thai, kana, Chinese characters, Hangul. */
function isOtherScript(unit: number): boolean {
  return (
    unit <= 0x52f ||
    (unit >= 0x590 && unit <= 0x6ff) ||
    (unit >= 0x900 && unit <= 0x97f) ||
    (unit >= 0xe00 && unit <= 0xe7f) ||
    (unit >= 0x3040 && unit <= 0x30ff) ||
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3)
  );
}

function isStem(word: string): boolean {
  return known.stems.has(word.slice(0, 6)) || known.stems.has(word.slice(0, 8)) || known.stems.has(word.slice(0, 5));
}

function joined(windows: readonly Window[]): Window[] {
  const result: { start: number; end: number; isForeign: boolean }[] = [];
  for (const { start, end, isForeign } of windows.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end);
      last.isForeign ||= isForeign;
    } else result.push({ start, end, isForeign });
  }
  return result;
}
