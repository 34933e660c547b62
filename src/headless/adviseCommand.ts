/** `bacopa advise`: which strategy, size, overlap and guards to use for the saved pages. */
import { readFile } from "node:fs/promises";
import { BacopaError } from "../core/errors.ts";
import { parseStrategy } from "../core/strategy.ts";
import { adviceFor, usualMix } from "../core/lab/adviceFor.ts";
import type { Wish } from "../core/lab/advise.ts";
import type { MeasuredStrategy, QuestionMix } from "../core/lab/adviceMeasured.ts";
import { measuredOf } from "../core/lab/adviceResults.ts";
import { adviceText } from "../core/lab/adviceText.ts";
import type { ChangeRate } from "../core/lab/profile.ts";
import type { Library } from "../core/library.ts";
import { parseQuestions } from "../core/lab/questions.ts";
import type { Question } from "../core/lab/questions.ts";
import { parseLabResults } from "../core/lab/results.ts";

export interface AdviseCommand {
  /** `factoid=6,analytical=3,multihop=1`; default by the question file, else the usual one. */
  readonly mix: string | undefined;
  readonly questions: string | undefined;
  /** Results of `bacopa eval --json`; default those kept with the library. */
  readonly results: string | undefined;
  readonly kept: string;
  readonly changes: ChangeRate;
  readonly quotesWording: boolean;
  readonly hasModel: boolean;
  readonly wish: Wish | undefined;
  readonly json: boolean;
  readonly print: (line: string) => void;
}

const commandsText =
  'Questions: "bacopa questions", or your own file, checked by "bacopa questions --check FILE". Measuring: "bacopa eval"; its results are kept with the library and read here.';

/** Exit code 1 when the wish was refused. */
export async function runAdvise(library: Library, command: AdviseCommand): Promise<0 | 1> {
  const { changes, quotesWording, hasModel, wish, json, print } = command;
  const [mix, measured] = [await mixOf(command), await measuredIn(command)];
  const { profile, advice } = await adviceFor(library, { mix, changes, quotesWording, hasModel, measured, wish });
  print(json ? JSON.stringify({ profile, mix, ...advice }) : `${adviceText(profile, advice)}\n\n${commandsText}`);
  return advice.refusals.length > 0 ? 1 : 0;
}

/**
 * A bare name is taken as it stands, so its guards must be given; a name with sizes (`recursive:512:100`) brings those that a save
 * with it would hold to.
 *
 * @throws BacopaError `bad-usage` for a name that no save takes.
 */
export function wishOf(name: string, given: Omit<Wish, "strategy">): Wish {
  const parsed = parseStrategy(name);
  if (typeof parsed === "string") throw new BacopaError("bad-usage", { message: parsed, userMessage: parsed });
  const { kind, sizes } = parsed;
  if (!name.includes(":")) return { ...given, strategy: kind };
  const maxTokens = "maxTokens" in sizes ? sizes.maxTokens : "parentTokens" in sizes ? sizes.parentTokens : undefined;
  return {
    strategy: parsed.name,
    size: given.size ?? maxTokens ?? ("size" in sizes ? sizes.size : undefined),
    overlap: given.overlap ?? ("overlap" in sizes && kind !== "sentence" ? sizes.overlap : undefined),
    minTokens: given.minTokens ?? ("minTokens" in sizes ? sizes.minTokens : undefined),
    maxTokens: given.maxTokens ?? maxTokens,
  };
}

async function measuredIn({ results, kept }: AdviseCommand): Promise<MeasuredStrategy[]> {
  const json = await readFile(results ?? kept, "utf8").catch(() => undefined);
  const parsed = json === undefined ? undefined : parseLabResults(json);
  if (parsed !== undefined) return measuredOf(parsed);
  if (results === undefined) return [];
  throw new BacopaError("not-found", {
    message: `${results} holds no results`,
    userMessage: `${results} holds no results of "bacopa eval --json" of this version. Measure again, or leave --results out.`,
  });
}

async function mixOf({ mix, questions }: AdviseCommand): Promise<QuestionMix> {
  if (mix !== undefined) return parseMix(mix);
  if (questions === undefined) return usualMix;
  let text: string;
  try {
    text = await readFile(questions, "utf8");
  } catch (cause) {
    throw new BacopaError("not-found", {
      message: `${questions} cannot be read`,
      userMessage: `The question file ${questions} cannot be read. Name a file with one JSON question a line, or give --mix.`,
      cause,
    });
  }
  return mixOfQuestions(parseQuestions(text).entries) ?? usualMix;
}

/** `undefined` when no question has an answer. */
export function mixOfQuestions(questions: readonly Question[]): QuestionMix | undefined {
  const counts = { factoid: 0, analytical: 0, multihop: 0 };
  for (const { type } of questions) if (type !== "none") counts[type]++;
  return counts.factoid + counts.analytical + counts.multihop === 0 ? undefined : counts;
}

function parseMix(text: string): QuestionMix {
  const mix = { factoid: 0, analytical: 0, multihop: 0 };
  for (const part of text.split(",")) {
    const [name = "", value = ""] = part.trim().split("=");
    const share = value.trim() === "" ? NaN : Number(value);
    if (!(name === "factoid" || name === "analytical" || name === "multihop") || !(share >= 0) || share === Infinity)
      throw wrongMix(text);
    mix[name] = share;
  }
  if (mix.factoid + mix.analytical + mix.multihop === 0) throw wrongMix(text);
  return mix;
}

function wrongMix(text: string): BacopaError {
  return new BacopaError("bad-usage", {
    message: `Not a mix: ${text}`,
    userMessage: `--mix is a list such as factoid=6,analytical=3,multihop=1, not "${text}".`,
  });
}
