/**
 * A real VS Code: the server with its Node extension host, and a Chromium that shows its workbench.
 * Everything it writes is in one temporary folder, it listens on loopback alone, and `stop` ends every
 * process it started.
 */
import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, cpSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { readFileSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { install, paths } from "./install.mjs";

const loopback = "127.0.0.1";

/** Quiet, without anything that would reach for the network, and with chat open to models of extensions. */
const quietSettings = {
  "workbench.startupEditor": "none",
  "telemetry.telemetryLevel": "off",
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "remote.autoForwardPorts": false,
  "chat.agentHost.enabled": false,
  // Without it a chat message without a participant asks to sign in, also when another model is chosen.
  "chat.allowAnonymousAccess": true,
  "chat.tools.riskAssessment.enabled": false,
};

/** Starts the server with the extensions installed; see host.d.mts. */
export async function startServer(options) {
  const {
    vsix = [],
    workspace,
    settings = {},
    machineSettings = {},
    env = {},
    smokeTest = false,
    port: wantedPort,
    root: givenRoot,
  } = options;
  install(options.say);
  const root = givenRoot ?? mkdtempSync(join(tmpdir(), "bacopa-vscode-"));
  const dataFolder = join(root, "data", "data");
  writeSettings(join(dataFolder, "User"), { ...quietSettings, ...settings });
  writeSettings(join(dataFolder, "Machine"), machineSettings);
  const folder = join(root, "workspace");
  if (workspace === undefined) mkdirSync(folder, { recursive: true });
  else if (!existsSync(folder)) cpSync(workspace, folder, { recursive: true });

  const serverEnv = {
    ...process.env,
    EXTENSIONS_GALLERY: "{}",
    ...(typeof env === "function" ? env(dataFolder) : env),
  };
  // The extension host inherits the environment; a test runner's own options must not reach it.
  delete serverEnv.NODE_OPTIONS;
  const base = [paths.server, "--server-data-dir", join(root, "data"), "--extensions-dir", join(root, "extensions")];
  installExtensions(base, vsix, serverEnv);

  // Pages of other sites can reach loopback too; without the token the server answers them nothing.
  const token = randomBytes(16).toString("hex");
  const port = wantedPort ?? (await freePort());
  const flags = ["--host", loopback, "--port", String(port), "--connection-token", token];
  flags.push("--accept-server-license-terms", "--telemetry-level", "off", "--disable-workspace-trust");
  if (smokeTest) flags.push("--enable-smoke-test-driver");
  // A process group of its own: the server starts extension hosts, which outlive it when it alone is killed.
  const server = spawn(paths.node, [...base, ...flags], {
    env: serverEnv,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const killAll = (signal) => {
    try {
      process.kill(-server.pid, signal);
      return true;
    } catch {
      return false; // Nothing of the group is left.
    }
  };
  const onExit = () => killAll("SIGKILL");
  process.on("exit", onExit);
  const stop = async () => {
    killAll("SIGTERM");
    for (let waited = 0; waited < 3000 && killAll(0); waited += 100) await pause(100);
    killAll("SIGKILL");
    process.off("exit", onExit);
    if (givenRoot === undefined) rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  const log = join(root, "server.log");
  try {
    await ready(server, log);
  } catch (error) {
    await stop();
    throw error;
  }
  const origin = `http://${loopback}:${port}`;
  return {
    root,
    folder,
    dataFolder,
    log,
    port,
    remoteUri: (path) => `vscode-remote://${loopback}:${port}${resolve(path)}`,
    url: (payload) =>
      `${origin}/?tkn=${token}&folder=${encodeURIComponent(folder)}` +
      (payload === undefined ? "" : `&payload=${encodeURIComponent(JSON.stringify(payload))}`),
    stop,
  };
}

/** What the person changed since an earlier start stays. */
function writeSettings(folder, settings) {
  const file = join(folder, "settings.json");
  mkdirSync(folder, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(settings, undefined, 2));
}

function installExtensions(base, vsix, env) {
  if (vsix.length === 0) return;
  const args = [...base, ...vsix.flatMap((file) => ["--install-extension", resolve(file)]), "--force"];
  const result = spawnSync(paths.node, args, { encoding: "utf8", env });
  const installed = result.stdout.match(/was successfully installed/g)?.length ?? 0;
  if (installed === vsix.length) return;
  throw new Error(`${vsix.join(", ")} could not be installed:\n${result.stdout}${result.stderr}`);
}

function ready(server, logFile) {
  const log = createWriteStream(logFile);
  server.stderr.pipe(log, { end: false });
  return new Promise((resolve, reject) => {
    server.stdout.on("data", (data) => {
      log.write(data);
      if (String(data).includes("Extension host agent started")) resolve();
    });
    server.on("error", reject);
    server.on("exit", (code) => {
      reject(new Error(`The VS Code server ended with code ${code}:\n${readFileSync(logFile, "utf8").slice(-2000)}`));
    });
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, loopback, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The Chromium to use: $CHROMIUM, else the first of the usual names on the path; `undefined` where there is none. */
export function findChromium() {
  const { CHROMIUM, PATH = "" } = process.env;
  if (CHROMIUM !== undefined && CHROMIUM !== "") return isProgram(CHROMIUM) ? CHROMIUM : undefined;
  const folders = [...new Set([...PATH.split(delimiter), "/usr/bin"])];
  const candidates = ["chromium", "chromium-browser", "google-chrome"].flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  );
  return candidates.find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts a Chromium that reaches this machine alone; see host.d.mts. */
export async function launchBrowser(options = {}) {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("No Chromium was found: install it, or name it in CHROMIUM");
  install();
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox", // Chromium's sandbox does not start as root or in most containers; only loopback is loaded.
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  await context.route(
    (url) => url.hostname !== loopback,
    (route) => route.abort(),
  );
  return { newPage: () => context.newPage(), close: () => browser.close() };
}
