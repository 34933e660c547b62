/**
 * Asks a model to judge hand-made good and spoiled facts: `npm run judge:calibrate [-- --model NAME] [--record]`.
 *
 * The judge must rank each spoiled fact below its good twin. `--record` keeps the replies for the test that replays them; a changed
 * `prompts/judge.md` needs a new recording. The key and the address come from ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createFilePrompts } from "../src/adapters/filePrompts.ts";
import { calibrationOutcomes, calibrationRounds, parsePairs } from "../src/core/lab/calibration.ts";
import { judge, summarizeVerdicts } from "../src/core/lab/judge.ts";
import type { JudgedCase } from "../src/core/lab/judgeCase.ts";
import type { LanguageModel, ModelRequest } from "../src/core/ports.ts";
import { countTokens } from "../src/core/util/tokens.ts";
import { chooseDistiller } from "../src/headless/compose.ts";
import { projectFolder } from "./lib/corpusFolder.ts";
import { markdownTable } from "../src/core/lab/markdownTable.ts";
import { replyKey } from "./lib/replyKey.ts";

const { values } = parseArgs({ options: { model: { type: "string" }, record: { type: "boolean" } } });
const folder = join(projectFolder, "test", "eval", "judge");
const distiller = await chooseDistiller("anthropic", values.model);
if (distiller.kind !== "model") throw new Error("no model");

const replies: Record<string, unknown> = {};
const model: LanguageModel = {
  ...distiller.model,
  async ask(request: ModelRequest, signal) {
    const reply = await distiller.model.ask(request, signal);
    replies[replyKey(request)] = reply.value;
    return reply;
  },
};

const pairs = parsePairs(readFileSync(join(folder, "pairs.json"), "utf8"));
const rounds = calibrationRounds(pairs, countTokens);
const prompts = createFilePrompts(join(projectFolder, "prompts"));
const judged: JudgedCase[] = [];
for (const round of rounds) {
  const result = await judge({ cases: round.map((one) => one.case), model, prompts }, new AbortController().signal);
  judged.push(...result.cases);
  for (const { case: one, error } of result.failed) console.error(`${one.page.id}: ${error.userMessage}`);
}
const outcomes = calibrationOutcomes(rounds.flat(), judged);
console.log(
  markdownTable(
    ["pair", "what was spoiled", "criterion", "good", "spoiled", "below", "found"],
    outcomes.map(({ id, how, criterion, goodTotal, spoiledTotal, isBelow, isFound }) => [
      id,
      how,
      criterion,
      String(goodTotal),
      String(spoiledTotal),
      isBelow ? "yes" : "NO",
      isFound ? "yes" : "no",
    ]),
  ),
);
const good = judged.filter(({ pageId }) => pageId.endsWith(".good"));
console.log(
  `\nGood facts: ${summarizeVerdicts(good)
    .map(({ criterion, mean }) => `${criterion} ${mean.toFixed(2)}`)
    .join(", ")}`,
);
const below = outcomes.filter(({ isBelow }) => isBelow).length;
const found = outcomes.filter(({ isFound }) => isFound).length;
console.log(
  `${below} of ${outcomes.length} spoiled facts below their twin, ${found} with the spoiled criterion lower.`,
);
if (values.record) {
  writeFileSync(join(folder, "replies.json"), `${JSON.stringify({ model: model.id, replies }, undefined, 1)}\n`);
}
process.exitCode = below === outcomes.length ? 0 : 1;
