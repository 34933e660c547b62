/** Test results as lines of a file: the extension host's console cannot be seen from outside. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import Mocha from "mocha";

/** The environment variable that names the file. */
export const resultsVariable = "BACOPA_TEST_RESULTS";

/** The environment variable with words that the titles of the tests to run hold; empty for all tests. */
export const grepVariable = "BACOPA_TEST_GREP";

export interface Result {
  /** The part of the run, e.g. "extension host". */
  readonly part: string;
  readonly title: string;
  readonly state: "passed" | "failed" | "pending";
  readonly ms: number;
  /** Of a failure: message and stack. */
  readonly error?: string;
}

export function addResult(file: string, result: Result): void {
  appendFileSync(file, `${JSON.stringify(result)}\n`);
}

export function addFailure(file: string, part: string, title: string, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  addResult(file, { part, title, state: "failed", ms: 0, error: text });
}

/** A mocha reporter that adds a line for each test, and for each hook that fails. */
export function resultsReporter(part: string, file: string): Mocha.ReporterConstructor {
  return class extends Mocha.reporters.Base {
    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
      super(runner, options);
      runner.on("pass", (test) =>
        addResult(file, { part, title: test.fullTitle(), state: "passed", ms: test.duration ?? 0 }),
      );
      runner.on("pending", (test) => addResult(file, { part, title: test.fullTitle(), state: "pending", ms: 0 }));
      runner.on("fail", (test, error: unknown) => addFailure(file, part, test.fullTitle(), error));
    }
  };
}

export function readResults(file: string): Result[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  // A line that is being written is read the next time.
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Prints each result of a file once, soon after it comes. */
export function printResults(file: string): { stop(): void } {
  let printed = 0;
  const print = (): void => {
    const results = readResults(file);
    for (const { part, title, state, ms, error } of results.slice(printed)) {
      const mark = { passed: "ok  ", failed: "FAIL", pending: "skip" }[state];
      console.log(`  ${mark} ${part}: ${title}${ms > 0 ? ` (${ms} ms)` : ""}`);
      if (error !== undefined) console.log(error.replace(/^/gmu, "       "));
    }
    printed = results.length;
  };
  const timer = setInterval(print, 250);
  return {
    stop() {
      clearInterval(timer);
      print();
    },
  };
}
