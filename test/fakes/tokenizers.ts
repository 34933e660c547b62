/** Small but real `tokenizer.json` files of the three kinds. Ids are places in the vocabulary. */
const letters = Array.from("abcdefghijklmnopqrstuvwxyz0123456789");
const capitals = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");

/** As BERT's: lower case, accents off, words, then the longest pieces; `[CLS]` and `[SEP]` around. */
export function wordPiece(words: readonly string[]): Record<string, unknown> {
  const tokens = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    ...words,
    ...letters,
    ...letters.map((letter) => `##${letter}`),
    ",",
    ".",
    ":",
    "_",
  ];
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
  return {
    version: "1.0",
    added_tokens: ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].map((content, id) => special(content, id)),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [marker("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, marker("[SEP]")],
      pair: [],
      special_tokens: {
        "[CLS]": { id: "[CLS]", ids: [2], tokens: ["[CLS]"] },
        "[SEP]": { id: "[SEP]", ids: [3], tokens: ["[SEP]"] },
      },
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}

/** As T5's and XLM-RoBERTa's: blanks become `▁`, pieces by their log probabilities; bytes for what has no piece. */
export function unigram(words: readonly string[]): Record<string, unknown> {
  const pieces: [string, number][] = [
    ["<unk>", 0],
    ["<s>", 0],
    ["</s>", 0],
    ["▁", -4],
  ];
  for (const word of words) pieces.push([`▁${word}`, -3]);
  for (const letter of [...letters, ...capitals, ",", ".", ":", "_"]) pieces.push([letter, -8]);
  return {
    version: "1.0",
    added_tokens: ["<unk>", "<s>", "</s>"].map((content, id) => special(content, id)),
    normalizer: { type: "NFKC" },
    pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true },
    post_processor: {
      type: "TemplateProcessing",
      single: [{ Sequence: { id: "A", type_id: 0 } }, marker("</s>")],
      pair: [],
      special_tokens: { "</s>": { id: "</s>", ids: [2], tokens: ["</s>"] } },
    },
    decoder: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true },
    model: { type: "Unigram", unk_id: 0, vocab: pieces, byte_fallback: false },
  };
}

/** As RoBERTa's: bytes as characters, merged by rank; a blank belongs to the word after it. */
export function byteLevelBpe(merges: readonly string[]): Record<string, unknown> {
  const bytes: string[] = [];
  let next = 256;
  for (let byte = 0; byte < 256; byte++) {
    const isVisible = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    bytes.push(String.fromCodePoint(isVisible ? byte : next++));
  }
  const tokens = ["<s>", "<pad>", "</s>", "<unk>", ...bytes, ...merges.map((merge) => merge.replace(" ", ""))];
  return {
    version: "1.0",
    added_tokens: ["<s>", "<pad>", "</s>", "<unk>"].map((content, id) => special(content, id)),
    normalizer: null,
    pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: {
      type: "RobertaProcessing",
      sep: ["</s>", 2],
      cls: ["<s>", 0],
      trim_offsets: true,
      add_prefix_space: false,
    },
    decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: "BPE",
      unk_token: "<unk>",
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges,
    },
  };
}

/** Entries of a tokenizer's vocabulary. */
export function vocabularySize(tokenizer: Record<string, unknown>): number {
  const { vocab } = tokenizer.model as { vocab: object };
  return Array.isArray(vocab) ? vocab.length : Object.keys(vocab).length;
}

function special(content: string, id: number): object {
  return { id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
}

function marker(id: string): object {
  return { SpecialToken: { id, type_id: 0 } };
}
