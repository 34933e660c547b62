/**
 * The tools an agent gets, defined once: the editor's language-model tools and the MCP server both serve these.
 * Descriptions are prompts: what comes back, when to call, when not. They are not translated.
 */
import { BacopaError } from "./errors.ts";
import type { Library } from "./library.ts";
import { renderError, renderPages, renderPassage, renderSaved, renderSearch, renderTooLarge } from "./render.ts";
import type { SaveReport } from "./save.ts";

export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the input. Hosts do not check it, so `run` does. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly readOnly: boolean;
  /** What a person must allow first; `undefined` when nothing leaves the machine. */
  readonly confirm?: (input: unknown) => { readonly title: string; readonly message: string } | undefined;
  /**
   * Text for the model. Never throws: a failure comes back as text that says what to do next, with `failed`.
   * @param budget Most tokens of the answer.
   */
  readonly run: (input: unknown, budget: number | undefined, signal: AbortSignal) => Promise<ToolAnswer>;
}

export interface ToolAnswer {
  readonly text: string;
  readonly failed: boolean;
}

export interface ToolHost {
  readonly library: Library;
  /** Saves a page and resolves when its job is over. */
  readonly save: (url: string, signal: AbortSignal) => Promise<SaveReport>;
}

export function createTools({ library, save }: ToolHost): readonly AgentTool[] {
  return [
    tool({
      name: "bacopa_search_docs",
      title: "Search saved documentation",
      description:
        "Search the developer documentation that this person saved: library and API reference, configuration, default values, limits, versions, error messages, how-to. " +
        "Returns facts in full (statement, code, source URL, id) with the page's brief. Call it before answering a question about a library or tool that may be saved, and before using an API from memory. " +
        "One question a call, in plain words or with exact identifiers. Not for the web and not for the workspace's own code.",
      inputSchema: {
        type: "object",
        properties: {
          query: {
            type: "string",
            description: 'A question or identifiers, e.g. "max_retries default" or "why does the batch get retried"',
          },
          limit: { type: "integer", minimum: 1, maximum: 20, description: "Facts to return, default 5" },
        },
        required: ["query"],
      },
      readOnly: true,
      async answer(input, budget, signal) {
        const query = text(input, "query");
        const limit = optionalNumber(input, "limit", 1, 20) ?? 5;
        const found = await library.search(query, { limit, maxTokens: budget }, signal);
        if (found.hits.length > 0 || budget === undefined) return renderSearch(found);
        // No hit within a budget does not mean that nothing is saved: a model must not conclude that.
        const { hits } = await library.search(query, { limit: 1 }, signal);
        const [best] = hits;
        return best === undefined ? renderSearch(found) : renderTooLarge(best);
      },
    }),
    tool({
      name: "bacopa_get_passage",
      title: "Get the passage behind a fact",
      description:
        "Get the documentation page's own wording behind a fact that bacopa_search_docs returned. Call it when the fact falls short, when exact wording matters, or to check a fact. Takes the fact's id.",
      inputSchema: {
        type: "object",
        properties: { factId: { type: "string", description: "The id in square brackets under a fact" } },
        required: ["factId"],
      },
      readOnly: true,
      answer: async (input, budget) => renderPassage(await library.passage(text(input, "factId")), budget),
    }),
    tool({
      name: "bacopa_list_pages",
      title: "List saved documentation pages",
      description:
        "List the documentation pages that are saved: title, URL, id, number of facts. Call it to see what a search can cover, or which version of a library is saved.",
      inputSchema: { type: "object", properties: {} },
      readOnly: true,
      answer: async (_input, budget) => renderPages(await library.pages(), budget),
    }),
    tool({
      name: "bacopa_save_page",
      title: "Save a documentation page",
      description:
        "Save one documentation page by its URL so that it can be searched from now on, by every agent. Call it when a needed page is not saved and its address is known. It contacts the page's host. Not for search engines, not for whole sites.",
      inputSchema: {
        type: "object",
        properties: { url: { type: "string", description: "Full http(s) address of one page" } },
        required: ["url"],
      },
      readOnly: false,
      confirm(input) {
        const host = URL.canParse(urlOf(input)) ? new URL(urlOf(input)).host : undefined;
        if (host === undefined) return undefined;
        return {
          title: "Save documentation page",
          message: `Bacopa will contact ${host} and save ${urlOf(input)} in the library.`,
        };
      },
      answer: async (input, _budget, signal) => {
        const report = await save(webAddress(text(input, "url")), signal);
        return { text: renderSaved(report), failed: report.state !== "done" };
      },
    }),
  ];
}

export interface TokenBudget {
  /** Most tokens of the answer, by the caller's own count. */
  readonly tokens: number;
  readonly count: (text: string) => PromiseLike<number>;
}

/**
 * Runs a tool so that its answer fits a budget that the model counts its own way. Our counts are those of o200k, so an
 * answer that is over by the model's count is asked for again with as much less.
 */
export async function runWithin(
  tool: AgentTool,
  input: unknown,
  budget: TokenBudget | undefined,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  // Saving twice to find a shorter answer would be absurd, and its answer is two sentences.
  if (budget === undefined || !tool.readOnly) return tool.run(input, budget?.tokens, signal);
  let asked = budget.tokens;
  let answer = await tool.run(input, asked, signal);
  for (let attempt = 0; attempt < 3 && !answer.failed; attempt++) {
    const counted = await budget.count(answer.text);
    if (counted <= budget.tokens) break;
    asked = Math.floor(asked * (budget.tokens / counted) * 0.95);
    answer = await tool.run(input, asked, signal);
  }
  return answer;
}

type Input = Readonly<Record<string, unknown>>;

function tool(
  parts: Omit<AgentTool, "run"> & {
    answer: (input: Input, budget: number | undefined, signal: AbortSignal) => Promise<string | ToolAnswer>;
  },
): AgentTool {
  const { answer, ...rest } = parts;
  return {
    ...rest,
    async run(input, budget, signal) {
      try {
        const given = await answer(asObject(input), budget, signal);
        return typeof given === "string" ? { text: given, failed: false } : given;
      } catch (error) {
        signal.throwIfAborted();
        return { text: renderError(error), failed: true };
      }
    },
  };
}

function asObject(input: unknown): Input {
  if (typeof input === "object" && input !== null && !Array.isArray(input))
    return Object.fromEntries(Object.entries(input));
  throw wrongInput("The input is an object.");
}

function text(input: Input, name: string): string {
  const value = input[name];
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  throw wrongInput(`"${name}" is missing: give it as a non-empty string.`);
}

function optionalNumber(input: Input, name: string, least: number, most: number): number | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw wrongInput(`"${name}" is a whole number from ${least} to ${most}.`);
}

function urlOf(input: unknown): string {
  return typeof input === "object" && input !== null && "url" in input && typeof input.url === "string"
    ? input.url
    : "";
}

/** An agent may have pages fetched, never files read: whoever wrote a page it reads could name one. */
function webAddress(url: string): string {
  if (/^https?:\/\//iu.test(url) && URL.canParse(url)) return url;
  throw wrongInput('"url" is no web address: give one that begins with https:// or http://.');
}

function wrongInput(message: string): BacopaError {
  return new BacopaError("bad-usage", {
    message,
    userMessage: message,
    hint: "Call the tool again with corrected input.",
  });
}
