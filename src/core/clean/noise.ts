/**
 * Removes what frames a page: navigation, tables of contents, pagers, buttons, notices. Each removal is told with
 * its reason. What holds much of the page's prose or its code is never removed for a name alone.
 */
import { proseWords } from "./measure.ts";
import type { Measures } from "./measure.ts";
import type { Removals } from "./removals.ts";
import { attribute, classMatches, closest, elementsOf, find, hasClass, isBlockTag, plainText } from "./tree.ts";
import type { ElementNode } from "./tree.ts";

export interface NoiseContext {
  readonly measures: Measures;
  /** Words outside of links on the whole page. */
  readonly pageProse: number;
  readonly removals: Removals;
  /** The heading that names the page. What stands before it frames the page more often than not. */
  readonly titleHeading: ElementNode | undefined;
}

/** Where in the page the walk is. */
interface Place {
  isBeforeTitle: boolean;
}

export function removeNoise(body: ElementNode, context: NoiseContext): void {
  const toTitle = new Set<ElementNode>();
  for (let at = context.titleHeading; at !== undefined; at = at.parent) toTitle.add(at);
  visit(body, { ...context, toTitle, place: { isBeforeTitle: toTitle.size > 0 } }, false);
}

interface WalkContext extends NoiseContext {
  /** The title's heading and what it stands in. */
  readonly toTitle: ReadonlySet<ElementNode>;
  readonly place: Place;
}

function visit(node: ElementNode, context: WalkContext, isInMain: boolean): void {
  // Children are filtered once: taking thousands of them out one by one would be quadratic.
  const gone = new Set<ElementNode>();
  for (const child of elementsOf(node)) {
    if (child === context.titleHeading) context.place.isBeforeTitle = false;
    const what = noiseOf(child, context, isInMain);
    if (what === undefined) {
      visit(
        child,
        context,
        isInMain || child.tag === "main" || child.tag === "article" || attribute(child, "role") === "main",
      );
      continue;
    }
    context.removals.note(what, plainText(child));
    gone.add(child);
  }
  if (gone.size > 0) node.children = node.children.filter((child) => child.kind === "text" || !gone.has(child));
}

/** What kind of noise an element is; `undefined` for content. */
function noiseOf(node: ElementNode, context: WalkContext, isInMain: boolean): string | undefined {
  if (node.tag === "pre" || node.tag === "math" || context.toTitle.has(node)) return undefined;
  return (
    controlOf(node, context) ??
    linkNoise(node) ??
    hiddenNoise(node, context) ??
    phraseNoise(node, context) ??
    (context.place.isBeforeTitle ? noiseBeforeTitle(node, context) : undefined) ??
    frameOf(node, context, isInMain)
  );
}

/** Links and pictures above the title lead elsewhere or decorate. */
function noiseBeforeTitle(node: ElementNode, context: WalkContext): string | undefined {
  if (node.tag === "img" || node.tag === "picture") return "decoration";
  const { words, linkWords, links, codes } = context.measures(node);
  if (codes > 0 || links === 0 || words === 0) return undefined;
  // A link within a sentence is a part of it.
  if (!isBlockTag(node.tag) && node.parent !== undefined && !context.toTitle.has(node.parent)) return undefined;
  const density = linkWords / words;
  return density >= 0.99 || (density >= 0.8 && links >= 3) ? "navigation" : undefined;
}

/** Buttons, fields and other things that do something and say little. */
function controlOf(node: ElementNode, context: WalkContext): string | undefined {
  switch (node.tag) {
    case "noscript":
      return "notice for browsers without scripts";
    case "button":
      return isDisclosure(node) ? undefined : "button";
    case "select":
    case "datalist":
      return "picker";
    case "textarea":
    case "progress":
    case "meter":
      return "field";
    case "dialog":
      return "dialog";
    case "form": {
      const { words, solids, hasTitle, hasMain } = context.measures(node);
      return hasTitle || hasMain || solids > 0 || words > 60 ? undefined : "form";
    }
    case "label":
      return find(node, (inner) => inner.tag === "input") !== undefined ||
        (attribute(node, "for") !== "" && !hasClass(node, "variant-label"))
        ? "field"
        : undefined;
    default:
      break;
  }
  switch (attribute(node, "role")) {
    case "search":
      return "search";
    case "button":
      return isDisclosure(node) || context.measures(node).words > 12 ? undefined : "button";
    case "tooltip":
    case "menu":
    case "menubar":
    case "toolbar":
    case "listbox":
    case "combobox":
      return context.measures(node).solids > 0 ? undefined : "menu";
    case "dialog":
    case "alertdialog":
      return "dialog";
    default:
      return undefined;
  }
}

