/** Hostile pages, generated: traps for patterns, shapes of great size or depth, pages of wild syntax, real pages mutated. */
import type { PageFormat } from "../../src/core/types.ts";
import { createRandom } from "./random.ts";
import type { Random } from "./random.ts";

export interface HostileInput {
  /** What it is an example of, e.g. `trap "[" in a cell`. */
  readonly kind: string;
  readonly format: PageFormat;
  readonly content: string;
}

/** Whole pages to mutate. */
export interface Seed {
  readonly name: string;
  readonly format: PageFormat;
  readonly content: string;
}

/** Short texts that make patterns backtrack or parsers nest when they come by the thousand. */
export const traps: readonly string[] = [
  ..."![]()<>`*_~|#\\\"'&$:;.,-=+{}/@^%0a".split(""),
  ...[" ", "\t", "\n", "\u00A0", "\u200B", "\u2028", "\r", "\0", "\uD800", "\uDC00", "\uFEFF", "é\u0301", "漢", "👩‍👩‍👧", "‮"],
  ...["](", "![", "[[", "]]", "[a](b) ", "[a][b] ", "[^1] ", "[^1]: ", "[a]: b\n", "<a ", "<a>", "</a>", "<!--", "-->", "<![CDATA["],
  ...["<!-- a -->", "<b", "<p ", "&amp;", "&#0;", "&#x110000;", "** ", "**a** ", "__a", "_a_ ", "*a", "`a ", "``a` ", "```\n", "~~~\n"],
  ...["```a\n```\n", "> ", ">\n", "- ", "- a\n", "1. ", "* * *\n", "---\n", "===\n", "a\n---\n", "# ", "# a\n", "| ", "|-", "|---|\n"],
  ...["| a | b |\n", ":::", "::: note\n", ":::\n", "{{", "}}", "{{< a >}}", "{% a %}", "{% tab ", "!!! note\n", "=== \"a\"\n", "<Tab>"],
  ...["import a from 'b'\n", "export const a = {\n", "$a", "$$", "\\(", "\\[", "a.b.c.", "1.2.3.", "1,000,", "v1.2.3-rc.1 ", "--a-b "],
  ...["a_b_c_", "aB", "a::b::", "a()", "(a", "a)", "e.g. ", "A. ", "a. ", "? ", "! ", "。", "...", "2^", "2**", "©", "https://a.test/", "a@b.c "],
  ...["\\\\", "\\`", "\\[", "\\|", "Note: ", "a:\n", "**a**\n\n", "    a\n", "  ", " \n", "\n\n\n", "\"a\" ", "'a' ", "“", "@a ", "$(a) ", "%{a}"],
]; // prettier-ignore

const contexts: Readonly<Record<string, readonly [format: PageFormat, before: string, after: string]>> = {
  "a Markdown page": ["markdown", "# T\n\nSome words to keep.\n\n", ""],
  "a heading": ["markdown", "# T\n\n## ", "\n\nSome words to keep.\n"],
  "a list item": ["markdown", "# T\n\n- one\n- ", "\n- three words here\n"],
  "a Markdown cell": ["markdown", "# T\n\n| a | b |\n| --- | --- |\n| ", " | x |\n"],
  "a fence": ["markdown", "# T\n\nRun it:\n\n```sh\n", "\n```\n\nSome words to keep.\n"],
  "inline code": ["markdown", "# T\n\nSome words and `", "` to keep.\n"],
  "a link's text": ["markdown", "# T\n\nSome [", "](https://a.test/b) words.\n"],
  "a link's target": ["markdown", "# T\n\nSome [a](https://a.test/", ") words.\n"],
  "a quote": ["markdown", "# T\n\n> ", "\n> Some words to keep.\n"],
  "front matter": ["markdown", "---\ntitle: ", "\n---\n\nSome words to keep.\n"],
  "an HTML paragraph": [
    "html",
    "<!doctype html><title>T</title><main><h1>T</h1><p>Some words to keep. ",
    "</p></main>",
  ],
  "an HTML cell": ["html", "<main><h1>T</h1><table><tr><th>a<th>b<tr><td>Some words<td>", "</table></main>"],
  "a pre": ["html", "<main><h1>T</h1><p>Some words to keep.</p><pre><code class=language-js>", "</code></pre></main>"],
  "a title": ["html", "<title>", "</title><main><h1>T</h1><p>Some words to keep.</p></main>"],
  "an attribute": ["html", '<main><h1>T</h1><p title="', '">Some words to keep.</p></main>'],
  "alt text": ["html", '<main><h1>T</h1><p>Some words <img alt="', '" src=a.png> to keep.</p></main>'],
  "a heading's anchor": ["html", '<main><h1>T</h1><h2 id="', '">Part</h2><p>Some words to keep.</p></main>'],
  "plain text": ["text", "Some words to keep.\n\n", "\n\nThe end.\n"],
};

