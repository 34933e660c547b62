import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256 of a text (as UTF-8) or of bytes, lower-case hex, cut to `digits` (64 at most). */
export function sha256Hex(data: string | Uint8Array, digits = 64): string {
  return bytesToHex(sha256(typeof data === "string" ? utf8ToBytes(data) : data)).slice(0, digits);
}
