/** Types of host.mjs for TypeScript; the package itself is installed on first use and has no types before. */
import type { Browser } from "../../test/vscode/journeys/browser.ts";

export interface ServerOptions {
  /** Extensions to install, as .vsix files. */
  readonly vsix?: readonly string[];
  /** A folder to open a copy of. Default: an empty one. */
  readonly workspace?: string;
  /** User settings beside those that keep the editor quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Settings of scope `machine`: the window takes them for a remote one's and does not look for them in the user's. */
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  /** More of the environment of the server and its extension hosts; may be a function of `Server.dataFolder`. */
  readonly env?: Readonly<Record<string, string>> | ((dataFolder: string) => Readonly<Record<string, string>>);
  /** Lets the page's address name an extension to develop and tests to run; also hides notifications. */
  readonly smokeTest?: boolean;
  /** Default: any free one. */
  readonly port?: number;
  /** Where to keep everything, also after `stop`. Default: a temporary folder, removed by `stop`. */
  readonly root?: string;
  /** Told when something takes long. */
  readonly say?: (line: string) => void;
}

export interface Server {
  readonly root: string;
  /** The folder that is open. */
  readonly folder: string;
  /** What the editor calls its user data: `User/settings.json`, `User/globalStorage`, `User/workspaceStorage`. */
  readonly dataFolder: string;
  readonly log: string;
  readonly port: number;
  /** How the workbench names a path of this machine. */
  remoteUri(path: string): string;
  /** @param payload Pairs of a workbench option and its value, e.g. `["extensionTestsPath", uri]`. */
  url(payload?: readonly (readonly [string, string])[]): string;
  stop(): Promise<void>;
}

export function startServer(options: ServerOptions): Promise<Server>;
export function findChromium(): string | undefined;
export function launchBrowser(options?: Readonly<Record<string, unknown>>): Promise<Browser>;
