import { command, hoverOver, openFacts, openFile, openWindow, patience, shoot } from "./workbench.ts";
import { world } from "./world.ts";

describe("pointing at an API name in code", () => {
  // An editor whose context menu was opened takes the mouse button for held down, and shows no hover.
  before(async () => {
    await openWindow();
    await openFacts();
  });

  it("shows the fact about the function of the imported module", async () => {
    const { page } = world();
    await openFile("streams.js");
    const hover = await hoverOver("openStream", "Opens a stream over a source");
    await hover
      .locator("a", { hasText: /passage/iu })
      .first()
      .waitFor(patience);
    await shoot("hover");
    await page.keyboard.press("Escape");
  });

  it("leads from the hover to the passage", async () => {
    const { page } = world();
    const hover = await hoverOver("collect", "Reads a stream to its end");
    await hover
      .locator("a", { hasText: /passage/iu })
      .first()
      .click(patience);
    await page.locator(".tab.active", { hasText: "Streams API" }).waitFor(patience);
    await command("View: Close All Editors");
  });
});