const contextNames = Object.keys(contexts);

export function trapIn(trap: string, context: string, length: number): HostileInput {
  const [format, before, after] = contexts[context] ?? ["text", "", ""];
  const kind = `${JSON.stringify(trap)} in ${context}`;
  return { kind, format, content: before + trap.repeat(Math.ceil(length / trap.length)) + after };
}

const repeat = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, n) => of(n)).join("");
const page = (body: string): string =>
  `<!doctype html><title>T</title><main><h1>T</h1><p>Some words to keep.</p>${body}</main>`;
const md = (body: string): string => `# T\n\nSome words to keep.\n\n${body}`;

/** Pages of great size or depth; `scale` 1 is the full size, up to the 20 MB that a source lets through. */
export const shapes: Readonly<Record<string, (scale: number) => HostileInput>> = {
  ...Object.fromEntries(
    ["div", "b", "span", "blockquote", "ul><li", "ol><li", "table><tr><td", "dl><dd", "pre", "a href=x", "details", "h2", "code", "sup"].map(
      (tag) => [
        `100,000 nested <${tag}>`,
        (scale: number): HostileInput => ({
          kind: `nested <${tag}>`,
          format: "html",
          content: page(`${`<${tag}>`.repeat(100_000 * scale)}deep words`),
        }),
      ],
    ),
  ),
  ...Object.fromEntries(
    Object.entries({
      "100,000 quotes deep": (n: number) => md(`${"> ".repeat(100_000 * n)}deep words`),
      "a list of 3,000 levels": (n: number) => md(repeat(3_000 * n, (level) => `${"  ".repeat(level)}- level ${level}\n`)),
      "100,000 bullets on a line": (n: number) => md(`${"- ".repeat(100_000 * n)}deep words`),
      "9 MB of plain words": (n: number) => md(repeat(1_500_000 * n, (word) => (word % 12 === 11 ? "ends. " : "words "))),
      "9 MB of lines": (n: number) => md(repeat(300_000 * n, (line) => `Line ${line} says ${line * 7} things.\n`)),
      "9 MB of paragraphs": (n: number) => md(repeat(150_000 * n, (line) => `Paragraph ${line} sets max_${line} to ${line * 7}.\n\n`)),
      "a line of 100,000 pipes": (n: number) => md("|".repeat(100_000 * n)),
      "a table of 100,000 pipes": (n: number) => md(`${"|a".repeat(50_000 * n)}|\n${"|-".repeat(50_000 * n)}|\n${"|b".repeat(50_000 * n)}|\n`),
      "100,000 rows of Markdown": (n: number) => md(`| a | b |\n| --- | --- |\n${repeat(100_000 * n, (row) => `| key_${row} | ${row} |\n`)}`),
      "a million Markdown links": (n: number) => md(repeat(1_000_000 * n, (link) => `[l${link}](/p${link}) `)),
      "100,000 reference links": (n: number) => md(repeat(100_000 * n, (link) => `[l][r${link}] and\n`) + repeat(100_000 * n, (link) => `\n[r${link}]: https://a.test/${link}`)),
      "100,000 fences": (n: number) => md(repeat(100_000 * n, (code) => `\`\`\`js\nf(${code});\n\`\`\`\n\n`)),
      "100,000 headings": (n: number) => md(repeat(100_000 * n, (heading) => `## Heading ${heading}\n\nWords ${heading}.\n\n`)),
      "100,000 items": (n: number) => md(repeat(100_000 * n, (item) => `- \`opt_${item}\`: sets ${item}.\n`)),
      "100,000 footnotes": (n: number) => md(repeat(100_000 * n, (note) => `Word[^${note}].\n\n[^${note}]: Note ${note}.\n\n`)),
      "a fence in one long item": (n: number) => md(`- item\n${repeat(20_000 * n, (line) => `  words of line ${line}\n\n  \`\`\`js\n  call(${line});\n  \`\`\`\n\n`)}`),
      "100,000 tags of MDX": (n: number) => md(repeat(100_000 * n, (tab) => `<Tab title="t${tab}">\nwords\n</Tab>\n`)),
      "a fence of 5 MB": (n: number) => md(`\`\`\`\n${repeat(200_000 * n, (line) => `value_${line} = ${line}\n`)}\`\`\`\n`),
    }).map(([kind, content]) => [kind, (scale: number): HostileInput => ({ kind, format: "markdown", content: content(scale) })]),
  ),
  ...Object.fromEntries(
    Object.entries({
      "an attribute of 1 MB": (n: number) => page(`<p title="${"a ".repeat(500_000 * n)}" class="${"c ".repeat(200_000 * n)}">x</p>`),
      "a class of 1 MB": (n: number) => page(repeat(20 * n + 1, () => `<div class="${"nav-item ".repeat(100_000 * n)}">words</div>`)),
      "a link target of 1 MB": (n: number) => page(`<a href="${"/a(".repeat(300_000 * n)}">words</a>`),
      "100,000 attributes": (n: number) => page(`<p ${repeat(100_000 * n, (name) => `a${name}=1 `)}>x</p>`),
      "100,000 rows of HTML": (n: number) => page(`<table><tr><th>a<th>b${repeat(100_000 * n, (row) => `<tr><td>key_${row}<td>${row}`)}</table>`),
      "100,000 cells in a row": (n: number) => page(`<table><tr>${repeat(100_000 * n, (cell) => `<td>${cell}`)}</table>`),
      "spans of rows and columns": (n: number) => page(`<table>${repeat(1_000 * n, () => "<tr><td colspan=1000 rowspan=65534>c")}</table>`),
      "a million HTML links": (n: number) => page(repeat(800_000 * n, (link) => `<a href=/p${link}>l</a> `)),
      "100,000 HTML headings": (n: number) => page(repeat(100_000 * n, (heading) => `<h2>H ${heading}</h2><p>v ${heading}</p>`)),
      "100,000 HTML items": (n: number) => page(`<ul>${repeat(100_000 * n, (item) => `<li><code>opt_${item}</code> sets ${item}`)}</ul>`),
      "a list of 3,000 HTML levels": (n: number) => page(repeat(3_000 * n, (level) => `<ul><li>level ${level}`)),
      "100,000 definitions": (n: number) => page(`<dl>${repeat(100_000 * n, (term) => `<dt>term_${term}<dd>means ${term}`)}</dl>`),
      "100,000 tabs": (n: number) => page(repeat(50_000 * n, (tab) => `<div role=tablist><button role=tab aria-controls=p${tab}>t${tab}</button></div><div role=tabpanel id=p${tab}>words</div>`)),
      "100,000 formulas": (n: number) => page(repeat(100_000 * n, (x) => `<math><mi>x</mi><mn>${x}</mn></math>`)),
      "100,000 marked words of code": (n: number) => page(`<pre><code>${repeat(50_000 * n, (x) => `<span class=k>let</span> <span>x${x}</span>\n`)}</code></pre>`),
      "unclosed everything": (n: number) => page(repeat(20_000 * n, () => '<div><p><b><i><a href="x"><table><tr><td><ul><li><pre><!-- ')),
      "mixed tables and lists": (n: number) => page(`${"<table><tr><td><ul><li><dl><dd>".repeat(10_000 * n)}deep words`),
      "10,000 scripts": (n: number) => page(repeat(10_000 * n, () => '<script>var a = "</p>";</script><style>p{}</style>words ')),
      "100,000 line breaks": (n: number) => page(`<p>${"a<br>".repeat(100_000 * n)}</p>`),
      "100,000 pictures": (n: number) => page(repeat(100_000 * n, (x) => `<img src=https://t.test/${x} alt="picture ${x}">`)),
    }).map(([kind, content]) => [kind, (scale: number): HostileInput => ({ kind, format: "html", content: content(scale) })]),
  ),
}; // prettier-ignore

