import { strict as assert } from "node:assert";
import { forget, heard, setBehavior } from "../fakeModel.ts";
import type { Behavior } from "../fakeModel.ts";
import { ask, command, newChat, patience, shoot } from "./workbench.ts";
import { world } from "./world.ts";

const obey = (behavior: Behavior): void => setBehavior(behavior, world().modelFile);

describe("asking @bacopa", () => {
  before(() => newChat());
  beforeEach(() => forget(world().modelFile));
  after(() => obey({ kind: "answer" }));

  it("shows facts without asking the model", async () => {
    forget(world().modelFile);
    const answer = await ask("@bacopa /search dead letter queue");
    await answer
      .locator(".rendered-markdown", { hasText: /dead.letter/iu })
      .first()
      .waitFor(patience);
    assert.ok(!heard(world().modelFile).some(({ text }) => text.includes("saved-docs")));
  });

  it("says of a fact that it is shown above only when its text is", async () => {
    const answer = await ask("@bacopa /search dead letter queue");
    await answer.locator(".rendered-markdown", { hasText: "shown above already" }).first().waitFor(patience);
    const other = await ask("@bacopa /search highWaterMark default of openStream");
    await other.locator(".rendered-markdown", { hasText: "Records buffered before" }).first().waitFor(patience);
  });

  it("shows the passage behind a fact by its number", async () => {
    const answer = await ask("@bacopa /passage 1");
    await answer.locator(".rendered-markdown", { hasText: "highWaterMark" }).first().waitFor(patience);
  });

  it("shows what a page covers and its topics", async () => {
    const answer = await ask("@bacopa /page streams");
    await answer
      .locator(".rendered-markdown", { hasText: /Topics[\s\S]*openStream/u })
      .first()
      .waitFor(patience);
    await shoot("participant-page");
  });

  it("answers from the saved facts, each claim with its passage", async () => {
    obey({ kind: "answer" });
    const answer = await ask("@bacopa how many messages can a batch hold?");
    await answer.locator(".rendered-markdown", { hasText: "By the saved pages" }).first().waitFor(patience);
    await answer.locator("a", { hasText: "passage" }).first().waitFor(patience);
    await world()
      .page.locator(".interactive-session .chat-followups, .interactive-session .interactive-input-followups")
      .locator(".monaco-button, a")
      .first()
      .waitFor(patience);
    assert.ok(heard(world().modelFile).some(({ text }) => text.includes("250 messages")));
    await shoot("participant");
  });

  it("says so when nothing saved covers a question", async () => {
    const answer = await ask("@bacopa what is the capital of the moon colony?");
    await answer
      .locator(".rendered-markdown", { hasText: /nothing .*covers/iu })
      .first()
      .waitFor(patience);
  });

  it("lists the saved pages", async () => {
    const answer = await ask("@bacopa /list");
    await answer.locator(".rendered-markdown", { hasText: "Streams API" }).first().waitFor(patience);
  });

  it("advises on a strategy and refuses what is known to go wrong", async () => {
    const answer = await ask("@bacopa /advise semantic 300 overlap 120");
    const text = answer.locator(".rendered-markdown", { hasText: /Refused\..*without a floor/su }).first();
    await text.waitFor(patience);
    await answer
      .locator(".rendered-markdown", { hasText: /Strategy: facts/u })
      .first()
      .waitFor(patience);
  });

  it("leaves the facts as the answer when the model fails midway", async () => {
    obey({ kind: "failMidway" });
    const answer = await ask("@bacopa what does collect do after its limit?");
    await answer.locator(".rendered-markdown", { hasText: "CollectLimitError" }).first().waitFor(patience);
    await shoot("participant-failed");
  });
});

describe("an agent", () => {
  before(() => newChat());
  after(() => obey({ kind: "answer" }));

  it("finds and calls the search tool", async () => {
    obey({ kind: "callTool", tool: "bacopa_search_docs", input: { query: "max_retries default" } });
    const answer = await ask("How often is a failed message delivered again?");
    await answer
      .locator(".rendered-markdown", { hasText: /The tool gave[\s\S]*max_retries/u })
      .first()
      .waitFor(patience);
    await shoot("agent");
  });

  it("is offered the MCP server's tools too", () => {
    const tools = heard(world().modelFile).flatMap((request) => request.tools);
    assert.ok(
      tools.some((name) => /^mcp_/u.test(name) && /bacopa/u.test(name)),
      [...new Set(tools)].join(" "),
    );
  });

  it("saves a page only after the person allowed it", async () => {
    const { page, server } = world();
    obey({ kind: "callTool", tool: "bacopa_save_page", input: { url: `http://127.0.0.1:${server.port}/nothing` } });
    const answer = await ask("Please save that page.");
    const session = page.locator(".interactive-session").first();
    const allow = session
      .getByRole("button", { name: /^Allow/u })
      .locator("visible=true")
      .first();
    await allow.waitFor(patience);
    assert.match((await session.textContent()) ?? "", /will contact 127\.0\.0\.1/u);
    await shoot("agent-confirmation");
    await allow.click(patience);
    await answer.locator(".rendered-markdown", { hasText: "The tool gave" }).first().waitFor(patience);
    await command("Notifications: Clear All Notifications");
  });
});
