import type { Readable } from "node:stream";
import { refuseBinary } from "../../core/capture/binary.ts";
import { rawText } from "../../core/capture/capture.ts";
import type { PageSource } from "../../core/ports.ts";
import { tooLarge } from "./problems.ts";

export interface StdinSourceOptions {
  /** Default `process.stdin`. */
  readonly input?: Readable | undefined;
  /** Default 20 MB. */
  readonly maxBytes?: number | undefined;
}

/** Reads the page from standard input, for the target `-`. Its type and charset are found from its content. */
export function createStdinSource(options: StdinSourceOptions = {}): PageSource {
  const maxBytes = options.maxBytes ?? 20_000_000;
  return {
    accepts: (target) => target === "-",
    read: async (target, signal) => {
      const bytes = await readAll(options.input ?? process.stdin, maxBytes, signal);
      refuseBinary(bytes, "Standard input");
      return { requested: target, url: undefined, redirects: [], bytes, contentType: undefined, status: undefined };
    },
  };
}

/** A text that is already there: the clipboard, a selection. It answers to the target `-` too. */
export function createTextSource(text: string, contentType?: string): PageSource {
  return {
    accepts: (target) => target === "-",
    // eslint-disable-next-line @typescript-eslint/require-await -- an aborted signal has to reject, not throw
    read: async (_target, signal) => {
      signal.throwIfAborted();
      return rawText(text, contentType);
    },
  };
}

async function readAll(input: Readable, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  signal.throwIfAborted();
  const onAbort = () => input.destroy();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const parts: Buffer[] = [];
    let total = 0;
    for await (const part of input as AsyncIterable<Buffer | string>) {
      const bytes = typeof part === "string" ? Buffer.from(part) : part;
      total += bytes.length;
      if (total > maxBytes) throw tooLarge("Standard input", maxBytes);
      parts.push(bytes);
    }
    signal.throwIfAborted();
    return Buffer.concat(parts);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
