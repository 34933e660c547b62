import { BacopaError } from "../errors.ts";
import { shownTarget } from "../util/shownTarget.ts";

/**
 * Refuses bytes that are no text page, whatever their declared type says: PDF, images, archives, programs.
 *
 * @param address The address or path, for the message.
 * @throws BacopaError `unsupported-type`
 */
export function refuseBinary(bytes: Uint8Array, address: string): void {
  const kind = binaryKind(bytes);
  if (kind === undefined) return;
  const where = shownTarget(address);
  throw new BacopaError("unsupported-type", {
    message: `not a text page: ${kind} at ${where}`,
    userMessage:
      `${where} is ${kind}, and Bacopa saves HTML, Markdown and plain text. ` +
      "Save the web page of the same content, or export it as text or Markdown and save that file.",
    hint: "Do not retry. Look for an HTML or Markdown version of this document.",
  });
}

const signatures: readonly (readonly [kind: string, hex: string, offset?: number])[] = [
  ["a PDF file", "255044462d"],
  ["a PNG image", "89504e47"],
  ["a JPEG image", "ffd8ff"],
  ["a GIF image", "474946383761"],
  ["a GIF image", "474946383961"],
  ["a WebP image", "57454250", 8],
  ["an AVIF or MP4 file", "66747970", 4],
  ["a zip archive or an Office document", "504b0304"],
  ["an empty zip archive", "504b0506"],
  ["a gzip archive", "1f8b08"],
  ["a 7z archive", "377abcaf271c"],
  ["a bzip2 archive", "425a6839"],
  ["an xz archive", "fd377a585a00"],
  ["a zstd archive", "28b52ffd"],
  ["a RAR archive", "526172211a07"],
  ["an old Office document", "d0cf11e0a1b11ae1"],
  ["a program", "7f454c46"],
  ["a program", "4d5a9000"],
  ["a WebAssembly module", "0061736d"],
  ["a font", "774f4632"],
  ["a font", "774f4646"],
  ["an SQLite database", "53514c69746520666f726d6174"],
  ["an audio file", "494433"],
  ["an audio or video file", "4f676753"],
];

/** Bytes looked at for control characters. */
const sampleLength = 8192;
/** Share of control bytes from which a sample is no text. Text has next to none. */
const maxControlShare = 0.02;

/** A name such as `a PDF file`, or `undefined` when the bytes can be a text. */
export function binaryKind(bytes: Uint8Array): string | undefined {
  for (const [kind, hex, offset = 0] of signatures) if (startsWith(bytes, hex, offset)) return kind;
  if (isSvg(bytes)) return "an SVG image";
  const sample = bytes.subarray(0, sampleLength);
  if (looksLikeUtf16(sample)) return undefined;
  let controls = 0;
  for (const byte of sample) {
    // Allowed: tab, line feed, form feed, carriage return, escape (terminal colors, ISO-2022-JP); a NUL weighs as any other.
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b) controls++;
  }
  return controls > Math.max(2, sample.length * maxControlShare) ? "a binary file" : undefined;
}

function startsWith(bytes: Uint8Array, hex: string, offset: number): boolean {
  for (let index = 0; index * 2 < hex.length; index++) {
    if (bytes[offset + index] !== Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16)) return false;
  }
  return true;
}

function isSvg(bytes: Uint8Array): boolean {
  const start = new TextDecoder("windows-1252").decode(bytes.subarray(0, 1024));
  return /^(?:ï»¿)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!doctype\s+svg[^>]*>\s*)?<svg[\s>]/iu.test(
    start,
  );
}

/** Whether every other byte is often NUL and its neighbors never: UTF-16, marked by a BOM or not. */
export function looksLikeUtf16(sample: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (sample[0] === 0xff && sample[1] === 0xfe) return "utf-16le";
  if (sample[0] === 0xfe && sample[1] === 0xff) return "utf-16be";
  let even = 0;
  let odd = 0;
  const pairs = Math.floor(sample.length / 2);
  for (let index = 0; index < pairs * 2; index += 2) {
    if (sample[index] === 0) even++;
    if (sample[index + 1] === 0) odd++;
  }
  // Also a Chinese or Japanese page has blanks, line ends or tags: 1 in 50 units is far below any real page.
  const enough = Math.max(2, pairs / 50);
  if (odd >= enough && even <= odd / 50) return "utf-16le";
  if (even >= enough && odd <= even / 50) return "utf-16be";
  return undefined;
}
