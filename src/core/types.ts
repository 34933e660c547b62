/**
 * The words of the product as data. Everything here is readonly and plain JSON.
 *
 * Spans are UTF-16 offsets `[start, end)` into `Page.text`; token counts are o200k tokens.
 */

/** `<slug>-<10 hex digits of the canonical URL's hash>`; safe as a file name. */
export type PageId = string;
/** `<pageId>.<10 hex digits>`; for a section standing in for its facts `<pageId>.s<section index>`. */
export type FactId = string;

/** UTF-16 offsets `[start, end)` into the saved text of a page. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type PageFormat = "html" | "markdown" | "text";

/** Bytes as a source delivered them, with what the source said about them. */
export interface RawPage {
  /** What the person asked for: a URL, a path or `-`. */
  readonly requested: string;
  /** Where the bytes came from at last, after redirects. `undefined` for pasted text without a URL. */
  readonly url: string | undefined;
  readonly redirects: readonly string[];
  readonly bytes: Uint8Array;
  /** As declared, parameters included, e.g. `text/html; charset=EUC-KR`. */
  readonly contentType: string | undefined;
  readonly status: number | undefined;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** A decoded page, before cleaning. */
export interface CapturedPage {
  /** Canonical URL: no fragment (unless hash-routed `#/`), no tracking parameters, `rel=canonical` respected on the same host. */
  readonly url: string;
  readonly requested: string;
  readonly redirects: readonly string[];
  readonly format: PageFormat;
  readonly content: string;
  readonly charset: string;
  readonly byteLength: number;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** One thing that cleaning removed, for the person to see. */
export interface LeftOut {
  /** e.g. `navigation`, `breadcrumb`, `copy button`, `footer`, `feedback`, `cookie notice`, `script`. */
  readonly what: string;
  /** The first words of it, at most 80 characters. */
  readonly excerpt: string;
  readonly words: number;
}

/** What `clean` makes of a captured page. */
export interface CleanPage {
  readonly title: string;
  /** Markdown. Spans of everything later point into it. Never holds a NUL or a lone surrogate; lines end in LF. */
  readonly text: string;
  /** Words kept / words in the main content of the page, 0..1. */
  readonly coverage: number;
  readonly leftOut: readonly LeftOut[];
  /** Product or site name, if the page says it (`og:site_name`, title suffix, generator conventions). */
  readonly site?: string | undefined;
  /** Version the page documents, if it says so. */
  readonly version?: string | undefined;
  /** One sentence from the page's metadata or first paragraph. */
  readonly description?: string | undefined;
  /** ISO date the page says it was last changed. */
  readonly modified?: string | undefined;
  /** BCP 47, if declared. */
  readonly language?: string | undefined;
}

export interface Page extends CleanPage {
  readonly id: PageId;
  readonly url: string;
  readonly requested: string;
  readonly redirects: readonly string[];
  readonly format: PageFormat;
  readonly charset: string;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** ISO time. */
  readonly savedAt: string;
}

/** A part of a page's text as the page's strategy cut it: at h1/h2 for facts. The parts tile the text, or overlap where the strategy says so. */
export interface Section extends Span {
  readonly index: number;
  /** Headings from the page's h1 down to the section's own, plain text without Markdown marks. May be empty. */
  readonly headingPath: readonly string[];
  readonly tokens: number;
  /** The larger part of the page that is returned in the section's place. */
  readonly returned?: (Span & { readonly tokens: number }) | undefined;
  /** What a model wrote to place the section in its page: searched, embedded and returned with the section's own text. */
  readonly context?: { readonly text: string; readonly tokens: number; readonly origin: FactOrigin } | undefined;
}

/** How a fact was made, so that a changed prompt or distiller can be told apart. */
export interface FactOrigin {
  /** `offline-<version>` or `<provider>:<model id>`. */
  readonly distiller: string;
  /** First 12 hex digits of the SHA-256 of the prompt file; `undefined` offline. */
  readonly promptHash?: string | undefined;
  /** The body is cut from the page rather than rewritten, so search reads it too: no statement sums it up. */
  readonly extractive: boolean;
}

/** What a distiller writes, before it is checked. */
export interface FactDraft {
  readonly sectionIndex: number;
  /** A part of the section, if the distiller knows it; the whole section otherwise. */
  readonly span?: Span | undefined;
  /** The headings above that part; the section's own otherwise. */
  readonly headingPath?: readonly string[] | undefined;
  readonly topic: string;
  readonly statement: string;
  readonly questions: readonly string[];
  readonly keywords: readonly string[];
  readonly symbols: readonly string[];
  /** Markdown; code fences verbatim from the page. */
  readonly body: string;
}

/** A checked fact. */
export interface Fact {
  readonly id: FactId;
  readonly pageId: PageId;
  readonly sectionIndex: number;
  /** The span the fact was written from. */
  readonly source: Span & { readonly headingPath: readonly string[] };
  readonly topic: string;
  readonly statement: string;
  readonly questions: readonly string[];
  readonly keywords: readonly string[];
  /** API names that the fact is about: `Worker.postMessage`, `max_retries`, `--no-verify`. */
  readonly symbols: readonly string[];
  readonly body: string;
  /** Tokens of the fact as rendered in full. */
  readonly tokens: number;
  /** Sentences whose numbers or identifiers were not found in the source, even after repair. */
  readonly unverified: readonly string[];
  readonly origin: FactOrigin;
}

/** What a page covers and how far to trust it. */
export interface Brief {
  readonly covers: string;
  /** Age, version, opinion, beta, translation, coverage. One sentence each. */
  readonly caveats: readonly string[];
  /** Tokens of the page's title, URL and this brief as rendered; set when the page is stored. */
  readonly tokens?: number | undefined;
}

/** `fact`: distilled. `section`: not (yet) distilled, the section's own text stands in. */
export type Tier = "fact" | "section";

export type SectionState =
  | { readonly state: "waiting" }
  /** Searched as it is: the page's strategy writes nothing in its place. */
  | { readonly state: "kept" }
  /** `facts: 0` means the section held only noise. */
  | { readonly state: "distilled"; readonly facts: number }
  | { readonly state: "failed"; readonly reason: string };

/** Figures of one page's distillation and checking. */
export interface Figures {
  readonly dropped: { readonly code: number; readonly keywords: number; readonly unverified: number };
  /** Numbers and identifiers of the sections that are in no fact, after repair. */
  readonly missingSpecifics: number;
  readonly tokens: { readonly in: number; readonly out: number };
  readonly calls: number;
  readonly costUsd: number;
  readonly ms: {
    readonly fetch: number;
    readonly clean: number;
    readonly section: number;
    /** From the start of the save until the page could be searched. */
    readonly searchable: number;
    readonly distill: number;
    readonly index: number;
    readonly total: number;
  };
}

/** Everything that is kept of one page: the truth on disk. */
export interface SavedPage {
  readonly page: Page;
  readonly strategy: string;
  readonly sections: readonly Section[];
  /** One entry a section, same order. */
  readonly sectionStates: readonly SectionState[];
  /** In page order. */
  readonly facts: readonly Fact[];
  readonly brief: Brief;
  readonly figures: Figures;
}

/** The page's own text that a fact came from. */
export interface Passage {
  readonly factId: FactId;
  readonly page: { readonly id: PageId; readonly url: string; readonly title: string };
  readonly source: Span & { readonly headingPath: readonly string[] };
  readonly text: string;
  readonly tokens: number;
}

export type SearchMode = "hybrid" | "words" | "meaning";

export interface Hit {
  /** 1-based. */
  readonly rank: number;
  /** RRF score; compares only within one search. */
  readonly score: number;
  /** 1-based rank in each leg; `null` where the leg did not find it. */
  readonly ranks: { readonly words: number | null; readonly meaning: number | null };
  readonly tier: Tier;
  readonly fact: {
    readonly id: FactId;
    readonly topic: string;
    readonly statement: string;
    readonly questions: readonly string[];
    readonly keywords: readonly string[];
    readonly symbols: readonly string[];
    readonly body: string;
    readonly tokens: number;
    /** See `FactOrigin.extractive`: the statement repeats the body. */
    readonly extractive: boolean;
  };
  readonly page: { readonly id: PageId; readonly url: string; readonly title: string; readonly brief: Brief };
  readonly source: Span & { readonly headingPath: readonly string[] };
}

export interface SearchResult {
  readonly query: string;
  /** The mode that really ran: `words` when no embedder is there, with a `note`. */
  readonly mode: SearchMode;
  /** Whole call, milliseconds. */
  readonly ms: number;
  /** Tokens of all hits as rendered. */
  readonly tokens: number;
  readonly hits: readonly Hit[];
  /** One sentence when something was missing, e.g. the meaning leg. */
  readonly note?: string | undefined;
}
