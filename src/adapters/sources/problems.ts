/** Every way a fetch can fail, each with its reason, what happened in words, and what to do next. */
import { STATUS_CODES } from "node:http";
import { BacopaError } from "../../core/errors.ts";
import type { ErrorParts } from "../../core/errors.ts";
import { shownTarget } from "../../core/util/shownTarget.ts";

/** What to do with a page that only a browser can read, in the editor and at the command line. */
function bringIt(address: string, what: string): Pick<ErrorParts, "userMessage" | "commandLine"> {
  const url = shownTarget(address);
  const open = `${what} Open it in a browser, copy its content, and save it`;
  return {
    userMessage: `${open} from the clipboard.`,
    commandLine: `${open} with \`bacopa save --url ${url} -\`, which reads standard input.`,
  };
}

export function badUrl(target: string, why: string, next: string): BacopaError {
  return new BacopaError("bad-url", {
    message: `bad URL: ${why}`,
    userMessage: `${shortened(target)} ${why}. ${next}.`,
    hint: "Do not retry this address as it is.",
  });
}

/** A page whose address let somebody in was saved without that, so it cannot be read again. */
export function credentialNotKept(target: string, names: readonly string[]): BacopaError {
  const what = `${shortened(target)} was given with a credential in its address (${names.join(", ")}), which Bacopa does not keep.`;
  return new BacopaError("bad-url", {
    message: "the credential of the address was not kept",
    userMessage: `${what} Save it again with its whole address, or from the clipboard.`,
    hint: "Do not retry. Ask the person for the whole address.",
  });
}

export function refusedRedirect(comingFrom: string, to: string, why: string): BacopaError {
  const from = shownTarget(comingFrom);
  return new BacopaError("refused-address", {
    message: `redirect from ${from} to ${shortened(to)}: ${why}`,
    userMessage: `${from} redirects to ${shortened(to)}, ${why}. Open the page in a browser and save the address it shows.`,
    hint: "Do not retry this address.",
  });
}

export function tooManyRedirects(address: string, hops: number, circle: boolean): BacopaError {
  const url = shownTarget(address);
  return new BacopaError("too-many-redirects", {
    message: circle ? `redirect loop at ${url}` : `more than ${hops} redirects at ${url}`,
    ...bringIt(
      url,
      `${url} ${circle ? "redirects in a circle" : `redirects more than ${hops} times`}. Sites do that to readers without cookies.`,
    ),
    hint: "Do not retry this address.",
  });
}

export function timedOut(address: string, timeoutMs: number): BacopaError {
  const url = shownTarget(address);
  return new BacopaError("fetch-timeout", {
    message: `no complete answer from ${url} in ${timeoutMs} ms`,
    userMessage: `${url} was not complete after ${Math.round(timeoutMs / 100) / 10} s. Try again later, or save a copy of the page as a file and save that.`,
    hint: "Retry once later.",
    retryable: true,
  });
}

export function tooLarge(address: string, maxBytes: number): BacopaError {
  const where = shownTarget(address);
  const limit = maxBytes >= 1_000_000 ? `${Math.round(maxBytes / 1_000_000)} MB` : `${maxBytes} bytes`;
  return new BacopaError("too-large", {
    message: `more than ${maxBytes} bytes at ${where}`,
    userMessage: `${where} is larger than ${limit}, the most that Bacopa saves as one page. Save the part that matters as its own page.`,
    hint: "Do not retry. Look for a page that covers one part of it.",
  });
}

export function statusProblem(
  address: string,
  status: number,
  headers: { retryAfter: string | undefined; server: Refusal },
): BacopaError {
  const url = shownTarget(address);
  const named = `${status}${STATUS_CODES[status] === undefined ? "" : ` ${STATUS_CODES[status]}`}`;
  const message = `HTTP ${named} from ${url}`;
  if (status === 404 || status === 410) {
    return new BacopaError("page-not-found", {
      message,
      userMessage: `There is no page at ${url} (the server says ${named}). Check the address in a browser and save the one it shows.`,
      hint: "Do not retry this address. Search the site for the page's current address.",
    });
  }
  if (headers.server === "challenge") {
    return new BacopaError("page-needs-javascript", {
      message: `${message}: challenge`,
      ...bringIt(url, `${url} first checks with JavaScript that its reader is a person (${named}).`),
      hint: "Do not retry. Ask the person to save it from the clipboard.",
    });
  }
  if (status === 401 || headers.server === "login") {
    return new BacopaError("page-login", {
      message,
      ...bringIt(url, `${url} asks for a login (${named}), and Bacopa has none.`),
      hint: "Do not retry. Ask the person to open the page and save it from the clipboard.",
    });
  }
  if (status === 403 || status === 451) {
    return new BacopaError("http-status", {
      message,
      ...bringIt(url, `The server of ${url} does not let Bacopa read the page (${named}).`),
      hint: "Do not retry. Ask the person to save it from the clipboard.",
    });
  }
  const wait = headers.retryAfter === undefined ? "in a few minutes" : waitOf(headers.retryAfter);
  const busy = status === 429 || status >= 500;
  return new BacopaError("http-status", {
    message,
    userMessage:
      status === 429
        ? `The server of ${url} asks for fewer requests (${named}). Save the page again ${wait}.`
        : busy
          ? `The server of ${url} failed (${named}). Save the page again ${wait}.`
          : `The server of ${url} did not deliver the page (${named}). Open it in a browser and save the address it shows.`,
    hint: busy ? `Retry once ${wait}.` : "Do not retry this address.",
    retryable: busy || status === 408 || status === 425,
  });
}

