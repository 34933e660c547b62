import assert from "node:assert/strict";
import fc from "fast-check";
import { decode } from "../../../src/core/capture/decode.ts";

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16));
const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const joined = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const utf8 = (text: string) => new TextEncoder().encode(text);
function utf16(text: string, order: "le" | "be", bom = false): Uint8Array {
  const units = (bom ? "\ufeff" : "") + text;
  return Uint8Array.from(
    Array.from({ length: units.length }, (_, index) => units.charCodeAt(index)).flatMap((unit) =>
      order === "le" ? [unit & 0xff, unit >> 8] : [unit >> 8, unit & 0xff],
    ),
  );
}
const page = (declaration: string, body: Uint8Array) =>
  joined(ascii(`<html><head>${declaration}</head><body><p>`), body, ascii("</p></body></html>"));

// 設定ファイルの再試行 ("retrying of the settings file") and 설정 파일 다시 시도 ("settings file retry").
const japanese = "設定ファイルの再試行";
const shiftJis = bytesOf("90dd92e8837483408343838b82cc8dc48e8e8d73");
const eucJp = bytesOf("c0dfc4eaa5d5a5a1a5a4a5eba4cebac6bbeeb9d4");
const korean = "설정 파일 다시 시도";
const eucKr = bytesOf("bcb3c1a420c6c4c0cf20b4d9bdc320bdc3b5b5");
const latin = "Größe – “naïve” café";
const windows1252 = bytesOf("4772f6dfe5".slice(0, -2) + "65209620936e61ef766594" + "20636166e9");
const gb = bytesOf("c9e8d6c3cec4bcfe"); // 设置文件
const cyrillic = bytesOf("cde0f1f2f0eee9eae8"); // Настройки

