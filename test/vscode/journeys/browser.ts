/**
 * The parts of Playwright that the journeys use. The package comes with tools/vscode-host, which installs itself
 * on first use, so its own types are not there when the project is checked.
 */
export interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

export interface Page {
  readonly keyboard: {
    press(key: string): Promise<void>;
    type(text: string, options?: { readonly delay?: number }): Promise<void>;
    insertText(text: string): Promise<void>;
  };
  readonly mouse: { move(x: number, y: number): Promise<void> };
  goto(url: string, options?: { readonly waitUntil?: "domcontentloaded" }): Promise<unknown>;
  reload(options?: { readonly waitUntil?: "domcontentloaded" }): Promise<unknown>;
  locator(selector: string, options?: Filter): Locator;
  frameLocator(selector: string): { frameLocator(selector: string): { locator(selector: string): Locator } };
  emulateMedia(options: { readonly colorScheme: "dark" | "light" }): Promise<void>;
  screenshot(options: { readonly path: string }): Promise<unknown>;
  waitForTimeout(ms: number): Promise<void>;
  evaluate<T>(code: string): Promise<T>;
  exposeFunction(name: string, callback: (argument: unknown) => void): Promise<void>;
  bringToFront(): Promise<void>;
  close(): Promise<void>;
  on(event: "console", listener: (message: { text(): string; type(): string }) => void): unknown;
}

export interface Filter {
  readonly hasText?: string | RegExp;
}

export interface Locator {
  locator(selector: string, options?: Filter): Locator;
  getByRole(role: string, options?: { readonly name?: string | RegExp }): Locator;
  filter(options: Filter): Locator;
  first(): Locator;
  last(): Locator;
  nth(index: number): Locator;
  click(options?: { readonly timeout?: number; readonly button?: "right" }): Promise<void>;
  dblclick(options?: { readonly timeout?: number }): Promise<void>;
  hover(options?: { readonly timeout?: number }): Promise<void>;
  waitFor(options?: { readonly timeout?: number; readonly state?: "visible" | "hidden" | "attached" }): Promise<void>;
  count(): Promise<number>;
  isVisible(): Promise<boolean>;
  textContent(options?: { readonly timeout?: number }): Promise<string | null>;
  allTextContents(): Promise<string[]>;
  getAttribute(name: string): Promise<string | null>;
  inputValue(): Promise<string>;
}
