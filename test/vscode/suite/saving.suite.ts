import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { Site } from "../../fakes/siteServer.ts";
import { isDistilled } from "../library.ts";
import { eventually, extension, manifest, pageTitled, startSampleSite } from "./editor.ts";

describe("the installed extension", () => {
  it("becomes active by itself", async () => {
    await eventually(() => extension().isActive);
  });

  it("has every command of its manifest, and but one that only its own views call", async () => {
    const declared: string[] = manifest().contributes.commands.map(({ command }) => command);
    const there = (await vscode.commands.getCommands(true)).filter((name) => /^bacopa\.\w+$/u.test(name));
    assert.deepEqual(there.sort(), [...declared, "bacopa.saveContent"].sort());
  });
});

describe("Save Docs Page", () => {
  let site: Site;
  before(async () => (site = await startSampleSite()));
  after(() => site.close());

  it("saves a page by its address and distills it", async () => {
    await vscode.commands.executeCommand("bacopa.savePage", `${site.origin}/pinnace-stream-api.html`);
    const saved = await eventually(async () => {
      const page = await pageTitled("Streams API");
      return page !== undefined && isDistilled(page) ? page : undefined;
    });
    assert.ok(saved.facts.length >= 4, `${saved.facts.length} facts`);
  });
});
