/** Advice on a library, as every surface gives it. */
import { BacopaError } from "../errors.ts";
import type { Library } from "../library.ts";
import { strategyKinds } from "../strategy.ts";
import type { SavedPage } from "../types.ts";
import { advise } from "./advise.ts";
import type { Advice, AdviceInput, Wish } from "./advise.ts";
import type { QuestionMix } from "./adviceMeasured.ts";
import { profileOf } from "./profile.ts";
import type { ChangeRate, CorpusProfile } from "./profile.ts";

/** What developers ask of documentation: the shares of the evaluation corpus, roughly. */
export const usualMix: QuestionMix = { factoid: 0.6, analytical: 0.25, multihop: 0.15 };

/** @throws BacopaError `not-found` when nothing is saved. */
export async function adviceFor(
  library: Pick<Library, "pages" | "page">,
  input: Omit<AdviceInput, "profile">,
): Promise<{ readonly profile: CorpusProfile; readonly advice: Advice }> {
  const pages: SavedPage[] = [];
  for (const { id } of await library.pages()) pages.push(await library.page(id));
  if (pages.length === 0) {
    throw new BacopaError("not-found", {
      message: "The library is empty",
      userMessage: "Nothing is saved yet, so there is nothing to give advice on. Save a page first.",
    });
  }
  const profile = profileOf(pages);
  return { profile, advice: advise({ ...input, profile }) };
}

/** What a person wrote behind `/advise`: `semantic 300 overlap 90 min 100`, "the text changes every minute", "must quote". */
export function readAdviceRequest(text: string): {
  readonly wish: Wish | undefined;
  readonly changes: ChangeRate;
  readonly quotesWording: boolean;
} {
  const words = text.toLowerCase();
  const strategy = strategyKinds.find((kind) => new RegExp(`(?<![\\w-])${kind}(?![\\w-])`, "u").test(words));
  const named = (name: string): number | undefined => {
    const [, value] = new RegExp(`\\b${name}[a-z]*\\s*[=:]?\\s*(\\d{1,6})\\b`, "u").exec(words) ?? [];
    return value === undefined ? undefined : Number(value);
  };
  // The first number that no word claims is the size, the second the overlap: `recursive:512:100`.
  const [first, second] = [...words.matchAll(/(?<![a-z=]\s?)\b(\d{1,6})\b/gu)].map(([, value]) => Number(value));
  const direct = strategy === undefined ? null : new RegExp(`${strategy}\\s*[ :(]\\s*(\\d{1,6})`, "u").exec(words);
  return {
    wish:
      strategy === undefined
        ? undefined
        : {
            strategy,
            size: named("size") ?? (direct === null ? first : Number(direct[1])),
            overlap: named("overlap") ?? (words.includes("overlap") ? undefined : second),
            minTokens: named("min"),
            maxTokens: named("max"),
          },
    changes: /\bminute|\blive\b|real.?time/u.test(words)
      ? "minutes"
      : /\bdaily|every day|\bhourly/u.test(words)
        ? "daily"
        : /\bmonth|\bweek/u.test(words)
          ? "monthly"
          : "rarely",
    quotesWording: /\bquot|verbatim|original wording|word for word|\bcite\b/u.test(words),
  };
}
