import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { Site } from "../../fakes/siteServer.ts";
import { forget, heard, setBehavior } from "../fakeModel.ts";
import { distilled, eventually, pageTitled, startSampleSite } from "./editor.ts";

const page = (title: string): string =>
  `# ${title}\n\n## Speed\n\n${"The winch pulls 40 kg at 3 km/h. ".repeat(40)}\n\n## Care\n\n${"The winch is oiled every 90 days. ".repeat(40)}\n`;

describe("distilling with a model of the editor", () => {
  let site: Site;
  before(async () => {
    site = await startSampleSite({ "/winch.md": page("Winch"), "/windlass.md": page("Windlass") });
    await vscode.workspace.getConfiguration("bacopa").update("distiller", "editor", vscode.ConfigurationTarget.Global);
  });
  after(async () => {
    setBehavior({ kind: "answer" });
    await vscode.workspace.getConfiguration("bacopa").update("distiller", "offline", vscode.ConfigurationTarget.Global);
    await site.close();
  });

  it("sends the page's sections and keeps the facts it gives", async () => {
    setBehavior({ kind: "answer" });
    forget();
    await vscode.commands.executeCommand("bacopa.savePage", `${site.origin}/winch.md`);
    const saved = await distilled("Winch");
    assert.ok(heard().some(({ text }) => text.includes("The winch is oiled every 90 days.")));
    assert.deepEqual([...new Set(saved.facts.map(({ origin }) => origin.distiller))], ["vscode-fakelm:fake-1"]);
  });

  it("keeps a page searchable when the model refuses", async () => {
    setBehavior({ kind: "refuse" });
    await vscode.commands.executeCommand("bacopa.savePage", `${site.origin}/windlass.md`);
    const saved = await eventually(() => pageTitled("Windlass"));
    assert.match(saved.page.text, /oiled every 90 days/u);
  });
});
