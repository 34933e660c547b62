/** Advice as Markdown, the same for the terminal, the chat and the editor. */
import type { Advice } from "./advise.ts";
import type { CorpusProfile } from "./profile.ts";

export function adviceText(profile: CorpusProfile, advice: Advice): string {
  const { strategy, size, overlap, guards, evaluation, refusals, warnings, basis } = advice;
  return [
    ...(refusals.length === 0 ? [] : [`**Refused.** ${refusals.join(" ")}`, "What to use instead:"]),
    [
      `- **Strategy: ${strategy.value}.** ${strategy.reason}`,
      `- **Size: ${size.value} tokens.** ${size.reason}`,
      `- **Overlap: ${overlap.value} tokens.** ${overlap.reason}`,
      `- **Guards: ${guards.value.minTokens} to ${guards.value.maxTokens} tokens.** ${guards.reason}`,
    ].join("\n"),
    ...(warnings.length === 0 ? [] : [`Keep in mind: ${warnings.join(" ")}`]),
    ["How to check it:", "", ...evaluation.map((step, at) => `${at + 1}. ${step}`)].join("\n"),
    `${basis === "measured" ? "Decided by measured results" : "Decided by rules, not yet measured"}, for ${profileText(profile)}.`,
  ].join("\n\n");
}

function profileText(profile: CorpusProfile): string {
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  const pages = profile.pages === 1 ? "1 page" : `${profile.pages} pages`;
  return `${pages} of ${Math.round(profile.medianTokens)} tokens (median; a tenth above ${Math.round(profile.longTokens)}), ${percent(profile.codeShare)} code, ${percent(profile.tableShare)} tables, a heading section of ${Math.round(profile.medianSectionTokens)} tokens (median)`;
}
