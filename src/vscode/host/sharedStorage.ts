import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * The storage folder that all windows on one workspace share.
 *
 * The editor locks a workspace's storage for one extension host, and gives the host of a second window on the same
 * folder (in a browser, over SSH, in a container) an empty one of its own: `<workspace>-1`, up to `-9`. A library may be
 * open in several processes, so every window takes the first one's.
 *
 * @param folder `.../workspaceStorage/<workspace>/<extension>`
 */
export function sharedStorage(folder: string): string {
  const own = dirname(folder);
  const first = /^(-?[0-9a-f]{6,})-[1-9]$/u.exec(basename(own))?.[1];
  if (first === undefined) return folder;
  const shared = join(dirname(own), first);
  return existsSync(shared) ? join(shared, basename(folder)) : folder;
}
