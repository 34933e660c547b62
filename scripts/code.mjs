// `npm run code`: an editor with the extension installed and the sample pages saved.
//   node scripts/code.mjs             the desktop `code` where it is on the path, else VS Code in a browser
//   node scripts/code.mjs --browser   VS Code in a browser, also where there is a desktop one
//   node scripts/code.mjs --no-open   the same, and only prints its address
// Profile, pages and the opened folder stay in .bacopa/code until the folder is deleted.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({ options: { browser: { type: "boolean" }, "no-open": { type: "boolean" } } });
const root = join(process.cwd(), ".bacopa", "code");
const workspace = join("test", "fixtures", "workspace");
/** One library for all folders, which can be filled before the editor runs. */
const settings = { "bacopa.library.scope": "user" };

run(process.execPath, ["esbuild.config.mjs", "--quiet", "--vsix"]);
const inBrowser = options.browser || options["no-open"] || spawnSync("code", ["--version"]).status !== 0;
await (inBrowser ? openBrowser() : openDesktop());

async function openDesktop() {
  const profile = join(root, "desktop");
  const folder = join(profile, "workspace");
  const settingsFile = join(profile, "data", "User", "settings.json");
  if (!existsSync(settingsFile)) {
    mkdirSync(join(profile, "data", "User"), { recursive: true });
    writeFileSync(settingsFile, JSON.stringify(settings, undefined, 2));
    cpSync(workspace, folder, { recursive: true });
  }
  saveSamples(join(profile, "data"));
  const own = ["--user-data-dir", join(profile, "data"), "--extensions-dir", join(profile, "extensions")];
  run("code", [...own, "--install-extension", "bacopa.vsix", "--force"]);
  run("code", [...own, "--new-window", folder]);
}

async function openBrowser() {
  const { unsupported } = await import("../tools/vscode-host/install.mjs");
  const obstacle = unsupported();
  if (obstacle !== undefined) {
    console.error(`No desktop editor "code" is on the path. ${obstacle}`);
    process.exit(1);
  }
  const { startServer } = await import("../tools/vscode-host/host.mjs");
  const server = await startServer({
    root: join(root, "browser"),
    vsix: ["bacopa.vsix"],
    workspace,
    settings,
    say: console.log,
  });
  saveSamples(server.dataFolder);
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void server.stop().then(() => process.exit(0)));
  console.log(`\nOpen ${server.url()}\nEnd it with Ctrl+C.`);
  if (!options["no-open"]) spawn("xdg-open", [server.url()], { stdio: "ignore" }).on("error", () => undefined);
}

/** Through the command line: the editor shows what any process saves. */
function saveSamples(dataFolder) {
  const library = join(dataFolder, "User", "globalStorage", "bacopa.bacopa", "library");
  if (existsSync(library)) return;
  const samples = readdirSync("samples").map((name) => join("samples", name));
  run(process.execPath, ["dist/cli.js", "save", ...samples, "--library", library, "--distiller", "offline"]);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32" });
  if (error !== undefined) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}
