/**
 * What a comparison of strategies found, as plain JSON: what `bacopa eval --json` prints, reports show and advice reads.
 *
 * Shares lie in 0..1 and have four digits. Everything but `indexMs` is the same in every run over the same input.
 */
import type { Boundaries } from "./boundaries.ts";
import type { Usage } from "./evaluate.ts";
import type { FailureCause } from "./failures.ts";
import type { Spread, WronglyConfident } from "./report.ts";
import type { ReturnedForm } from "./returned.ts";
import type { QuestionType } from "./questions.ts";
import type { FigureName } from "./score.ts";

export const labResultsFormat = "bacopa-lab-results-1";

export interface LabResults {
  readonly format: typeof labResultsFormat;
  readonly corpus: LabCorpus;
  readonly questions: LabQuestions;
  /** `null`: ranked by words alone. */
  readonly embedder: { readonly id: string; readonly dims: number; readonly meaningWeight: number } | null;
  /** Who wrote the model-written strategies; `null` without one. */
  readonly model: string | null;
  /** What counted as returned, see `ReturnedForm`. */
  readonly returned: ReturnedForm;
  /** One sentence each that a reader of the figures must know. */
  readonly notes: readonly string[];
  /** One a strategy and way of ranking, in the order asked for. */
  readonly rows: readonly LabRow[];
  /** Strategies asked for that could not run, with the reason in one sentence. */
  readonly missing: readonly { readonly strategy: string; readonly reason: string }[];
}

export interface LabCorpus {
  /** `corpus`: a folder with a manifest; `folder`: any folder of pages; `library`: saved pages. */
  readonly kind: "corpus" | "folder" | "library";
  /** For people: the folder's name. Never a path. */
  readonly name: string;
  readonly pages: number;
  /** Pages among them that no question asks about on purpose. */
  readonly distractors: number;
  /** Of all cleaned pages. */
  readonly tokens: number;
}

export interface LabQuestions {
  /** `file`: given by a person; `kept`: written for this library before; `self-made`: the facts' own questions, too easy. */
  readonly kind: "file" | "kept" | "self-made";
  /** First 12 hex digits of the SHA-256 of the questions. */
  readonly id: string;
  /** Answerable ones that were asked. */
  readonly answerable: number;
  /** Ones without an answer in the pages. */
  readonly none: number;
  /** Ones left out because their gold page is not among the pages. */
  readonly leftOut: number;
  /** The answerable ones, in the order of `LabRow.values`. */
  readonly asked: readonly { readonly id: string; readonly type: Exclude<QuestionType, "none"> }[];
}

/** Figures of a group of questions: those of `FigureName`, and the share of evidence that 20 hits miss. */
export type LabFigures = Readonly<Record<FigureName | "failed@20", number>>;

export interface LabGroup {
  readonly by: "all" | "type" | "style";
  /** `all`, a question type or a style. */
  readonly name: string;
  readonly n: number;
  readonly figures: LabFigures;
  /** 95 % bootstrap intervals over the group's questions, low and high; for `intervalFigures`, not for styles. */
  readonly intervals: Readonly<Partial<Record<keyof LabFigures, readonly [number, number]>>>;
  readonly reading: LabReading;
}

/**
 * The price of an answer for who reads hits in order, whole, until the nuggets are held, and gives up after 2,000 tokens:
 * tokens of all questions / questions answered. So a strategy does not look cheap by answering only the easy ones.
 */
export interface LabReading {
  /** Tokens per answer of which at least one nugget was found; `null` when none was. */
  readonly perFirstNugget: number | null;
  /** Tokens per correct answer: all nuggets found; `null` when none was. */
  readonly perAnswer: number | null;
  /** Share of the questions whose nuggets were all found. */
  readonly answered: number;
}

export interface LabComparison {
  readonly figure: HeadlineFigure;
  /** `facts`: the facts, ranked the same way; `best`: the row that leads in this figure. */
  readonly against: "facts" | "best";
  /** `LabRow.key` of the other. */
  readonly other: string;
  /** This row less the other, over the same questions. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** Two-sided, by paired bootstrap. */
  readonly p: number;
}

export interface LabRow {
  /** `<strategy>/<mode>`. */
  readonly key: string;
  readonly strategy: string;
  /** `words`, `hybrid`, or one of the ablations of ranking. */
  readonly mode: string;
  readonly units: number;
  /** Of a unit as returned, page head not counted. */
  readonly meanTokens: number;
  readonly indexBytes: number;
  readonly indexMs: number;
  /** Model calls, tokens and dollars it took to write this strategy's units, whenever that was. */
  readonly usage: Usage;
  readonly boundaries: Boundaries;
  /** `all` first, then types, then styles. */
  readonly groups: readonly LabGroup[];
  readonly none: { readonly answerable: LabSpread; readonly none: LabSpread; readonly separation: number | null } & {
    readonly wronglyConfident: { readonly [Bar in keyof WronglyConfident]: number | null };
  };
  readonly comparisons: readonly LabComparison[];
  /** Of each question of `LabQuestions.asked`: for tests between any two rows, as advice needs them. */
  readonly values: Readonly<Record<(typeof valueFigures)[number], readonly number[]>>;
  /** How many snippets of evidence 10 hits missed, and how many nuggets 500 tokens missed, by cause. */
  readonly misses: {
    readonly evidence: Readonly<Record<FailureCause, number>>;
    readonly nuggets: Readonly<Record<FailureCause, number>>;
  };
}

export type LabSpread = { readonly [Figure in keyof Spread]: number | null };

/** The figures that a strategy, and a run of the developers' gate, stands or falls by. */
export const headlineFigures = ["recall@5", "mrr@10", "nuggets@500"] as const satisfies readonly FigureName[];
export type HeadlineFigure = (typeof headlineFigures)[number];

/** One says whether the right place comes up, the other whether the answer fits into a budget. */
export const valueFigures = ["recall@5", "nuggets@1000"] as const satisfies readonly FigureName[];

export const intervalFigures = [
  "recall@1",
  "recall@3",
  "recall@5",
  "recall@10",
  "recall@20",
  "failed@20",
  "mrr@10",
  "ndcg@10",
  "nuggets@500",
  "nuggets@1000",
  "nuggets@2000",
] as const satisfies readonly (keyof LabFigures)[];

/** Reads stored results. `undefined` when the text holds none of this version. */
export function parseLabResults(json: string): LabResults | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isOurs =
      typeof value === "object" && value !== null && "format" in value && value.format === labResultsFormat;
    // Written by this program with this version's mark.
    return isOurs ? (value as LabResults) : undefined;
  } catch {
    return undefined;
  }
}
