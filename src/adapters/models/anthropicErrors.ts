import { BacopaError } from "../../core/errors.ts";
import type { ErrorParts } from "../../core/errors.ts";

/** What went wrong with a request, without the SDK's types. */
export interface Failure {
  /** HTTP status; `undefined` when no answer came. */
  readonly status: number | undefined;
  /** `error.type` of the body, e.g. `overloaded_error`. */
  readonly type: string | undefined;
  /** What the API said, at most a sentence or two, without the key. */
  readonly text: string;
  readonly timedOut: boolean;
  readonly requestId: string | undefined;
}

const searchable = "The pages already saved can still be searched.";

/**
 * One reason and one next step for each failure, by the API's documented errors
 * (platform.claude.com/docs/en/api/errors).
 */
export function errorOf(failure: Failure, model: string): BacopaError {
  const { status, type, text } = failure;
  const trace = failure.requestId === undefined ? "" : ` (request ${failure.requestId})`;
  const message = `${model}: ${status ?? "no answer"} ${type ?? ""} ${text}${trace}`.replace(/\s+/gu, " ");
  const cause = new Error(message);
  const fail = (reason: BacopaError["reason"], parts: Omit<ErrorParts, "message" | "cause">) =>
    new BacopaError(reason, { message, cause, ...parts });

  if (status === 401 || status === 403 || type === "authentication_error" || type === "permission_error") {
    return fail("model-auth", {
      userMessage:
        status === 403 || type === "permission_error"
          ? `The Anthropic key may not use ${model}. Choose another model or another key.`
          : "Anthropic did not accept the key. Check the key, then save the page again.",
      action: { title: "Set the Key", command: "bacopa.setApiKey" },
      hint: `Ask the person to check the Anthropic key; do not retry. ${searchable}`,
    });
  }
  if (status === 413 || type === "request_too_large" || /prompt is too long|context (?:window|length)/iu.test(text)) {
    return fail("model-too-large", {
      userMessage: `This part of the page is too large for ${model}. Choose a model with a larger context window.`,
      hint: `Do not retry with the same model. ${searchable}`,
    });
  }
  // What the API says when its filter stops an answer, e.g. one that repeats protected text.
  if (/content filter/iu.test(text)) return refused(model, message);
  if (status === 429 || type === "rate_limit_error") {
    return fail("model-rate-limited", {
      userMessage:
        "Anthropic is limiting requests for this key. Wait a minute, then save the page again: only what failed is asked for again.",
      hint: `Wait a minute before saving again. ${searchable}`,
      retryable: true,
    });
  }
  if (status === 402 || type === "billing_error" || /credit balance|spend(?:ing)? limit/iu.test(text)) {
    return fail("model-rejected", {
      userMessage:
        "Anthropic refused the request because of billing: the credit or spending limit of this key is used up. Add credit in the Anthropic console, or use the offline distiller.",
      hint: `Ask the person to check billing; do not retry. ${searchable}`,
    });
  }
  if (status === 404 || type === "not_found_error") {
    return fail("model-rejected", {
      userMessage: `There is no model named ${model} at this address. Check the model's name and the base address.`,
      action: { title: "Choose a Model", command: "bacopa.chooseDistiller" },
      hint: `Ask the person to choose another model; do not retry. ${searchable}`,
    });
  }
  if (status !== undefined && status >= 500) return overloaded(fail, model);
  if (type === "overloaded_error" || type === "api_error") return overloaded(fail, model);
  if (status === 408 || status === 409) return unavailable(fail, failure.timedOut);
  if (status !== undefined || type === "invalid_request_error") {
    return fail("model-rejected", {
      userMessage: `Anthropic rejected the request: ${sentence(text)} Choose another model or update Bacopa.`,
      action: { title: "Choose a Model", command: "bacopa.chooseDistiller" },
      hint: `Do not retry with the same model. ${searchable}`,
    });
  }
  return unavailable(fail, failure.timedOut);
}

/** The model, or the filter before it, did not want to answer. */
export function refused(model: string, why: string): BacopaError {
  return new BacopaError("model-refused", {
    message: `${model} refused to answer: ${why}`,
    userMessage:
      "The language model refused to rewrite this part of the page. Try another model, or keep the part as it is: it stays searchable.",
    hint: `Do not retry saving with the same model. ${searchable}`,
  });
}

type Fail = (reason: BacopaError["reason"], parts: Omit<ErrorParts, "message" | "cause">) => BacopaError;

function overloaded(fail: Fail, model: string): BacopaError {
  return fail("model-overloaded", {
    userMessage: `${model} is overloaded right now. Save the page again in a few minutes, or choose another model.`,
    action: { title: "Choose a Model", command: "bacopa.chooseDistiller" },
    hint: `Try saving again in a few minutes. ${searchable}`,
    retryable: true,
  });
}

function unavailable(fail: Fail, timedOut: boolean): BacopaError {
  return fail("model-unavailable", {
    userMessage: timedOut
      ? "The language model did not answer in time. Save the page again, or choose another model."
      : "Bacopa could not reach the language model. Check the network and the base address, then save the page again.",
    action: { title: "Choose a Model", command: "bacopa.chooseDistiller" },
    hint: `Try saving again later. ${searchable}`,
    retryable: true,
  });
}

/** The API's text as one sentence for a person. */
function sentence(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return /[.!?…]$/u.test(short) ? short : `${short}.`;
}
