import { BacopaError } from "../errors.ts";
import type { CapturedPage, CleanPage } from "../types.ts";
import {
  asksForJavascript,
  asksToLogIn,
  isChallenge,
  isLoginTitle,
  isNotFoundTitle,
  isOnlyLoading,
  saysNotFound,
} from "./phrases.ts";
import { htmlSigns } from "./shell.ts";
import type { HtmlSigns } from "./shell.ts";
import { countWords } from "./words.ts";

/**
 * Refuses a page that holds no documentation: nobody gets facts made from a shell page.
 *
 * One sign is never enough, since pages about logins, 404s and JavaScript say the same words, and a page of thirty words
 * can be a page: what a page says counts only where it says little else.
 *
 * @throws BacopaError `page-empty`, `page-needs-javascript`, `page-login`, `page-not-found`
 */
export function assess(captured: CapturedPage, cleaned: CleanPage): void {
  const prose = proseOf(cleaned.text);
  const page: Assessed = {
    url: captured.url,
    signs: captured.format === "html" ? htmlSigns(captured.content) : undefined,
    text: prose.text,
    words: prose.words,
    bodyWords: prose.bodyWords,
    headings: prose.headings,
    reference: prose.reference,
    title: cleaned.title,
  };
  if (page.words > maxWordsOfAnyShell) return;
  if (isNotFoundPage(page)) throw notFoundProblem(page);
  if (isLoginPage(page)) throw loginProblem(page);
  if (needsJavascript(page)) throw javascriptProblem(page);
  if (page.bodyWords === 0) throw emptyProblem(page);
}

interface Assessed {
  readonly url: string;
  readonly signs: HtmlSigns | undefined;
  /** Cleaned text without Markdown marks. */
  readonly text: string;
  readonly words: number;
  /** Words outside headings. */
  readonly bodyWords: number;
  readonly headings: readonly string[];
  /** Code (but not an address, which error pages repeat), a table or several headings: what documentation has and a shell has not. */
  readonly reference: boolean;
  readonly title: string;
}

// Limits in words of the cleaned text. An error page with its apology, a search hint and a list of popular pages stays
// under 250; the shortest documentation pages that open with the same title have code, tables or several headings.
const maxWordsOfAnyShell = 250;
const maxWordsOfPlainErrorPage = 80;
/** A page this short under the title "404" or "Sign in" has no room for documentation. */
const maxWordsOfBareTitle = 12;
const maxWordsOfLoginPage = 150;
const maxWordsOfLoginSentence = 40;
const maxWordsOfShell = 25;
/** Less than this of what the page shows is left over by navigation and a footer around an empty middle. */
const maxWordsBesideEmptyRoot = 40;

function isNotFoundPage(page: Assessed): boolean {
  if (page.reference) return false;
  const byTitle = isNotFoundTitle(page.title) || isNotFoundTitle(page.signs?.title ?? "");
  const byHeading = [...page.headings.slice(0, 2), ...(page.signs?.headings ?? [])].some(isNotFoundTitle);
  if (!byTitle && !byHeading) {
    // No title at all, as small servers answer: "404 page not found".
    return page.words <= maxWordsOfBareTitle && isNotFoundTitle(page.text);
  }
  if (page.words <= maxWordsOfBareTitle) return true;
  if (!saysNotFound(page.text)) return false;
  return page.words <= maxWordsOfPlainErrorPage || (byTitle && byHeading);
}

function isLoginPage(page: Assessed): boolean {
  if (page.reference) return false;
  const { signs } = page;
  const titled =
    isLoginTitle(page.title) ||
    isLoginTitle(signs?.title ?? "") ||
    [...page.headings.slice(0, 1), ...(signs?.headings ?? [])].some(isLoginTitle);
  const asks = asksToLogIn(page.text);
  if (signs?.passwordField === true) {
    if (page.bodyWords <= maxWordsOfShell && (titled || asks || page.bodyWords <= maxWordsOfBareTitle)) return true;
    if (titled && page.words <= maxWordsOfLoginPage) return true;
  }
  if (titled && (signs?.loginForm === true || asks) && page.words <= maxWordsOfPlainErrorPage) return true;
  if (titled && signs !== undefined && page.words <= maxWordsOfBareTitle) return true;
  return (
    asks &&
    signs !== undefined &&
    page.words <= maxWordsOfLoginSentence &&
    (titled || signs.loginForm || page.headings.length === 0)
  );
}