const tags = "div p b i a ul ol li table tr td th thead tbody caption pre code span h1 h2 h3 h4 dl dt dd blockquote details summary section main nav footer aside article header br hr img input button svg math mi mn sup sub kbd script style template iframe noscript form select option textarea label figure figcaption ruby rt del q abbr object video".split(" "); // prettier-ignore
const attributes = ['class="tab active"', "role=tabpanel", "role=tab", "hidden", 'style="display:none"', "id=a", "href=#a", "href=javascript:x", "href=//b.test", "colspan=9", "rowspan=0", "aria-hidden=true", 'class="admonition note"', "data-lang=js", "onclick=x()", "class=highlight", "class=sidebar", "title='", "lang=de", "start=5", "value=9"]; // prettier-ignore
const words = ["Set `max_retries` to 3.", "word", "The default is 30 s, at most 1,000.", "v1.2.3", "--dry-run", "a_b.c()", "x < y", "&lt;b&gt;", "\n", " ", "漢字。", "e.g. this", "`", "```", "\uD800", "\0", "|", "[a](b)", "2^16", "Note:", "\u00AD", "\u202E", "$x$", "**", "#", "- ", "> ", "\t"]; // prettier-ignore

function wildHtml(random: Random): string {
  const length = 1 + random.below(random.chance(0.1) ? 2_000 : 150);
  let html = random.chance(0.5) ? "<!doctype html><title>Wild</title><main><h1>Wild</h1>" : "";
  for (let n = 0; n < length; n++) {
    const tag = random.pick(tags);
    const kind = random.below(10);
    if (kind < 4)
      html += `<${tag}${random.chance(0.4) ? ` ${random.pick(attributes)}` : ""}${random.chance(0.03) ? "" : ">"}`;
    else if (kind < 6) html += `</${tag}>`;
    else if (kind < 9) html += random.pick(words);
    else html += random.pick(traps).repeat(1 + random.below(6));
  }
  return html;
}

