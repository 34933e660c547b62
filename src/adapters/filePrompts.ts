import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BacopaError } from "../core/errors.ts";
import type { Prompts } from "../core/ports.ts";

/** Prompts of a folder: `facts` is `<folder>/facts.md`. Each file is read once, when it is first asked for. */
export function createFilePrompts(folder: string): Prompts {
  const known = new Map<string, string>();
  return (name) => {
    const text = known.get(name) ?? read(name);
    known.set(name, text);
    return text;
  };

  function read(name: string): string {
    if (!/^[a-z][a-zA-Z0-9-]*$/.test(name)) throw missing(name);
    try {
      return readFileSync(join(folder, `${name}.md`), "utf8").replaceAll("\r\n", "\n");
    } catch (error) {
      throw missing(name, error);
    }
  }

  function missing(name: string, cause?: unknown): BacopaError {
    return new BacopaError("storage-failed", {
      message: `no prompt ${name} in ${folder}`,
      userMessage: `Bacopa's prompt file "${name}.md" could not be read. Install Bacopa again.`,
      cause,
    });
  }
}
