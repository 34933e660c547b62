import type { Stages } from "../../core/stages.ts";
import type { ErrorParts, Reason } from "../../core/errors.ts";

/** What the worker can be asked: a stage with its first argument. */
export type StageName = keyof Stages;

export interface Task {
  readonly id: number;
  readonly stage: StageName;
  readonly input: unknown;
}

export type Outcome =
  | { readonly id: number; readonly value: unknown }
  /** A `BacopaError`, taken apart: classes do not survive the way between threads. */
  | { readonly id: number; readonly refusal: { readonly reason: Reason; readonly parts: ErrorParts } }
  | { readonly id: number; readonly failure: string };
