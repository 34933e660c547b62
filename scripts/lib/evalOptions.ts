/** The command line of `npm run eval`. */
import { parseArgs } from "node:util";
import { returnedForms } from "../../src/core/lab/evaluate.ts";
import type { ReturnedForm } from "../../src/core/lab/evaluate.ts";

export const evalHelp = `npm run eval -- [options]

Measures how well saved pages can be searched: facts and the ways to cut pages, same pages, questions, index and embedder.

  --corpus DIR         default: ../shared/corpus beside the project, else BACOPA_CORPUS, else test/eval/corpus
  --distractors        only with the corpus' distractor pages in the pool; --no-distractors: only without. Default: both
  --strategies A,B     default: all (fixed, recursive, headings, headings+title, facts)
  --ablations          also facts with parts of what is searched left out
  --pages A,B          only these pages, and the questions whose gold is all on them
  --facts DIR          facts given as files (<page>.json), on their pages alone, beside the other strategies
  --library DIR        facts of a saved library, on its pages alone, beside the other strategies
  --returned FORM      what counts as returned: facts, briefs (default) or rendered
  --styles             figures per question style too
  --failures           list every miss with its cause
  --json               all figures as JSON on stdout
  --update-baseline    keep this run's figures in test/eval/baseline.json
`;

export interface EvalOptions {
  readonly corpus: string | undefined;
  /** Pools to run: with distractors, without, or both. */
  readonly pools: readonly Pool[];
  readonly strategies: readonly string[] | undefined;
  readonly ablations: boolean;
  readonly pages: readonly string[] | undefined;
  readonly facts: string | undefined;
  readonly library: string | undefined;
  readonly returned: ReturnedForm;
  readonly styles: boolean;
  readonly failures: boolean;
  readonly json: boolean;
  readonly updateBaseline: boolean;
}

export type Pool = "pages" | "pages+distractors";

/** @throws TypeError for an unknown option or value. */
export function parseEvalOptions(args: readonly string[]): EvalOptions | "help" {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      corpus: { type: "string" },
      distractors: { type: "boolean" },
      strategies: { type: "string" },
      ablations: { type: "boolean", default: false },
      pages: { type: "string" },
      facts: { type: "string" },
      library: { type: "string" },
      returned: { type: "string", default: "briefs" },
      styles: { type: "boolean", default: false },
      failures: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      "update-baseline": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const returned = returnedForms.find((form) => form === values.returned);
  if (returned === undefined) throw new TypeError(`--returned is one of ${returnedForms.join(", ")}`);
  return {
    corpus: values.corpus,
    pools:
      values.distractors === undefined
        ? ["pages", "pages+distractors"]
        : [values.distractors ? "pages+distractors" : "pages"],
    strategies: listOf(values.strategies),
    ablations: values.ablations,
    pages: listOf(values.pages),
    facts: values.facts,
    library: values.library,
    returned,
    styles: values.styles,
    failures: values.failures,
    json: values.json,
    updateBaseline: values["update-baseline"],
  };
}

function listOf(value: string | undefined): string[] | undefined {
  return value
    ?.split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}
