import assert from "node:assert/strict";
import fc from "fast-check";
import { checkQuestion } from "../../../src/core/lab/questionCheck.ts";
import type { Rejection, WrittenQuestion } from "../../../src/core/lab/questionCheck.ts";
import { planTasks, typeCounts, wantedKinds } from "../../../src/core/lab/questionPlan.ts";
import type { QuestionTask } from "../../../src/core/lab/questionPlan.ts";
import { parseWritten } from "../../../src/core/lab/questionReply.ts";
import { parseQuestions } from "../../../src/core/lab/questions.ts";
import { writeQuestions } from "../../../src/core/lab/writeQuestions.ts";
import type { WriteQuestionsInput } from "../../../src/core/lab/writeQuestions.ts";
import type { ModelRequest } from "../../../src/core/ports.ts";
import type { SavedPage } from "../../../src/core/types.ts";
import { savedPage } from "../../fakes/savedPages.ts";
import { scriptedModel } from "../../fakes/scriptedModel.ts";

const never = new AbortController().signal;
const prompts = (name: string): string => `Prompt ${name}.`;

/** A page of sections with a number each to ask for. */
function numbered(id: string, sections = 6): SavedPage {
  const base = savedPage(id);
  const texts = Array.from(
    { length: sections },
    (_, at) =>
      `## Part ${at}\n\nThe \`limit_${id}_${at}\` of widget ${id}${at} is ${at + 10} units at most. ${"More about it. ".repeat(20)}\n\n`,
  );
  let start = 0;
  return {
    ...base,
    page: { ...base.page, text: texts.join("") },
    sections: texts.map((text, index) => {
      const section = { index, start, end: start + text.length, headingPath: [`Part ${index}`], tokens: 100 };
      start += text.length;
      return section;
    }),
    facts: [],
  };
}

const task = (over: Partial<QuestionTask> = {}): QuestionTask => {
  const saved = savedPage();
  const section = saved.sections[0];
  assert.ok(section !== undefined);
  return { type: "factoid", style: "question", excerpts: [{ saved, section }], ...over };
};
const written = (over: Partial<WrittenQuestion> = {}): WrittenQuestion => ({
  query: "After how many failures does Courier give a job up?",
  evidence: [["A job is retried `max_retries` times, 3 by default."]],
  nuggets: ["3", "max_retries"],
  answer: "After 3 retries.",
  ...over,
});

describe("checking a written question", () => {
  const rejection = (draft: WrittenQuestion, of = task(), others: string[] = []): Rejection | undefined => {
    const result = checkQuestion(of, draft, others);
    return "rejection" in result ? result.rejection : undefined;
  };

  it("keeps a question whose evidence stands in the page", () => {
    const result = checkQuestion(task(), written(), []);
    assert.ok("question" in result);
    assert.deepEqual(result.question.gold, [
      { page: "retries-0a1b2c3d4e", evidence: ["A job is retried `max_retries` times, 3 by default."] },
    ]);
  });

  it("rejects evidence that is not in the page, or in another section of it", () => {
    assert.equal(rejection(written({ evidence: [["A job is retried 4 times."]] })), "the evidence is not in the page");
    assert.equal(
      rejection(written({ evidence: [["The wait doubles from 200 ms."]] })),
      "the evidence is not in the page",
    );
    assert.equal(rejection(written({ evidence: [] })), "the evidence is not in the page");
  });

  it("drops nuggets that the evidence does not hold, and the question with the last of them", () => {
    const result = checkQuestion(task(), written({ nuggets: ["3", "forever"] }), []);
    assert.ok("question" in result && result.question.nuggets.join() === "3");
    assert.equal(rejection(written({ nuggets: ["forever"] })), "no nugget is in the evidence");
  });

  it("rejects what a fact already asks, what the set already asks, and what copies the page", () => {
    assert.equal(
      rejection(written({ query: "How often is a job retried?" })),
      "a fact already asks or says it in the same words",
    );
    assert.equal(
      rejection(written(), task(), ["after how many failures does courier give up a job"]),
      "another question of the set asks the same",
    );
    const saved = savedPage(undefined, { note: "A worker that is stopped finishes the running job before it leaves." });
    const [section] = saved.sections;
    assert.ok(section !== undefined);
    assert.equal(
      rejection(
        written({ query: "Is it true that a worker that is stopped finishes the running job before it leaves?" }),
        task({ excerpts: [{ saved, section }] }),
      ),
      "the query copies the page",
    );
  });

  it("wants the API's name in an API lookup", () => {
    const lookup = task({ style: "api-lookup" });
    assert.equal(rejection(written(), lookup), "the query names no API");
    assert.equal(rejection(written({ query: "courier max_retries default" }), lookup), undefined);
  });

  it("wants evidence of both places of a multihop question", () => {
    const saved = savedPage();
    const excerpts = saved.sections.map((section) => ({ saved, section }));
    const both = task({ type: "multihop", excerpts });
    const first = ["A job is retried `max_retries` times, 3 by default."];
    assert.equal(rejection(written({ evidence: [first] }), both), "the evidence is not in the page");
    const result = checkQuestion(both, written({ evidence: [first, ["The wait doubles from 200 ms."]] }), []);
    assert.ok("question" in result);
    assert.equal(result.question.gold.length, 1);
    assert.equal(result.question.gold[0]?.evidence.length, 2);
  });
});

