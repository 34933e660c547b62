import { command, openFile, patience, pointAt, shoot } from "./workbench.ts";
import { world } from "./world.ts";

describe("pointing at an API name in code", () => {
  it("shows the fact about the function of the imported module", async () => {
    const { page } = world();
    await openFile("streams.js");
    await pointAt("openStream");
    const hover = page.locator(".monaco-hover .hover-row", { hasText: "Opens a stream over a source" }).first();
    await hover.waitFor(patience);
    await hover
      .locator("a", { hasText: /passage/iu })
      .first()
      .waitFor(patience);
    await shoot("hover");
    await page.keyboard.press("Escape");
  });

  it("leads from the hover to the passage", async () => {
    const { page } = world();
    const hover = page.locator(".monaco-hover .hover-row", { hasText: "Reads a stream to its end" }).first();
    // A hover that the language server's arrival closed opens again when the pointer comes again.
    for (let tries = 0; tries < 5 && !(await hover.isVisible()); tries++) {
      await page.mouse.move(0, 0);
      await page.keyboard.press("Escape");
      await pointAt("collect");
      await hover.waitFor({ timeout: 4000 }).catch(() => undefined);
    }
    await hover
      .locator("a", { hasText: /passage/iu })
      .first()
      .click(patience);
    await page.locator(".tab.active", { hasText: "Streams API" }).waitFor(patience);
    await command("View: Close All Editors");
  });
});
