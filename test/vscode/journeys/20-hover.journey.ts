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
    await page.mouse.move(0, 0);
    await pointAt("collect");
    const hover = page.locator(".monaco-hover .hover-row", { hasText: "Reads a stream to its end" }).first();
    await hover
      .locator("a", { hasText: /passage/iu })
      .first()
      .click(patience);
    await page.locator(".tab.active", { hasText: "Streams API" }).waitFor(patience);
    await command("View: Close All Editors");
  });
});
