import { BacopaError } from "../errors.ts";
import type { ErrorParts } from "../errors.ts";
import type { CapturedPage, CleanPage } from "../types.ts";
import {
  asksForJavascript,
  asksToLogIn,
  hasLoadingSign,
  isChallenge,
  isFailureTitle,
  isLabeledAsLogin,
  isLoginTitle,
  isNotFoundTitle,
  isOnlyLoading,
  saysFailure,
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
  if (cleaned.text.length > maxLengthOfAnyShell) return;
  const prose = proseOf(cleaned.text);
  if (prose.words > maxWordsOfAnyShell) return;
  const page: Assessed = {
    url: captured.url,
    signs: captured.format === "html" ? htmlSigns(captured.content) : undefined,
    text: prose.text,
    words: prose.words,
    body: prose.body,
    bodyWords: prose.bodyWords,
    headings: prose.headings,
    openings: prose.openings,
    structured: prose.structured,
    reference: prose.structured || prose.inlineCode,
    title: cleaned.title,
  };
  if (isNotFoundPage(page)) throw notFoundProblem(page);
  if (isLoginPage(page)) throw loginProblem(page);
  if (needsJavascript(page)) throw javascriptProblem(page);
  if (isServerFailure(page)) throw failureProblem(page);
  if (isEmpty(page)) throw emptyProblem(page);
}

interface Assessed {
  readonly url: string;
  readonly signs: HtmlSigns | undefined;
  /** Cleaned text without Markdown marks. */
  readonly text: string;
  readonly words: number;
  /** Without the headings, and the words of that. */
  readonly body: string;
  readonly bodyWords: number;
  readonly headings: readonly string[];
  /** The first three headings or short lines: error pages often set their title as plain text. */
  readonly openings: readonly string[];
  /** A code block, a table or several headings. */
  readonly structured: boolean;
  /** Or inline code (but not an address, which error pages repeat): what documentation has and a shell has not. */
  readonly reference: boolean;
  readonly title: string;
}

// Limits in words of the cleaned text. An error page with its apology, a search hint and a list of popular pages stays
// under 250; the shortest documentation pages that open with the same title have code, tables or several headings.
const maxWordsOfAnyShell = 250;
/** In UTF-16 units; no 250 words are this long. It spares large pages the look. */
const maxLengthOfAnyShell = 20_000;
const maxWordsOfPlainErrorPage = 80;
/** A page this short under the title "404" or "Sign in" has no room for documentation. */
const maxWordsOfBareTitle = 12;
const maxWordsOfLoginPage = 150;
const maxWordsOfLoginSentence = 40;
const maxWordsOfShell = 25;
const maxWordsOfEmptyPage = 4;
const maxWordsOfOpening = 8;
/** Less than this of what the page shows is left over by navigation and a footer around an empty middle. */
const maxWordsBesideEmptyRoot = 40;

function isNotFoundPage(page: Assessed): boolean {
  if (page.structured) return false;
  const byTitle = isNotFoundTitle(page.title) || isNotFoundTitle(page.signs?.title ?? "");
  const byHeading = [...page.openings, ...(page.signs?.headings ?? [])].some(isNotFoundTitle);
  // No title at all, as small servers answer: "404 page not found".
  if (page.words <= maxWordsOfBareTitle && isNotFoundTitle(page.text)) return true;
  if (!byTitle && !byHeading) return false;
  if (page.words <= maxWordsOfBareTitle && ((byTitle && byHeading) || page.text.includes("404"))) return true;
  if (!saysNotFound(page.body)) return false;
  return page.words <= maxWordsOfPlainErrorPage || (byTitle && byHeading);
}

function isLoginPage(page: Assessed): boolean {
  const { signs } = page;
  if (page.reference || signs === undefined) return false;
  const titled = [page.title, signs.title, ...page.openings.slice(0, 1), ...signs.headings].some(isLoginTitle);
  const walled = asksToLogIn(page.text);
  const labeled = isLabeledAsLogin(page.text);
  if (signs.passwordField) {
    if (titled && page.words <= maxWordsOfLoginPage) return true;
    return page.bodyWords <= maxWordsOfShell && (walled || labeled || page.bodyWords <= maxWordsOfBareTitle);
  }
  if (signs.loginForm && titled && (walled || labeled) && page.words <= maxWordsOfLoginSentence) return true;
  return walled && page.words <= maxWordsOfLoginSentence && (titled || signs.loginForm || page.headings.length === 0);
}

