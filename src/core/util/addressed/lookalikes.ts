/** Letters of other scripts, and odd ones of the Latin script, that pass for plain Latin letters. */

/** Pairs of a Latin letter and the letters that look like it, capitals and small ones. */
const pairs: readonly (readonly [string, string])[] = [
  ["a", "аАαΑɑᴀᎪ⍺"],
  ["b", "ВвΒβʙᏴЬь"],
  ["c", "сСϲϹᴄᏟⅽ"],
  ["d", "ԁᴅᎠɗժ"],
  ["e", "еЕёЁѐεΕᴇᎬєЄҽ"],
  ["f", "ғƒꜰϝ"],
  ["g", "ɡɢԌցᏀ"],
  ["h", "һНнΗʜհᎻ"],
  ["i", "іІїЇιΙɪıɩᎥ"],
  ["j", "јЈϳᴊᎫ"],
  ["k", "кКκΚᴋᏦ"],
  ["l", "ӏӀʟᏞɭ"],
  ["m", "мМΜᴍᎷ"],
  ["n", "пΝηɴոռ"],
  ["o", "оОοΟσᴏօՕ"],
  ["p", "рРρΡᴘᏢ"],
  ["q", "ԛզ"],
  ["r", "гᴦʀᎡ"],
  ["s", "ѕЅꜱᏚʂ"],
  ["t", "тТτΤᴛᎢ"],
  ["u", "υᴜսʋ"],
  ["v", "ѵνᴠᏙ"],
  ["w", "ԝωᴡᏔա"],
  ["x", "хХχΧ"],
  ["y", "уУүΥʏγ"],
  ["z", "ζΖᴢᏃ"],
];

const byCodePoint: ReadonlyMap<number, string> = new Map(
  pairs.flatMap(([latin, looks]) =>
    Array.from(looks).map((look): [number, string] => [look.codePointAt(0) ?? 0, latin]),
  ),
);

/** The Latin letter a character looks like; `undefined` for all others. */
export function latinOf(codePoint: number): string | undefined {
  return byCodePoint.get(codePoint);
}
