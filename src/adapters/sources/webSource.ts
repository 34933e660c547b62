import { refuseBinary } from "../../core/capture/binary.ts";
import { withDeclaredCanonical } from "../../core/capture/canonicalUrl.ts";
import { decode } from "../../core/capture/decode.ts";
import { sniffFormat } from "../../core/capture/format.ts";
import { asksForJavascript, asksToLogIn, isChallenge, isLoginTitle } from "../../core/capture/phrases.ts";
import { htmlSigns, textOf } from "../../core/capture/shell.ts";
import type { KnownVersion, PageSource } from "../../core/ports.ts";
import type { RawPage } from "../../core/types.ts";
import { markedCredentials } from "../../core/util/credentials.ts";
import { exchange } from "./httpExchange.ts";
import type { ExchangeOptions, HttpAnswer } from "./httpExchange.ts";
import { isTwinOf, markdownCandidates } from "./markdownTwin.ts";
import { publicNetwork } from "./network.ts";
import type { Network } from "./network.ts";
import { badUrl, credentialNotKept, refusedRedirect, statusProblem, timedOut, tooManyRedirects } from "./problems.ts";
import type { Refusal } from "./problems.ts";

export interface WebSourceOptions {
  /** Whether private, loopback and link-local addresses may be contacted. */
  readonly allowPrivate: boolean;
  readonly userAgent?: string | undefined;
  /** Bytes of a page, after decompression. Default 20 MB. */
  readonly maxBytes?: number | undefined;
  /** For all of one read: lookup, redirects, body. Default 30 s. Looking for Markdown adds 5 s at most. */
  readonly timeoutMs?: number | undefined;
  /** Default 10. */
  readonly maxRedirects?: number | undefined;
  /** For tests. */
  readonly network?: Network | undefined;
}

/** Milliseconds for finding the Markdown of a page that is already there as HTML. */
const twinTimeoutMs = 5_000;

/**
 * Reads pages from the web, Markdown before HTML: it asks for Markdown, and where a server answers with HTML it looks for
 * the alternate the page declares or for the `.md` twin. A twin keeps the HTML page's address, since that is what people open,
 * and its ETag, since that is what is asked for again.
 */
export function createWebSource(options: WebSourceOptions): PageSource {
  const settings: Settings = {
    allowPrivate: options.allowPrivate,
    network: options.network ?? publicNetwork,
    userAgent: options.userAgent ?? "Mozilla/5.0 (compatible; Bacopa; saves documentation pages)",
    maxBytes: options.maxBytes ?? 20_000_000,
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRedirects: options.maxRedirects ?? 10,
  };
  return {
    // `file:` and `C:\` are the file source's; everything else with a scheme is answered here, if only with a refusal.
    accepts: (target) => /^[a-z][a-z0-9+.-]+:/iu.test(target.trim()) && !/^(?:file|bacopa):/iu.test(target.trim()),
    read: (target, signal, known) => readPage(target.trim(), settings, signal, known),
  };
}

interface Settings extends ExchangeOptions {
  readonly userAgent: string;
  readonly timeoutMs: number;
  readonly maxRedirects: number;
}

async function readPage(
  target: string,
  settings: Settings,
  signal: AbortSignal,
  known?: KnownVersion,
): Promise<RawPage> {
  signal.throwIfAborted();
  const start = parsedTarget(target);
  const { answer, redirects } = await withDeadline(
    settings.timeoutMs,
    () => timedOut(start.href, settings.timeoutMs),
    signal,
    (bounded) => follow(start, settings, bounded, known),
  );
  const page: RawPage = {
    requested: target,
    url: answer.url.href,
    redirects,
    bytes: answer.bytes,
    contentType: answer.headers["content-type"],
    status: answer.status,
    etag: answer.headers.etag,
    lastModified: answer.headers["last-modified"],
  };
  if (answer.status === 304) return page;
  refuseBinary(answer.bytes, answer.url.href);
  const { text } = decode(answer.bytes, page.contentType);
  if (sniffFormat(text, page.contentType, page.url) !== "html") return page;
  return (await markdownOf(page, text, answer, settings, signal)) ?? page;
}

function parsedTarget(target: string): URL {
  const lost = markedCredentials(target);
  if (lost.length > 0) throw credentialNotKept(target, lost);
  if (!URL.canParse(target)) throw badUrl(target, "is not a web address", "Check it for a spelling mistake");
  const url = new URL(target);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    const next = /^[\w.-]+:\d/u.test(target)
      ? "Write http:// or https:// in front of it"
      : "Bacopa reads http:// and https:// addresses; save anything else as a file, or paste it";
    throw badUrl(target, `starts with ${url.protocol}`, next);
  }
  if (url.username !== "" || url.password !== "") {
    url.username = "";
    url.password = "";
    throw badUrl(
      url.href,
      "was given with a user name or password, which would be stored with the page",
      "Leave them out",
    );
  }
  return url;
}

/** Follows redirects by status and by `<meta http-equiv=refresh>`; every hop is checked as the first. */
async function follow(
  start: URL,
  settings: Settings,
  signal: AbortSignal,
  known?: KnownVersion,
): Promise<{ answer: HttpAnswer; redirects: string[] }> {
  const redirects: string[] = [];
  let url = start;
  for (;;) {
    const answer = await get(url, settings, signal, known);
    const target = redirectOf(answer);
    if (target === undefined) {
      // 206 holds a part of the page that nobody asked for.
      const isWhole = answer.status >= 200 && answer.status < 300 && answer.status !== 206;
      if (answer.status !== 304 && !isWhole) throw problemOf(answer);
      return { answer, redirects };
    }
    redirects.push(url.href);
    const next = nextUrl(url, target);
    if (redirects.includes(next.href)) throw tooManyRedirects(start.href, settings.maxRedirects, true);
    if (redirects.length > settings.maxRedirects) throw tooManyRedirects(start.href, settings.maxRedirects, false);
    url = next;
  }
}