function needsJavascript(page: Assessed): boolean {
  const { signs } = page;
  if (signs === undefined || page.reference) return false;
  const challenged = isChallenge(page.title) || isChallenge(signs.title);
  if (challenged && page.words <= maxWordsOfPlainErrorPage) return true;
  if (isChallenge(page.text) && page.words <= maxWordsOfLoginSentence && signs.scripts > 0) return true;
  if (isOnlyLoading(page.text) || isOnlyLoading(page.body)) return true;
  if (page.words > maxWordsBesideEmptyRoot) return false;
  const saysAside = asksForJavascript(signs.noscript);
  const says = saysAside || asksForJavascript(page.text);
  // A heading from the server means that the page itself is there and the container is for a widget.
  const bare = signs.headings.length === 0 ? maxWordsOfShell : maxWordsOfEmptyPage;
  if (signs.emptyRoot && (signs.scripts > 0 || says) && (page.bodyWords <= bare || saysAside)) return true;
  // Said without a container: only where the page says nothing else, for a page can be about this.
  if (asksForJavascript(page.text) && signs.scripts > 0 && page.bodyWords <= maxWordsOfShell) {
    return saysAside || page.headings.length === 0;
  }
  if (signs.scripts === 0 || signs.headings.length > 0 || signs.frames || signs.refresh !== undefined) return false;
  return page.bodyWords <= maxWordsOfEmptyPage || (hasLoadingSign(page.body) && page.bodyWords <= maxWordsOfShell);
}

function isServerFailure(page: Assessed): boolean {
  if (page.reference || page.words > maxWordsOfPlainErrorPage) return false;
  return [page.title, page.signs?.title ?? "", ...page.openings].some(isFailureTitle) && saysFailure(page.body);
}

function isEmpty(page: Assessed): boolean {
  const { signs } = page;
  if (page.bodyWords === 0) return true;
  if (signs === undefined || page.reference) return false;
  // What a frameset says to browsers without frames is not the page.
  if (signs.frames && signs.visibleWords <= maxWordsOfEmptyPage) return true;
  return signs.refresh !== undefined && page.bodyWords <= maxWordsOfShell;
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
    body: bodyText,
    words: bodyWords + countWords(headings.join(" ")),
    bodyWords,
    headings,
    openings: body
      .split("\n")
      .map(plain)
      .filter((line) => line !== "" && countWords(line) <= maxWordsOfOpening)
      .slice(0, 3),
    structured: fences > 0 || tables || headings.length > 3,
    inlineCode: /(?:^|[\s(])`(?!\/|https?:)[^`\n]*[^`\s\d][^`\n]*`/u.test(bodyText),
  };
}

function plain(markdown: string): string {
  return markdown
    .replace(/!\[[^[\]]{0,500}\]\([^()\n]{0,1000}\)/gu, " ")
    .replace(/\]\([^()\n]{0,1000}\)/gu, " ")
    .replace(/<[a-z/!][^<>\n]*>/giu, " ")
    .replace(/[[\]*_|>#~]+/gu, " ")
    .replace(/\\(?=[^\w\s])/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
}

/** What to do with a page that only a browser can read, in the editor and at the command line. */
function bringIt(url: string, what: string, otherwise = ""): Pick<ErrorParts, "userMessage" | "commandLine"> {
  const open = `${what} Open it in a browser, copy its content, and save it`;
  return {
    userMessage: `${open} from the clipboard${otherwise}.`,
    commandLine: `${open} with \`bacopa save --url ${url} -\`, which reads standard input${otherwise}.`,
  };
}

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
    ...bringIt(page.url, `${page.url} asks for a login, and Bacopa has none.`),
    hint: "Do not retry. Ask the person to open the page and save it from the clipboard.",
  });
}

function javascriptProblem(page: Assessed): BacopaError {
  return new BacopaError("page-needs-javascript", {
    message: `JavaScript shell: ${page.words} words, ${page.signs?.scripts ?? 0} scripts at ${page.url}`,
    ...bringIt(
      page.url,
      `${page.url} shows its text only with JavaScript; its HTML holds ${wordCount(page.words)}.`,
      "; or save the page's Markdown source, often the same address with .md",
    ),
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
        : undefined;
  return new BacopaError("page-empty", {
    message: `empty page: ${page.bodyWords} words of text at ${page.url}`,
    ...(why === undefined ? bringIt(page.url, `${page.url} holds no text.`) : { userMessage: `${page.url} ${why}.` }),
    hint: "Do not retry this address.",
  });
}

function failureProblem(page: Assessed): BacopaError {
  return new BacopaError("page-empty", {
    message: `server failure served as a page at ${page.url}`,
    userMessage: `The server of ${page.url} says that it is failing or under maintenance, in place of the page. Save the page again later.`,
    hint: "Retry once later.",
    retryable: true,
  });
}

function wordCount(words: number): string {
  return words === 0 ? "no words" : words === 1 ? "one word" : `${words} words`;
}
