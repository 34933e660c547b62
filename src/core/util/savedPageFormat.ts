import type { SavedPage } from "../types.ts";

/**
 * Checks that a value from outside (a stored file, an import) is a saved page.
 *
 * The value itself is returned, not a copy: fields this version does not know pass through, so that a file
 * written by a later version with one more optional field loses nothing when it is saved again.
 *
 * @throws TypeError that names the place: `facts[3].source.end: expected an offset into the text, found 912`.
 */
export function parseSavedPage(value: unknown): SavedPage {
  savedPage(value, "");
  const saved = value as SavedPage; // checked field by field above
  checkReferences(saved);
  return saved;
}

/** What no single field shows: spans lie in the text, indexes name sections. */
function checkReferences({ page, sections, sectionStates, facts }: SavedPage): void {
  const { length } = page.text;
  const span = ({ start, end }: { start: number; end: number }, path: string): void => {
    if (end > length || start > end) fail(path, `a span within the text's ${length} characters`, `[${start}, ${end})`);
  };
  sections.forEach((section, index) => {
    span(section, `sections[${index}]`);
    if (section.returned !== undefined) span(section.returned, `sections[${index}].returned`);
  });
  if (sectionStates.length !== sections.length) {
    fail("sectionStates", `one entry for each of ${sections.length} sections`, `${sectionStates.length} entries`);
  }
  facts.forEach((fact, index) => {
    span(fact.source, `facts[${index}].source`);
    if (fact.pageId !== page.id) fail(`facts[${index}].pageId`, `"${page.id}"`, `"${fact.pageId}"`);
    if (fact.sectionIndex >= sections.length) {
      fail(`facts[${index}].sectionIndex`, `an index into ${sections.length} sections`, `${fact.sectionIndex}`);
    }
  });
}

/** Throws unless the value has the shape. `path` is where the value lies, for the message. */
type Check = (value: unknown, path: string) => void;

const string: Check = (value, path) => {
  if (typeof value !== "string") fail(path, "a string", kindOf(value));
};

const boolean: Check = (value, path) => {
  if (typeof value !== "boolean") fail(path, "true or false", kindOf(value));
};

/** Durations, costs, shares: finite, or JSON could not hold it. */
const amount: Check = (value, path) => {
  if (typeof value !== "number" || !Number.isFinite(value)) fail(path, "a finite number", kindOf(value));
};

const count: Check = (value, path) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) fail(path, "a whole number of 0 or more", kindOf(value));
};

const time: Check = (value, path) => {
  if (typeof value !== "string" || Number.isNaN(Date.parse(value))) fail(path, "an ISO time", kindOf(value));
};

function optional(check: Check): Check {
  return (value, path) => {
    if (value !== undefined) check(value, path);
  };
}

function list(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) fail(path, "a list", kindOf(value));
    value.forEach((entry, index) => check(entry, `${path}[${index}]`));
  };
}

function record(fields: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(fields);
  return (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) fail(path, "an object", kindOf(value));
    const found = value as Readonly<Record<string, unknown>>;
    for (const [name, check] of entries) {
      check(Object.hasOwn(found, name) ? found[name] : undefined, path === "" ? name : `${path}.${name}`);
    }
  };
}

function oneOf(...allowed: readonly string[]): Check {
  return (value, path) => {
    if (typeof value !== "string" || !allowed.includes(value)) fail(path, allowed.join(" or "), kindOf(value));
  };
}

const sectionState: Check = (value, path) => {
  record({ state: oneOf("waiting", "kept", "distilled", "failed") })(value, path);
  switch ((value as { state: string }).state) {
    case "distilled":
      record({ facts: count })(value, path);
      break;
    case "failed":
      record({ reason: string })(value, path);
      break;
  }
};

const strings = list(string);
const span = { start: count, end: count };

const page = record({
  id: string,
  url: string,
  requested: string,
  redirects: strings,
  format: oneOf("html", "markdown", "text"),
  charset: string,
  etag: optional(string),
  lastModified: optional(string),
  savedAt: time,
  title: string,
  text: string,
  coverage: amount,
  leftOut: list(record({ what: string, excerpt: string, words: count })),
  site: optional(string),
  version: optional(string),
  description: optional(string),
  modified: optional(string),
  language: optional(string),
});

const origin = record({ distiller: string, promptHash: optional(string), extractive: boolean });

const fact = record({
  id: string,
  pageId: string,
  sectionIndex: count,
  source: record({ ...span, headingPath: strings }),
  topic: string,
  statement: string,
  questions: strings,
  keywords: strings,
  symbols: strings,
  body: string,
  tokens: count,
  unverified: strings,
  origin,
});

const savedPage = record({
  page,
  strategy: string,
  sections: list(
    record({
      ...span,
      index: count,
      headingPath: strings,
      tokens: count,
      returned: optional(record({ ...span, tokens: count })),
      context: optional(record({ text: string, tokens: count, origin })),
    }),
  ),
  sectionStates: list(sectionState),
  facts: list(fact),
  brief: record({ covers: string, caveats: strings, tokens: optional(count) }),
  figures: record({
    dropped: record({ code: count, keywords: count, unverified: count }),
    missingSpecifics: count,
    tokens: record({ in: count, out: count }),
    calls: count,
    costUsd: amount,
    ms: record({
      fetch: amount,
      clean: amount,
      section: amount,
      searchable: amount,
      distill: amount,
      index: amount,
      total: amount,
    }),
  }),
});

function fail(path: string, expected: string, found: string): never {
  throw new TypeError(`${path === "" ? "saved page" : path}: expected ${expected}, found ${found}`);
}

/** What a value is, without its text: messages go to logs, which hold no page text. */
function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value === "number") return `${value}`;
  return Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}
