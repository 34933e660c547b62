// npm run check:audit: fails on known vulnerabilities, high or worse, of the packages that ship.
// Says in one line that it is skipped where the registry has no audit endpoint or cannot be reached.
import { spawnSync } from "node:child_process";

const npm = process.env.npm_execpath;
const [command, before] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
const { stdout } = spawnSync(command, [...before, "audit", "--omit=dev", "--json"], {
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
  timeout: 120_000,
});
let report;
try {
  report = JSON.parse(stdout);
} catch {
  report = undefined;
}
const counts = report?.metadata?.vulnerabilities;
if (counts === undefined) {
  const why = report?.error?.summary || report?.message || report?.error?.code || "no answer";
  console.log(
    `Audit skipped: the registry did not answer it (${String(why)
      .split("\n", 1)[0]
      .replace(/https?:\/\/\S+/g, "the registry")}).`,
  );
} else {
  const bad = Object.values(report.vulnerabilities ?? {}).filter(({ severity }) =>
    /^(?:high|critical)$/.test(severity),
  );
  for (const { name, severity, range } of bad) console.log(`${name} ${range}: ${severity}`);
  console.log(`${counts.total} known vulnerabilities in what ships, ${bad.length} high or worse.`);
  if (bad.length > 0) process.exitCode = 1;
}
