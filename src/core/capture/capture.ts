import { BacopaError } from "../errors.ts";
import type { CapturedPage, PageFormat, RawPage } from "../types.ts";
import { withMarkedCredentials, withoutCredentials, withoutCredentialsOf } from "../util/credentials.ts";
import { shownTarget } from "../util/shownTarget.ts";
import { sha256Hex } from "../util/hash.ts";
import { refuseBinary } from "./binary.ts";
import { canonicalUrl, withDeclaredCanonical } from "./canonicalUrl.ts";
import { decode } from "./decode.ts";
import { sniffFormat } from "./format.ts";

export { pageIdOf } from "./pageId.ts";

export interface CaptureOptions {
  /** The page's address, when it was saved from a file or pasted. Taken as it is: a `rel=canonical` does not change it. */
  readonly url?: string | undefined;
  /** When the caller knows; by default the content is looked at. */
  readonly format?: PageFormat | undefined;
}

/**
 * Decodes a page and gives it its identity.
 *
 * The URL is, in this order: `options.url`; the final address of the bytes, or what the page declares as canonical
 * on the same host; `bacopa:text/<16 hex digits of the content>` for a text from nowhere.
 *
 * Credentials in addresses end here: no later stage, file or model sees them, also where the page repeats them.
 *
 * @throws BacopaError `bad-url` when `options.url` is no address; `unsupported-type` for a PDF, an image, an archive.
 */
export function capture(raw: RawPage, options: CaptureOptions = {}): CapturedPage {
  refuseBinary(raw.bytes, raw.url ?? "The text");
  const { text: decoded, charset } = decode(raw.bytes, raw.contentType);
  const text = withoutCredentialsOf([raw.requested, ...raw.redirects, raw.url ?? "", options.url ?? ""], decoded);
  const format = options.format ?? sniffFormat(text, raw.contentType, raw.url ?? options.url);
  return {
    url: identity(raw, options, text, format),
    requested: withMarkedCredentials(raw.requested),
    redirects: raw.redirects.map(withoutCredentials),
    format,
    content: text,
    charset,
    byteLength: raw.bytes.length,
    etag: raw.etag,
    lastModified: raw.lastModified,
  };
}

function identity(raw: RawPage, options: CaptureOptions, text: string, format: PageFormat): string {
  if (options.url !== undefined) return canonicalUrl(checkedAddress(options.url));
  if (raw.url === undefined) return `bacopa:text/${sha256Hex(text, 16)}`;
  return format === "html" ? withDeclaredCanonical(raw.url, headOf(text)) : canonicalUrl(raw.url);
}

/** An address with a host or path. What runs something (`javascript:`, `command:`) is none. */
function checkedAddress(url: string): string {
  if (
    URL.canParse(url) &&
    /^[a-z][a-z0-9+.-]*:\/\//iu.test(url) &&
    !/^(?:javascript|data|vbscript|command):/iu.test(url)
  )
    return url;
  throw new BacopaError("bad-url", {
    message: "The address given for the page is none",
    userMessage: `"${shownTarget(url).slice(0, 200)}" is no address for a page. Give one that begins with https://, or none.`,
  });
}

/** The document's head, in which alone a link declares something; 200,000 characters hold the inlined styles of real pages. */
function headOf(html: string): string {
  const limit = html.slice(0, 200_000);
  const end = /<\/head\s*>|<body[\s>]/iu.exec(limit);
  return end === null ? limit : limit.slice(0, end.index);
}

/** A text that a person pasted or selected, as if a source had delivered it. */
export function rawText(text: string, contentType?: string): RawPage {
  return {
    requested: "-",
    url: undefined,
    redirects: [],
    bytes: new TextEncoder().encode(text),
    contentType: `${contentType ?? "text/plain"}; charset=utf-8`,
    status: undefined,
  };
}