/** What an answer of 401, 403 or 503 shows besides its status. */
export type Refusal = "login" | "challenge" | undefined;

function waitOf(retryAfter: string): string {
  return /^\d{1,6}$/u.test(retryAfter) ? `after ${retryAfter} s` : "in a few minutes";
}

const certificateCodes =
  /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)|ERR_TLS_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)/u;

/** Translates what node:http, node:dns and node:tls throw. */
export function networkProblem(cause: unknown, url: URL): BacopaError {
  if (BacopaError.is(cause)) return cause;
  const code = codeOf(cause);
  const { host } = url;
  const message = `${code === "" ? "fetch failed" : code} at ${url.origin}`;
  const tls = (what: string, next: string) =>
    new BacopaError("tls", {
      message,
      userMessage: `${what} ${next}.`,
      hint: "Do not retry. The person has to look at the certificate.",
      cause,
    });
  const failed = (what: string, next: string, retryable: boolean) =>
    new BacopaError("fetch-failed", {
      message,
      userMessage: `${what} ${next}.`,
      hint: retryable ? "Retry once later." : "Do not retry this address.",
      retryable,
      cause,
    });

  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") {
    return tls(
      `The certificate of ${host} is out of date.`,
      "Check this computer's clock; otherwise the site has to renew it",
    );
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return tls(`The certificate of ${host} belongs to another name.`, "Check the address for a spelling mistake");
  }
  if (certificateCodes.test(code)) {
    return tls(
      `The certificate of ${host} is not trusted.`,
      "If your network replaces certificates, add its root certificate to the system, or name its file in NODE_EXTRA_CA_CERTS",
    );
  }
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) {
    return tls(
      `No secure connection to ${host} could be made.`,
      "Check the address and its port; a server without https wants http://",
    );
  }
  switch (code) {
    case "ENOTFOUND":
    case "ENODATA":
      return failed(
        `There is no host named ${url.hostname}.`,
        "Check the address for a spelling mistake, and the network connection",
        false,
      );
    case "EAI_AGAIN":
      return failed(
        `The name ${url.hostname} could not be looked up.`,
        "Check the network connection and save the page again",
        true,
      );
    case "ECONNREFUSED":
      return failed(
        `${host} refused the connection.`,
        "Check the address and its port, and whether the server runs",
        true,
      );
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "ENETDOWN":
      return failed(
        `${host} cannot be reached from here.`,
        "Check the network connection or VPN and save the page again",
        true,
      );
    case "ETIMEDOUT":
      return new BacopaError("fetch-timeout", {
        message,
        userMessage: `${host} did not answer. Check the network connection and save the page again.`,
        hint: "Retry once later.",
        retryable: true,
        cause,
      });
    case "ECONNRESET":
    case "EPIPE":
    case "ERR_STREAM_PREMATURE_CLOSE":
      return failed(`${host} closed the connection before the page was complete.`, "Save the page again", true);
    case "HPE_HEADER_OVERFLOW":
      return new BacopaError("fetch-failed", {
        message,
        ...bringIt(url.href, `The answer of ${host} has headers of more than 64 kB.`),
        hint: "Do not retry this address.",
        cause,
      });
    default:
  }
  if (/^(?:HPE_|ERR_HTTP_|Z_|ERR_?_?(?:BROTLI|ZLIB))/u.test(code) || code.startsWith("ERR_BUFFER")) {
    return failed(
      `The answer of ${host} is damaged.`,
      "Save the page again, or open it in a browser and save a copy",
      true,
    );
  }
  return failed(
    `${shownTarget(url.href)} could not be fetched (${code || "unknown error"}).`,
    "Check the network connection and save the page again",
    true,
  );
}

/** The code of an error; a failed connection to several addresses carries one error for each. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const own = "code" in error && typeof error.code === "string" ? error.code : "";
  if (error instanceof AggregateError) {
    const codes = error.errors.map(codeOf).filter((code) => code !== "");
    return codes.find((code) => code === "ECONNREFUSED") ?? codes[0] ?? own;
  }
  return own;
}

/** Targets can be whole `data:` URLs; a message wants their start. */
export function shortened(target: string): string {
  const shown = shownTarget(target);
  return shown.length > 120 ? `${shown.slice(0, 117)}...` : shown;
}
