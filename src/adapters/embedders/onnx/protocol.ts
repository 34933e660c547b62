import type { ErrorParts, Reason } from "../../../core/errors.ts";
import type { TextKind, TokenVectors } from "../../../core/ports.ts";

/** What the worker of a model can be asked. The first task is always `open`. */
export type ModelTask =
  | { readonly kind: "open"; readonly folder: string; readonly wasmFile: string }
  | { readonly kind: "embed"; readonly texts: readonly string[]; readonly textKind: TextKind }
  | { readonly kind: "tokens"; readonly text: string };

export interface OpenedModel {
  readonly id: string;
  readonly dims: number;
  readonly maxTokens: number;
  readonly meaningWeight: number | undefined;
  readonly hasTokens: boolean;
}

export type ModelAnswer =
  | { readonly opened: OpenedModel }
  | { readonly vectors: readonly (Float32Array | undefined)[] }
  | { readonly tokens: TokenVectors }
  /** A `BacopaError`, taken apart: classes do not survive the way between threads. */
  | { readonly refusal: { readonly reason: Reason; readonly parts: ErrorParts } }
  | { readonly failure: string };
