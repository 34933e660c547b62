/** Orders whose words are broken up ("i-g-n-o-r-e"), spelled with digits ("1gn0r3") or upside down: letters alone are compared. */
import type { Span } from "../../types.ts";
import type { Reading } from "./reading.ts";

const digits: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
  "|": "l",
};

const upsideDown: Readonly<Record<string, string>> = {
  ɐ: "a", ɔ: "c", ǝ: "e", ɟ: "f", ƃ: "g", ɥ: "h", ᴉ: "i", ɾ: "j", ʞ: "k", ɯ: "m", ɹ: "r", ʇ: "t", ʌ: "v", ʍ: "w", ʎ: "y",
}; // prettier-ignore

const telling =
  /(?:ignore|disregard|forget|override|bypass)(?:all|any|every|the|these|those|your|my|of)*(?:previous|prior|above|earlier|preceding|foregoing|system|original|initial)(?:and|or|previous|prior|above|system|user|developer)*(?:instructions?|prompts?|directions?|directives?|guidelines?|rules|messages?|commands?|orders)|(?:ignore|disregard|forget)(?:all)?(?:of)?(?:your|the)(?:instructions|guidelines|programming)|(?:reveal|print|output|repeat|leak)(?:me)?your(?:entire|full|hidden|secret)?(?:system|initial)prompt|ifyouarean?(?:ailanguagemodel|aiassistant|aimodel|aiagent|llm|largelanguagemodel|languagemodel)|(?:noteto|notefor|attention|dear|instructionsfor|messageto|messagefor)(?:all)?(?:ai(?:assistants?|agents?|models?)|llms?|largelanguagemodels?|languagemodels?)|donot(?:tell|inform)theusers?|donotmentionthistotheuser|youarenow(?:dan|indevelopermode|unrestricted|jailbroken)/gu;

/** Words of the patterns above: where a match is made of these alone, it is spelled as usual and judged elsewhere. */
const usual =
  /^(?:ignore|disregard|forget|override|bypass|all|any|every|the|these|those|your|my|of|previous|prior|above|earlier|preceding|foregoing|system|original|initial|and|or|user|users|developer|instructions?|prompts?|directions?|directives?|guidelines?|rules|messages?|commands?|orders|programming|reveal|print|output|repeat|leak|me|entire|full|hidden|secret|if|you|are|an?|ai|language|model|models|assistants?|agents?|llms?|large|note|to|for|attention|dear|message|do|not|tell|inform|mention|this|now|dan|in|mode|unrestricted|jailbroken)$/u;

export function collapsedFinds(reading: Reading): Span[] {
  const text = reading.latin ?? reading.text;
  const { letters, from } = lettersOf(text);
  const found: Span[] = [];
  const take = (start: number, end: number): void => {
    const first = from[start] ?? 0;
    const last = (from[end - 1] ?? first) + 1;
    // Letters far apart are a coincidence, and usual words are for the rules that weigh them.
    const slice = text.slice(first, last);
    if (
      slice.length > (end - start) * 6 ||
      slice.split(/[^\p{L}\p{N}]+/u).every((word) => word === "" || usual.test(word))
    )
      return;
    found.push({ start: reading.at[first] ?? 0, end: reading.at[last] ?? 0 });
  };
  for (const match of letters.matchAll(telling)) take(match.index, match.index + match[0].length);
  for (const match of letters.matchAll(/snoitcurtsni|tpmorpmetsys|suoiverp/gu)) {
    const start = Math.max(0, match.index - 80);
    const end = Math.min(letters.length, match.index + match[0].length + 80);
    const turned = Array.from(letters.slice(start, end)).toReversed().join("");
    for (const { index, 0: order } of turned.matchAll(telling)) take(end - index - order.length, end - index);
  }
  return found;
}

/** Letters of a text with digits and odd letters read as the letters they stand for, and where each is from. */
function lettersOf(text: string): { readonly letters: string; readonly from: Uint32Array } {
  const from = new Uint32Array(text.length);
  const units = new Uint16Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const letter = unit < 128 ? (asciiLetters[unit] ?? 0) : (upsideDownUnits.get(unit) ?? (unit >= 0xaa ? unit : 0));
    // Blanks, marks, and the punctuation of other scripts.
    if (letter === 0 || (unit >= 0x2000 && unit <= 0x206f) || (unit >= 0x3000 && unit <= 0x303f)) continue;
    units[count] = letter;
    from[count] = at;
    count += 1;
  }
  return { letters: new TextDecoder("utf-16le", { ignoreBOM: true }).decode(units.subarray(0, count)), from };
}

const asciiLetters = Uint16Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return /[a-z]/u.test(character) ? unit : (digits[character]?.charCodeAt(0) ?? (/\d/u.test(character) ? unit : 0));
});
const upsideDownUnits = new Map(
  Object.entries(upsideDown).map(([odd, letter]) => [odd.charCodeAt(0), letter.charCodeAt(0)]),
);
