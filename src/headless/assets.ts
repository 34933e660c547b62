import { fileURLToPath } from "node:url";

/** A folder that ships with Bacopa, wherever this code runs from: the source tree, `dist/` or `dist/chunks/`. */
export function assetFolder(name: string): string {
  const root = import.meta.url.includes("/dist/chunks/")
    ? "../.."
    : import.meta.url.includes("/dist/")
      ? ".."
      : "../..";
  return fileURLToPath(new URL(`${root}/${name}`, import.meta.url));
}
