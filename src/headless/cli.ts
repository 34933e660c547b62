#!/usr/bin/env node
/**
 * `bacopa`: the library on the command line. Results go to stdout, everything else to stderr.
 * Exit codes: 0 done, 1 failed with a reason, 2 wrong usage.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { parseEmbedder } from "../adapters/embedders/choose.ts";
import { BacopaError } from "../core/errors.ts";
import { changeRates } from "../core/lab/profile.ts";
import type { LanguageModel } from "../core/ports.ts";
import type { SaveEvent, SaveReport } from "../core/save.ts";
import type { Library } from "../core/library.ts";
import { returnedForms } from "../core/lab/returned.ts";
import { parseStrategy } from "../core/strategy.ts";
import type { SearchMode } from "../core/types.ts";
import {
  chooseDistiller,
  composeEmbedder,
  composeLibrary,
  defaultAnswersFolder,
  defaultLibraryFolder,
  distillerNames,
} from "./compose.ts";
import { runDemo } from "./demo.ts";
import { helpText } from "./help.ts";
import { printPage, printPages, printSave, printSearch } from "./print.ts";
import { createEmbeddingProgress, createProgress } from "./progress.ts";

declare const BACOPA_VERSION: string;

const modes = ["hybrid", "words", "meaning"] as const satisfies readonly SearchMode[];

const options = {
  library: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
  verbose: { type: "boolean" },
  url: { type: "string" },
  distiller: { type: "string" },
  model: { type: "string" },
  strategy: { type: "string" },
  force: { type: "boolean" },
  "allow-private": { type: "boolean" },
  limit: { type: "string" },
  "max-tokens": { type: "string" },
  mode: { type: "string" },
  embedder: { type: "string" },
  sample: { type: "string" },
  seed: { type: "string" },
  count: { type: "string" },
  output: { type: "string" },
  check: { type: "string" },
  questions: { type: "string" },
  mix: { type: "string" },
  results: { type: "string" },
  changes: { type: "string" },
  quotes: { type: "boolean" },
  size: { type: "string" },
  overlap: { type: "string" },
  min: { type: "string" },
  max: { type: "string" },
  "meaning-weight": { type: "string" },
  corpus: { type: "string" },
  strategies: { type: "string" },
  ablations: { type: "boolean" },
  distractors: { type: "boolean" },
  returned: { type: "string" },
  answers: { type: "string" },
  "max-cost": { type: "string" },
  report: { type: "string" },
} as const;

type Values = ReturnType<typeof parse>["values"];

interface Command {
  /** Which of the options it takes, beside those that all take. */
  readonly takes: readonly (keyof typeof options)[];
  /** Least and most operands. */
  readonly operands: readonly [number, number];
  /** Resolves to the exit code. */
  run(library: Library, operands: readonly string[], values: Values, signal: AbortSignal): Promise<0 | 1>;
}

const everywhere: readonly (keyof typeof options)[] = [
  "library",
  "json",
  "help",
  "version",
  "verbose",
  "embedder",
  "meaning-weight",
];
const saving: readonly (keyof typeof options)[] = ["url", "distiller", "model", "strategy", "force", "allow-private"];

