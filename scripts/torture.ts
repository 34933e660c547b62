/**
 * Kills processes in the middle of saving, thousands of times, and prints what was tried and what survived:
 * `npm run torture -- --kills 2000 --seed 1`.
 */
import { parseArgs } from "node:util";
import { torture } from "../test/adapters/storage/crash.ts";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "2000" }, seed: { type: "string", default: "1" } },
});
const kills = Number(values.kills);
const seed = Number(values.seed);

// Most kills hit a single process; one in ten hits one of two, one in a hundred one of eight.
const plan = [
  { workers: 1, kills: kills - Math.floor(kills / 10) - Math.floor(kills / 100) },
  { workers: 2, kills: Math.floor(kills / 10) },
  { workers: 8, kills: Math.floor(kills / 100) },
];

let failed = false;
console.log("processes  tried  survived  in the middle  returned saves and removals  slowest");
for (const part of plan.filter((each) => each.kills > 0)) {
  let survived = 0;
  const report = await torture({
    ...part,
    seed,
    onKill: (done) => {
      survived = done;
      if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${part.kills}`);
      else if (done % 100 === 0) console.error(`${done} of ${part.kills} survived`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  if (report.faults.length > 0) survived--;
  const cells = [
    `${part.workers}`,
    `${part.kills}`,
    `${survived}`,
    `${report.hits}`,
    `${report.returned}`,
    `${report.slowestMs.toFixed(0)} ms`,
  ];
  const widths = [9, 7, 10, 15, 29, 9];
  console.log(cells.map((cell, at) => cell.padStart(widths[at] ?? 0)).join(""));
  for (const fault of report.faults) console.error(`  ${fault}`);
  failed ||= report.faults.length > 0;
}
process.exitCode = failed ? 1 : 0;
