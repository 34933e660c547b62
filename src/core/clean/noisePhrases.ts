/** Short lines that are known by their words: "Edit this page", "Last updated on …". */
import type { NoiseContext } from "./noiseContext.ts";
import { attribute, classMatches, closest, plainText } from "./tree.ts";
import type { ElementNode } from "./tree.ts";

const actionTexts =
  /^(?:copy(?: (?:page|code|link|to clipboard|as markdown|markdown|snippet|text|command))*|copied!?|(?:link|content|code) copied(?: to clipboard)?!?|edit(?: this)?(?: page| section| doc)?(?: on (?:github|gitlab|bitbucket))?|improve this (?:page|doc)|suggest (?:an? )?(?:edits?|changes?)|view (?:page |the )?(?:page )?source(?: on github)?|view (?:this page |code )?on github|show source|view as (?:markdown|json|plain text)|view (?:on )?single page|open in (?:github|colab|stackblitz|codesandbox|playground|claude|chatgpt).*|report (?:an? |this )?(?:issue|bug|problem)(?: with this page)?|found a bug\??|(?:create|raise|open|file) (?:an |a )?(?:documentation |doc )?issue|print(?: this page)?|share(?: this page)?|(?:back|return|go|scroll) to (?:the )?top|top|run code|run|try it(?: out)?(?: now)?|expand all|collapse all|toggle (?:dark mode|theme|navigation|sidebar|table of contents.*|light.*)|show more|show less|read more|ask ai.*|on this page|in this article|table of contents|contents|advertisement|sponsored|loading\.*|search|menu|close|download pdf|was this (?:page|article|helpful).*|is this page (?:useful|helpful).*|did this page help.*|thanks for (?:your )?feedback.*|yes ?no|yes no|send feedback|give feedback.*|submit feedback|feedback|hide\/show|expand description|show (?:all )?hidden (?:lines|fields)|more\.\.\.|click to toggle source|toggle source|view source|\[(?:\+|-|−|–|src|source|edit)\])$/iu;

export function isActionText(text: string): boolean {
  return text.length < 80 && actionTexts.test(text);
}

const datedLine =
  /^(?:(?:page |this page was |document )?(?:last|latest)[ -](?:updated?|modified|changed|edited|reviewed|revision|build)\b|updated(?: on| at)?:? |published(?: on)?:? \d|generated (?:by|on|at|with|using)\b|created (?:by|using|with)\b.{0,80}(?:sphinx|theme|doxygen|docusaurus|version)|built (?:with|using|by)\b|documentation (?:generated|powered|built) (?:by|with|using)\b|powered by\b|made with\b|developed by\b.{0,60}pkgdown|site built with\b|(?:©|\(c\)|copyright)\s*(?:©|\(c\))?\s*(?:\d{4}|the\b)|all rights reserved)/iu;

/** Short lines known by their words, whatever they are wrapped in. */
export function phraseNoise(node: ElementNode, context: NoiseContext): string | undefined {
  const { words, hasTitle, solids } = context.measures(node);
  if (words === 0 || words > 30 || hasTitle || solids > 0) return undefined;
  if (
    !/^(?:a|p|div|span|li|small|section|aside|footer|address|em|i|time|figure|center|b|strong|h[2-6]|ul|summary|label|relative-time)$/u.test(
      node.tag,
    )
  )
    return undefined;
  const text = plainText(node);
  if (/^h[2-6]$/u.test(node.tag) && classMatches(node, /feedback|helpful|comments/u)) return "feedback";
  if (isActionText(text)) {
    // One word may well be a name: `close`, `search` and `copy` are methods of many an API.
    if (!/\s/u.test(text) && !(node.tag === "a" && /^(?:#(?:top)?|javascript:.*)$/u.test(attribute(node, "href"))))
      return undefined;
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