const commands: Readonly<Record<string, Command>> = {
  save: { takes: saving, operands: [1, Infinity], run: save },
  refresh: {
    takes: ["distiller", "model", "force", "allow-private"],
    operands: [1, Infinity],
    async run(library, operands, values, signal) {
      const distiller = await chooseDistiller(
        oneOf("--distiller", values.distiller, distillerNames) ?? "auto",
        values.model,
      );
      return saveEach(library, operands, values, signal, (pageId, onEvent) =>
        library.refresh(pageId, { distiller, force: values.force === true, onEvent }, signal),
      );
    },
  },
  search: {
    takes: ["limit", "max-tokens", "mode"],
    operands: [1, Infinity],
    async run(library, operands, values, signal) {
      if (operands.join("").trim() === "") throw usage('"bacopa search" needs a query.');
      const result = await library.search(
        operands.join(" "),
        {
          limit: wholeNumber("--limit", values.limit, 1, 50),
          maxTokens: wholeNumber("--max-tokens", values["max-tokens"], 1, 1_000_000),
          mode: oneOf("--mode", values.mode, modes),
        },
        signal,
      );
      print(values.json ? JSON.stringify(result) : printSearch(result));
      return 0;
    },
  },
  passage: {
    takes: [],
    operands: [1, 1],
    async run(library, [factId = ""], values) {
      const passage = await library.passage(factId);
      print(values.json ? JSON.stringify(passage) : `${passage.page.title}\n${passage.page.url}\n\n${passage.text}`);
      return 0;
    },
  },
  pages: {
    takes: [],
    operands: [0, 0],
    async run(library, _operands, values) {
      const pages = await library.pages();
      print(values.json ? JSON.stringify(pages) : printPages(pages));
      return 0;
    },
  },
  page: {
    takes: [],
    operands: [1, 1],
    async run(library, [pageId = ""], values) {
      const saved = await library.page(pageId);
      if (values.json) {
        const { text, ...page } = saved.page;
        print(JSON.stringify({ ...saved, page: { ...page, textLength: text.length } }));
      } else print(printPage(saved));
      return 0;
    },
  },
  text: {
    takes: [],
    operands: [1, 1],
    async run(library, [pageId = ""], values) {
      const { page } = await library.page(pageId);
      // Byte for byte what spans point into: no line end of ours.
      process.stdout.write(values.json ? `${JSON.stringify({ pageId, text: page.text })}\n` : page.text);
      return 0;
    },
  },
  remove: {
    takes: [],
    operands: [1, 1],
    async run(library, [pageId = ""], values) {
      await library.remove(pageId);
      print(values.json ? JSON.stringify({ pageId, removed: true }) : `Removed ${pageId}.`);
      return 0;
    },
  },
  reindex: {
    takes: [],
    operands: [0, 0],
    async run(library, _operands, values, signal) {
      const counts = await library.reindex(signal);
      await embedRest(library, signal);
      print(values.json ? JSON.stringify(counts) : `Indexed ${counts.entries} entries of ${counts.pages} pages.`);
      return 0;
    },
  },
  sections: {
    takes: ["url", "strategy", "allow-private"],
    operands: [1, 1],
    async run(library, [target = ""], values, signal) {
      const strategy = strategyName(values.strategy);
      const { text, sections } = await library.sections(target, { url: values.url, strategy }, signal);
      if (values.json) print(JSON.stringify(sections));
      else {
        for (const { index, start, end, tokens, headingPath } of sections) {
          print(
            `${index}  ${start}-${end}  ${tokens} tokens  ${headingPath.join(" > ") || firstLine(text.slice(start, end))}`,
          );
        }
      }
      return 0;
    },
  },
  questions: {
    takes: ["count", "seed", "output", "check", "force", "model"],
    operands: [0, 0],
    async run(library, _operands, values, signal) {
      const { checkQuestions, runQuestions } = await import("./questionsCommand.ts");
      const { keptQuestionsFile } = await import("../adapters/lab/questionFile.ts");
      const { json = false } = values;
      if (values.check !== undefined) return checkQuestions(library, { file: values.check, json, print });
      return runQuestions(
        library,
        {
          count: wholeNumber("--count", values.count, 1, 2_000),
          seed: wholeNumber("--seed", values.seed, 0, 2 ** 31),
          output: values.output ?? keptQuestionsFile(values.library ?? defaultLibraryFolder()),
          force: values.force === true,
          model: await requiredModel("Writing questions", values),
          json,
          print,
          note: warn,
        },
        signal,
      );
    },
  },
  judge: {
    takes: ["sample", "seed", "model"],
    operands: [0, Infinity],
    async run(library, pageIds, values, signal) {
      const { runJudge } = await import("./judgeCommand.ts");
      return runJudge(
        library,
        {
          pageIds,
          sample: wholeNumber("--sample", values.sample, 1, 100_000),
          seed: wholeNumber("--seed", values.seed, 0, 2 ** 31),
          model: await requiredModel("Judging facts", values),
          json: values.json === true,
          print,
          note: warn,
        },
        signal,
      );
    },
  },
  advise: {
    takes: ["strategy", "size", "overlap", "min", "max", "mix", "questions", "results", "changes", "quotes"],
    operands: [0, 0],
    async run(library, _operands, values) {
      const { runAdvise, wishOf } = await import("./adviseCommand.ts");
      const { keptResultsFile } = await import("../adapters/lab/questionFile.ts");
      const tokens = (name: "size" | "overlap" | "min" | "max"): number | undefined =>
        wholeNumber(`--${name}`, values[name], name === "overlap" ? 0 : 1, 100_000);
      const [size, overlap, minTokens, maxTokens] = [tokens("size"), tokens("overlap"), tokens("min"), tokens("max")];
      if (values.strategy === undefined && [size, overlap, minTokens, maxTokens].some((given) => given !== undefined))
        throw usage("--size, --overlap, --min and --max belong to a --strategy you have in mind.");
      return runAdvise(library, {
        mix: values.mix,
        questions: values.questions,
        results: values.results,
        kept: keptResultsFile(values.library ?? defaultLibraryFolder()),
        changes: oneOf("--changes", values.changes, changeRates) ?? "rarely",
        quotesWording: values.quotes === true,
        hasModel: (process.env.ANTHROPIC_API_KEY ?? "") !== "",
        wish:
          values.strategy === undefined ? undefined : wishOf(values.strategy, { size, overlap, minTokens, maxTokens }),
        json: values.json === true,
        print,
      });
    },
  },
  eval: {
    takes: [
      ...(["questions", "corpus", "strategies", "ablations", "distractors", "returned"] as const),
      ...(["model", "answers", "max-cost", "report"] as const),
    ],
    operands: [0, 0],
    async run(_library, _operands, values, signal) {
      if (values.corpus !== undefined && values.library !== undefined)
        throw usage("--corpus and --library are two things to measure: give one of them.");
      if (values.corpus === undefined && values.distractors)
        throw usage("--distractors goes with --corpus: only a corpus has distractor pages.");
      for (const option of ["corpus", "questions", "answers", "report"] as const)
        if (values[option]?.trim() === "") throw usage(`--${option} needs a path.`);
      const { runEval } = await import("./evalCommand.ts");
      const distiller = await chooseDistiller("auto", values.model);
      if (values.model !== undefined && distiller.kind !== "model")
        throw usage("--model needs a key: set ANTHROPIC_API_KEY.");
      return runEval(
        {
          corpus: values.corpus,
          library: values.library ?? defaultLibraryFolder(),
          questions: values.questions,
          strategies: values.strategies,
          ablations: values.ablations === true,
          distractors: values.distractors === true,
          returned: oneOf("--returned", values.returned, returnedForms) ?? "briefs",
          embedder: composeEmbedder(
            parseEmbedder(values.embedder ?? process.env.BACOPA_EMBEDDER ?? "docs-static"),
            share("--meaning-weight", values["meaning-weight"]),
          ),
          model: distiller.kind === "model" ? distiller.model : undefined,
          answers: values.answers ?? defaultAnswersFolder(),
          maxCost: dollars("--max-cost", values["max-cost"]) ?? 1,
          report: values.report,
          json: values.json === true,
          print,
          note: warn,
        },
        signal,
      );
    },
  },
  mcp: {
    takes: ["distiller", "model", "allow-private"],
    operands: [0, 0],
    async run(library, _operands, values, signal) {
      const { serveMcp } = await import("./mcp.ts");
      const name = oneOf("--distiller", values.distiller, distillerNames) ?? "auto";
      await serveMcp({ library, version: versionText(), distiller: () => chooseDistiller(name, values.model) }, signal);
      return 0;
    },
  },
  demo: {
    takes: ["distiller", "model", "allow-private"],
    operands: [0, Infinity],
    async run(library, operands, values, signal) {
      const distiller = await chooseDistiller(
        oneOf("--distiller", values.distiller, distillerNames) ?? "auto",
        values.model,
      );
      return runDemo(library, operands, distiller, print, signal);
    },
  },
};

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<0 | 1 | 2> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  process.once("SIGTERM", () => stop.abort());
  // A reader that went away (`bacopa pages | head`) is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });

  let json = args.includes("--json");
  try {
    const { values, positionals } = parse(args);
    json = values.json === true;
    const [name, ...operands] = positionals;
    if (values.version) {
      print(versionText());
      return 0;
    }
    if (name === undefined || name === "help" || values.help) {
      print(helpText);
      return name === undefined && !values.help ? 2 : 0;
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) throw usage(`There is no command "${name}".`);
    checkUsage(name, command, operands, values);
    if (values.library?.trim() === "") throw usage("--library needs a folder.");
    const library = composeLibrary({
      folder: values.library ?? defaultLibraryFolder(),
      allowPrivate: values["allow-private"] === true,
      embedder: parseEmbedder(values.embedder ?? process.env.BACOPA_EMBEDDER ?? "docs-static"),
      meaningWeight: share("--meaning-weight", values["meaning-weight"]),
      verbose: values.verbose === true,
    });
    try {
      return await command.run(library, operands, values, stop.signal);
    } finally {
      for (const { pageId, reason, keptAt, source } of await library.damaged()) {
        const next =
          source === undefined ? "save it again" : `read it again with "bacopa refresh ${pageId}" (${source.url})`;
        warn(
          `The saved page ${pageId} is damaged (${reason}) and is kept in ${keptAt}; ${next}, or give it up with "bacopa remove ${pageId}".`,
        );
      }
      await library
        .close()
        .catch((error: unknown) => warn(`The index could not be written and will be built again: ${messageOf(error)}`));
    }
  } catch (error) {
    if (stop.signal.aborted) {
      warn("Canceled.");
      return 1;
    }
    const reason = error instanceof BacopaError ? error.reason : "internal";
    if (json) process.stderr.write(`${JSON.stringify({ error: { reason, message: messageOf(error) } })}\n`);
    else warn(messageOf(error));
    if (reason === "internal" && error instanceof Error && args.includes("--verbose")) warn(error.stack ?? "");
    return reason === "bad-usage" ? 2 : 1;
  }
}