function wildMarkdown(random: Random): string {
  const length = 1 + random.below(random.chance(0.1) ? 2_000 : 150);
  let text = random.chance(0.5) ? "# Wild\n\n" : random.chance(0.3) ? "---\ntitle: Wild\n---\n" : "";
  for (let n = 0; n < length; n++) {
    const kind = random.below(10);
    if (kind < 2)
      text += `\n${" ".repeat(random.below(6))}${random.pick(["- ", "1. ", "> ", "# ", "### ", "```js\n", "~~~\n", "```\n", "| a | b |\n|---|---|\n", "    ", "===\n", "---\n"])}`;
    else if (kind < 6) text += `${random.pick(words)} `;
    else if (kind < 7) text += random.pick(["\n", "\n\n", "\n\n\n"]);
    else if (kind < 8) text += `<${random.pick(tags)}>`;
    else text += random.pick(traps).repeat(1 + random.below(6));
  }
  return text;
}

function mutated(random: Random, { name, format, content }: Seed): HostileInput {
  let text = content;
  const rounds = 1 + random.below(6);
  const kinds: string[] = [];
  for (let n = 0; n < rounds; n++) {
    const at = random.below(text.length + 1);
    const length = random.below(Math.min(text.length - at, random.chance(0.3) ? 4_000 : 60) + 1);
    const slice = text.slice(at, at + length);
    const kind = random.pick(["cut", "repeat", "insert", "truncate", "move", "double", "swap case", "many", "unclose"]);
    kinds.push(kind);
    switch (kind) {
      case "cut": text = text.slice(0, at) + text.slice(at + length); break;
      case "repeat": text = text.slice(0, at) + slice.repeat(1 + random.below(Math.max(1, Math.min(50, 100_000 / (length + 1))))) + text.slice(at + length); break;
      case "insert": text = text.slice(0, at) + random.pick(traps).repeat(1 + random.below(20)) + text.slice(at); break;
      case "many": text = text.slice(0, at) + random.pick(traps).repeat(1 + random.below(5_000)) + text.slice(at); break;
      case "truncate": if (random.chance(0.3)) text = text.slice(0, at); break;
      case "move": { const to = random.below(text.length + 1); text = text.slice(0, to) + slice + text.slice(to); break; }
      case "double": if (text.length < 200_000) text += text; break;
      case "unclose": text = text.replace(random.pick([/<\/\w+>/u, /\n```/u, /-->/u, /"/u, />/u, /\n\n/gu]), ""); break;
      default: text = text.slice(0, at) + slice.toUpperCase() + text.slice(at + length);
    }
  } // prettier-ignore
  return { kind: `mutated ${name.replace(/^.*\//u, "")}`, format, content: text };
}

/** Characters of a trap in the long run, and of one that is in every round. */
const trapLengths = [3_000, 30_000] as const;

/**
 * Input number `index` of a run. Of 40 inputs 1 is a shape at a tenth or less of its size, 9 are traps, 10 are wild HTML, 8 wild
 * Markdown, and 12 are mutated pages. A share of the pages comes without saying what format it is.
 */
export function inputAt(seed: number, index: number, seeds: readonly Seed[]): HostileInput {
  const random = createRandom(Math.imul(seed, 1_000_003) + index);
  const turn = index % 40;
  if (turn === 0) {
    const name = random.pick(Object.keys(shapes));
    return shapes[name]?.(random.pick([0.001, 0.01, 0.05])) ?? { kind: name, format: "text", content: "" };
  }
  if (turn < 10) return trapIn(random.pick(traps), random.pick(contextNames), random.pick(trapLengths));
  if (turn < 20) return { kind: "wild HTML", format: "html", content: wildHtml(random) };
  if (turn < 28) return { kind: "wild Markdown", format: "markdown", content: wildMarkdown(random) };
  return mutated(random, random.pick(seeds));
}
