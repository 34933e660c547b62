/**
 * Kills processes in the middle of their work on a library, thousands of times, and prints what was tried and what
 * survived: `npm run torture -- --kills 2000 --seed 1`.
 */
import { parseArgs } from "node:util";
import { torture } from "../test/adapters/storage/crash.ts";
import type { TortureReport } from "../test/adapters/storage/crash.ts";

const help = `npm run torture -- [options]

Kills processes while they save, refresh, distill, remove, restore, search, index and keep jobs, then looks for losses.

  --kills N     kills in all, default 2000: of one process alone, one in ten of two, one in a hundred of eight
  --seed N      of the operations and of where to die, default 1; a fault names the seed of its library
  --lanes N     libraries side by side, default 4
  --folder DIR  where the libraries lie, default in memory; on a disk each write waits until it is stored
  --help        this text

Exit codes: 0 nothing was lost, 1 something was, 2 wrong usage.`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<0 | 1 | 2> {
  let options;
  try {
    options = optionsOf(args);
  } catch (error) {
    const [problem = ""] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\.$/);
    console.error(`${problem}. See "npm run torture -- --help".`);
    return 2;
  }
  if (options === undefined) {
    console.log(help);
    return 0;
  }
  const { kills, seed, lanes, folder } = options;
  const eight = Math.floor(kills / 100);
  const two = Math.floor(kills / 10);
  const plan = [
    { workers: 1, kills: kills - two - eight },
    { workers: 2, kills: two },
    { workers: 8, kills: eight },
  ];
  console.log(`seed ${seed}`);
  console.log(
    "| processes at once | kills tried | survived | in the middle of an operation | operations that had returned | slowest operation |",
  );
  console.log("| ---: | ---: | ---: | ---: | ---: | ---: |");
  const reports: TortureReport[] = [];
  for (const part of plan.filter((each) => each.kills > 0)) {
    const report = await torture({ ...part, seed, lanes, folder, onKill: (done) => showProgress(done, part.kills) });
    reports.push(report);
    const hits = [...report.hits.values()].reduce((sum, count) => sum + count, 0);
    const { tried, survived, returned, slowestMs } = report;
    console.log(
      `| ${part.workers} | ${tried} | ${survived} | ${hits} | ${returned} | ${(slowestMs / 1000).toFixed(2)} s |`,
    );
    for (const fault of report.faults) console.error(`  ${fault}`);
  }
  const actions = new Map<string, number>();
  for (const { hits } of reports)
    for (const [action, count] of hits) actions.set(action, (actions.get(action) ?? 0) + count);
  const counts = [...actions].sort((a, b) => b[1] - a[1]).map(([action, count]) => `${action} ${count}`);
  console.log(`killed in the middle of: ${counts.join(", ")}`);
  return reports.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

/** @throws Error in one sentence. */
function optionsOf(
  args: string[],
): { kills: number; seed: number; lanes: number; folder: string | undefined } | undefined {
  const { values } = parseArgs({
    args,
    options: {
      kills: { type: "string", default: "2000" },
      seed: { type: "string", default: "1" },
      lanes: { type: "string", default: "4" },
      folder: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const whole = (name: "kills" | "seed" | "lanes", most: number): number => {
    const number = Number(values[name]);
    if (!Number.isInteger(number) || number < 1 || number > most)
      throw new Error(`--${name} is a whole number from 1 to ${most}, not "${values[name]}".`);
    return number;
  };
  return {
    kills: whole("kills", 1_000_000),
    seed: whole("seed", 1_000_000),
    lanes: whole("lanes", 64),
    folder: values.folder,
  };
}

function showProgress(done: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of}${done === of ? "\r\u001b[K" : ""}`);
  else if (done % 100 === 0) console.error(`${done} of ${of} killed`);
}
