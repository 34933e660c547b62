import assert from "node:assert/strict";
import { repairWithModel } from "../../../src/core/distill/repair.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import type { FactDraft } from "../../../src/core/types.ts";
import { verify } from "../../../src/core/verify/verify.ts";
import { countTokens, pageOfSections } from "../../fakes/pages.ts";
import { replyFact, scriptedModel } from "../../fakes/scriptedModel.ts";
import type { ScriptedModel } from "../../fakes/scriptedModel.ts";

const never = new AbortController().signal;
const texts = [
  "## Retries\n\nMarmot retries `max_tries` times (5), 30 seconds apart, with `--wait`.\n\n",
  "## Graveyard\n\nMarmot keeps dead messages for 14 days in `grave_box`.\n\n",
];
const { page, sections } = pageOfSections(texts);
const check = (drafts: readonly FactDraft[]) =>
  verify({ drafts, page, sections, origin: { distiller: "test:one", extractive: false }, countTokens });

const draft = (sectionIndex: number, body: string): FactDraft => ({
  sectionIndex,
  topic: `Marmot part ${sectionIndex}`,
  statement: "Marmot does it.",
  questions: ["How?"],
  keywords: [],
  symbols: [],
  body,
});
const whole = ["`max_tries` 5, 30 seconds, `--wait`.", "14 days in `grave_box`."];

const repair = (drafts: readonly FactDraft[], model: ScriptedModel, signal = never) =>
  repairWithModel({ page, sections, drafts, check, model, prompts: (name) => `Prompt ${name}.`, countTokens }, signal);

describe("repairing", () => {
  it("makes no call when nothing is wrong", async () => {
    const model = scriptedModel(() => ({ value: { facts: [] } }));
    const { result, usage } = await repair(
      whole.map((body, index) => draft(index, body)),
      model,
    );
    assert.equal(model.requests.length, 0);
    assert.equal(usage.calls, 0);
    assert.equal(result.facts.length, 2);
  });

  it("sends what is unsupported and what is left out in one call, and puts the corrected facts in place", async () => {
    const model = scriptedModel(() => ({
      value: {
        facts: [
          replyFact(0, { replaces: 1, body: whole[0] }),
          replyFact(1, { replaces: 0, statement: "Marmot keeps dead messages.", body: whole[1] }),
        ],
      },
    }));
    const drafts = [draft(0, "`max_tries` 5, 31 seconds, `--wait`, 30 seconds."), draft(1, "Some days.")];
    const { drafts: repaired, result, usage } = await repair(drafts, model);
    assert.equal(model.requests.length, 1);
    assert.equal(model.requests[0]?.instructions, "Prompt repair.");
    const content = model.requests[0].content;
    assert.match(content, /Unsupported in fact 1:\n<unsupported-[0-9a-f]{8}>\n31\n/u);
    assert.match(content, /Left out of the facts of section 1:\n<missing-[0-9a-f]{8}>\n14 · grave_box$/mu);
    assert.deepEqual(
      repaired.map(({ body }) => body),
      [whole[0], "Some days.", whole[1]],
    );
    assert.deepEqual([result.repairs, result.missing], [[], []]);
    assert.equal(usage.calls, 1);
  });

  it("leaves a repair aside that makes the facts worse", async () => {
    const model = scriptedModel(() => ({
      value: { facts: [replyFact(0, { replaces: 1, body: "99 tries and 98 seconds, `--never`." })] },
    }));
    const drafts = [draft(0, `${whole[0] ?? ""} 31 tries.`), draft(1, whole[1] ?? "")];
    const { drafts: repaired, result } = await repair(drafts, model);
    assert.deepEqual(repaired, drafts);
    assert.deepEqual(result.facts[0]?.unverified, ["31 tries."]);
  });

  it("takes no repair of a fact of another section", async () => {
    const model = scriptedModel(() => ({ value: { facts: [replyFact(1, { replaces: 1, body: whole[1] })] } }));
    const drafts = [draft(0, "31 tries."), draft(1, whole[1] ?? "")];
    assert.deepEqual((await repair(drafts, model)).drafts, drafts);
  });

  it("keeps the facts when the call fails, does not fit or answers nonsense", async () => {
    const drafts = [draft(0, "31 tries."), draft(1, whole[1] ?? "")];
    const overloaded = new BacopaError("model-overloaded", { message: "busy", userMessage: "Busy. Try later." });
    for (const answer of [overloaded, "cut-off", { value: "nonsense" }] as const) {
      const {
        drafts: repaired,
        result,
        error,
      } = await repair(
        drafts,
        scriptedModel(() => answer),
      );
      assert.deepEqual(repaired, drafts);
      assert.equal(result.facts.length, 2);
      assert.equal(error, answer === overloaded ? overloaded : undefined);
    }
  });

  it("throws the signal's reason on abort", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped");
    const model = scriptedModel(() => {
      controller.abort(reason);
      return { value: { facts: [] } };
    });
    await assert.rejects(repair([draft(0, "31 tries.")], model, controller.signal), (error) => error === reason);
  });
});