function needsJavascript(page: Assessed): boolean {
  const { signs } = page;
  if (signs === undefined || page.reference) return false;
  if (
    page.words <= maxWordsOfPlainErrorPage &&
    (isChallenge(page.title) ||
      isChallenge(signs.title) ||
      (isChallenge(page.text) && page.words <= maxWordsOfLoginSentence))
  ) {
    return true;
  }
  if (isOnlyLoading(page.text)) return true;
  if (page.words > maxWordsBesideEmptyRoot) return false;
  const says = asksForJavascript(signs.noscript) || asksForJavascript(page.text);
  if (signs.emptyRoot && (signs.scripts > 0 || says)) return page.bodyWords <= maxWordsOfShell || says;
  if (page.bodyWords <= maxWordsOfShell && asksForJavascript(page.text) && signs.scripts > 0) return true;
  return (
    page.bodyWords === 0 &&
    signs.scripts > 0 &&
    !signs.frames &&
    signs.refresh === undefined &&
    (says || signs.visibleWords < maxWordsOfShell)
  );
}

/** Plain words of Markdown, and what it is built of. */
function proseOf(markdown: string) {
  const body = markdown.replace(/^---\n[^]*?\n---(?:\n|$)/u, "");
  const headings: string[] = [];
  const fences = body.match(/^ {0,12}(?:`{3,}|~{3,})/gmu)?.length ?? 0;
  const tables = /^ {0,3}\|?[ :|-]*-{3,}[ :|-]*\|[ :|-]*$/mu.test(body);
  const rest = body.replace(/^ {0,3}#{1,6} +([^\n]*)$/gmu, (_, heading: string) => {
    headings.push(plain(heading));
    return "";
  });
  const bodyText = plain(rest);
  const bodyWords = countWords(bodyText);
  return {
    text: [...headings, bodyText].join(" ").trim(),
    words: bodyWords + countWords(headings.join(" ")),
    bodyWords,
    headings,
    reference:
      fences > 0 ||
      tables ||
      headings.length > 3 ||
      /(?:^|[\s(])`(?!\/|https?:)[^`\n]*[^`\s\d][^`\n]*`/u.test(bodyText),
  };
}

function plain(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\([^)\n]*\)/gu, " ")
    .replace(/\]\([^)\n]*\)/gu, " ")
    .replace(/<[a-z/!][^>\n]*>/giu, " ")
    .replace(/[[\]*_|>#~]+/gu, " ")
    .replace(/\\(?=[^\w\s])/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
}

const bringIt = (url: string) =>
  `Open it in a browser, copy its content, and save it from the clipboard or with \`bacopa save --url ${url} -\`, which reads standard input`;

function notFoundProblem(page: Assessed): BacopaError {
  return new BacopaError("page-not-found", {
    message: `soft 404: ${page.words} words under a not-found title at ${page.url}`,
    userMessage: `The site answered that there is no page at ${page.url}. Check the address in a browser and save the one it shows.`,
    hint: "Do not retry this address. Search the site for the page's current address.",
  });
}

function loginProblem(page: Assessed): BacopaError {
  return new BacopaError("page-login", {
    message: `login page: ${page.words} words at ${page.url}`,
    userMessage: `${page.url} asks for a login, and Bacopa has none. ${bringIt(page.url)}.`,
    hint: "Do not retry. Ask the person to open the page and save it from the clipboard.",
  });
}

function javascriptProblem(page: Assessed): BacopaError {
  return new BacopaError("page-needs-javascript", {
    message: `JavaScript shell: ${page.words} words, ${page.signs?.scripts ?? 0} scripts at ${page.url}`,
    userMessage:
      `${page.url} shows its text only with JavaScript; its HTML holds ${wordCount(page.words)}. ` +
      `${bringIt(page.url)}; or save the page's Markdown source, often the same address with .md.`,
    hint: "Do not retry. Try the same address with .md, or ask the person to save it from the clipboard.",
  });
}

function emptyProblem(page: Assessed): BacopaError {
  const { signs } = page;
  const why =
    signs?.frames === true
      ? "is made of frames and has no text of its own. Open the frame with the text by itself and save its address"
      : signs?.refresh !== undefined
        ? `only leads on to ${signs.refresh}. Save that address`
        : `holds no text. ${bringIt(page.url)}`;
  return new BacopaError("page-empty", {
    message: `empty page: ${page.bodyWords} words of text at ${page.url}`,
    userMessage: `${page.url} ${why}.`,
    hint: "Do not retry this address.",
  });
}

function wordCount(words: number): string {
  return words === 0 ? "no words" : words === 1 ? "one word" : `${words} words`;
}