async function save(
  library: Library,
  operands: readonly string[],
  values: Values,
  signal: AbortSignal,
): Promise<0 | 1> {
  if (values.url !== undefined && operands.length > 1)
    throw usage("--url gives one page its address, so it goes with one page.");
  const strategy = strategyName(values.strategy);
  const distiller = await chooseDistiller(
    oneOf("--distiller", values.distiller, distillerNames) ?? "auto",
    values.model,
  );
  return saveEach(library, operands, values, signal, (target, onEvent) =>
    library.save(target, { distiller, url: values.url, strategy, force: values.force === true, onEvent }, signal),
  );
}

/** Saves one after the other, with progress and a report each. A failure does not stop the others. */
async function saveEach(
  library: Library,
  targets: readonly string[],
  values: Values,
  signal: AbortSignal,
  saveOne: (target: string, onEvent: (event: SaveEvent) => void) => Promise<SaveReport>,
): Promise<0 | 1> {
  let failed = false;
  for (const target of targets) {
    const progress = createProgress(target, process.stderr);
    const report = await saveOne(target, progress.show);
    progress.end();
    if (report.state !== "done") failed = true;
    print(values.json ? JSON.stringify(report) : printSave(report, target));
    if (signal.aborted) break;
  }
  if (!signal.aborted) await embedRest(library, signal);
  return failed ? 1 : 0;
}

