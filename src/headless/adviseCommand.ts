/** `bacopa advise`: which strategy, size, overlap and guards to use for the saved pages. */
import { readFile } from "node:fs/promises";
import { BacopaError } from "../core/errors.ts";
import { adviceFor, usualMix } from "../core/lab/adviceFor.ts";
import type { Wish } from "../core/lab/advise.ts";
import type { MeasuredStrategy, QuestionMix } from "../core/lab/adviceMeasured.ts";
import { adviceText } from "../core/lab/adviceText.ts";
import type { ChangeRate } from "../core/lab/profile.ts";
import type { Library } from "../core/library.ts";
import { parseQuestions } from "../core/lab/questions.ts";
import type { Question } from "../core/lab/questions.ts";

export interface AdviseCommand {
  /** `factoid=6,analytical=3,multihop=1`; default by the question file, else the usual one. */
  readonly mix: string | undefined;
  readonly questions: string | undefined;
  readonly measured: readonly MeasuredStrategy[];
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
  const { changes, quotesWording, hasModel, wish, measured, json, print } = command;
  const mix = await mixOf(command);
  const { profile, advice } = await adviceFor(library, { mix, changes, quotesWording, hasModel, measured, wish });
  print(json ? JSON.stringify({ profile, mix, ...advice }) : `${adviceText(profile, advice)}\n\n${commandsText}`);
  return advice.refusals.length > 0 ? 1 : 0;
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
