import { BacopaError } from "../../core/errors.ts";
import type { Reason } from "../../core/errors.ts";

const choose = { title: "Choose Distiller", command: "bacopa.chooseDistiller" };
const hint = "Do not retry saving. The saved pages can still be searched.";

/** One reason and one next step for what `sendRequest` and its stream throw. Without the editor's own classes, so that it can be tested. */
export function editorModelError(error: unknown, model: string, timedOut: boolean): BacopaError {
  if (error instanceof BacopaError) return error;
  const said = textsOf(error);
  const fail = (reason: Reason, userMessage: string, retryable = false): BacopaError =>
    new BacopaError(reason, {
      message: `${model}: ${said}`.slice(0, 500),
      userMessage,
      action: choose,
      hint,
      retryable,
      cause: error,
    });
  if (timedOut) return fail("model-unavailable", `${model} did not answer in time. Save the page again.`, true);
  const code = codeOf(error);
  if (code === "NoPermissions") {
    return fail(
      "model-auth",
      `Bacopa may not use ${model}. Allow it when the editor asks, or choose another distiller.`,
    );
  }
  if (code === "NotFound")
    return fail("model-missing", `The editor no longer offers ${model}. Choose another distiller.`);
  const refused = `${model} refused this part of the page. It stays searchable as it is.`;
  // The editor uses one code, Blocked, for used-up quotas and for answers that a filter stopped.
  if (code === "Blocked" && !limited.test(said)) return fail("model-refused", refused);
  if (limited.test(said))
    return fail(
      "model-rate-limited",
      `The editor is limiting requests to ${model}. Wait a little, then save the page again.`,
      true,
    );
  if (/too (?:long|large)|context (?:length|window)|token limit|max(?:imum)?_?(?:prompt )?tokens/iu.test(said))
    return fail(
      "model-too-large",
      `This part of the page is too large for ${model}. Choose a model that takes longer texts.`,
    );
  if (/filter|refus|off.?topic|policy/iu.test(said))
    return fail("model-refused", `${model} refused this part of the page. It stays searchable as it is.`);
  return fail(
    "model-unavailable",
    `${model} failed to answer. Save the page again, or choose another distiller.`,
    true,
  );
}

const limited = /rate.?limit|quota|too many requests|\b429\b|exhausted/iu;

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** An error's own words and those of its causes. */
function textsOf(error: unknown): string {
  const texts: string[] = [];
  let at = error;
  for (let depth = 0; at instanceof Error && depth < 4; depth++) {
    texts.push(at.message);
    at = at.cause;
  }
  if (typeof at === "string") texts.push(at);
  return texts.join(": ");
}
