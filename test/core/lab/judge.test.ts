import assert from "node:assert/strict";
import fc from "fast-check";
import { BacopaError } from "../../../src/core/errors.ts";
import { judge, summarizeVerdicts, worstFacts } from "../../../src/core/lab/judge.ts";
import type { JudgeCase } from "../../../src/core/lab/judgeCase.ts";
import { parseJudgeReply } from "../../../src/core/lab/judgeReply.ts";
import type { ModelRequest } from "../../../src/core/ports.ts";
import { savedPage } from "../../fakes/savedPages.ts";
import { scriptedModel } from "../../fakes/scriptedModel.ts";

const never = new AbortController().signal;
const prompts = (name: string): string => `Prompt ${name}.`;

function casesOf(id?: string): JudgeCase[] {
  const { page, sections, facts } = savedPage(id);
  return sections.map((section) => ({
    page,
    section,
    facts: facts.filter(({ sectionIndex }) => sectionIndex === section.index),
  }));
}

const verdict = (number: number, over: Readonly<Record<string, unknown>> = {}) => ({
  fact: number,
  unsupported: [],
  supported: 5,
  unclear: [],
  selfContained: 5,
  noise: [],
  noiseFree: 5,
  ...over,
});
const caseReply = (number: number, over: Readonly<Record<string, unknown>> = {}) => ({
  case: number,
  missing: [],
  kept: 5,
  facts: [verdict(1)],
  ...over,
});
const all = (request: ModelRequest) => ({
  value: { cases: [...request.content.matchAll(/^# Case (\d+)$/gmu)].map(([, number]) => caseReply(Number(number))) },
});

describe("judging facts", () => {
  it("asks about each section with its facts and sums up the verdicts", async () => {
    const model = scriptedModel(all);
    const { cases, failed, usage } = await judge({ cases: casesOf(), model, prompts }, never);
    assert.equal(cases.length, 2);
    assert.deepEqual(failed, []);
    assert.equal(usage.calls, 1);
    assert.equal(model.requests[0]?.instructions, "Prompt judge.");
    assert.match(model.requests[0].content, /A job is retried `max_retries` times/u);
    assert.deepEqual(
      summarizeVerdicts(cases).map(({ criterion, n, mean, faultless }) => [criterion, n, mean, faultless]),
      [
        ["kept", 2, 5, 1],
        ["supported", 2, 5, 1],
        ["selfContained", 2, 5, 1],
        ["noiseFree", 2, 5, 1],
      ],
    );
    assert.deepEqual(worstFacts(cases), []);
  });

  it("keeps quotes that stand in the text and counts the others", () => {
    const cases = casesOf();
    const parsed = parseJudgeReply(
      {
        cases: [
          caseReply(1, {
            missing: ["3 by default", "a limit that nobody wrote"],
            kept: 2,
            facts: [verdict(1, { unsupported: ["A job is RETRIED"], supported: 3, noise: ["Star us"], noiseFree: 4 })],
          }),
          caseReply(2),
        ],
      },
      cases,
    );
    const [first] = [...(parsed?.values() ?? [])];
    assert.deepEqual(first?.kept, { score: 2, quotes: ["3 by default"] });
    assert.deepEqual(first.facts[0]?.supported, { score: 3, quotes: ["A job is RETRIED"] });
    assert.deepEqual(first.facts[0].noiseFree, { score: 4, quotes: [] });
    assert.equal(first.unproven, 2);
  });

  it("names the worst facts with their reasons, worst first", async () => {
    const model = scriptedModel(() => ({
      value: {
        cases: [
          caseReply(1, { facts: [verdict(1, { noise: ["A job"], noiseFree: 4 })] }),
          caseReply(2, { missing: ["200 ms"], kept: 1, facts: [verdict(1, { supported: 2 })] }),
        ],
      },
    }));
    const { cases } = await judge({ cases: casesOf(), model, prompts }, never);
    const worst = worstFacts(cases);
    assert.deepEqual(
      worst.map(({ total, faults }) => [total, faults.map(({ criterion }) => criterion)]),
      [
        [13, ["supported", "kept"]],
        [19, ["noiseFree"]],
      ],
    );
  });

  it("asks again for a case whose verdict is incomplete, and names it when it stays so", async () => {
    const model = scriptedModel(() => ({ value: { cases: [caseReply(1), caseReply(2, { facts: [] })] } }));
    const { cases, failed } = await judge({ cases: casesOf(), model, prompts }, never);
    // Asked for alone, the second case is case 1 of its request, and this reply answers it.
    assert.equal(model.requests.length, 2);
    assert.equal(cases.length, 2);
    assert.deepEqual(failed, []);
    const stubborn = scriptedModel(() => ({ value: { cases: [caseReply(1, { kept: 9 })] } }));
    const result = await judge({ cases: casesOf().slice(0, 1), model: stubborn, prompts }, never);
    assert.equal(result.failed[0]?.error.reason, "model-bad-reply");
  });

  it("fails the cases a model refuses, not the others", async () => {
    const model = scriptedModel((request, call) =>
      call === 0
        ? new BacopaError("model-refused", { message: "no", userMessage: "It was refused. Try another model." })
        : all(request),
    );
    const long = [...casesOf("a"), ...casesOf("b")].map((one) => ({
      ...one,
      section: { ...one.section, tokens: 4_000 },
    }));
    const { cases, failed } = await judge({ cases: long, model, prompts }, never);
    assert.equal(failed.length, 1);
    assert.equal(cases.length, 3);
  });

  it("takes any reply without throwing", () => {
    const cases = casesOf();
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, inner) => {
        parseJudgeReply(value, cases);
        parseJudgeReply({ cases: [inner, { case: 1, kept: inner, facts: inner, missing: inner }] }, cases);
        parseJudgeReply(
          { cases: [{ case: 1, kept: 5, missing: inner, facts: [{ fact: 1, supported: inner }] }] },
          cases,
        );
      }),
    );
  });
});
