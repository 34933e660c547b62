/** The frame of a page: navigation, sidebars, pagers, footers, by element, role and the names generators give. */
import { append } from "../util/append.ts";
import { isMain, proseWords } from "./measure.ts";
import type { WalkContext } from "./noiseContext.ts";
import { attribute, classMatches, elementsOf, hasClass } from "./tree.ts";
import type { ElementNode } from "./tree.ts";

interface FrameRule {
  readonly what: string;
  /** Matches an id or class name. */
  readonly name: RegExp;
  /** Removed also when it holds code or prose, e.g. cookie notices. */
  readonly isSure?: boolean;
}

const part = (words: string): RegExp => new RegExp(`(?:^|[-_])(?:${words})(?:[-_]|$)`, "u");

const frameRules: readonly FrameRule[] = [
  { what: "breadcrumb", name: /(?:^|[-_])bread-?crumbs?|^crumbs?$|breadcrumbs/u },
  {
    what: "pager",
    name: part(
      "prev-?next|pagination|pager|page-?nav(?:igation)?|next-?prev|prevnext|rellinks|navheader|navfooter|nav-chapters|nav-wide-wrapper|post-nav|nav-panel|docs-nav-buttons|bottom-?nav|prev-next-footer|page-turn|related-pages",
    ),
  },
  { what: "pager", name: /^(?:vpdocfooter|chapter-nav)$/u },
  {
    what: "table of contents",
    name: /(?:^|[-_])(?:toc|page-?toc|tocbox|localtoc|minitoc|table-?of-?contents|tableofcontents|on-?this-?page|in-?page-?nav|page-?outline|outline|scroll-?spy|toctree-wrapper-nav|quickview|right-?rail|page-?contents|docs-?toc|table_of_contents)(?:[-_]|$)|^vpdocaside|^toc[A-Z]?|toccollapsible|tocmobile/u,
  },
  {
    what: "sidebar",
    name: /(?:^|[-_])(?:side-?bar|sphinxsidebar|side-?nav|left-?nav|nav-?tree|side-?menu|leftcol|leftnav|rightnav|drawer)(?:[-_]|$)|sidebar$|^vpsidebar|^md-sidebar/u,
  },
  {
    what: "navigation",
    name: part(
      "nav-?bar|top-?nav|main-?nav|site-?nav|nav-?menu|navigation|global-?nav|menu-?bar|sub-?nav|mobile-?nav|tabs-nav-global|navrow\\d?|tabs2|nav-path|tsd-navigation|nav-?links|sub-?menu|header-?links|flex-nav",
    ),
  },
  { what: "navigation", name: /^(?:vpnav|vplocalnav|navbar|nav|topnav|menu-wrapper|menu)$/u },
  {
    what: "site header",
    name: part(
      "site-?header|page-?top|top-?bar|topbar|global-?header|masthead|main-?header|mobile-?header|bd-header|wy-side-scroll|preamble-nav|announcement(?:-?bar)?|banner-?top|site-?title|flex-header",
    ),
  },
  {
    what: "footer",
    name: part(
      "site-?footer|page-?footer|global-?footer|footer-?text|footer-?nav|footer-?links|theme-doc-footer|md-footer|bd-footer|copyright|colophon|footer-?bar|legal-?footer|doc-?footer|article-?footer|page-info",
    ),
  },
  { what: "footer", name: /^(?:footer|foot|vpfooter|footer-content)$/u },
  {
    what: "cookie notice",
    name: /(?:^|[-_])(?:cookie|cookies|consent|gdpr|onetrust|cc-window|cookie-?banner)(?:[-_]|$)/u,
    isSure: true,
  },
  {
    what: "feedback",
    name: part(
      "feedback|page-?rating|helpful|was-this-helpful|rate-this|thumbs|survey|contribute-?box|edit-?this-?page|edit-?page|edit-?link|edit-?on-?github|github-?edit|page-?actions|page-?tools|feedback-?widget|report-?issue|bug-?report",
    ),
  },
  {
    what: "comments",
    name: part("comments|comments_section|disqus(?:_thread)?|giscus|utterances|comment-?form|comment-?list"),
  },
  {
    what: "sharing",
    name: part("share|sharing|social|social-?links|share-?buttons|addthis|sharethis|twitter-share|follow-us"),
  },
  { what: "page metadata", name: /^(?:page-metadata|article-metadata|post-meta|td-page-meta|doc-meta|byline)$/u },
  { what: "filter", name: /^(?:tsd-filter|tsd-filter-group|tsd-legend|filter-panel)$/u, isSure: true },
  { what: "newsletter", name: part("newsletter|subscribe|sign-?up-?form|mailing-?list-?form|signup") },
  {
    what: "advertisement",
    name: /(?:^|[-_])(?:ad|ads|advert|advertisement|ea-placement|carbon-?ads|carbonads|ethical-?ad|sponsors?-?box|promo|adsbygoogle|sponsor-banner)(?:[-_]|$)/u,
  },
  {
    what: "picker",
    name: part(
      "theme-?(?:switch|switcher|toggle|picker|select|menu)|language-?(?:switch|switcher|selector|picker|menu)|lang-?(?:switch|switcher|selector|picker|menu|selector)|version-?(?:switch|switcher|selector|picker|warning-none|menu|dropdown)|color-?scheme-?toggle|locale-?(?:switcher|picker)|toplang|bottomlang|rst-versions|theme-popup|settings-menu|lang-choose|translations|theme-?settings",
    ),
  },
  {
    what: "search",
    name: part(
      "search|search-?(?:box|form|bar|container|results?|wrapper|input|modal|button)|searchbox|mselectwindow|docsearch|algolia|searchwrapper|sidebar-search",
    ),
  },
  {
    what: "copy button",
    name: /^(?:copy-?(?:button|btn|code-?button|to-clipboard-button|popup-wrapper|tooltip|link|page|feedback)|clipboard(?:-button|-copy|js)?|btn-clipboard|zeroclipboard.*|tooltipped-copy|anchor-copy|copybutton|code-?toolbar-?buttons|toolbar-item|buttongroup|button-group|hextra-code-copy-btn.*)$/u,
  },
  {
    what: "skip link",
    name: /^(?:skip|skip-?(?:link|links|to|nav|navigation|content|to-content|to-main)(?:-\w+)*|skiplink|skiptocontent|vpskiplink|md-skip)$/u,
  },
  {
    what: "code label",
    name: /^(?:lang-label|code-lang|language-label|code-block-language|filetype-label|code-block-lang)$/u,
  },
  {
    what: "source listing",
    name: /^(?:source_code|method-source-code|showsource|tsd-sources|view-source|source-link|src-link|dokka-source|tag-source|sourcelink|source-toggle|dont-index)$/u,
    isSure: true,
  },
  {
    what: "hidden menu",
    name: /^(?:platform-selector|filter-section|platform-tags|dropdown-menu|dropdown-content|tooltip-content|popup|popover|modal|overlay|mega-menu|toast|snackbar|md-dialog|md-search|md-source|md-top|md-overlay)$/u,
  },
  {
    what: "related links",
    name: part(
      "related-?(?:posts|articles|links|content|topics)|see-also-links|recommended|recommendations|read-?next|more-?articles|next-?steps-?links",
    ),
  },
];

