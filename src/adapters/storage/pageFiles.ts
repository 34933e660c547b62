/**
 * One saved page as three files, made for people to read:
 *
 * - `text.md`: the cleaned Markdown, exactly what spans point into;
 * - `facts.json`: the facts, one block each;
 * - `page.json`: everything else, with the SHA-256 of the other two and of itself.
 *
 * A byte changed in any of them is noticed when the page is read.
 */
import { createHash } from "node:crypto";
import type { SavedPage } from "../../core/types.ts";
import { parseSavedPage } from "../../core/util/savedPageFormat.ts";
import { newerFormat } from "./storageErrors.ts";

export const pageFileNames = { manifest: "page.json", text: "text.md", facts: "facts.json" } as const;

const pageFormat = "bacopa-page";
const pageFormatVersion = 1;

export interface PageFiles {
  readonly manifest: Uint8Array;
  readonly text: Uint8Array;
  readonly facts: Uint8Array;
}

/** A lone surrogate in the text becomes U+FFFD, which has the same length: spans keep their place. */
export function encodePage(saved: SavedPage, revision: string): PageFiles {
  const { facts, page, ...rest } = saved;
  const { text, ...metadata } = page;
  const textBytes = Buffer.from(text, "utf8");
  const factsBytes = Buffer.from(`${JSON.stringify(facts, undefined, 2)}\n`, "utf8");
  const body = {
    format: pageFormat,
    version: pageFormatVersion,
    revision,
    files: {
      [pageFileNames.text]: { bytes: textBytes.length, sha256: sha256(textBytes) },
      [pageFileNames.facts]: { bytes: factsBytes.length, sha256: sha256(factsBytes) },
    },
    page: metadata,
    ...rest,
  };
  const manifest = { ...body, sha256: sha256(JSON.stringify(body)) };
  return {
    manifest: Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`, "utf8"),
    text: textBytes,
    facts: factsBytes,
  };
}

export type DecodedPage =
  | { readonly kind: "whole"; readonly saved: SavedPage }
  /** The facts are lost, text and sections are not: the page is searched by its sections until it is distilled again. */
  | { readonly kind: "without-facts"; readonly saved: SavedPage; readonly reason: string }
  | { readonly kind: "damaged"; readonly reason: string };

/**
 * @param files As read; a string says why a file could not be read.
 * @throws BacopaError `storage-newer`.
 */
export function decodePage(files: { readonly [name in keyof PageFiles]: Uint8Array | string }): DecodedPage {
  if (typeof files.manifest === "string") return damaged(pageFileNames.manifest, files.manifest);
  const manifest = parseObject(files.manifest);
  if (manifest === undefined) return damaged(pageFileNames.manifest, "is cut off or is not JSON");
  const { sha256: expected, ...body } = manifest;
  if (sha256(JSON.stringify(body)) !== expected)
    return damaged(pageFileNames.manifest, "was altered: its checksum does not match");
  const { format, version, files: listed, page: metadata, ...rest } = body;
  delete rest.revision; // for people: the folder's name counts
  if (format !== pageFormat || typeof version !== "number" || !isObject(metadata))
    return damaged(pageFileNames.manifest, "is not a saved page");
  if (version > pageFormatVersion) throw newerFormat("A saved page", version);

  const textFault = fileFault(files.text, pageFileNames.text, listed);
  if (textFault !== undefined) return damaged(pageFileNames.text, textFault);
  const page = { ...metadata, text: utf8(files.text as Uint8Array) };

  let reason = fileFault(files.facts, pageFileNames.facts, listed);
  let facts: unknown = [];
  if (reason === undefined) {
    facts = parseJson(files.facts as Uint8Array);
  } else {
    rest.sectionStates = Array.isArray(rest.sections) ? rest.sections.map(() => ({ state: "waiting" })) : undefined;
    reason = `${pageFileNames.facts} ${reason}; the page's text was kept and is searched by its sections until the page is saved again`;
  }
  try {
    const saved = parseSavedPage({ page, ...rest, facts });
    return reason === undefined ? { kind: "whole", saved } : { kind: "without-facts", saved, reason };
  } catch (error) {
    return damaged(pageFileNames.manifest, `does not fit: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Why the file is not the one the manifest names, or `undefined`. */
function fileFault(content: Uint8Array | string, name: string, listed: unknown): string | undefined {
  if (typeof content === "string") return content;
  const entry = isObject(listed) ? listed[name] : undefined;
  const expected = isObject(entry) ? entry : {};
  if (content.length !== expected.bytes) return `has ${content.length} bytes instead of ${String(expected.bytes)}`;
  return sha256(content) === expected.sha256 ? undefined : "was altered: its checksum does not match";
}

function damaged(name: string, reason: string): DecodedPage {
  return { kind: "damaged", reason: `${name} ${reason}` };
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Unlike `TextDecoder`, keeps a byte order mark: it is part of the text that spans point into. */
function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

export function parseObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  const value = parseJson(bytes);
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
