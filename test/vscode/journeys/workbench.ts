/** What a person does in the window and looks for there. Everything waits for what is seen, never for a time. */
import { join } from "node:path";
import { shotsFolder } from "../build.ts";
import type { Locator, Page } from "./browser.ts";
import { world } from "./world.ts";

/** The first activation of an extension host takes up to 10 s, and several times as long on a busy machine. */
export const patience = { timeout: 45_000 };

/** Bars fade from one theme's color to the other's for this long. */
const fadeMs = 400;

export async function openWindow(page: Page = world().page): Promise<void> {
  await page.goto(world().server.url(), { waitUntil: "domcontentloaded" });
  await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor(patience);
}

/** Runs a command from the palette by its full title; an ellipsis at the end may be left out. */
export async function command(title: string, page: Page = world().page): Promise<void> {
  await page.keyboard.press("F1");
  await quickInput(page).waitFor(patience);
  await page.keyboard.type(title, { delay: 5 });
  // What follows the title in a row's name is its keys or "recently used"; another command would go on with words.
  const name = new RegExp(`^${escaped(title)}…?(?:,|$)`, "u");
  await page.locator(".quick-input-list").getByRole("option", { name }).first().click(patience);
}

export function quickInput(page: Page = world().page): Locator {
  return page.locator(".quick-input-widget input[type=text]").first();
}

/** Rows of the quick pick. */
export function quickPicks(page: Page = world().page): Locator {
  return page.locator(".quick-input-list .monaco-list-row");
}

/** Saves a page as a person does: palette, address, Enter. */
export async function savePage(url: string, page: Page = world().page): Promise<void> {
  await command("Bacopa: Save Docs Page", page);
  await page.locator('.quick-input-widget input[placeholder="https://"]').waitFor(patience);
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(url);
  await page.keyboard.press("Enter");
}

/** Shows the Facts view. */
export async function openFacts(page: Page = world().page): Promise<void> {
  const tab = page.locator('.activitybar .action-item:has([aria-label^="Bacopa"])').first();
  await tab.waitFor(patience);
  if ((await tab.getAttribute("class"))?.includes("checked") !== true) await tab.click(patience);
  await page.locator(".sidebar .title-label", { hasText: "Bacopa" }).first().waitFor(patience);
}

/** The row of the Facts view that a screen reader calls so: "Page …", "Section …", "Fact …" or "Job …". */
export function factRow(label: string | RegExp, page: Page = world().page): Locator {
  return allRows(typeof label === "string" ? new RegExp(`^${escaped(label)}`, "u") : label, page).first();
}

export function allRows(name: RegExp, page: Page = world().page): Locator {
  return page.locator(".sidebar").getByRole("treeitem", { name });
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");

/** Chooses an entry of a row's context menu. */
export async function chooseFromMenu(row: Locator, entry: string, page: Page = world().page): Promise<void> {
  await row.click({ ...patience, button: "right" });
  const item = page.locator(".context-view").getByRole("menuitem", { name: entry }).first();
  await item.waitFor(patience);
  // A menu takes no click in its first moments, as that may end the one that opened it; keys it takes at once.
  await item.hover(patience);
  await page.keyboard.press("Enter");
  await item.waitFor({ ...patience, state: "hidden" });
}

/** Drops content from another window on the Facts view, as the browser reports it. */
export async function dropHtml(html: string, page: Page = world().page): Promise<void> {
  await page.evaluate(`(async () => {
    const target = document.querySelector(".sidebar .monaco-list-rows .monaco-list-row");
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/html", ${JSON.stringify(html)});
    dataTransfer.setData("text/plain", "plain text");
    for (const type of ["dragenter", "dragover", "drop"]) {
      target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })()`);
}

/** Unfolds a row of the Facts view. */
export async function unfold(label: string | RegExp, page: Page = world().page): Promise<void> {
  const row = factRow(label, page);
  await row.waitFor(patience);
  if ((await row.getAttribute("aria-expanded")) === "false") await row.locator(".monaco-tl-twistie").click();
}

/** Opens a file of the workspace by its name. */
export async function openFile(name: string, page: Page = world().page): Promise<void> {
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first();
  // A notification that goes away just then takes the focus, and with it the quick input.
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.press("Control+P");
    try {
      await quickInput(page).waitFor({ timeout: 5_000 });
      await page.keyboard.insertText(name);
      await row.click(attempt < 4 ? { timeout: 10_000 } : patience);
      break;
    } catch (error) {
      if (attempt === 4) throw error;
      await page.keyboard.press("Escape");
    }
  }
  await page.locator(".tab.active", { hasText: name }).waitFor(patience);
}

