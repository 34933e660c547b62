/** Our index beside the engines of others, on the same generated facts and questions, in one run. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { projectFolder } from "../lib/corpusFolder.ts";
import { generatedPages, generatedQueries } from "../lib/generatedFacts.ts";
import { markdownTable } from "../../src/core/lab/markdownTable.ts";
import { milliseconds, p50, p95 } from "../lib/timing.ts";
import { fields } from "./engine.ts";
import { anyOf } from "./otherEngines.ts";

/** An engine at one size; `note` says why it has no figures. */
export interface Measured {
  readonly engine: string;
  readonly facts: number;
  readonly figures: Readonly<Record<string, number>>;
  readonly note: string | undefined;
}

interface Plan {
  readonly engine: string;
  readonly title: string;
  /** Questions of each kind at this size: slow engines get few. 0: not run, see `why`. */
  questions(facts: number): number;
  readonly why?: string;
}

const plans: readonly Plan[] = [
  { engine: "bacopa", title: "**Bacopa, words + vectors**", questions: () => 200 },
  { engine: "bacopa, words", title: "**Bacopa, words**", questions: () => 200 },
  { engine: "orama, words", title: "Orama, words", questions: (facts) => (facts > 20_000 ? 4 : 30) },
  {
    engine: "orama",
    title: "Orama, words + vectors",
    questions: (facts) => (facts > 20_000 ? 0 : 30),
    why: "its snapshot is one string, and that of 40,000 facts is longer than a string can be",
  },
  { engine: "minisearch", title: "minisearch, words", questions: (facts) => (facts > 20_000 ? 20 : 100) },
  { engine: "sqlite", title: "SQLite FTS5, words (WebAssembly)", questions: (facts) => (facts > 20_000 ? 20 : 100) },
];

const nativeSqlite = "SQLite FTS5, words (native)";

export interface CompareOptions {
  readonly sizes: readonly number[];
  /** Engines whose building or asking takes longer are given up. */
  readonly capMs: number;
}

/** Prints a table for each size and gives what was measured. */
export async function compareEngines({ sizes, capMs }: CompareOptions): Promise<Measured[]> {
  const empty = child(["empty"], capMs).figures["maxRssMb"] ?? 0;
  const all: Measured[] = [];
  for (const facts of sizes) {
    const measured: Measured[] = [];
    for (const plan of plans) measured.push(measure(plan, facts, capMs));
    measured.push(await measureNative(facts, capMs));
    all.push(...measured);
    console.log(`\n### ${facts.toLocaleString("en")} generated facts, vectors of 384 dimensions\n`);
    console.log(tableOf(measured, empty));
  }
  console.log(`\n${ratiosOf(all).join("\n")}`);
  return all;
}

function tableOf(measured: readonly Measured[], empty: number): string {
  const titles = new Map(plans.map(({ engine, title }) => [engine, title]));
  const value = ({ figures }: Measured, name: string): string =>
    figures[name] === undefined ? "" : milliseconds(figures[name]);
  const range = (one: Measured, kind: string): string =>
    one.figures[`${kind}P50`] === undefined ? "" : `${value(one, `${kind}P50`)} / ${value(one, `${kind}P95`)}`;
  const memory = ({ figures }: Measured, name: string): string =>
    figures[name] === undefined ? "" : (figures[name] - empty).toFixed(0);
  const head = [
    "ms unless said",
    "question p50 / p95",
    "keywords",
    "identifier",
    "first",
    "open",
    "open, CPU",
    "open, stall",
    "add 30 facts",
    "build",
    "size, MB",
    "memory, MB",
    "memory of building",
  ];
  const rows = measured.map((one) =>
    one.note === undefined
      ? [
          titles.get(one.engine) ?? one.engine,
          range(one, "question"),
          range(one, "keywords"),
          range(one, "identifier"),
          value(one, "firstMs"),
          value(one, "openMs"),
          value(one, "openCpuMs"),
          value(one, "openStallMs"),
          value(one, "addMs"),
          value(one, "buildMs"),
          ((one.figures["bytes"] ?? 0) / 1e6).toFixed(1),
          memory(one, "askRssMb"),
          memory(one, "buildRssMb"),
        ]
      : [titles.get(one.engine) ?? one.engine, one.note],
  );
  return `${markdownTable(head, rows)}\n\nQuestions and adding: the smaller of wall and processor time. Memory is the peak of the process over one that does nothing (${empty.toFixed(0)} MB).`;
}

