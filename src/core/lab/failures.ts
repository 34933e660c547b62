/** Why evidence or nuggets were not found: for each miss the first stage that could not have done better is named. */
import type { NuggetText } from "./nuggets.ts";
import { compileNugget, holdsNugget, nuggetText } from "./nuggets.ts";
import type { LabUnit, PreparedQuestion, QuestionScore, Scorer, ScorerMemory, Snippet } from "./score.ts";

/**
 * - `cleaning`: the page's cleaned text does not hold it.
 * - `cutting`: the text holds it, but no unit does: it was cut in two or left out.
 * - `page`: a unit holds it, but no hit is from its page.
 * - `place`: hits are from its page, but the unit that holds it is not among them.
 * - `budget` (nuggets only): a hit among the first 10 holds it, but behind the token budget.
 */
export type FailureCause = "cleaning" | "cutting" | "page" | "place" | "budget";

export interface Failure {
  readonly questionId: string;
  readonly page: string;
  readonly cause: FailureCause;
  /** The evidence or the nugget. */
  readonly missed: string;
}

/** Hits looked at. */
const depth = 10;

/** The snippets that the first 10 hits do not cover. */
export function evidenceFailures(
  { question, snippets }: PreparedQuestion,
  score: QuestionScore,
  ranked: readonly LabUnit[],
  units: readonly LabUnit[],
  scorer: Scorer,
): Failure[] {
  const covered = new Set(score.covered.slice(0, depth).flat());
  const top = ranked.slice(0, depth);
  return snippets.flatMap((snippet, index) =>
    covered.has(index)
      ? []
      : [
          {
            questionId: question.id,
            page: snippet.page,
            cause: causeOf(snippet, top, units, scorer),
            missed: snippet.evidence,
          },
        ],
  );
}

function causeOf(snippet: Snippet, top: readonly LabUnit[], units: readonly LabUnit[], scorer: Scorer): FailureCause {
  if (snippet.places.length === 0) return "cleaning";
  if (!units.some((unit) => unit.page === snippet.page && scorer.covers(unit, snippet))) return "cutting";
  return top.some((unit) => unit.page === snippet.page) ? "place" : "page";
}

/**
 * The nuggets that are not within a budget.
 *
 * @param returned The text within the budget.
 * @param cleanedTextOf The cleaned text of a corpus page.
 */
export function nuggetFailures(
  { question, goldPages }: PreparedQuestion,
  returned: string,
  ranked: readonly LabUnit[],
  units: readonly LabUnit[],
  cleanedTextOf: (page: string) => string,
  memory: ScorerMemory,
): Failure[] {
  const within = nuggetText(returned);
  const missing = question.nuggets.filter((nugget) => !holdsNugget(within, compileNugget(nugget)));
  if (missing.length === 0) return [];
  const page = question.gold[0]?.page ?? "";
  const top = ranked.slice(0, depth);
  const topTexts = top.map(({ text }) => memory.nuggetText(text));
  const goldUnits = units.filter((unit) => goldPages.has(unit.page)).map(({ text }) => memory.nuggetText(text));
  const cleaned = [...goldPages].map((goldPage) => memory.nuggetText(cleanedTextOf(goldPage)));
  return missing.map((missed) => {
    const nugget = compileNugget(missed);
    const inAny = (texts: readonly NuggetText[]): boolean => texts.some((text) => holdsNugget(text, nugget));
    const cause: FailureCause = !inAny(cleaned)
      ? "cleaning"
      : !inAny(goldUnits)
        ? "cutting"
        : inAny(topTexts)
          ? "budget"
          : top.some((unit) => goldPages.has(unit.page))
            ? "place"
            : "page";
    return { questionId: question.id, page, cause, missed };
  });
}