describe("decode", () => {
  const cases: readonly (readonly [
    what: string,
    bytes: Uint8Array,
    contentType: string | undefined,
    text: string,
    charset: string,
  ])[] = [
    ["Shift_JIS by header", page("", shiftJis), "text/html; charset=Shift_JIS", japanese, "shift_jis"],
    ["Shift_JIS by meta", page('<meta charset="shift_jis">', shiftJis), "text/html", japanese, "shift_jis"],
    [
      "Shift_JIS by http-equiv",
      page('<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=x-sjis">', shiftJis),
      undefined,
      japanese,
      "shift_jis",
    ],
    ["Shift_JIS by its kana alone", page("", shiftJis), undefined, japanese, "shift_jis"],
    ["EUC-JP by meta", page("<meta charset=euc-jp>", eucJp), undefined, japanese, "euc-jp"],
    ["EUC-JP by its kana alone", page("", eucJp), undefined, japanese, "euc-jp"],
    [
      "EUC-KR by XML declaration",
      joined(ascii('<?xml version="1.0" encoding="EUC-KR"?>\n'), page("", eucKr)),
      undefined,
      korean,
      "euc-kr",
    ],
    ["EUC-KR by its syllables alone", eucKr, undefined, korean, "euc-kr"],
    [
      "EUC-KR by meta under a Latin header",
      page('<meta charset="euc-kr">', eucKr),
      "text/html; charset=ISO-8859-1",
      korean,
      "euc-kr",
    ],
    ["ISO-8859-1 by header", page("", bytesOf("636166e9")), "text/html; charset=ISO-8859-1", "café", "windows-1252"],
    ["windows-1252 by meta", page("<meta charset=windows-1252>", windows1252), undefined, latin, "windows-1252"],
    ["windows-1252 that nobody declares", page("", windows1252), "text/html", latin, "windows-1252"],
    [
      "windows-1252 that lies to be UTF-8",
      page("<meta charset=utf-8>", windows1252),
      "text/html; charset=utf-8",
      latin,
      "windows-1252",
    ],
    [
      "windows-1251 by meta under a Latin header",
      page("<meta charset=windows-1251>", cyrillic),
      "text/html; charset=iso-8859-1",
      "Настройки",
      "windows-1251",
    ],
    ["GB2312 by header", page("", gb), "text/html; charset=gb2312", "设置文件", "gbk"],
    ["UTF-8 that nobody declares", page("", utf8(japanese)), undefined, japanese, "utf-8"],
    [
      "UTF-8 under a Latin header",
      page('<meta charset="utf-8">', utf8(latin)),
      "text/html; charset=ISO-8859-1",
      latin,
      "utf-8",
    ],
    [
      "UTF-8 of one letter under a Latin header",
      page("", utf8("café")),
      "text/html; charset=ISO-8859-1",
      "café",
      "utf-8",
    ],
    ["UTF-8 under a Shift_JIS header", page("", utf8(japanese)), "text/html; charset=Shift_JIS", japanese, "utf-8"],
    [
      "UTF-8 with a BOM under any header",
      joined(bytesOf("efbbbf"), page("", utf8(latin))),
      "text/html; charset=utf-16",
      latin,
      "utf-8",
    ],
    [
      "UTF-8 declared as UTF-16 in its own ASCII",
      page('<meta charset="utf-16">', utf8(latin)),
      undefined,
      latin,
      "utf-8",
    ],
    [
      "an unknown charset name",
      page('<meta charset="x-nonsense">', utf8(latin)),
      "text/html; charset=none",
      latin,
      "utf-8",
    ],
    ["UTF-16LE with BOM", utf16(`<p>${japanese}</p>`, "le", true), undefined, japanese, "utf-16le"],
    ["UTF-16BE with BOM", utf16(`<p>${latin}</p>`, "be", true), "text/html; charset=utf-8", latin, "utf-16be"],
    ["UTF-16LE without BOM", utf16(`<p>${latin}</p>`, "le"), undefined, latin, "utf-16le"],
    ["UTF-16BE without BOM", utf16(`<p>${latin}</p>`, "be"), undefined, latin, "utf-16be"],
    [
      "Chinese UTF-16 without BOM",
      utf16(`# 设置\n\n${"设置文件".repeat(20)}\n\n1. 文件`, "le"),
      undefined,
      "设置文件设置",
      "utf-16le",
    ],
  ];
  for (const [what, bytes, contentType, text, charset] of cases) {
    it(`reads ${what}`, () => {
      const decoded = decode(bytes, contentType);
      assert.equal(decoded.charset, charset);
      assert.ok(decoded.text.includes(text), decoded.text);
    });
  }

  it("keeps a long UTF-8 page UTF-8 when a byte of it is broken", () => {
    const decoded = decode(page("", joined(utf8(latin.repeat(20)), bytesOf("ff"))), "text/html; charset=utf-8");
    assert.equal(decoded.charset, "utf-8");
    assert.ok(decoded.text.includes(latin));
    assert.ok(decoded.text.includes("\ufffd"));
  });

  it("does not take a commented declaration for one", () => {
    assert.equal(decode(page("<!-- <meta charset=shift_jis> -->", windows1252), undefined).charset, "windows-1252");
  });

  it("finds a declaration behind scripts", () => {
    const script = `<script>${"x".repeat(3000)}</script>`;
    assert.equal(decode(page(`${script}<meta charset=shift_jis>`, shiftJis), undefined).charset, "shift_jis");
  });

  it("drops BOMs and NULs and makes line ends LF", () => {
    assert.equal(decode(utf8("\ufeff\ufeffa\0b\r\nc\rd\n"), undefined).text, "ab\nc\nd\n");
  });

  it("replaces lone surrogates", () => {
    assert.equal(decode(utf16("\ud800a\udc00", "le", true), undefined).text, "\ufffda\ufffd");
  });

  it("decodes an empty page", () => assert.equal(decode(new Uint8Array(), undefined).text, ""));

  it("gives clean text for any bytes and any declaration", () => {
    const types = fc.constantFrom(
      undefined,
      ...["utf-8", "shift_jis", "utf-16", "euc-kr", "latin1", "nope"].map((name) => `text/html; charset=${name}`),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), types, (bytes, type) => {
        assert.doesNotMatch(decode(bytes, type).text, /\0|\r|\p{Surrogate}/u);
      }),
    );
  });

  it("gives back any text saved as UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const wanted = text.replace(/^\ufeff+|\0/gu, "").replace(/\r\n?/gu, "\n");
        const decoded = decode(utf8(text), "text/plain; charset=utf-8");
        if (!decoded.charset.startsWith("utf-16")) assert.equal(decoded.text, wanted);
      }),
    );
  });
});
