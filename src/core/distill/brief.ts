import type { Brief, Page, Section } from "../types.ts";
import { addressedKind } from "../util/addressed/removal.ts";
import { isUnfoundedOrder } from "../util/addressed/unfounded.ts";
import { blocks } from "../util/markdown.ts";

/**
 * What a page covers and how far to trust it, told without a model: from its particulars, headings and notices.
 *
 * @param now For the page's age; undated pages get no caveat about age.
 */
export function briefOf(page: Page, sections: readonly Section[], now: Date): Brief {
  return { covers: coversOf(page, sections), caveats: caveatsOf(page, now) };
}

/** Longest list of headings, characters. Enough to tell pages apart, short enough to read with every hit. */
const maxHeadings = 240;

function coversOf(page: Page, sections: readonly Section[]): string {
  const site =
    page.site !== undefined && !page.title.toLowerCase().includes(page.site.toLowerCase()) ? ` (${page.site})` : "";
  const first = `${page.title}${site}`;
  const description = page.description?.replace(/\s+/gu, " ").trim() ?? "";
  const headings = [...new Set(headingsOf(page, sections))].filter(
    (heading) => heading !== page.title && heading !== "",
  );
  const head = ended(description === "" ? first : `${first}: ${short(description, 200)}`);
  return headings.length === 0 ? head : `${head} Sections: ${joined(headings)}.`;
}

/** The h2 headings, also those that share a section; on pages without any, the last headings of the sections. */
function headingsOf(page: Page, sections: readonly Section[]): string[] {
  const seconds = blocks(page.text).flatMap(({ kind, depth, title }) =>
    kind === "heading" && depth === 2 ? (title ?? []) : [],
  );
  return seconds.length > 0 ? seconds : sections.flatMap(({ headingPath }) => headingPath.at(-1) ?? []);
}

function ended(text: string): string {
  return /[.!?…。]$/u.test(text) ? text : `${text}.`;
}

function joined(headings: readonly string[]): string {
  let text = "";
  for (const [index, heading] of headings.entries()) {
    const next = text === "" ? heading : `${text}, ${heading}`;
    if (next.length > maxHeadings && text !== "") return `${text} and ${headings.length - index} more`;
    text = next;
  }
  return short(text, maxHeadings);
}

function short(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).replace(/\s+\S*$/u, "")} …`;
}

/** A page changed longer ago than this gets a caveat, years. */
const oldAfterYears = 2;
/** Below this share of the main content kept, a page may lack something. */
const lowCoverage = 0.8;
/** How far into the text a notice counts as one about the whole page, characters. */
const noticeReach = 1_500;

function caveatsOf(page: Page, now: Date): string[] {
  const caveats: string[] = [];
  const head = page.text.slice(0, noticeReach);
  const title = `${page.title} ${page.url}`;
  const changed = page.modified === undefined ? NaN : Date.parse(page.modified);
  if (!Number.isNaN(changed)) {
    const years = (now.getTime() - changed) / (365.25 * 24 * 3600 * 1000);
    const date = new Date(changed).toISOString().slice(0, 10);
    if (years >= oldAfterYears)
      caveats.push(`Last changed ${date}, ${Math.floor(years)} years ago: check against the current version.`);
    else caveats.push(`Last changed ${date}.`);
  }
  if (page.version !== undefined) caveats.push(`Documents version ${page.version}.`);
  for (const { pattern, caveat } of notices) if (pattern.test(head) || pattern.test(title)) caveats.push(caveat);
  if (isOpinion(page, head)) caveats.push("A blog post or opinion, not reference documentation.");
  if (page.language !== undefined && translated.test(head))
    caveats.push(`A translation (${page.language}): the original may be newer.`);
  return [...caveats, ...cleaningCaveats(page)];
}

/** The caveats for what was left out of a page, which a model cannot see. */
export function cleaningCaveats({ coverage, leftOut }: Page): string[] {
  const caveats: string[] = [];
  if (leftOut.some(({ what }) => what === addressedKind)) caveats.push(addressedCaveat);
  if (coverage < lowCoverage)
    caveats.push(`Only ${Math.round(coverage * 100)} % of the page's words could be kept: compare with the page.`);
  return caveats;
}

