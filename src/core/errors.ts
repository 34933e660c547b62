/** Why something could not go on. Each reason has one meaning and one next step. */
export type Reason =
  // wrong input
  | "bad-usage"
  | "bad-url"
  | "not-found"
  // capture
  | "refused-address"
  | "fetch-failed"
  | "fetch-timeout"
  | "http-status"
  | "too-large"
  | "too-many-redirects"
  | "tls"
  | "unsupported-type"
  | "page-empty"
  | "page-needs-javascript"
  | "page-login"
  | "page-not-found"
  | "page-unreadable"
  // models
  | "model-auth"
  | "model-rejected"
  | "model-too-large"
  | "model-rate-limited"
  | "model-overloaded"
  | "model-unavailable"
  | "model-refused"
  | "model-bad-reply"
  | "model-missing"
  | "no-facts"
  // embedders
  | "embedder-missing"
  | "embedder-unavailable"
  | "embedder-rejected"
  | "embedder-bad-reply"
  // storage
  | "superseded"
  | "storage-full"
  | "storage-read-only"
  | "storage-failed"
  | "storage-newer";

export interface ErrorParts {
  /** For the log: what happened, with the data that matters. No secrets, no page text. */
  readonly message: string;
  /** For a person: one sentence on what happened and one on what to do next. */
  readonly userMessage: string;
  /** The same for a person at a command line, where the next step is another one there. */
  readonly commandLine?: string | undefined;
  /** For an agent: what to do next. */
  readonly hint?: string | undefined;
  /** What a surface can offer. */
  readonly action?: ErrorAction | undefined;
  readonly retryable?: boolean | undefined;
  readonly cause?: unknown;
}

/** A command of the editor that helps. */
export interface ErrorAction {
  readonly title: string;
  readonly command: string;
  readonly argument?: string | undefined;
}

/** Marks a `BacopaError` of any copy of this module: each bundle (extension, worker, CLI) holds its own. */
const marker = Symbol.for("bacopa.error");

/** The one error class of Bacopa. Test it with `BacopaError.is(error, reason)`, never by its text. */
export class BacopaError extends Error {
  readonly [marker] = true;
  readonly reason: Reason;
  readonly userMessage: string;
  readonly commandLine: string | undefined;
  readonly hint: string | undefined;
  readonly action: ErrorParts["action"];
  readonly retryable: boolean;

  constructor(reason: Reason, parts: ErrorParts) {
    super(parts.message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.name = "BacopaError";
    this.reason = reason;
    this.userMessage = parts.userMessage;
    this.commandLine = parts.commandLine;
    this.hint = parts.hint;
    this.action = parts.action;
    this.retryable = parts.retryable ?? false;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && marker in value;
  }

  static is(error: unknown, reason?: Reason): error is BacopaError {
    return error instanceof BacopaError && (reason === undefined || error.reason === reason);
  }
}
