/** What the suites share. */
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { SavedPage } from "../../../src/core/types.ts";
import type { Answer, Site } from "../../fakes/siteServer.ts";
import { dataVariable, isDistilled, savedPages } from "../library.ts";
import { sampleNames, samplesVariable, startSamples } from "../samples.ts";

/** The extension under test, as it is installed. */
export function extension(): vscode.Extension<unknown> {
  const found = vscode.extensions.getExtension("bacopa.bacopa");
  assert.ok(found, "bacopa.bacopa is not installed");
  return found;
}

/** What the suites read of the installed package.json. */
interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly languageModelTools?: readonly { readonly name: string; readonly inputSchema?: unknown }[];
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
  };
}

export function manifest(): Manifest {
  return extension().packageJSON;
}

/** Waits until `look` gives something; what it threw last is the failure. */
export async function eventually<T>(look: () => T | Promise<T>, withinMs = 15_000): Promise<NonNullable<T>> {
  const until = Date.now() + withinMs;
  for (;;) {
    let problem: unknown = new Error("It did not come about");
    try {
      const value = await look();
      if (value) return value;
    } catch (error) {
      problem = error;
    }
    if (Date.now() > until) throw problem;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The saved page of a title, as it is on the disk; `undefined` while there is none. */
export async function pageTitled(title: string): Promise<SavedPage | undefined> {
  const pages = await savedPages(environment(dataVariable));
  return pages.find(({ page }) => page.title === title);
}

/** The saved page of a title once all of it is distilled. */
export function distilled(title: string): Promise<SavedPage> {
  return eventually(async () => {
    const saved = await pageTitled(title);
    return saved !== undefined && isDistilled(saved) ? saved : undefined;
  });
}

export const sampleTitles = ["Batching, retries and delays", "Streams API", "Configuration"];

/** Saves the sample pages of a site where no suite before has. */
export async function saveSamples(site: Site): Promise<void> {
  const urls = sampleNames.map((name) => `${site.origin}/${name}`);
  for (const title of sampleTitles) {
    if ((await pageTitled(title)) !== undefined) continue;
    await vscode.commands.executeCommand("bacopa.savePage", urls.join(" "));
    break;
  }
  for (const title of sampleTitles) await distilled(title);
}

export function workspaceUri(path: string): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder, "no folder is open");
  return vscode.Uri.joinPath(folder.uri, path);
}

/** Serves the project's sample pages. */
export function startSampleSite(more?: Readonly<Record<string, Answer>>): Promise<Site> {
  return startSamples(environment(samplesVariable), more);
}

function environment(name: string): string {
  const value = process.env[name];
  assert.ok(value, `${name} is not set`);
  return value;
}