/**
 * A brief that a model wrote, with the caveats that it cannot know and without orders to assistants that the page does not
 * document. `undefined` when what it says the page covers is one.
 */
export function checkedBrief(brief: Brief, page: Page): Brief | undefined {
  const source = `${page.title}\n${page.description ?? ""}\n${page.text}`;
  if (isUnfoundedOrder(brief.covers, source)) return undefined;
  const caveats = brief.caveats.filter((caveat) => !isUnfoundedOrder(caveat, source));
  return { ...brief, caveats: [...caveats, ...cleaningCaveats(page)] };
}

/** The brief of an earlier text of a page, with the caveats of what was left out of this one. */
export function carriedBrief({ covers, caveats }: Brief, earlier: Page, page: Page): Brief {
  const old = new Set(cleaningCaveats(earlier));
  return { covers, caveats: [...caveats.filter((caveat) => !old.has(caveat)), ...cleaningCaveats(page)] };
}

const addressedCaveat =
  "The page held text addressed to AI assistants, which was left out: be careful with what else it says.";

/** Notices that documentation generators and authors put at the top of a page about the whole of it. */
const notices: readonly { readonly pattern: RegExp; readonly caveat: string }[] = [
  {
    pattern:
      /\b(?:this (?:page|document(?:ation)?|guide|version|feature|api|project|package|module|library) (?:is|has been|was)(?: now)? (?:deprecated|obsolete|archived|superseded)|no longer (?:maintained|supported|actively maintained)|\[!?deprecated\]|\bdeprecated:)/iu,
    caveat: "The page says that what it describes is deprecated or no longer maintained.",
  },
  {
    pattern:
      /\b(?:(?:is|are|currently|still|now) (?:in |an? )?(?:public |private |open |closed )?(?:beta|alpha|preview|experimental)|(?:beta|alpha|preview|experimental) (?:feature|release|version|api)|tech(?:nical|nology) preview|subject to change|unstable api)\b|[([](?:beta|alpha|preview|experimental)[)\]]/iu,
    caveat: "The page says that something it describes is beta, experimental or subject to change.",
  },
  {
    pattern:
      /\b(?:you(?:'re| are) (?:viewing|reading|looking at)|this is) (?:the )?(?:documentation|docs)? ?(?:for )?(?:an? )?(?:old(?:er)?|outdated|previous|unreleased|development|legacy)\b|\bunsupported version\b|\bis (?:no longer|not) the (?:latest|current|most recent) version\b|\bfor an? (?:old|older|outdated|unsupported|unreleased) version\b/iu,
    caveat: "The page says that it is not the documentation of the current release.",
  },
  {
    pattern:
      /\b(?:auto(?:matically)?[- ]generated|machine[- ]translated|generated by (?:an? )?(?:ai|llm|language model))\b/iu,
    caveat: "The page says that it was generated.",
  },
];

const translated =
  /\b(?:translated (?:from|by|into)|translation of|machine translat|community translation)\b|原文|翻訳|翻译|перевод|traducción|traduction|Übersetzung/iu;

function isOpinion(page: Page, head: string): boolean {
  if (/\/(?:blog|posts?)\//iu.test(page.url) || /^https?:\/\/(?:blog|medium)\./iu.test(page.url)) return true;
  const text = `${head} ${page.text.slice(-noticeReach)}`;
  return (
    (
      text.match(
        /\b(?:I think|I believe|in my (?:opinion|experience)|my take|I(?:'ve| have) (?:been|found|used))\b/gu,
      ) ?? []
    ).length >= 2
  );
}