/** Parts of the frame, by element, role and generator names. */
export function frameOf(node: ElementNode, context: WalkContext, isInMain: boolean): string | undefined {
  if (
    /^(?:html|body|main|a|em|strong|b|i|code|td|th|tr|tbody|dt|dd|br|sup|sub)$/u.test(node.tag) &&
    !(node.tag === "dt" && hasClass(node, "tag-source"))
  )
    return undefined;
  const measured = context.measures(node);
  const prose = proseWords(measured);
  const density = measured.words === 0 ? 1 : measured.linkWords / measured.words;
  const role = attribute(node, "role");
  const isHeading = /^h[1-6]$/u.test(node.tag);
  if (isHeading) return undefined;
  const isPrecious = measured.hasMain || measured.hasTitle || prose > 0.3 * context.pageProse;
  if (node.tag === "nav" || role === "navigation" || role === "directory" || role === "doc-toc") {
    // A page whose `<nav>` holds its prose is oddly made; one that is all links is navigation.
    if (measured.hasMain || (prose > 0.3 * context.pageProse && prose > 60 && density < 0.5)) return undefined;
    return nameOfNav(node);
  }
  if (role === "banner" || role === "contentinfo")
    return isPrecious && role === "banner"
      ? undefined
      : role === "banner"
        ? "site header"
        : measured.hasMain
          ? undefined
          : "footer";
  if (node.tag === "header" && !isInMain && !isPrecious && measured.solids === 0) return "site header";
  if (
    node.tag === "footer" &&
    !isPrecious &&
    (!isInMain || measured.solids === 0 || density > 0.4) &&
    node.parent?.tag !== "blockquote" &&
    node.parent?.tag !== "figure"
  )
    return "footer";
  if (node.tag === "aside" && !isPrecious && !isNote(node)) {
    if (!isInMain && (density > 0.3 || role === "complementary")) return "sidebar";
    if (density > 0.6 && measured.links > 2) return "sidebar";
  }
  if (node.tag === "table" && /^navigation\b/iu.test(attribute(node, "summary")) && !isPrecious) return "pager";
  const names = namesOf(node);
  if (names.length > 0) {
    for (const rule of frameRules) {
      if (!names.some((name) => rule.name.test(name))) continue;
      if (node.tag === "table" && rule.what !== "pager" && rule.isSure !== true) continue;
      if (rule.isSure === true ? prose > 0.5 * context.pageProse : isPrecious) continue;
      if (rule.isSure !== true && isContent(measured.codes, prose, density, isInMain)) continue;
      return rule.what;
    }
  }
  if (isTrailingPager(node, measured.words, measured.linkWords, measured.links, context)) return "pager";
  if (isAnchorList(node, measured.words, measured.linkWords, measured.links, measured.anchorLinks))
    return "table of contents";
  if (isLanguageLine(node, measured.words, measured.links)) return "language picker";
  return undefined;
}

