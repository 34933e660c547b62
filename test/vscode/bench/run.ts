/**
 * `npm run bench:vscode`: figures of the packaged extension in a real VS Code with a library of 10,000 facts.
 * Prints one table; every figure has a reference of the same run beside it. Options: `--facts N`.
 *
 * Two windows: one in whose extension host `inHost.ts` runs, and one that is used from outside as a person would.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { generatedQueries } from "../../../scripts/lib/generatedFacts.ts";
import { writeGeneratedLibrary } from "../../../scripts/lib/generatedLibrary.ts";
import { markdownTable } from "../../../src/core/lab/markdownTable.ts";
import { fixedReferenceMs, milliseconds, p50, p95 } from "../../../scripts/lib/timing.ts";
import { launchBrowser, startServer } from "../../../tools/vscode-host/host.mjs";
import type { Server } from "../../../tools/vscode-host/host.mjs";
import { startSite } from "../../fakes/siteServer.ts";
import {
  buildAll,
  packageSupport,
  projectFolder,
  testMachineSettings,
  testSettings,
  workspaceFolder,
} from "../build.ts";
import type { Browser, Page } from "../journeys/browser.ts";
import { factRow, openFacts, openWindow, patience, quickInput } from "../journeys/workbench.ts";
import { enterWorld } from "../journeys/world.ts";
import { taskVariable } from "./inHost.ts";
import type { Measured, Task } from "./inHost.ts";

const { values } = parseArgs({ options: { facts: { type: "string", default: "10000" } } });
const facts = Number(values.facts);
/** Hovers that are timed. */
const hovers = 200;
/** Letters that are typed into *Search Facts…*, one after the other's answer. */
const keystrokes = 150;

const root = mkdtempSync(join(tmpdir(), "bacopa-bench-"));
const settings = { ...testSettings, "bacopa.library.scope": "user" };
try {
  const { vsix, support } = await buildAll();
  const tests = await buildInHost();
  const library = join(root, "host", "data", "data", "User", "globalStorage", "bacopa.bacopa", "library");
  mkdirSync(library, { recursive: true });
  const symbols = await writeGeneratedLibrary(library, facts);
  const measured = await measureInHost(vsix, support, tests, symbols.slice(0, hovers), library);
  const seen = await measureInWindow(vsix, support);
  print(measured, seen);
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function buildInHost(): Promise<string> {
  const outfile = join(projectFolder, ".bacopa", "test-vscode", "bench", "inHost.cjs");
  const entryPoints = [join(import.meta.dirname, "inHost.ts")];
  const common = { bundle: true, platform: "node", format: "cjs", target: "node20" } as const;
  await build({ ...common, entryPoints, outfile, external: ["vscode"], logLevel: "error" });
  return outfile;
}

async function measureInHost(
  vsix: string,
  support: string,
  tests: string,
  symbols: readonly string[],
  library: string,
): Promise<Measured> {
  const at = join(root, "host");
  const common = { root: at, workspace: workspaceFolder, settings, machineSettings: testMachineSettings };
  // Installed first and started by hand afterwards: only so can its activation be timed.
  await (await startServer({ ...common, vsix: [vsix] })).stop();
  startByHandOnly(join(at, "extensions"));
  const site = await startSite({ "/large.html": largePage() });
  const task: Task = { results: join(root, "measured"), symbols, largePage: `${site.origin}/large.html` };
  writeFileSync(join(root, "task"), JSON.stringify(task));
  const server = await startServer({ ...common, smokeTest: true, env: { [taskVariable]: join(root, "task") } });
  const watch = setInterval(() => watchLargePage(library, task.results), 100);
  try {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.exposeFunction("codeAutomationLog", () => undefined);
      const exited = new Promise<unknown>((resolve) => void page.exposeFunction("codeAutomationExit", resolve));
      const payload = [
        ["extensionDevelopmentPath", server.remoteUri(support)],
        ["extensionTestsPath", server.remoteUri(tests)],
      ] as const;
      const errors: string[] = [];
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      await page.goto(server.url(payload), { waitUntil: "domcontentloaded" });
      const code = await exited;
      if (code !== 0)
        throw new Error(`The extension host ended with ${JSON.stringify(code)}: ${errors.slice(-3).join("\n")}`);
    } finally {
      await browser.close();
    }
  } finally {
    clearInterval(watch);
    await server.stop();
    await site.close();
  }
  return JSON.parse(readFileSync(task.results, "utf8"));
}

