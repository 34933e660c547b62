import assert from "node:assert/strict";
import fc from "fast-check";
import { advise, refusalsOf } from "../../../src/core/lab/advise.ts";
import type { AdviceInput } from "../../../src/core/lab/advise.ts";
import type { MeasuredStrategy } from "../../../src/core/lab/adviceMeasured.ts";
import type { CorpusProfile } from "../../../src/core/lab/profile.ts";

const profile: CorpusProfile = {
  pages: 40,
  tokens: 200_000,
  medianTokens: 4_000,
  longTokens: 12_000,
  medianSectionTokens: 600,
  formats: { html: 1, markdown: 0, text: 0 },
  codeShare: 0.2,
  tableShare: 0.05,
  headingsPerThousand: 1.6,
};

const input = (over: Partial<AdviceInput> = {}): AdviceInput => ({
  profile,
  mix: { factoid: 0.6, analytical: 0.25, multihop: 0.15 },
  changes: "rarely",
  quotesWording: false,
  hasModel: true,
  measured: [],
  ...over,
});

const types = ["factoid", "analytical", "multihop"] as const;

/** Questions of all types, of which a share is answered. */
function measured(name: string, share: number, over: Partial<MeasuredStrategy> = {}, count = 60): MeasuredStrategy {
  const questions = Array.from({ length: count }, (_, at) => {
    const value = at < share * count ? 1 : 0;
    return { id: `q${at}`, type: types[at % 3] ?? "factoid", recallAt5: value, nuggetsAt1000: value };
  });
  return { name, units: 500, tokens: 450, modelCalls: 0, costUsd: 0, overlapShare: 0, questions, ...over };
}

