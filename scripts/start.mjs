// `npm start [-- <url-or-file>...]`: builds the CLI and runs the main job in a library of its own.
import { spawnSync } from "node:child_process";

const run = (args) => {
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};
run(["esbuild.config.mjs", "--quiet"]);
run(["dist/cli.js", "demo", "--library", ".bacopa/start", ...process.argv.slice(2)]);