describe("planning questions", () => {
  it("shares a number out among the types, all of them as soon as it can", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), fc.integer(), (count, seed) => {
        const counts = typeCounts(count);
        assert.equal(
          Object.values(counts).reduce((sum, value) => sum + value, 0),
          count,
        );
        if (count >= 4) assert.ok(Object.values(counts).every((value) => value >= 1));
        assert.equal(wantedKinds(count, seed).length, count - counts.none);
      }),
    );
    assert.deepEqual(typeCounts(50), { factoid: 23, analytical: 12, multihop: 10, none: 5 });
  });

  it("takes each place once, pages in turn, the same for the same seed", () => {
    const pages = [numbered("a"), numbered("b"), numbered("c", 40)];
    const plan = (): QuestionTask[] => planTasks({ pages, wanted: wantedKinds(12, 7), used: new Set(), seed: 7 });
    const places = plan().flatMap(({ excerpts }) =>
      excerpts.map(({ saved, section }) => `${saved.page.id}.${section.index}`),
    );
    assert.equal(new Set(places).size, places.length);
    for (const id of ["a", "b", "c"]) assert.ok(places.filter((place) => place.startsWith(`${id}.`)).length >= 3, id);
    assert.deepEqual(plan(), plan());
  });

  it("gives two places of one page to a multihop question, and fewer tasks when places run out", () => {
    const tasks = planTasks({ pages: [numbered("a", 4)], wanted: wantedKinds(40, 1), used: new Set(), seed: 1 });
    assert.ok(tasks.length < 5);
    for (const { type, excerpts } of tasks) assert.equal(excerpts.length, type === "multihop" ? 2 : 1);
  });
});

describe("writing questions with a model", () => {
  /** Answers every task about a numbered page rightly. */
  function answer(request: ModelRequest): { value: unknown } {
    const { purpose, content } = request;
    if (purpose === "unanswerable") {
      const subjects = ["prices", "export to ODS", "dark theme", "printing labels", "voice control", "offline sync"];
      const queries = subjects.map((query) => ({ query, style: "keyword" }));
      return { value: { questions: queries } };
    }
    if (purpose === "answerable") {
      const tasks = [...content.matchAll(/^# Task (\d+)$/gmu)].map(([, number]) => Number(number));
      return { value: { tasks: tasks.map((number) => ({ task: number, answered: number === 1 })) } };
    }
    const questions = content
      .split(/^# Task /mu)
      .slice(1)
      .map((block, at) => {
        const places = [...block.matchAll(/The `(limit_\w+)` of widget (\w+) is (\d+) units at most\./gu)];
        return {
          task: at + 1,
          query: `highest ${places.map(([, name = ""]) => name).join(" and ")} allowed`,
          evidence: places.map(([passage], index) => ({ excerpt: index + 1, passages: [passage] })),
          nuggets: places.map(([, , , value = ""]) => value),
          answer: "That many.",
        };
      });
    return { value: { questions } };
  }

  const input = (over: Partial<WriteQuestionsInput> = {}): WriteQuestionsInput => ({
    pages: [numbered("a", 12), numbered("b", 12), numbered("c", 12)],
    count: 20,
    seed: 3,
    model: scriptedModel(answer),
    prompts,
    searchTexts: () => Promise.resolve(["Something else."]),
    ...over,
  });

  it("writes a set of all types that reads back as one", async () => {
    const { questions, missing, rejected, failures } = await writeQuestions(input(), never);
    assert.deepEqual(missing, { factoid: 0, analytical: 0, multihop: 0, none: 0 });
    assert.equal(questions.length, 20);
    assert.deepEqual(failures, []);
    assert.deepEqual(rejected, { "a saved page answers it": 1 });
    const lines = questions.map((question) => JSON.stringify(question)).join("\n");
    const { entries, problems } = parseQuestions(lines);
    assert.deepEqual(problems, []);
    assert.deepEqual(entries, questions);
  });

  it("gives the same set for the same seed and replies", async () => {
    assert.deepEqual(
      (await writeQuestions(input(), never)).questions,
      (await writeQuestions(input(), never)).questions,
    );
  });

  it("tries another place for what was rejected, and says what is missing in the end", async () => {
    let call = 0;
    const model = scriptedModel((request) =>
      call++ === 0
        ? { value: { questions: [{ task: 1, query: "", evidence: [], nuggets: [], answer: "" }] } }
        : answer(request),
    );
    const { questions } = await writeQuestions(input({ model, count: 10 }), never);
    assert.equal(questions.length, 10);
    const mute = scriptedModel(() => ({ value: { questions: [] } }));
    const nothing = await writeQuestions(input({ model: mute, count: 10 }), never);
    assert.deepEqual(nothing.questions, []);
    assert.equal(
      Object.values(nothing.missing).reduce((sum, value) => sum + value, 0),
      10,
    );
    assert.ok(nothing.failures.length > 0);
  });

  it("takes any reply without throwing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, inner) => {
        parseWritten(value, [task()]);
        parseWritten({ questions: [inner, { task: 1, query: "q", evidence: inner, nuggets: inner, answer: inner }] }, [
          task(),
        ]);
      }),
    );
  });
});