async function get(url: URL, settings: Settings, signal: AbortSignal, known?: KnownVersion): Promise<HttpAnswer> {
  const headers: Record<string, string> = {
    "user-agent": settings.userAgent,
    accept: "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5",
    "accept-encoding": "gzip, deflate, br",
    // Without a wish some servers choose by the address's country; English is what most documentation is written in first.
    "accept-language": "en, *;q=0.5",
  };
  if (known?.etag !== undefined) headers["if-none-match"] = known.etag;
  if (known?.lastModified !== undefined) headers["if-modified-since"] = known.lastModified;
  const answer = await exchange(url, headers, settings, signal);
  // Some servers refuse a type they do not have instead of answering with what they have.
  if (answer.status !== 406) return answer;
  return exchange(url, { ...headers, accept: "text/html, */*;q=0.8" }, settings, signal);
}

/** A page that only leads on has no more words than this around its link. */
const maxWordsOfRefreshPage = 60;
const maxBytesOfRefreshPage = 16_384;

function redirectOf(answer: HttpAnswer): string | undefined {
  const { status, headers, bytes } = answer;
  if ([301, 302, 303, 307, 308].includes(status)) return headers.location;
  if (status !== 200 || bytes.length > maxBytesOfRefreshPage) return undefined;
  const { text } = decode(bytes, headers["content-type"]);
  if (!/http-equiv/iu.test(text) || sniffFormat(text, headers["content-type"], undefined) !== "html") return undefined;
  const signs = htmlSigns(text);
  if (signs.refresh === undefined || signs.visibleWords > maxWordsOfRefreshPage) return undefined;
  // A page that reloads itself leads nowhere.
  const target = URL.canParse(signs.refresh, answer.url.href) ? new URL(signs.refresh, answer.url).href : undefined;
  return target === answer.url.href ? undefined : signs.refresh;
}

function nextUrl(from: URL, target: string): URL {
  if (!URL.canParse(target, from.href)) throw refusedRedirect(from.href, target, "which is no address");
  const next = new URL(target, from);
  if (next.protocol !== "http:" && next.protocol !== "https:") {
    throw refusedRedirect(from.href, next.href, `and Bacopa does not follow ${next.protocol} addresses`);
  }
  next.username = "";
  next.password = "";
  // As in a browser, a fragment stays unless the redirect brings its own.
  if (next.hash === "") next.hash = from.hash;
  return next;
}

function problemOf(answer: HttpAnswer) {
  return statusProblem(answer.url.href, answer.status, {
    retryAfter: answer.headers["retry-after"],
    server: refusalKind(answer),
  });
}

function refusalKind(answer: HttpAnswer): Refusal {
  const { status, headers } = answer;
  if (headers["cf-mitigated"] === "challenge") return "challenge";
  if (status !== 401 && status !== 403 && status !== 503 && status !== 429) return undefined;
  if (headers["www-authenticate"] !== undefined) return "login";
  const html = decode(answer.bytes, headers["content-type"]).text;
  const signs = htmlSigns(html);
  const text = textOf(html);
  if (
    isChallenge(signs.title) ||
    asksForJavascript(signs.noscript) ||
    (asksForJavascript(text) && signs.visibleWords < 100)
  ) {
    return "challenge";
  }
  return status < 429 && (signs.passwordField || (asksToLogIn(text) && (signs.loginForm || isLoginTitle(signs.title))))
    ? "login"
    : undefined;
}

/** The page as Markdown, if the site has it; never a reason for the save to fail. */
async function markdownOf(
  page: RawPage,
  html: string,
  answer: HttpAnswer,
  settings: Settings,
  signal: AbortSignal,
): Promise<RawPage | undefined> {
  const link = answer.headers.link;
  const candidates = markdownCandidates(answer.url, html, Array.isArray(link) ? link.join(", ") : link);
  const limit = Math.min(twinTimeoutMs, settings.timeoutMs);
  try {
    return await withDeadline(
      limit,
      () => timedOut(answer.url.href, limit),
      signal,
      async (bounded) => {
        for (const candidate of candidates) {
          const twin = await twinAt(candidate, html, settings, bounded);
          if (twin === undefined) continue;
          return {
            ...page,
            // The HTML's declaration is lost with the HTML, so it is applied here.
            url: withDeclaredCanonical(answer.url.href, html),
            bytes: twin.bytes,
            contentType: markdownType(twin.headers["content-type"]),
          };
        }
        return undefined;
      },
    );
  } catch {
    signal.throwIfAborted();
    return undefined; // the HTML is there
  }
}

async function twinAt(
  candidate: string,
  html: string,
  settings: Settings,
  signal: AbortSignal,
): Promise<HttpAnswer | undefined> {
  try {
    const { answer } = await follow(parsedTarget(candidate), settings, signal);
    const contentType = answer.headers["content-type"];
    return answer.status === 200 && isTwinOf({ text: decode(answer.bytes, contentType).text, contentType }, html)
      ? answer
      : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined; // no twin here, perhaps at the next candidate
  }
}

function markdownType(contentType: string | undefined): string {
  const charset = /;\s*charset\s*=\s*[^;]+/iu.exec(contentType ?? "")?.[0] ?? "";
  return `text/markdown${charset}`;
}

async function withDeadline<T>(
  timeoutMs: number,
  problem: () => Error,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(problem()), timeoutMs);
  try {
    return await work(AbortSignal.any([signal, deadline.signal]));
  } finally {
    clearTimeout(timer);
  }
}