/** A button that opens a part of the page carries that part's title. */
function isDisclosure(node: ElementNode): boolean {
  const text = plainText(node);
  if (text === "" || isActionText(text)) return false;
  if (closest(node, (ancestor) => /^(?:h[1-6]|dt|summary)$/u.test(ancestor.tag)) !== undefined) return true;
  return (
    node.attributes.has("aria-expanded") &&
    attribute(node, "aria-haspopup") === "" &&
    /\s/u.test(text) &&
    closest(node, (ancestor) => /^(?:nav|header)$/u.test(ancestor.tag)) === undefined
  );
}

const headingMarks = /^[\s#¶§🔗⚓∞†☍\u200B\u{1F517}]*$/u;
const permalinkClass =
  /^(?:header-?link|hash-?link|header-?anchor|heading-?anchor|anchor|anchor-?link|permalink|perma-?link|sl-anchor-link|autolink-?headings?|heading-?link|subheading-anchor|anchorjs-link|direct-link|doc-anchor|section-link|deep-?link|mark|bookmark)$/u;
const permalinkText =
  /^(?:\[?link to (?:this|section)\b.*|permalink\b.*|section titled\b.*|direct link to\b.*|link to .{0,60} copied.*|anchor(?: link)?(?: for.*)?|copy link.*|navigate to header|\(?#\)?)$/iu;
const sourceText = /^(?:\[(?:src|source|edit|edit source|view source|show source)\]|view source|show source|source)$/iu;

/** Links that are marks, not content: anchors of headings, "[src]", "Skip to content". */
function linkNoise(node: ElementNode): string | undefined {
  if (node.tag === "a") {
    const text = plainText(node);
    const href = attribute(node, "href");
    const isEmpty = headingMarks.test(text);
    if (
      isEmpty &&
      (href.includes("#") || classMatches(node, permalinkClass)) &&
      find(node, (inner) => inner.tag === "img" && attribute(inner, "alt") !== "") === undefined
    )
      return "heading anchor";
    if (classMatches(node, permalinkClass) && permalinkText.test(text)) return "heading anchor";
    if (
      /^skip (?:to|over|past|navigation|links?)\b/iu.test(text) ||
      hasClass(node, "skip-link", "skip-to-content", "skiplink")
    )
      return "skip link";
    if (
      /^(?:↩|↩︎|⏎|↑|↵|\^|⤴)+\uFE0E?$/u.test(text) ||
      hasClass(node, "footnote-backref", "data-footnote-backref", "fn-backref", "footnote-back")
    )
      return "footnote back link";
    if (
      hasClass(node, "viewcode-link", "viewcode-back", "src", "srclink", "source-link", "view-source", "src-link") &&
      text.length < 30
    )
      return "source link";
    if (/^(?:#|javascript:.*)$/u.test(href) && isToggle(node, text)) return "button";
    if (/^\[[-−–+]\]$/u.test(text) || (/^more\.\.\.$/iu.test(text) && href.startsWith("#"))) return "button";
    if (sourceText.test(text) && (/^\[/u.test(text) || hasClass(node, "source", "view-source", "toggle")))
      return "source link";
    if (/^(?:button|btn)$/u.test(attribute(node, "role"))) return undefined;
    return undefined;
  }
  if (node.tag === "span" || node.tag === "small" || node.tag === "div" || node.tag === "sup") {
    if (classMatches(node, /^(?:viewcode-link|source_link|src-link|copy-path|edit-?section|mw-editsection)$/u))
      return "source link";
  }
  return undefined;
}

/** A link that leads nowhere and stands in a heading or beside one: "collapse", "show all". */
function isToggle(node: ElementNode, text: string): boolean {
  if (text.length > 24 || /^h[1-6]$/u.test(node.tag)) return false;
  if (classMatches(node, /toggle|collapse|expand|show-?all|inheritancetree/u)) return true;
  return (
    closest(node, (ancestor) => /^(?:h[1-6]|small)$/u.test(ancestor.tag)) !== undefined &&
    plainText(node.parent ?? node) === text &&
    node.parent?.tag === "small"
  );
}

/** The name of the language above a code block. */
function isCodeLabel(node: ElementNode): boolean {
  if (node.tag !== "span" && node.tag !== "div" && node.tag !== "p") return false;
  const parent = node.parent;
  if (parent === undefined || node.children.some((child) => child.kind === "element")) return false;
  if (!parent.children.some((child) => child.kind === "element" && child.tag === "pre")) return false;
  const text = plainText(node).toLowerCase();
  if (!/^[\w+#.-]{1,20}$/u.test(text)) return false;
  return (
    hasClass(node, "lang", "language") || hasClass(parent, `language-${text}`, `lang-${text}`, `highlight-${text}`)
  );
}

const screenReaderClass =
  /^(?:sr-only|visually-?hidden|screen-?reader-?text|screen-?reader-only|sl-sr-only|u-visually-hidden|visuallyhidden|a11y-hidden|assistive-text)$/u;

/** What a reader does not see and would not unfold. */
function hiddenNoise(node: ElementNode, context: NoiseContext): string | undefined {
  const { words, solids } = context.measures(node);
  if (isCodeLabel(node)) return "code label";
  if (words <= 4 && solids === 0 && hasClass(node, "d-none") && !classMatches(node, /^d-\w+-/u)) return "hidden text";
  const isInTable = node.tag === "th" || node.tag === "caption" || node.parent?.tag === "th";
  if (
    classMatches(node, screenReaderClass) &&
    words <= 15 &&
    solids === 0 &&
    !/^h[1-6]$/u.test(node.tag) &&
    !isInTable &&
    find(node, (inner) => inner.tag === "math") === undefined
  )
    return "text for screen readers";
  if (attribute(node, "role") === "tabpanel") return undefined;
  if (attribute(node, "aria-hidden") === "true") {
    if (hasClass(node, "katex-html") || (solids === 0 && words <= 25 && !/^h[1-6]$/u.test(node.tag)))
      return "decoration";
    return undefined;
  }
  const isHidden =
    (node.attributes.has("hidden") && attribute(node, "hidden") !== "until-found") ||
    /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/iu.test(attribute(node, "style"));
  if (!isHidden) return undefined;
  // Hidden parts with code, tables or several sentences are folded content.
  if (
    solids > 0 ||
    words > 12 ||
    closest(node, (ancestor) => attribute(ancestor, "role") === "tabpanel" || ancestor.tag === "details") !== undefined
  )
    return undefined;
  return "hidden text";
}

const actionTexts =
  /^(?:copy(?: (?:page|code|link|to clipboard|as markdown|markdown|snippet|text|command))*|copied!?|(?:link|content|code) copied(?: to clipboard)?!?|edit(?: this)?(?: page| section| doc)?(?: on (?:github|gitlab|bitbucket))?|improve this (?:page|doc)|suggest (?:an? )?(?:edits?|changes?)|view (?:page |the )?(?:page )?source(?: on github)?|view (?:this page |code )?on github|show source|view as (?:markdown|json|plain text)|view (?:on )?single page|open in (?:github|colab|stackblitz|codesandbox|playground|claude|chatgpt).*|report (?:an? |this )?(?:issue|bug|problem)(?: with this page)?|found a bug\??|(?:create|raise|open|file) (?:an |a )?(?:documentation |doc )?issue|print(?: this page)?|share(?: this page)?|(?:back|return|go|scroll) to (?:the )?top|top|run code|run|try it(?: out)?(?: now)?|expand all|collapse all|toggle (?:dark mode|theme|navigation|sidebar|table of contents.*|light.*)|show more|show less|read more|ask ai.*|on this page|in this article|table of contents|contents|advertisement|sponsored|loading\.*|search|menu|close|download pdf|was this (?:page|article|helpful).*|is this page (?:useful|helpful).*|did this page help.*|thanks for (?:your )?feedback.*|yes ?no|yes no|send feedback|give feedback.*|submit feedback|feedback|hide\/show|expand description|show (?:all )?hidden (?:lines|fields)|more\.\.\.|click to toggle source|toggle source|view source|\[(?:\+|-|−|–|src|source|edit)\])$/iu;

export function isActionText(text: string): boolean {
  return text.length < 80 && actionTexts.test(text);
}

const datedLine =
  /^(?:(?:page |this page was |document )?(?:last|latest)[ -](?:updated?|modified|changed|edited|reviewed|revision|build)\b|updated(?: on| at)?:? |published(?: on)?:? \d|generated (?:by|on|at|with|using)\b|created (?:by|using|with)\b.{0,80}(?:sphinx|theme|doxygen|docusaurus|version)|built (?:with|using|by)\b|documentation (?:generated|powered|built) (?:by|with|using)\b|powered by\b|made with\b|developed by\b.{0,60}pkgdown|site built with\b|(?:©|\(c\)|copyright)\s*(?:©|\(c\))?\s*(?:\d{4}|the\b)|all rights reserved)/iu;

/** Short lines known by their words, whatever they are wrapped in. */
function phraseNoise(node: ElementNode, context: NoiseContext): string | undefined {
  const { words, hasTitle, solids } = context.measures(node);
  if (words === 0 || words > 30 || hasTitle || solids > 0) return undefined;
  if (
    !/^(?:a|p|div|span|li|small|section|aside|footer|address|em|i|time|figure|center|b|strong|h[2-6]|ul|summary|label|relative-time)$/u.test(
      node.tag,
    )
  )
    return undefined;
  const text = plainText(node);
  if (isActionText(text)) {
    if (
      closest(node, (ancestor) => /^(?:p|td|th|dt|pre|code)$/u.test(ancestor.tag)) !== undefined &&
      node.tag !== "button"
    )
      return undefined;
    // A heading that says "Contents" or "Feedback" may open a real section; those of one word stay.
    if (/^(?:h[2-6]|summary|b|strong|em|i|li|label)$/u.test(node.tag) && !/\s/u.test(text)) return undefined;
    if (
      /^(?:h[2-6]|span|strong|b|em|i|li)$/u.test(node.tag) &&
      /^(?:run|top|search|menu|close|share|print|feedback|contents|copy|edit|run code|show more)$/iu.test(text) &&
      !isLoneBlock(node)
    )
      return undefined;
    return /copy|copied/iu.test(text)
      ? "copy button"
      : /edit|github|source|markdown/iu.test(text)
        ? "edit link"
        : /helpful|feedback|useful|bug|issue/iu.test(text)
          ? "feedback"
          : "button";
  }
  if (
    words <= 25 &&
    datedLine.test(text) &&
    /^(?:p|div|span|footer|small|address|li|em|i|section|center)$/u.test(node.tag) &&
    isEdge(node)
  )
    return /updated|modified|changed|revision|edited/iu.test(text) ? "date of last change" : "footer";
  return undefined;
}

/** Whether the element's parent holds nothing but it. */
function isLoneBlock(node: ElementNode): boolean {
  const parent = node.parent;
  return parent !== undefined && !/^(?:p|li|td|th|h[1-6])$/u.test(parent.tag) && plainText(parent) === plainText(node);
}

/** Whether the element is a block of its own: not a part of a sentence. */
function isEdge(node: ElementNode): boolean {
  if (
    closest(node, (ancestor) => /^(?:td|dd|dt|li|blockquote|pre)$/u.test(ancestor.tag) && ancestor !== node) !==
    undefined
  )
    return false;
  if (/^(?:div|p|footer|address|section|center)$/u.test(node.tag)) return true;
  return node.parent !== undefined && plainText(node.parent) === plainText(node);
}

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
function frameOf(node: ElementNode, context: NoiseContext, isInMain: boolean): string | undefined {
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
    stack.push(...elementsOf(at));
  }
  return translated >= 2 && translated >= links * 0.6;
}
