/** What the journeys share: one server, one browser and the window they go on in, one after the other. */
import type { Server } from "../../../tools/vscode-host/host.mjs";
import type { Browser, Page } from "./browser.ts";

export interface World {
  readonly server: Server;
  readonly browser: Browser;
  readonly page: Page;
  /** File that tells the fake model what to do. */
  readonly modelFile: string;
}

let current: World | undefined;

export function enterWorld(world: World): void {
  current = world;
}

export function world(): World {
  if (current === undefined) throw new Error("Journeys run through npm run test:vscode");
  return current;
}
