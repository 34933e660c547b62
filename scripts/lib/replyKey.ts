import type { ModelRequest } from "../../src/core/ports.ts";
import { sha256Hex } from "../../src/core/util/hash.ts";

/** The name of a recorded reply: 24 hex digits of what was asked, so that a changed prompt finds none. */
export function replyKey({ instructions, content, schema }: ModelRequest): string {
  return sha256Hex(JSON.stringify([instructions, content, schema.schema]), 24);
}