/** How we stand beside the others, in words. */
function ratiosOf(measured: readonly Measured[]): string[] {
  const figure = (engine: string, facts: number, name: string): number | undefined =>
    measured.find((one) => one.engine === engine && one.facts === facts)?.figures[name];
  const lines: string[] = [];
  for (const facts of new Set(measured.map((one) => one.facts))) {
    for (const other of ["orama, words", "minisearch", "sqlite", nativeSqlite]) {
      const ratios = ["question", "keywords", "identifier"].flatMap((kind) => {
        const theirs = figure(other, facts, `${kind}P50`);
        const ours = figure("bacopa, words", facts, `${kind}P50`);
        const both = figure("bacopa", facts, `${kind}P50`);
        if (theirs === undefined || ours === undefined || both === undefined) return [];
        return [`${kind} ${(theirs / ours).toFixed(1)} (with vectors ${(theirs / both).toFixed(1)})`];
      });
      if (ratios.length > 0)
        lines.push(`- ${facts.toLocaleString("en")}: times faster than ${other}: ${ratios.join(", ")}`);
    }
  }
  const growth = (name: string): string => {
    const small = figure("bacopa", 10_000, name);
    const large = figure("bacopa", 100_000, name);
    return small === undefined || large === undefined ? "" : (large / small).toFixed(1);
  };
  const grown = ["questionP50", "questionP95", "openCpuMs", "buildMs"].map((name) => `${name} ${growth(name)}`);
  if (growth("questionP50") !== "") lines.push(`- growth from 10,000 to 100,000 (linear is 10): ${grown.join(", ")}`);
  return lines;
}

function measure(plan: Plan, facts: number, capMs: number): Measured {
  const questions = plan.questions(facts);
  const nothing = { engine: plan.engine, facts, figures: {} };
  if (questions === 0) return { ...nothing, note: `not run: ${plan.why ?? ""}` };
  const folder = mkdtempSync(join(tmpdir(), "bacopa-bench-"));
  try {
    const built = child(["build", plan.engine, `${facts}`, folder], capMs);
    if (built.note !== undefined) return { ...nothing, note: `building: ${built.note}` };
    const asked = child(["ask", plan.engine, `${facts}`, folder, `${questions}`], capMs);
    if (asked.note !== undefined) return { ...nothing, note: `asking: ${asked.note}` };
    const figures = {
      ...built.figures,
      ...asked.figures,
      buildRssMb: built.figures["maxRssMb"] ?? NaN,
      askRssMb: asked.figures["maxRssBeforeAddMb"] ?? NaN,
    };
    return { ...nothing, figures, note: undefined };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function child(args: readonly string[], capMs: number): Pick<Measured, "figures" | "note"> {
  const script = join(projectFolder, "scripts", "bench", "engineChild.ts");
  const run = spawnSync(process.execPath, ["--max-old-space-size=6000", "--import", "tsx", script, ...args], {
    cwd: projectFolder,
    encoding: "utf8",
    timeout: capMs,
    killSignal: "SIGKILL",
  });
  if (run.error !== undefined) return { figures: {}, note: `not done after ${Math.round(capMs / 1000)} s` };
  if (run.status !== 0) return { figures: {}, note: /^\w*Error: .*$/mu.exec(run.stderr)?.[0] ?? "it failed" };
  return { figures: JSON.parse(run.stdout) as Record<string, number>, note: undefined }; // our own script printed it
}

/** Needs `python3` with its `sqlite3` module: the native build of SQLite that most machines have. */
async function measureNative(facts: number, capMs: number): Promise<Measured> {
  const nothing = { engine: nativeSqlite, facts, figures: {} };
  const folder = mkdtempSync(join(tmpdir(), "bacopa-bench-"));
  try {
    const script = join(projectFolder, "scripts", "bench", "sqliteNative.py");
    const python = spawn("python3", [script, join(folder, "facts.db"), fields.join(",")], {
      stdio: ["pipe", "pipe", "ignore"],
      timeout: capMs,
    });
    const failed = new Promise<never>((_, reject) => python.on("error", reject));
    const output = text(python.stdout);
    const line = (value: unknown): void => void python.stdin.write(`${JSON.stringify(value)}\n`);
    python.stdin.on("error", () => undefined);
    for (const { units } of generatedPages(facts)) {
      for (const unit of units) line({ fact: [unit.id, ...fields.map((field) => unit[field])] });
    }
    for (const { units } of generatedPages(30, 3)) {
      for (const unit of units) line({ add: [unit.id, ...fields.map((field) => unit[field])] });
    }
    for (const [kind, queries] of Object.entries(generatedQueries(facts > 20_000 ? 20 : 100))) {
      for (const query of queries as readonly string[]) line({ ask: [kind, anyOf(query)] });
    }
    python.stdin.end();
    const { times, ...rest } = JSON.parse(await Promise.race([output, failed])) as Record<string, number> & {
      readonly times: Readonly<Record<string, readonly number[]>>;
    };
    const figures: Record<string, number> = { ...rest };
    for (const [kind, all] of Object.entries(times)) {
      figures[`${kind}P50`] = p50(all);
      figures[`${kind}P95`] = p95(all);
    }
    return { ...nothing, figures, note: undefined };
  } catch {
    return { ...nothing, note: "skipped: there is no python3 with an sqlite3 module that has FTS5" };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