describe("the adviser", () => {
  it("recommends facts where nothing speaks for cutting, with every part of the answer", () => {
    const advice = advise(input());
    assert.equal(advice.strategy.value, "facts");
    assert.equal(advice.basis, "rules");
    assert.equal(advice.overlap.value, 0);
    assert.ok(advice.guards.value.minTokens > 0 && advice.guards.value.maxTokens > advice.guards.value.minTokens);
    assert.ok(advice.evaluation.some((step) => /50 questions/u.test(step)));
    for (const part of [advice.strategy, advice.size, advice.overlap, advice.guards]) assert.match(part.reason, /\.$/u);
  });

  it("cuts where the text changes every few minutes, must be quoted, or is too much for a model", () => {
    assert.equal(advise(input({ changes: "minutes" })).strategy.value, "headings");
    assert.equal(advise(input({ quotesWording: true })).strategy.value, "parent-document");
    const mix = { factoid: 0.1, analytical: 0.6, multihop: 0.3 };
    assert.equal(advise(input({ quotesWording: true, mix })).strategy.value, "headings");
    const huge = { ...profile, tokens: 40_000_000 };
    assert.equal(advise(input({ profile: huge })).strategy.value, "headings");
    assert.equal(advise(input({ profile: huge, hasModel: false })).strategy.value, "facts");
    const flat = { ...profile, headingsPerThousand: 0.1 };
    assert.equal(advise(input({ profile: flat, changes: "minutes" })).strategy.value, "recursive");
  });

  it("takes smaller units for single details than for questions over several places", () => {
    const flat = { ...profile, headingsPerThousand: 0.1 };
    const sizeFor = (mix: AdviceInput["mix"]): number =>
      advise(input({ profile: flat, changes: "minutes", mix })).size.value;
    const details = sizeFor({ factoid: 1, analytical: 0, multihop: 0 });
    const several = sizeFor({ factoid: 0, analytical: 0.5, multihop: 0.5 });
    assert.ok(details >= 256 && details <= 512, String(details));
    assert.ok(several >= 512 && several <= 1_024, String(several));
  });

  it("lets measured results decide, also against the rules", () => {
    const advice = advise(input({ measured: [measured("facts", 0.5), measured("sentence:5", 0.95)] }));
    assert.equal(advice.basis, "measured");
    assert.equal(advice.strategy.value, "sentence:5");
    assert.equal(advice.size.value, 450);
    assert.match(advice.strategy.reason, /n = 60/u);
  });

  it("takes the cheapest of those that noise cannot tell apart", () => {
    const dear = measured("contextual", 0.82, { modelCalls: 500, costUsd: 4 });
    const advice = advise(input({ measured: [dear, measured("recursive", 0.8)] }));
    assert.equal(advice.strategy.value, "recursive");
    assert.match(advice.strategy.reason, /within noise/u);
  });

  it("does not decide by a handful of questions", () => {
    const advice = advise(input({ measured: [measured("recursive", 1, {}, 12)] }));
    assert.equal(advice.basis, "rules");
    assert.ok(advice.warnings.some((warning) => /12 questions/u.test(warning)));
  });

  it("leaves out what cannot be used here", () => {
    const results = [measured("contextual", 1, { modelCalls: 9 }), measured("facts", 0.9), measured("recursive", 0.5)];
    assert.equal(advise(input({ measured: results, hasModel: false })).strategy.value, "facts");
    assert.equal(
      advise(input({ measured: results, hasModel: false, quotesWording: true })).strategy.value,
      "recursive",
    );
  });

  it("refuses a strategy without a smallest and a largest size", () => {
    const advice = advise(input({ wish: { strategy: "recursive", size: 512 } }));
    assert.equal(advice.refusals.length, 1);
    assert.match(advice.refusals[0] ?? "", /without a smallest and a largest size/u);
    assert.notEqual(advice.strategy.value, "recursive");
  });

  it("refuses an overlap above 20 % unless a measurement shows a gain", () => {
    const wish = { strategy: "recursive", size: 500, overlap: 150, minTokens: 50, maxTokens: 1_000 };
    assert.match(refusalsOf(wish, { measured: [] }).join(" "), /above 20 %/u);
    const plain = measured("recursive:500", 0.5);
    const same = measured("recursive:500:150", 0.5, { overlapShare: 0.3 });
    const better = measured("recursive:500:150", 0.9, { overlapShare: 0.3 });
    assert.equal(refusalsOf(wish, { measured: [plain, same] }).length, 1);
    assert.deepEqual(refusalsOf(wish, { measured: [plain, better] }), []);
    assert.deepEqual(refusalsOf({ ...wish, overlap: 100 }, { measured: [] }), []);
    const advice = advise(input({ wish, measured: [plain, better] }));
    assert.equal(advice.overlap.value, 150);
    assert.match(advice.overlap.reason, /shows a gain/u);
  });

  it("refuses semantic cutting without a floor", () => {
    const refusals = refusalsOf({ strategy: "semantic", size: 400 }, { measured: [] });
    assert.ok(refusals.some((sentence) => /floor/u.test(sentence)));
    assert.deepEqual(
      refusalsOf({ strategy: "semantic", size: 400, minTokens: 100, maxTokens: 800 }, { measured: [] }),
      [],
    );
  });

  it("follows a wish that nothing speaks against", () => {
    const wish = { strategy: "sentence", size: 300, minTokens: 60, maxTokens: 600 };
    const advice = advise(input({ wish }));
    assert.deepEqual(advice.refusals, []);
    assert.equal(advice.strategy.value, "sentence");
    assert.equal(advice.size.value, 300);
    assert.deepEqual(advice.guards.value, { minTokens: 60, maxTokens: 600 });
  });

  it("always answers with usable numbers and never with an overlap above 20 % that was not measured", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const size = fc.option(fc.integer({ min: 1, max: 5_000 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.record({ factoid: share, analytical: share, multihop: share }),
        fc.constantFrom("rarely" as const, "monthly" as const, "daily" as const, "minutes" as const),
        fc.boolean(),
        fc.boolean(),
        fc.record({
          strategy: fc.constantFrom("fixed", "recursive", "semantic", "late", "facts"),
          size,
          overlap: size,
          minTokens: size,
          maxTokens: size,
        }),
        (mix, changes, quotesWording, hasModel, wish) => {
          const advice = advise(input({ mix, changes, quotesWording, hasModel, wish }));
          const { minTokens, maxTokens } = advice.guards.value;
          assert.ok(minTokens < maxTokens);
          assert.ok(Number.isFinite(advice.size.value) && advice.size.value > 0);
          assert.ok(advice.overlap.value <= 0.2 * advice.size.value);
        },
      ),
    );
  });
});
