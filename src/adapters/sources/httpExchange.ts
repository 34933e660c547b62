import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns";
import http from "node:http";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { refuseBinary } from "../../core/capture/binary.ts";
import { checkedAddresses } from "./network.ts";
import type { Network } from "./network.ts";
import { networkProblem, tooLarge } from "./problems.ts";

export interface HttpAnswer {
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decompressed. Empty for a redirect or 304; at most `maxErrorBytes` of an error's body. */
  readonly bytes: Uint8Array;
}

export interface ExchangeOptions {
  readonly allowPrivate: boolean;
  readonly network: Network;
  /** Upper bound of the body, before and after decompression. */
  readonly maxBytes: number;
}

/** Header lines of an answer, together. Node's default of 16 kB is less than some sites' security policies. */
const maxHeaderBytes = 64 * 1024;
/** What is read of an error's page, to see whether it is a login or a challenge. */
const maxErrorBytes = 64 * 1024;

/**
 * One GET without redirects, to an address that was checked and is the one connected to.
 *
 * node:http and node:https rather than fetch: inside the editor those two follow its proxy and certificate settings.
 *
 * @throws BacopaError, or the signal's reason when it was aborted.
 */
export async function exchange(
  url: URL,
  headers: Readonly<Record<string, string>>,
  options: ExchangeOptions,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  try {
    const lookup = await pinnedLookup(url, options, signal);
    const response = await request(url, headers, lookup, signal);
    try {
      return await answerOf(url, response, options.maxBytes);
    } finally {
      response.destroy();
    }
  } catch (error) {
    // Whatever broke because of the abort, the abort is why.
    signal.throwIfAborted();
    throw networkProblem(error, url);
  }
}

/** Answers with the checked addresses alone. */
async function pinnedLookup(url: URL, options: ExchangeOptions, signal: AbortSignal): Promise<LookupFunction> {
  let addresses: readonly LookupAddress[] = [];
  let failure: NodeJS.ErrnoException | null = null;
  try {
    addresses = await untilAborted(checkedAddresses(url, options.network, options.allowPrivate), signal);
  } catch (error) {
    if (!isErrno(error)) throw error;
    // Behind a proxy only the proxy may know the name, so an unknown name fails when it is connected to, not before.
    failure = error;
  }
  const hostname = url.hostname.replace(/^\[|\]$/gu, "");
  return (name, lookupOptions, callback) => {
    // Another name than the page's is that of the proxy which the person configured.
    if (name !== hostname) {
      systemLookup(name, lookupOptions, callback);
      return;
    }
    const [first] = addresses;
    if (failure !== null || first === undefined) callback(failure ?? new Error("no address"), "", 0);
    else if (lookupOptions.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

function request(
  url: URL,
  headers: Readonly<Record<string, string>>,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const client = url.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = client.request(
      url,
      { method: "GET", headers: { ...headers, connection: "close" }, lookup, maxHeaderSize: maxHeaderBytes, signal },
      resolve,
    );
    outgoing.on("error", reject);
    outgoing.end();
  });
}

async function answerOf(url: URL, response: IncomingMessage, maxBytes: number): Promise<HttpAnswer> {
  const status = response.statusCode ?? 0;
  const { headers } = response;
  const answer = (bytes: Uint8Array): HttpAnswer => ({ url, status, headers, bytes });
  if ((status >= 300 && status < 400) || status === 204) return answer(new Uint8Array());
  if (status >= 400) return answer(await readErrorBody(response, url));
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(url.href, maxBytes);
  const encodings = encodingsOf(headers["content-encoding"]);
  const raw = await readBody(response, maxBytes, url, encodings.length === 0);
  return answer(await decompress(raw, encodings, maxBytes, url));
}

async function readBody(response: IncomingMessage, maxBytes: number, url: URL, plain: boolean): Promise<Buffer> {
  const parts: Buffer[] = [];
  let total = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    // A PDF of 19 MB is refused by its first bytes, not after all of them.
    if (plain && parts.length === 0) refuseBinary(part, url.href);
    total += part.length;
    if (total > maxBytes) throw tooLarge(url.href, maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The start of an error's page; whatever goes wrong with it, the status alone says enough. */
async function readErrorBody(response: IncomingMessage, url: URL): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let total = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      total += part.length;
      if (total >= maxErrorBytes) break;
    }
    return await decompress(
      Buffer.concat(parts),
      encodingsOf(response.headers["content-encoding"]),
      maxErrorBytes * 4,
      url,
    );
  } catch {
    return new Uint8Array();
  }
}

function encodingsOf(header: string | undefined): string[] {
  return (header ?? "")
    .split(",")
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== "" && encoding !== "identity");
}

const gunzip = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const brotliDecompress = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

/** Undoes the encodings, last applied first. `maxOutputLength` stops a bomb at the limit, while it unpacks. */
async function decompress(raw: Buffer, encodings: readonly string[], maxBytes: number, url: URL): Promise<Buffer> {
  // No honest server compresses three times.
  if (encodings.length > 2) throw Object.assign(new Error("too many encodings"), { code: "ERR_HTTP_CONTENT_ENCODING" });
  let bytes = raw;
  for (const encoding of [...encodings].reverse()) {
    if (bytes.length === 0) return bytes;
    try {
      bytes = await decompressOnce(bytes, encoding, { maxOutputLength: maxBytes });
    } catch (error) {
      if (isErrno(error) && error.code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(url.href, maxBytes);
      throw error;
    }
  }
  return bytes;
}

function decompressOnce(bytes: Buffer, encoding: string, limits: { maxOutputLength: number }): Promise<Buffer> {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return gunzip(bytes, limits);
    case "deflate":
      // The standard says zlib, some servers send the bare stream; a zlib header's low four bits are 8.
      return ((bytes[0] ?? 0) & 0x0f) === 8 ? inflate(bytes, limits) : inflateRaw(bytes, limits);
    case "br":
      return brotliDecompress(bytes, limits);
    default:
      return Promise.reject(
        Object.assign(new Error(`unknown encoding ${encoding}`), { code: "ERR_HTTP_CONTENT_ENCODING" }),
      );
  }
}

/** Rejects as soon as the signal aborts, for work that cannot be stopped itself. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