/** Points at the last place of a word in the open editor. */
export async function pointAt(word: string, page: Page = world().page): Promise<void> {
  await page.locator(".monaco-editor .view-line", { hasText: word }).last().waitFor(patience);
  // By position, since how the editor cuts a line into elements depends on the language server's progress.
  const { x, y } = await page.evaluate<{ readonly x: number; readonly y: number }>(`(() => {
    const word = ${JSON.stringify(word)};
    for (const line of [...document.querySelectorAll(".monaco-editor .view-line")].reverse()) {
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      let found;
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.textContent.lastIndexOf(word);
        if (at !== -1) found = { node, at };
      }
      if (found === undefined) continue;
      const range = document.createRange();
      range.setStart(found.node, found.at);
      range.setEnd(found.node, found.at + word.length);
      const box = range.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }
    throw new Error("The editor does not show " + word);
  })()`);
  await page.mouse.move(x - 1, y);
  await page.mouse.move(x, y);
}

/**
 * Points at a word until its hover holds a text. The editor closes a hover when a language server arrives meanwhile, and
 * opens it again only for a pointer that comes anew.
 */
export async function hoverOver(word: string, text: string, page: Page = world().page): Promise<Locator> {
  // An editor whose context menu was opened takes the mouse button for held down until the next click, and shows no hover.
  await page.locator(".monaco-editor .view-line").last().click(patience);
  const hover = page.locator(".monaco-hover .hover-row", { hasText: text }).first();
  for (let tries = 0; tries < 6 && !(await hover.isVisible()); tries++) {
    await page.keyboard.press("Escape");
    await page.mouse.move(0, 0);
    await pointAt(word, page);
    await hover.waitFor({ timeout: patience.timeout / 4 }).catch(() => undefined);
  }
  await hover.waitFor(patience);
  return hover;
}

/** Begins a conversation without a history. */
export async function newChat(page: Page = world().page): Promise<void> {
  const answers = page.locator(".interactive-response");
  if ((await answers.count()) === 0) return;
  await page.locator('.auxiliarybar .action-label[aria-label^="New Chat"]').first().click(patience);
  await answers.first().waitFor({ ...patience, state: "hidden" });
}

/** Sends a chat message and gives the response that comes last. */
export async function ask(question: string, page: Page = world().page): Promise<Locator> {
  const chat = page.locator(".interactive-session");
  if (!(await chat.first().isVisible())) await command("Chat: Open Chat", page);
  await chat.locator(".chat-input-toolbars", { hasText: "Fake One" }).first().waitFor(patience);
  await chat.locator(".chat-input-container .monaco-editor").first().click(patience);
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Backspace");
  await page.keyboard.type(question, { delay: 15 });
  // A suggestion list for @ or / would take the Enter for itself.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  // Rows that are scrolled away leave the page, so the new one is known by its place alone.
  return page.locator(".interactive-response").last();
}

/** Pictures of the window for a person to look at, in both themes: the window follows the browser's color scheme. */
export async function shoot(name: string, page: Page = world().page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await page
      .locator(`.monaco-workbench.${colorScheme === "light" ? "vs" : "vs-dark"}`)
      .first()
      .waitFor(patience);
    await page.waitForTimeout(fadeMs);
    await page.screenshot({ path: join(shotsFolder, `${name}-${colorScheme}.png`) });
  }
}
