/** What a run in an editor needs beside the sources: the packaged extension, the suites and the test support. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
export const projectFolder = join(here, "..", "..");
export const samplesFolder = join(projectFolder, "samples");
export const shotsFolder = join(here, "shots");
export const workspaceFolder = join(here, "..", "fixtures", "workspace");

/** No save asks for a model by itself. */
export const testSettings = { "bacopa.distiller": "offline" };
/** Pages of this machine may be saved, as the tests serve their own. */
export const testMachineSettings = { "bacopa.allowPrivateAddresses": true };

/** Inside the project, so that the suites find its `mocha`; ignored by git and not looked at by the checks. */
const out = join(projectFolder, ".bacopa", "test-vscode");

export interface Built {
  /** The extension as it ships. */
  readonly vsix: string;
  /** Folder of the extension with the fake model. */
  readonly support: string;
  /** Module whose `run` runs the suites inside an extension host. */
  readonly suites: string;
}

/** @throws Error with the build's own words. */
export async function buildAll(): Promise<Built> {
  return { vsix: packageExtension(), ...(await buildSuites()) };
}

/** The suites and the test support alone. */
export async function buildSuites(): Promise<Omit<Built, "vsix">> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, "support"), { recursive: true });
  const common = { bundle: true, platform: "node", format: "cjs", target: "node20", logLevel: "error" } as const;
  const names = readdirSync(join(here, "suite")).filter((name) => name === "index.ts" || name.endsWith(".suite.ts"));
  const suites = names.map((name) => join(here, "suite", name));
  await Promise.all([
    build({
      ...common,
      entryPoints: suites,
      outdir: join(out, "suite"),
      outExtension: { ".js": ".cjs" },
      external: ["vscode", "mocha"],
      sourcemap: "inline",
    }),
    build({
      ...common,
      entryPoints: [join(here, "support", "extension.ts")],
      outfile: join(out, "support", "extension.cjs"),
      external: ["vscode"],
    }),
  ]);
  copyFileSync(join(here, "support", "package.json"), join(out, "support", "package.json"));
  return { support: join(out, "support"), suites: join(out, "suite", "index.cjs") };
}

function packageExtension(): string {
  const result = spawnSync("npm", ["run", "package"], {
    cwd: projectFolder,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (result.status !== 0) throw new Error(`npm run package failed:\n${result.stdout}${result.stderr}`);
  return join(projectFolder, "bacopa.vsix");
}

/** The test support as a .vsix, for a workbench that runs no tests and so has no extension to develop. */
export function packageSupport(support: string): string {
  const file = join(support, "support.vsix");
  const vsce = join(projectFolder, "node_modules", "@vscode", "vsce", "vsce");
  const args = [vsce, "package", "--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", file];
  const result = spawnSync(process.execPath, args, { cwd: support, encoding: "utf8" });
  if (result.status !== 0) throw new Error(`vsce failed for the test support:\n${result.stdout}${result.stderr}`);
  return file;
}
