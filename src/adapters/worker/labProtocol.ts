import type { CompareProgress } from "../../core/lab/compare.ts";
import type { LabQuestions } from "../../core/lab/results.ts";
import type { ErrorParts, Reason } from "../../core/errors.ts";

/** What a comparison over a library needs. Plain data: it goes to another thread. */
export interface LabTask {
  readonly library: string;
  /** `undefined`: the facts' own questions. */
  readonly questions: { readonly kind: Exclude<LabQuestions["kind"], "self-made">; readonly file: string } | undefined;
  /** `media/docs-static`. */
  readonly docsStatic: string;
  /** `prompts`. */
  readonly prompts: string;
}

export interface LabReport {
  /** `LabResults` as JSON. */
  readonly results: string;
  /** The report, its style sheet let through by the nonce asked for. */
  readonly html: string;
  /** One sentence each: what was left out on the way. */
  readonly problems: readonly string[];
}

export type LabMessage =
  | { readonly progress: CompareProgress }
  | { readonly report: LabReport }
  | { readonly refusal: { readonly reason: Reason; readonly parts: ErrorParts } }
  | { readonly failure: string };
