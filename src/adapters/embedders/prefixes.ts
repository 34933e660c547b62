/** What a model was trained to see before a text. It is part of the text for the model, and never shown. */
export interface Prefixes {
  readonly query: string;
  readonly passage: string;
}

/**
 * The prefixes that a model's family documents, by its name (`nomic-embed-text`, `intfloat/e5-small-v2`, a folder's name).
 * An unknown family gets none: a wrong prefix harms more than a missing one.
 */
export function prefixesByName(name: string): Prefixes {
  return families.find(({ pattern }) => pattern.test(name))?.prefixes ?? noPrefixes;
}

export const noPrefixes: Prefixes = { query: "", passage: "" };

const searchingPassages = "Represent this sentence for searching relevant passages: ";

/** From the models' own cards. The first that fits counts. */
const families: readonly { readonly pattern: RegExp; readonly prefixes: Prefixes }[] = [
  // Their queries carry an instruction that each user words for the task.
  { pattern: /e5-?mistral|e5.*instruct/i, prefixes: noPrefixes },
  { pattern: /(?:^|[^a-z0-9])e5(?:[^a-z0-9]|$)/i, prefixes: { query: "query: ", passage: "passage: " } },
  { pattern: /nomic-?embed/i, prefixes: { query: "search_query: ", passage: "search_document: " } },
  { pattern: /bge-m3/i, prefixes: noPrefixes },
  { pattern: /bge-.*-zh/i, prefixes: { query: "为这个句子生成表示以用于检索相关文章：", passage: "" } },
  { pattern: /arctic-embed(?:2|.*v2)/i, prefixes: { query: "query: ", passage: "" } },
  { pattern: /bge-|mxbai-embed|arctic-embed/i, prefixes: { query: searchingPassages, passage: "" } },
  {
    pattern: /embedding-?gemma/i,
    prefixes: { query: "task: search result | query: ", passage: "title: none | text: " },
  },
  {
    pattern: /qwen3-embedding/i,
    prefixes: {
      query: "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:",
      passage: "",
    },
  },
];