/** Content in spite of its name: code, or prose that links little. */
function isContent(codes: number, prose: number, density: number, isInMain: boolean): boolean {
  if (density > 0.6) return false;
  if (codes > 0 && prose > 10) return true;
  return prose > (isInMain ? 60 : 150);
}

function isNote(node: ElementNode): boolean {
  return (
    classMatches(
      node,
      /(?:^|-)(?:note|notice|tip|warning|caution|important|danger|info|success|admonition|aside|callout|footnote|footnote-list|topic|hint|alert|example|sidebar-note|marginnote|sidenote)(?:-|$)/u,
    ) ||
    attribute(node, "role") === "note" ||
    attribute(node, "role") === "doc-footnote"
  );
}

function nameOfNav(node: ElementNode): string {
  const label = `${attribute(node, "aria-label")} ${attribute(node, "class")} ${attribute(node, "id")}`.toLowerCase();
  if (/bread-?crumb/u.test(label)) return "breadcrumb";
  if (/toc|on this page|contents|outline/u.test(label)) return "table of contents";
  if (/pager|pagination|prev|next/u.test(label)) return "pager";
  return "navigation";
}

function namesOf(node: ElementNode): string[] {
  const id = attribute(node, "id").toLowerCase();
  const names = [...node.classes];
  // An id inside the content is mostly the anchor of a section ("search", "footer"), so it counts on plain boxes only.
  if (
    id !== "" &&
    (node.tag === "div" ||
      node.tag === "ul" ||
      node.tag === "aside" ||
      node.tag === "nav" ||
      node.tag === "table" ||
      node.tag === "ol" ||
      node.tag === "p")
  ) {
    const opens = elementsOf(node)[0];
    if (
      opens === undefined ||
      !/^h[1-6]$/u.test(opens.tag) ||
      /^(?:toc|footer|sidebar|nav|comments(?:_section)?|quickview|footer-text)$/u.test(id)
    )
      names.push(id);
  }
  return names;
}

/** One or two links at the very end of the page: the pages before and after this one. */
function isTrailingPager(
  node: ElementNode,
  words: number,
  linkWords: number,
  links: number,
  context: WalkContext,
): boolean {
  if (node.tag !== "div" || links === 0 || links > 2 || words !== linkWords || words === 0 || words > 30) return false;
  if (context.place.isBeforeTitle) return false;
  for (let at: ElementNode = node; at.parent !== undefined; at = at.parent) {
    if (/^(?:td|th|li|dd|p|figure|body)$/u.test(at.tag) || isMain(at)) return /^(?:body|main|article)$/u.test(at.tag);
    const siblings = at.parent.children;
    for (const later of siblings.slice(siblings.indexOf(at) + 1)) {
      if (later.kind === "text" ? later.value.trim() !== "" : proseWords(context.measures(later)) > 12) return false;
    }
    const before = siblings.slice(0, siblings.indexOf(at)).findLast((sibling) => sibling.kind === "element");
    // Right below a heading they are that section's content.
    if (before?.kind === "element" && /^h[1-6]$/u.test(before.tag)) return false;
  }
  return true;
}

/** A list of nothing but links to places on this page. */
function isAnchorList(
  node: ElementNode,
  words: number,
  linkWords: number,
  links: number,
  anchorLinks: number,
): boolean {
  if (node.tag !== "ul" && node.tag !== "ol" && node.tag !== "dl" && node.tag !== "div") return false;
  if (links < 4 || anchorLinks < links * 0.95) return false;
  return linkWords >= words * 0.9 && words > 0;
}

/** "Available languages: de | en | fr". */
function isLanguageLine(node: ElementNode, words: number, links: number): boolean {
  if (node.tag !== "div" && node.tag !== "p" && node.tag !== "ul") return false;
  if (links < 2 || words > 4 * links + 8) return false;
  let translated = 0;
  const stack = [...elementsOf(node)];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.attributes.has("hreflang")) translated += 1;
    append(stack, elementsOf(at));
  }
  return translated >= 2 && translated >= links * 0.6;
}
