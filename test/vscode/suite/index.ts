/** What the editor calls to run the suites beside this file inside its extension host. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import Mocha from "mocha";
import { addFailure, grepVariable, readResults, resultsReporter, resultsVariable } from "../results.ts";

export async function run(): Promise<void> {
  const results = process.env[resultsVariable] ?? "";
  try {
    await runSuites(results);
  } catch (error) {
    if (readResults(results).length === 0) addFailure(results, "extension host", "loads the suites", error);
    throw error;
  }
}

async function runSuites(results: string): Promise<void> {
  process.setSourceMapsEnabled(true);
  const reporter = resultsReporter("extension host", results);
  const mocha = new Mocha({ timeout: 30_000, reporter });
  const grep = process.env[grepVariable] ?? "";
  if (grep !== "") mocha.fgrep(grep);
  for (const name of readdirSync(__dirname).sort()) {
    if (name.endsWith(".suite.cjs")) mocha.addFile(join(__dirname, name));
  }
  await new Promise<void>((resolve, reject) => {
    mocha.run((failures) => (failures === 0 ? resolve() : reject(new Error(`${failures} tests failed`))));
  });
}
