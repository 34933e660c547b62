/** What readers of Markdown make of a text: the editor's preview (markdown-it with HTML), its hovers and chat (marked). */
import MarkdownIt from "markdown-it";
import { marked } from "marked";
import { parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";

const preview = new MarkdownIt({ html: true, linkify: true });
// The editor lets through what the library alone would refuse; so must a test that looks for it.
preview.validateLink = () => true;

const harmless =
  /^(?:p|h[1-6]|ul|ol|li|blockquote|pre|code|em|strong|s|del|a|hr|br|table|thead|tbody|tr|th|td|input|#text|#comment|#document-fragment)$/u;
const harmlessAttributes = /^(?:class|style|start|align|title|href|type|disabled|checked)$/u;

/** What a reader would fetch, run or open elsewhere; empty for an inert text. */
export function activeParts(markdown: string): string[] {
  const found: string[] = [];
  for (const html of [preview.render(markdown), marked.parse(markdown, { async: false, gfm: true })]) {
    const visit = (node: DefaultTreeAdapterTypes.Node): void => {
      if (!harmless.test(node.nodeName)) found.push(node.nodeName);
      for (const { name, value } of "attrs" in node ? node.attrs : []) {
        if (!harmlessAttributes.test(name)) found.push(`${node.nodeName} ${name}`);
        if (name === "style" && !/^text-align:\s?\w+;?$/u.test(value)) found.push(`style ${value}`);
        if (name === "href" && !/^(?:https?:|mailto:|#|[^:]*$)/iu.test(value.trim())) found.push(`href ${value}`);
      }
      for (const child of "childNodes" in node ? node.childNodes : []) visit(child);
    };
    visit(parseFragment(html));
  }
  return found;
}
