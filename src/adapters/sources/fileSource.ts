import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { refuseBinary } from "../../core/capture/binary.ts";
import { BacopaError } from "../../core/errors.ts";
import type { KnownVersion, PageSource } from "../../core/ports.ts";
import type { RawPage } from "../../core/types.ts";
import { badUrl, shortened, tooLarge } from "./problems.ts";

export interface FileSourceOptions {
  /** Default 20 MB. */
  readonly maxBytes?: number | undefined;
}

/** Reads pages from local paths and `file:` URLs. A file is known by its size and time of change. */
export function createFileSource(options: FileSourceOptions = {}): PageSource {
  const maxBytes = options.maxBytes ?? 20_000_000;
  return {
    accepts: (target) =>
      target !== "" && target !== "-" && (/^file:/iu.test(target) || !/^[a-z][a-z0-9+.-]+:/iu.test(target)),
    read: (target, signal, known) => readFile(target, maxBytes, signal, known),
  };
}

async function readFile(target: string, maxBytes: number, signal: AbortSignal, known?: KnownVersion): Promise<RawPage> {
  signal.throwIfAborted();
  const path = pathOf(target);
  let handle: FileHandle | undefined;
  try {
    // Not to wait for a writer when the path is a pipe. Windows has no such flag: undefined counts as 0.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await handle.stat();
    if (stat.isDirectory()) throw folderProblem(path);
    if (!stat.isFile()) throw notAFileProblem(path);
    if (stat.size > maxBytes) throw tooLarge(path, maxBytes);
    const etag = `"${stat.size.toString(36)}-${Math.round(stat.mtimeMs).toString(36)}"`;
    const unchanged = known?.etag === etag;
    const bytes = unchanged ? new Uint8Array() : await readBounded(handle, path, maxBytes, signal);
    if (!unchanged) refuseBinary(bytes, path);
    return {
      requested: target,
      url: pathToFileURL(path).href,
      redirects: [],
      bytes,
      contentType: contentTypes[extname(path).toLowerCase()],
      status: unchanged ? 304 : undefined,
      etag,
      lastModified: stat.mtime.toUTCString(),
    };
  } catch (error) {
    signal.throwIfAborted();
    throw fileProblem(error, target, path);
  } finally {
    await handle?.close();
  }
}

function pathOf(target: string): string {
  if (!/^file:/iu.test(target)) return resolve(target);
  try {
    const url = new URL(target);
    url.search = "";
    url.hash = "";
    return fileURLToPath(url);
  } catch {
    throw badUrl(target, "is no address of a file on this computer", "Write it as file:///path, or as a path");
  }
}

/** The size was checked, but a file can grow while it is read, and some system files have no size. */
async function readBounded(
  handle: FileHandle,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let total = 0;
  for (;;) {
    signal.throwIfAborted();
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(256 * 1024) });
    if (bytesRead === 0) return Buffer.concat(parts);
    total += bytesRead;
    if (total > maxBytes) throw tooLarge(path, maxBytes);
    parts.push(buffer.subarray(0, bytesRead));
  }
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".htm": "text/html",
  ".xhtml": "application/xhtml+xml",
  ".md": "text/markdown",
  ".markdown": "text/markdown",
  ".mdx": "text/markdown",
  ".txt": "text/plain",
};

function folderProblem(path: string): BacopaError {
  return new BacopaError("unsupported-type", {
    message: `folder: ${path}`,
    userMessage: `${path} is a folder, and pages are saved one at a time. Name the files in it that matter.`,
    hint: "Name a file.",
  });
}

function notAFileProblem(path: string): BacopaError {
  return new BacopaError("unsupported-type", {
    message: `not a regular file: ${path}`,
    userMessage: `${path} is a device or a pipe, not a file. Copy its content and save it from the clipboard.`,
    commandLine: `${path} is a device or a pipe, not a file. To save what a command prints, use \`bacopa save -\`, which reads standard input.`,
    hint: "Name a file.",
  });
}

function fileProblem(cause: unknown, target: string, path: string): BacopaError {
  if (BacopaError.is(cause)) return cause;
  const code =
    cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "unknown error";
  const message = `${code}: ${path}`;
  if (code === "EISDIR") return folderProblem(path);
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "ERR_INVALID_ARG_VALUE") {
    const looksLikeHost = /^(?:www\.|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[/?#]|$))/iu.test(target);
    return new BacopaError("not-found", {
      message,
      userMessage: `There is no file ${shortened(target)}. ${looksLikeHost ? `For the web page, write https://${shortened(target)}.` : "Check the path and the folder it starts from."}`,
      hint: looksLikeHost ? "Put https:// in front of the address." : "Check the path.",
      cause,
    });
  }
  const denied = code === "EACCES" || code === "EPERM";
  return new BacopaError("fetch-failed", {
    message,
    userMessage: denied
      ? `${path} may not be read by you. Change its permissions, or copy it to a place where you can read it.`
      : `${path} could not be read (${code}). Check the file and its disk, and save it again.`,
    hint: "Do not retry.",
    cause,
  });
}