/** What only a model can do. @throws BacopaError `model-missing` without a key. */
async function requiredModel(what: string, values: Values): Promise<LanguageModel> {
  const distiller = process.env.ANTHROPIC_API_KEY ? await chooseDistiller("anthropic", values.model) : undefined;
  if (distiller?.kind === "model") return distiller.model;
  throw new BacopaError("model-missing", {
    message: "ANTHROPIC_API_KEY is not set",
    userMessage: `${what} needs a language model: set ANTHROPIC_API_KEY and run it again.`,
  });
}

/** A command ends when its pages are embedded too: there is no background to leave the rest to. */
async function embedRest(library: Library, signal: AbortSignal): Promise<void> {
  const progress = createEmbeddingProgress(process.stderr);
  const watch = library.embedding.onDidChange(progress.show);
  try {
    for (;;) {
      const { state, message, done, total } = await library.embedding.settle(signal);
      if (state === "failed") {
        progress.end();
        warn(`${done} of ${total} entries are embedded; words find them all. ${message ?? ""}`);
      }
      if (state !== "waiting") break;
      await sleep(1000, undefined, { signal });
    }
  } finally {
    watch.dispose();
    progress.end();
  }
}

function versionText(): string {
  return typeof BACOPA_VERSION === "string" ? BACOPA_VERSION : "source";
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw usage(messageOf(error));
  }
}

function checkUsage(name: string, command: Command, operands: readonly string[], values: Values): void {
  for (const option of Object.keys(values)) {
    if (![...everywhere, ...command.takes].some((taken) => taken === option))
      throw usage(`"bacopa ${name}" takes no --${option}.`);
  }
  const [least, most] = command.operands;
  if (operands.length < least)
    throw usage(`"bacopa ${name}" needs ${least === 1 ? "an operand" : `${least} operands`}.`);
  if (operands.length > most) throw usage(`"bacopa ${name}" takes ${most === 0 ? "no operands" : "one operand"}.`);
}

function oneOf<Name extends string>(
  option: string,
  value: string | undefined,
  names: readonly Name[],
): Name | undefined {
  if (value === undefined) return undefined;
  const found = names.find((name) => name === value);
  if (found === undefined) throw usage(`${option} is one of ${names.join(", ")}, not "${value}".`);
  return found;
}

/** As it was given, once it is known to be one. */
function strategyName(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const parsed = parseStrategy(value);
  if (typeof parsed === "string") throw usage(parsed);
  return parsed.name;
}

function wholeNumber(option: string, value: string | undefined, least: number, most: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw usage(`${option} is a whole number from ${least} to ${most}, not "${value}".`);
  }
  return number;
}

function share(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === "" || !(number >= 0 && number <= 1))
    throw usage(`${option} is a number from 0 to 1, not "${value}".`);
  return number;
}

function dollars(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const amount = Number(value);
  if (value.trim() === "" || !Number.isFinite(amount) || amount < 0)
    throw usage(`${option} is an amount of dollars, 0 or more, not "${value}".`);
  return amount;
}

function usage(message: string): BacopaError {
  return new BacopaError("bad-usage", { message, userMessage: `${message} See "bacopa help".` });
}

function messageOf(error: unknown): string {
  if (error instanceof BacopaError) return error.commandLine ?? error.userMessage;
  return error instanceof Error ? error.message : String(error);
}

function firstLine(text: string): string {
  return text.trimStart().split("\n", 1)[0]?.slice(0, 60) ?? "";
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}