/** Takes the activation events out of the installed manifest. */
function startByHandOnly(extensions: string): void {
  const [folder] = readdirSync(extensions).filter((name) => name.startsWith("bacopa.bacopa-"));
  const file = join(extensions, folder ?? "", "package.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), activationEvents: [] }));
}

/** Tells the host by files what became of the large page. */
function watchLargePage(library: string, results: string): void {
  const pages = existsSync(join(library, "pages")) ? readdirSync(join(library, "pages")) : [];
  for (const name of pages.filter((page) => !page.startsWith("generated-"))) {
    if (!existsSync(`${results}.searchable`)) writeFileSync(`${results}.searchable`, "");
    try {
      const { sectionStates } = JSON.parse(readFileSync(join(library, "pages", name, "page.json"), "utf8"));
      if (sectionStates.every(({ state }: { state: string }) => state === "distilled"))
        writeFileSync(`${results}.done`, "");
    } catch {
      // A newer write took its place meanwhile.
    }
  }
}

/** 5 MB of made-up documentation. */
function largePage(): string {
  const questions = generatedQueries(2000).question;
  const paragraph = (at: number): string => `<p>${questions.slice(at % 1900, (at % 1900) + 20).join(". ")}.</p>`;
  let html = "<!doctype html><title>Large page</title><main><h1>Large page</h1>";
  for (let at = 0; html.length < 5_000_000; at++) {
    if (at % 4 === 0) html += `<h2>${questions[at % 2000] ?? ""}</h2>`;
    html += `${paragraph(at * 7)}<pre><code>client.call_${at}(retries=${at % 9})</code></pre>`;
  }
  return `${html}</main>`;
}

interface Seen {
  readonly treeMs: number;
  readonly explorerMs: number;
  readonly keystrokeMs: readonly number[];
  readonly referenceKeystrokeMs: readonly number[];
}

/** What a person sees, timed in the browser. */
async function measureInWindow(vsix: string, support: string): Promise<Seen> {
  const at = join(root, "host");
  const server = await startServer({
    root: at,
    vsix: [vsix, packageSupport(support)],
    workspace: workspaceFolder,
    settings,
    machineSettings: testMachineSettings,
  });
  try {
    const browser = await launchBrowser();
    try {
      return await measureWith(server, browser);
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

async function measureWith(server: Server, browser: Browser): Promise<Seen> {
  const page = await browser.newPage();
  enterWorld({ server, browser, page, modelFile: join(root, "model") });
  await openWindow();
  await page.locator('.activitybar .action-item:has([aria-label^="Bacopa"])').first().waitFor(patience);
  // The second time each view is opened: the first one also loads the editor's own code for it.
  const explorerMs = await untilSeen(page, 'a[aria-label^="Explorer"]', ".explorer-folders-view .monaco-list-row");
  const treeMs = await untilSeen(page, 'a[aria-label^="Bacopa"]', '.sidebar .monaco-list-row[aria-label^="Page "]');
  await openFacts();
  await factRow(/^Page /u).waitFor(patience);
  const keystrokeMs = await typeInto(page, "Bacopa: Search Facts", generatedQueries(40).question.join(" "));
  const referenceKeystrokeMs = await typeInto(page, "Bacopa Test: Reference Pick", "x".repeat(keystrokes));
  return { treeMs, explorerMs, keystrokeMs, referenceKeystrokeMs };
}

/** From the click on a view's icon to its first row. */
function untilSeen(page: Page, icon: string, row: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const started = performance.now();
    const look = () => {
      const found = document.querySelector(${JSON.stringify(row)});
      if (found !== null && found.offsetParent !== null) resolve(performance.now() - started);
      else setTimeout(look, 1);
    };
    const item = document.querySelector(".activitybar").querySelector(${JSON.stringify(icon)});
    for (const type of ["mousedown", "mouseup", "click"])
      item.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
    look();
  })`);
}

/** From each letter to the change of the list that it brings. Letters that change nothing are not counted. */
async function typeInto(page: Page, title: string, text: string): Promise<number[]> {
  await page.keyboard.press("F1");
  await quickInput().waitFor(patience);
  await page.keyboard.insertText(`>${title}`);
  await page
    .locator(".quick-input-list")
    .getByRole("option", { name: new RegExp(`^${title}`, "u") })
    .first()
    .click(patience);
  await page.locator('.quick-input-widget input[placeholder^="A question"]').waitFor(patience);
  const times = await page.evaluate<number[]>(`(async () => {
    const input = document.querySelector('.quick-input-widget input[placeholder^="A question"]');
    const rows = () => [...document.querySelectorAll(".quick-input-list .monaco-list-row")].map((row) => row.ariaLabel).join("|");
    const times = [];
    for (const letter of ${JSON.stringify(text)}.slice(0, 4000)) {
      if (times.length >= ${keystrokes}) break;
      const before = rows();
      const started = performance.now();
      input.value += letter;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      while (rows() === before && performance.now() - started < 400) await new Promise((resolve) => setTimeout(resolve, 1));
      const ms = performance.now() - started;
      if (ms < 400) times.push(ms);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    return times;
  })()`);
  await page.keyboard.press("Escape");
  return times;
}

function print(measured: Measured, seen: Seen): void {
  const { stallMs, memoryMb, saving, hoverMs, noHoverMs } = measured;
  const ms = (value: number): string => `${milliseconds(value)} ms`;
  const both = (values: readonly number[]): [string, string] => [ms(p50(values)), ms(p95(values))];
  const once = (value: string): [string, string] => [value, ""];
  const json = `JSON of 1 MB: ${ms(measured.referenceMs)}`;
  const stalls = `idle host: ${ms(stallMs.idle)}`;
  const rows: [string, string, string, string][] = [
    ["activation", ...once(ms(measured.activationMs)), json],
    ["processor time in the first half second after it, whole host", ...once(ms(measured.activationCpuMs)), json],
    [`the library of ${facts} facts is opened and searched for the first time`, ...once(ms(measured.openingMs)), json],
    ["first hover", ...once(ms(measured.firstHoverMs)), `no name there: ${both(noHoverMs).join(", ")}`],
    [`hover over an API name (${hoverMs.length})`, ...both(hoverMs), `no name there: ${both(noHoverMs).join(", ")}`],
    [
      `keystroke in Search Facts (${seen.keystrokeMs.length})`,
      ...both(seen.keystrokeMs),
      `a list that is there already: ${both(seen.referenceKeystrokeMs).join(", ")}`,
    ],
    ["Facts view, click to first row", ...once(ms(seen.treeMs)), `Explorer: ${ms(seen.explorerMs)}`],
    ["longest stall of the host's loop: opening the library", ...once(ms(stallMs.opening)), stalls],
    ["longest stall: hovers", ...once(ms(stallMs.hovering)), stalls],
    ["longest stall: saving a page of 5 MB", ...once(ms(stallMs.saving)), stalls],
    ["page of 5 MB searchable", ...once(ms(saving.searchableMs)), json],
    ["page of 5 MB distilled offline", ...once(ms(saving.doneMs)), json],
    [
      "memory of the extension host with the library in use",
      ...once(`${memoryMb.inUse.toFixed(0)} MB`),
      `before the extension: ${memoryMb.before.toFixed(0)} MB, activated: ${memoryMb.activated.toFixed(0)} MB`,
    ],
  ];
  console.log(
    `Node ${process.version}, ${cpus().length} processors (${cpus()[0]?.model ?? "unknown"}), JSON of 1 MB now ${ms(fixedReferenceMs())}.\n`,
  );
  console.log(
    markdownTable([`${facts} facts`, "median", "95 %", "reference"], rows, ["left", "right", "right", "left"]),
  );
}
