import { withoutCredentials } from "../util/credentials.ts";

/**
 * One address a page: what two spellings of the same page have in common.
 *
 * Dropped: the fragment (unless it is a hash route, `#/` or `#!/`, which names the page), tracking parameters,
 * default ports, user names, passwords and other credentials. Everything else stays as it is, parameter order included.
 */
export function canonicalUrl(url: string): string {
  if (!URL.canParse(url)) return withoutCredentials(url);
  const parsed = new URL(withoutCredentials(new URL(url).href));
  if (!/^#!?\//u.test(parsed.hash)) parsed.hash = "";
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") return parsed.href;
  parsed.username = "";
  parsed.password = "";
  const parameters = parsed.search.slice(1).split("&");
  const kept = parameters.filter((parameter) => parameter !== "" && !isTracking(parameter));
  // Only rewritten when something goes: URL.search would otherwise change the spelling of what stays.
  // With its question mark: the setter takes one off, which may be the first character of a parameter.
  if (kept.length < parameters.length) parsed.search = kept.length === 0 ? "" : `?${kept.join("&")}`;
  return parsed.href;
}

/** Parameters that advertising and newsletter services add to links; none of them selects content. */
const trackingName =
  /^(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|mc_[ce]id|_hs(?:enc|mi)|hsctatracking|__hs\w+|mkt_tok|oly_(?:anon|enc)_id|vero_id|_g[al]|_ke|_branch_match_id|wt\.mc_id|ref_src|ref_url)$/iu;

function isTracking(parameter: string): boolean {
  const [name = ""] = parameter.split("=", 1);
  return trackingName.test(name);
}

/**
 * The page's address when it declares one by `<link rel=canonical>`.
 *
 * The declaration counts only on the same host, and not where it would make two pages one:
 * the bare site root for a deeper page (a template that was never filled in), a hash route (the link belongs to the shell),
 * and another version of the documentation (`/3.11/` declared as `/3/`): the text saved is that of this version.
 */
export function withDeclaredCanonical(url: string, html: string): string {
  const own = canonicalUrl(url);
  if (!URL.canParse(own)) return own;
  const page = new URL(own);
  if (page.hash !== "") return own;
  const declared = declaredCanonical(html, own);
  if (declared === undefined) return own;
  const target = new URL(declared);
  const sameSite = target.host === page.host && target.protocol.startsWith("http") && page.protocol.startsWith("http");
  if (!sameSite || (target.pathname === "/" && page.pathname !== "/")) return own;
  if (versionWords(target) !== versionWords(page)) return own;
  return declared;
}

function declaredCanonical(html: string, base: string): string | undefined {
  for (const [tag] of html.matchAll(/<link\b[^<>]{0,2000}>/giu)) {
    if (!/\brel\s*=\s*["']?[^"'>]*\bcanonical\b/iu.test(tag)) continue;
    const href = attribute(tag, "href");
    if (href !== undefined && href !== "" && URL.canParse(href, base)) return canonicalUrl(new URL(href, base).href);
  }
  return undefined;
}

const versionWord = /^(?:v?\d+(?:\.\d+)*(?:\.?x)?|latest|stable|current|next|canary|nightly|dev|main|master)$/iu;

/** What a path says about versions: `3.11` of `/3.11/library/`, `4.96` of `/product-html-4.96/`. */
function versionWords(url: URL): string {
  return url.pathname
    .split(/[/_-]/u)
    .filter((word) => versionWord.test(word))
    .join("/");
}

/** The value of an attribute in the source of one tag, character references for `&` and quotes resolved. */
export function attribute(tag: string, name: string): string | undefined {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "iu").exec(tag);
  const value = match?.[1] ?? match?.[2] ?? match?.[3];
  return value
    ?.replace(/&quot;/giu, '"')
    .replace(/&#0*39;|&apos;/giu, "'")
    .replace(/&#0*38;|&#x0*26;|&amp;/giu, "&")
    .trim();
}
