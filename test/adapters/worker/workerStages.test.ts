import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { createWorkerStages } from "../../../src/adapters/worker/workerStages.ts";
import { capture, rawText } from "../../../src/core/capture/capture.ts";
import type { CutWork } from "../../../src/core/cut.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import { createStages } from "../../../src/core/stages.ts";
import { countTokens } from "../../../src/core/util/tokens.ts";

const signal = new AbortController().signal;
const page = capture(
  rawText("# Marmot Queue\n\nA message waits for at most 12 hours. It is delivered again up to 5 times.\n"),
);
const empty = capture(rawText("<html><body></body></html>"));

const facts = (text: string): CutWork => ({ text, strategy: "facts" });

describe("stages in a worker", function () {
  this.timeout(60_000);
  let folder = "";
  let file = "";
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "bacopa-worker-"));
    file = join(folder, "worker.cjs");
    await build({
      entryPoints: ["src/adapters/worker/stagesWorker.ts"],
      bundle: true,
      platform: "node",
      format: "cjs",
      outfile: file,
      logLevel: "error",
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("gives what the stages give in this thread", async () => {
    const here = createStages(() => Promise.resolve(countTokens));
    const there = createWorkerStages(file);
    const cleaned = await there.clean(page, signal);
    assert.deepEqual(cleaned, await here.clean(page, signal));
    assert.deepEqual(await there.section(facts(cleaned.text), signal), await here.section(facts(cleaned.text), signal));
    assert.equal(await there.countTokens("two words", signal), 2);
    there.dispose();
  });

  it("refuses an empty page with the same reason and sentence", async () => {
    const there = createWorkerStages(file);
    await assert.rejects(
      there.clean(empty, signal),
      (error) => BacopaError.is(error, "page-empty") && error.userMessage !== "",
    );
    there.dispose();
  });

  it("leaves the main loop free meanwhile", async () => {
    const there = createWorkerStages(file);
    await there.countTokens("warm", signal);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await there.section(facts("A message waits for at most twelve hours in the queue.\n\n".repeat(40_000)), signal);
    clearInterval(timer);
    assert.ok(ticks > 3, `${ticks}`);
    there.dispose();
  });

  it("forgets a canceled task at once and goes on with the next", async () => {
    const there = createWorkerStages(file);
    const stop = new AbortController();
    const canceled = there.section(facts("Words of a long page. ".repeat(200_000)), stop.signal);
    stop.abort();
    await assert.rejects(canceled, { name: "AbortError" });
    assert.equal(await there.countTokens("two words", signal), 2);
    there.dispose();
  });

  it("gives up a stage that takes too long and works on in a new worker", async () => {
    const stuck = join(folder, "stuck.cjs");
    writeFileSync(
      stuck,
      `const { parentPort } = require("node:worker_threads");
       parentPort.on("message", ({ id, input }) => { if (input === "stuck") for (;;); parentPort.postMessage({ id, value: 2 }); });`,
    );
    const there = createWorkerStages(stuck, { timeoutMs: 300 });
    const first = there.countTokens("stuck", signal);
    const second = there.countTokens("fine", signal);
    await assert.rejects(first, (error) => BacopaError.is(error, "page-unreadable"));
    assert.equal(await second, 2);
    there.dispose();
  });

  it("turns a worker that dies into a failure of its page alone", async () => {
    const dying = join(folder, "dying.cjs");
    writeFileSync(
      dying,
      `const { parentPort } = require("node:worker_threads");
       parentPort.on("message", ({ id, input }) => { if (input === "die") throw new Error("out of memory"); parentPort.postMessage({ id, value: 2 }); });`,
    );
    const there = createWorkerStages(dying);
    const first = there.countTokens("die", signal);
    const second = there.countTokens("fine", signal);
    await assert.rejects(first, (error) => BacopaError.is(error, "page-unreadable"));
    assert.equal(await second, 2);
    there.dispose();
  });
});
