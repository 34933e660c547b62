import { looksLikeUtf16 } from "./binary.ts";

export interface Decoded {
  /** No NUL, no lone surrogate, lines end in LF, no BOM. */
  readonly text: string;
  /** WHATWG name of the encoding that was used, e.g. `shift_jis`. */
  readonly charset: string;
}

/**
 * Turns a page's bytes into text. What the bytes show counts more than what is declared of them:
 * a BOM, then UTF-16 by its NULs, then UTF-8 where the bytes are UTF-8, then the declared charset (of two the one that
 * decodes without an error), then a guess by the letters, then windows-1252, which decodes anything.
 *
 * @param contentType As declared by the source, e.g. `text/html; charset=EUC-KR`.
 */
export function decode(bytes: Uint8Array, contentType: string | undefined): Decoded {
  const charset = charsetOf(bytes, contentType);
  const text = new TextDecoder(charset).decode(bytes);
  return { text: cleaned(charset === "windows-1252" ? withPunctuation(text) : text), charset };
}

/** Bytes in which a declaration inside the page is looked for. The HTML standard says 1024; real pages put scripts first. */
const declarationLength = 8192;
/** A UTF-8 page with a few broken bytes is still UTF-8: at most this many per correct sequence. */
const maxBrokenShare = 0.05;

function charsetOf(bytes: Uint8Array, contentType: string | undefined): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  const utf16 = looksLikeUtf16(bytes.subarray(0, declarationLength));
  if (utf16 !== undefined) return utf16;

  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, declarationLength));
  const header = knownCharset(/charset\s*=\s*["']?([^\s"';,]+)/iu.exec(contentType ?? "")?.[1]);
  const declared = [header, declaredInside(head)].filter((charset) => charset !== undefined);

  const utf8 = countUtf8(bytes);
  if (utf8.broken === 0 && utf8.sequences === 0)
    return declared.find((charset) => !charset.startsWith("utf-16")) ?? "utf-8";
  const multiByte = declared.find((charset) => isMultiByte(charset) && decodes(bytes, charset));
  if (utf8.broken === 0) {
    // Two or three letters of another multi-byte charset can pass for UTF-8 by chance; a text in it cannot.
    if (multiByte !== undefined && utf8.sequences < 4) return multiByte;
    return "utf-8";
  }
  if (multiByte !== undefined) return multiByte;
  if (utf8.broken <= utf8.sequences * maxBrokenShare) return "utf-8";
  const other = declared.filter((charset) => !isUnicode(charset));
  // A server's default header is windows-1252 for every page; what the page says of itself knows better.
  return (
    other.find((charset) => charset !== "windows-1252" && decodes(bytes, charset)) ??
    other[0] ??
    guessed(bytes) ??
    "windows-1252"
  );
}

/** `<?xml encoding>`, `<meta charset>` or `<meta http-equiv content>`. UTF-16 declared in ASCII bytes is not UTF-16. */
function declaredInside(head: string): string | undefined {
  const withoutComments = head.replace(/<!--[^]*?-->/gu, "");
  const label =
    /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/iu.exec(withoutComments)?.[1] ??
    /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/iu.exec(withoutComments)?.[1];
  return knownCharset(label);
}

function knownCharset(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined; // an unknown label declares nothing
  }
}

function isUnicode(charset: string): boolean {
  return charset === "utf-8" || charset.startsWith("utf-16");
}

function isMultiByte(charset: string): boolean {
  return /^(?:shift_jis|euc-jp|iso-2022-jp|euc-kr|gbk|gb18030|big5)$/u.test(charset);
}

function decodes(bytes: Uint8Array, charset: string): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Sequences of two bytes or more that are correct UTF-8, and bytes that are not. */
function countUtf8(bytes: Uint8Array): { sequences: number; broken: number } {
  let sequences = 0;
  let broken = 0;
  for (let index = 0; index < bytes.length;) {
    const lead = bytes[index] ?? 0;
    if (lead < 0x80) {
      index++;
      continue;
    }
    const length =
      lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 1;
    let good = length > 1;
    for (let offset = 1; good && offset < length; offset++) good = ((bytes[index + offset] ?? 0) & 0xc0) === 0x80;
    if (good) sequences++;
    else broken++;
    index += good ? length : 1;
  }
  return { sequences, broken };
}

/** For bytes that declare nothing: Japanese by its kana, Korean by its syllables. Chinese charsets decode nearly anything. */
function guessed(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 200_000);
  for (const charset of ["shift_jis", "euc-jp", "euc-kr"]) {
    if (!decodes(bytes, charset)) continue;
    const foreign = new TextDecoder(charset).decode(sample).replace(/[\0-\u007f]+/gu, "");
    const letters = charset === "euc-kr" ? /[\uac00-\ud7a3]/gu : /[\u3041-\u30ff]/gu;
    const share = (foreign.match(letters)?.length ?? 0) / foreign.length;
    // Japanese prose is about half kana, Korean prose nearly all syllables; half-width kana are what Latin letters
    // look like in Shift_JIS, so they do not count.
    if (foreign.length >= 4 && share > (charset === "euc-kr" ? 0.7 : 0.25)) return charset;
  }
  return undefined;
}

/** What windows-1252 has at 0x80 to 0x9f; the five unassigned bytes stay as they are. */
const windows1252High = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Node's TextDecoder (20 to 23 at least) reads windows-1252 as ISO-8859-1, which turns quotes and dashes into control characters. */
function withPunctuation(text: string): string {
  return text.replace(/[\u0080-\u009f]/gu, (control) => windows1252High[control.charCodeAt(0) - 0x80] ?? control);
}

function cleaned(text: string): string {
  return text
    .replace(/^\ufeff+/u, "")
    .replace(/\0/gu, "")
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/\r\n?/gu, "\n");
}
