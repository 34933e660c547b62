/**
 * Short names for lists in which a page's name stands already: beside a hit, or above a fact in a tree. Offline topics
 * repeat product and page (`Courier: Retries > Backoff`), and offline statements product and heading.
 */
import type { Fact, SavedPage, Section } from "../types.ts";
import { blocks, plainText } from "./markdown.ts";

export interface Labeled {
  readonly topic: string;
  readonly statement: string;
  readonly symbols: readonly string[];
  readonly headingPath: readonly string[];
}

export interface Label {
  /** What the fact is about, one line of plain text. */
  readonly label: string;
  /** What it says of that, one line of plain text. */
  readonly detail: string;
}

/** Names of one label, and characters of one that is cut from a statement. */
const maxNames = 3;
const maxLength = 70;

export function factLabel({ topic, statement, symbols, headingPath }: Labeled): Label {
  const product = productOf(topic, headingPath);
  const heading = (product === undefined ? topic.split(" > ").at(-1) : headingPath.at(-1)) ?? topic;
  const said = oneLine(plainText(withoutProduct(statement, product, heading)));
  const isWholePage = product !== undefined && headingPath.length <= 1;
  if (!isWholePage) return { label: oneLine(heading), detail: said };
  // A fact of the page as a whole: its heading is the page's name, which says nothing here.
  if (symbols.length > 0) return { label: symbols.slice(0, maxNames).join(", "), detail: said };
  return said === "" ? { label: oneLine(heading), detail: "" } : { label: beginningOf(said), detail: "" };
}

/** As `factLabel`, for facts that stand below the name of their section. */
export function factLabelInSection(fact: Fact): Label {
  const named = factLabel({ ...fact, headingPath: fact.source.headingPath });
  const section = fact.source.headingPath.at(-1);
  if (section === undefined || plainText(section) !== named.label) return named;
  if (fact.symbols.length > 0) return { ...named, label: fact.symbols.slice(0, maxNames).join(", ") };
  return named.detail === "" ? named : { label: beginningOf(named.detail), detail: "" };
}

/** A section's own heading; of one that joins several short ones, theirs. `undefined`: the page's beginning, without one. */
export function sectionLabel({ page }: SavedPage, section: Section): string | undefined {
  const own = section.headingPath.at(-1);
  if (own !== undefined && section.headingPath.length > 1) return oneLine(own);
  const inside = blocks(page.text, section)
    .filter(({ kind }) => kind === "heading")
    .map(({ start, end }) => oneLine(plainText(page.text.slice(start, end).replace(/^#+\s*|\s*#+\s*$/gu, ""))))
    .filter((heading) => heading !== "" && heading !== page.title && heading !== own);
  if (inside.length > 0) return beginningOf(inside.join(", "));
  return own === undefined || own === page.title ? undefined : oneLine(own);
}

/** A question for a list beside its page: the product's name at its end is said already. */
export function questionLabel(
  question: string,
  { topic, headingPath }: Pick<Labeled, "topic" | "headingPath">,
): string {
  const product = productOf(topic, headingPath);
  if (product === undefined) return question;
  return question.replace(` in ${product}`, "");
}

/** `Courier` of `Courier: Retries > Backoff`, where the rest is the fact's headings. */
function productOf(topic: string, headingPath: readonly string[]): string | undefined {
  const path = headingPath.map(oneLine).join(" > ");
  const line = oneLine(topic);
  if (path === "" || !line.endsWith(`: ${path}`)) return undefined;
  return line.slice(0, -path.length - 2);
}

/** Without "Courier Backoff: " in front; what else the product's name stands before keeps its own name. */
function withoutProduct(statement: string, product: string | undefined, heading: string): string {
  if (product === undefined) return statement;
  const bare = statement.startsWith(`${product} `) ? statement.slice(product.length + 1) : statement;
  const shorter = bare.startsWith(`${heading}: `) ? bare.slice(heading.length + 2) : bare;
  const name = /^`([^`(]{1,80})(?:\([^`]*)?`: /u.exec(shorter);
  const said = name?.[1] !== undefined && heading.startsWith(name[1]) ? shorter.slice(name[0].length) : shorter;
  return said.replaceAll(`${product} \``, "`");
}

function beginningOf(text: string): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).replace(/\s+\S*$/u, "")} …`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
