import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { eventually, extension, manifest } from "./editor.ts";

describe("the installed extension", () => {
  it("becomes active by itself", async () => {
    await eventually(() => extension().isActive);
  });

  it("has every command of its manifest and no other", async () => {
    const declared = manifest().contributes.commands.map(({ command }) => command);
    const there = (await vscode.commands.getCommands(true)).filter((name) => /^bacopa\.\w+$/u.test(name));
    assert.deepEqual(there.sort(), [...declared].sort());
  });

  it("has every language-model tool of its manifest, with what the manifest says of it", () => {
    const there = vscode.lm.tools.filter(({ name }) => /^bacopa_/u.test(name));
    const shape = ({ name, inputSchema }: { readonly name: string; readonly inputSchema?: unknown }) => ({
      name,
      inputSchema,
    });
    const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);
    assert.deepEqual(
      there.map(shape).sort(byName),
      (manifest().contributes.languageModelTools ?? []).map(shape).sort(byName),
    );
  });

  it("has a default for each of its settings", () => {
    const configuration = vscode.workspace.getConfiguration();
    for (const name of Object.keys(manifest().contributes.configuration.properties)) {
      assert.notEqual(configuration.inspect(name)?.defaultValue, undefined, name);
    }
  });
});
