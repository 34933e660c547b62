import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFilePrompts } from "../../../src/adapters/filePrompts.ts";
import { calibrationOutcomes, calibrationRounds, parsePairs } from "../../../src/core/lab/calibration.ts";
import { judge } from "../../../src/core/lab/judge.ts";
import { judgedText, sectionTextOf } from "../../../src/core/lab/judgeCase.ts";
import type { JudgedCase } from "../../../src/core/lab/judgeCase.ts";
import { countTokens } from "../../../src/core/util/tokens.ts";
import { projectFolder } from "../../../scripts/lib/corpusFolder.ts";
import { replyKey } from "../../../scripts/lib/replyKey.ts";
import { scriptedModel } from "../../fakes/scriptedModel.ts";

const folder = join(projectFolder, "test", "eval", "judge");
const never = new AbortController().signal;

describe("the judge's calibration", () => {
  const pairs = parsePairs(readFileSync(join(folder, "pairs.json"), "utf8"));
  const rounds = calibrationRounds(pairs, countTokens);

  it("has good and spoiled facts for every criterion, each pair once a round", () => {
    const spoiled = pairs.flatMap((pair) => pair.spoiled);
    assert.deepEqual([...new Set(spoiled.map(({ criterion }) => criterion))].sort(), [
      "kept",
      "noiseFree",
      "selfContained",
      "supported",
    ]);
    assert.equal(rounds.flat().length, pairs.length + spoiled.length);
    for (const round of rounds) assert.equal(new Set(round.map(({ pair }) => pair.id)).size, round.length);
  });

  it("spoils each fact in what it says, not only in its label", () => {
    for (const { pair, spoiled, case: one } of rounds.flat()) {
      const twin = rounds.flat().find((other) => other.pair === pair && other.spoiled === undefined);
      assert.ok(twin !== undefined);
      assert.equal(sectionTextOf(one), sectionTextOf(twin.case));
      const [mine, theirs] = [one, twin.case].map(({ facts }) => facts.map(judgedText).join());
      assert.equal(mine === theirs, spoiled === undefined, `${pair.id}: ${spoiled?.how ?? "good"}`);
    }
  });

  // Whoever gave these verdicts knew the pairs: they hold the requests, the checks of quotes and the ranking together. What a model
  // makes of the rubric without knowing shows `npm run judge:calibrate` with a key.
  it("ranks every spoiled fact below its good twin, by recorded verdicts", async () => {
    const { replies } = JSON.parse(readFileSync(join(folder, "replies.json"), "utf8")) as {
      replies: Record<string, unknown>;
    };
    const model = scriptedModel((request) => {
      const value = replies[replyKey(request)];
      assert.ok(
        value !== undefined,
        "prompts/judge.md or the pairs changed: record the judge anew with npm run judge:calibrate -- --record",
      );
      return { value };
    });
    const prompts = createFilePrompts(join(projectFolder, "prompts"));
    const judged: JudgedCase[] = [];
    for (const round of rounds) {
      const result = await judge({ cases: round.map((one) => one.case), model, prompts }, never);
      assert.deepEqual(result.failed, []);
      judged.push(...result.cases);
    }
    const outcomes = calibrationOutcomes(rounds.flat(), judged);
    assert.equal(outcomes.length, pairs.flatMap(({ spoiled }) => spoiled).length);
    assert.deepEqual(
      outcomes.filter(({ isBelow }) => !isBelow).map(({ id, how }) => `${id}: ${how}`),
      [],
    );
    const found = outcomes.filter(({ isFound }) => isFound).length;
    assert.ok(found / outcomes.length >= 0.85, `${found} of ${outcomes.length} by the spoiled criterion`);
  });

  it("names what a broken calibration set lacks", () => {
    assert.throws(() => parsePairs('[{"id":"a"}]'), /Pair 1 .* page/u);
    assert.throws(() => parsePairs("{}"), /not a list/u);
  });
});
