import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serverKey, startMessagesServer } from "../fakes/messagesServer.ts";
import type { MessagesServer, RequestBody, Step } from "../fakes/messagesServer.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const samples = ["halyard-queues-delivery.html", "pinnace-stream-api.html", "tamarind-config.html"];

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe("bacopa questions, judge and advise", function () {
  this.timeout(60_000);
  let library = "";
  let server: MessagesServer | undefined;

  function bacopa(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
    return new Promise((resolve) => {
      const child = spawn(
        process.execPath,
        [join(root, "dist/cli.js"), ...args, ...(args.includes("--corpus") ? [] : ["--library", library])],
        {
          cwd: root,
          env: { ...process.env, ANTHROPIC_API_KEY: "", ANTHROPIC_BASE_URL: "", ...env },
        },
      );
      let stdout = "";
      let stderr = "";
      child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
      child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
      child.on("close", (code) => resolve({ code, stdout, stderr }));
    });
  }

  /** A model behind HTTP that answers by what it is asked for. */
  async function withModel(answer: (content: string, system: string) => unknown): Promise<Record<string, string>> {
    server = await startMessagesServer((body: RequestBody): Step => ({
      json: answer(textOf(body.messages[0]?.content), textOf(body.system)),
    }));
    return { ANTHROPIC_API_KEY: serverKey, ANTHROPIC_BASE_URL: server.url };
  }

  before(async () => {
    execFileSync(process.execPath, ["esbuild.config.mjs", "--quiet"], { cwd: root });
    library = mkdtempSync(join(tmpdir(), "bacopa-lab-"));
    const { code } = await bacopa(["save", ...samples.map((name) => join(root, "samples", name))]);
    assert.equal(code, 0);
  });
  after(() => rmSync(library, { recursive: true, force: true }));
  afterEach(() => server?.close());

  it("judges every fact and names the worst with its reason", async () => {
    const env = await withModel((content) => ({
      cases: [...content.matchAll(/^# Case (\d+)$([^]*?)(?=^# Case |^Judge )/gmu)].map(([, number, block = ""]) => ({
        case: Number(number),
        missing: [],
        kept: 5,
        facts: [...block.matchAll(/^<fact-\w+ number="(\d+)">\n(.*)$/gmu)].map(([, fact, topic = ""]) => ({
          fact: Number(fact),
          unsupported: Number(number) === 1 && Number(fact) === 1 ? [topic.replace("### ", ""), "never said"] : [],
          supported: Number(number) === 1 && Number(fact) === 1 ? 2 : 5,
          unclear: [],
          selfContained: 5,
          noise: [],
          noiseFree: 5,
        })),
      })),
    }));
    const { code, stdout, stderr } = await bacopa(["judge", "--json"], env);
    assert.equal(code, 0, stderr);
    const result = JSON.parse(stdout);
    assert.ok(result.facts >= 10);
    assert.equal(result.criteria.length, 4);
    assert.equal(result.worst.length, 1);
    assert.equal(result.worst[0].faults[0].criterion, "supported");
    assert.equal(result.unproven, 1);
    const text = await bacopa(["judge"], env);
    assert.match(text.stdout, /nothing unsupported\s+\d\.\d\d of 5/u);
    assert.match(text.stdout, /1\. .*\(17 of 20/u);
  });

  it("writes questions whose evidence is in the pages, keeps the file, and checks it again", async () => {
    const env = await withModel((content) => {
      if (content.includes("questions that these pages do not answer")) return { questions: [] };
      return {
        questions: content
          .split(/^# Task /mu)
          .slice(1)
          .map((block, at) => {
            const excerpts = [...block.matchAll(/^<excerpt-\w+ number="(\d+)".*>\n([^]*?)\n<\/excerpt/gmu)];
            const passages = excerpts.map(([, , text = ""]) => /^[A-Z].{30,300}$/mu.exec(text)?.[0] ?? "");
            return {
              task: at + 1,
              query: `${block.slice(0, 2)} zq${at} what about ${(passages[0] ?? "").split(" ").slice(2, 5).join(" ")} x.${at}y`,
              evidence: passages.map((passage, index) => ({ excerpt: index + 1, passages: [passage] })),
              nuggets: passages.map((passage) => passage.split(" ")[1] ?? ""),
              answer: "So it is.",
            };
          }),
      };
    });
    const output = join(library, "own", "set.jsonl");
    const { code, stdout, stderr } = await bacopa(["questions", "--count", "6", "--output", output, "--json"], env);
    assert.equal(code, 0, stderr);
    const result = JSON.parse(stdout);
    assert.ok(result.questions.length >= 2, stdout);
    assert.equal(readFileSync(output, "utf8").trim().split("\n").length, result.questions.length);
    const again = await bacopa(["questions", "--output", output], env);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /--force/u);
    const checked = await bacopa(["questions", "--check", output]);
    assert.equal(checked.code, 0, checked.stdout);
  });

  it("names what is wrong with a question set written by hand", async () => {
    const file = join(library, "hand.jsonl");
    const question = {
      id: "mine",
      type: "factoid",
      style: "question",
      query: "How long?",
      gold: [{ page: "https://nowhere.example/", evidence: ["It takes long."] }],
      nuggets: ["12 hours"],
      answer: "",
    };
    writeFileSync(file, `${JSON.stringify(question)}\nnot json\n`);
    const { code, stdout } = await bacopa(["questions", "--check", file]);
    assert.equal(code, 1);
    assert.match(stdout, /line 2: not a JSON object/u);
    assert.match(stdout, /mine: no saved page is named https:\/\/nowhere\.example\//u);
    assert.match(stdout, /mine: the nugget "12 hours" is not in its evidence/u);
  });

  it("says what is missing without a model, and fakes nothing", async () => {
    for (const command of ["judge", "questions"]) {
      const { code, stdout, stderr } = await bacopa([command]);
      assert.equal(code, 1);
      assert.equal(stdout, "");
      assert.match(stderr, /needs a language model: set ANTHROPIC_API_KEY/u);
    }
  });

  it("decides by measured results once there are enough questions", async () => {
    const corpus = ["--corpus", join(root, "test", "eval", "corpus"), "--strategies", "recursive,headings,facts"];
    const measured = await bacopa(["eval", ...corpus, "--json"]);
    assert.equal(measured.code, 0, measured.stderr);
    const results = JSON.parse(measured.stdout);
    assert.equal(results.rows[0].values["recall@5"].length, results.questions.asked.length);
    const file = join(library, "results.json");
    writeFileSync(file, measured.stdout);
    const few = JSON.parse((await bacopa(["advise", "--results", file, "--json"])).stdout);
    assert.equal(few.basis, "rules");
    assert.match(few.warnings.join(" "), /rest on 44 questions/u);
    const twice = (values: unknown[]): unknown[] => [...values, ...values];
    const enough = {
      ...results,
      questions: {
        ...results.questions,
        asked: twice(results.questions.asked).map((one, at) => ({ ...(one as object), id: `q${at}` })),
      },
      rows: results.rows.map((row: { values: Record<string, unknown[]> }) => ({
        ...row,
        values: Object.fromEntries(Object.entries(row.values).map(([name, values]) => [name, twice(values)])),
      })),
    };
    writeFileSync(file, JSON.stringify(enough));
    const advice = JSON.parse((await bacopa(["advise", "--results", file, "--json"])).stdout);
    assert.equal(advice.basis, "measured");
    assert.match(advice.strategy.reason, /n = 88/u);
    const wrong = await bacopa(["advise", "--results", join(root, "package.json")]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /holds no results/u);
  });

  it("takes a name with its sizes for the guards of a save with it", async () => {
    const fine = await bacopa(["advise", "--strategy", "recursive:512:64"]);
    assert.equal(fine.code, 0, fine.stdout);
    const much = await bacopa(["advise", "--strategy", "recursive:512:200"]);
    assert.equal(much.code, 1);
    assert.match(much.stdout, /above 20 %/u);
    const unknown = await bacopa(["advise", "--strategy", "magic"]);
    assert.equal(unknown.code, 2);
  });

  it("gives advice with every part, and refuses what is known to go wrong", async () => {
    const { code, stdout } = await bacopa(["advise", "--json"]);
    assert.equal(code, 0);
    const advice = JSON.parse(stdout);
    for (const part of ["strategy", "size", "overlap", "guards"]) assert.match(advice[part].reason, /\.$/u);
    assert.equal(advice.profile.pages, 3);
    const wish = ["--strategy", "semantic", "--size", "300", "--overlap", "90"];
    const refused = await bacopa(["advise", ...wish]);
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /without a smallest and a largest size/u);
    assert.match(refused.stdout, /above 20 %/u);
    assert.match(refused.stdout, /without a floor/u);
    const wrong = await bacopa(["advise", "--mix", "factoid=many"]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /--mix is a list such as/u);
  });
});

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map((one: { text?: string }) => one.text ?? "").join("\n") : "";
}
