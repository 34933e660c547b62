/** The command line of `npm run eval`. */
import { parseArgs } from "node:util";
import { offeredStrategies, strategiesNamed } from "../../src/core/lab/offered.ts";
import { returnedForms } from "../../src/core/lab/returned.ts";
import type { ReturnedForm } from "../../src/core/lab/returned.ts";
import type { Strategy } from "../../src/core/lab/strategies.ts";

export const evalHelp = `npm run eval -- [options]

Measures how well saved pages can be searched: facts and the ways to cut pages, same pages, questions, index and embedder.
The developers' form of "bacopa eval": with and without distractors, compared with test/eval/baseline.json.
Fails when a headline figure (recall@5, MRR@10, nuggets in 500 tokens) of any row fell by more than 5 % of its value.

  --corpus DIR         default: ../shared/corpus beside the project, else BACOPA_CORPUS, else test/eval/corpus
  --distractors        only with the corpus' distractor pages in the pool; --no-distractors: only without. Default: both
  --strategies A,B     default: all (${offeredStrategies.map(({ name }) => name).join(", ")})
  --ablations          also facts with parts of what is searched left out, and other rankings
  --pages A,B          only these pages, and the questions whose gold is all on them
  --facts DIR          facts given as files (<page>.json), on their pages alone, beside the other strategies
  --library DIR        facts of a saved library, on its pages alone, beside the other strategies
  --returned FORM      what counts as returned: facts, briefs (default) or rendered
  --model ID           the Anthropic model of strategies that a model writes (with ANTHROPIC_API_KEY)
  --max-cost USD       no model call begins after this much is spent (default 1)
  --answers DIR        where model answers are kept for the next run (default ~/.bacopa/answers)
  --failures           list every miss with its cause
  --json               the results of each pool as JSON on stdout
  --update-baseline    keep this run's figures in test/eval/baseline.json
`;

export interface EvalOptions {
  readonly corpus: string | undefined;
  /** Pools to run: with distractors, without, or both. */
  readonly pools: readonly Pool[];
  readonly strategies: readonly Strategy[];
  readonly ablations: boolean;
  readonly pages: readonly string[] | undefined;
  readonly facts: string | undefined;
  readonly library: string | undefined;
  readonly returned: ReturnedForm;
  readonly model: string | undefined;
  /** Dollars. */
  readonly maxCost: number;
  readonly answers: string | undefined;
  readonly failures: boolean;
  readonly json: boolean;
  readonly updateBaseline: boolean;
}

export type Pool = "pages" | "pages+distractors";

/** @throws TypeError or RangeError for an unknown option or value, with one sentence. */
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
      model: { type: "string" },
      "max-cost": { type: "string", default: "1" },
      answers: { type: "string" },
      failures: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      "update-baseline": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const returned = returnedForms.find((form) => form === values.returned);
  if (returned === undefined) throw new TypeError(`--returned is one of ${returnedForms.join(", ")}`);
  const maxCost = Number(values["max-cost"]);
  if (values["max-cost"].trim() === "" || !(maxCost >= 0))
    throw new TypeError(`--max-cost is an amount of dollars, 0 or more, not "${values["max-cost"]}"`);
  const isPart = [values.pages, values.facts, values.library].some((part) => part !== undefined);
  if (values["update-baseline"] && (isPart || returned !== "briefs"))
    throw new TypeError("--update-baseline needs whole pages and what is returned by default");
  return {
    corpus: values.corpus,
    pools:
      values.distractors === undefined
        ? ["pages", "pages+distractors"]
        : [values.distractors ? "pages+distractors" : "pages"],
    strategies: strategiesNamed(values.strategies, values.ablations),
    ablations: values.ablations,
    pages: listOf(values.pages),
    facts: values.facts,
    library: values.library,
    returned,
    model: values.model,
    maxCost,
    answers: values.answers,
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
