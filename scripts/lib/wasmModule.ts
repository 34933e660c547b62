/** Assembles `src/core/index/rowDots.wat` into the module that core carries as text. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import wabt from "wabt";
import { projectFolder } from "./corpusFolder.ts";

const folder = join(projectFolder, "src", "core", "index");
export const wasmModuleFile = join(folder, "rowDotsWasm.ts");

/** What `rowDotsWasm.ts` must hold. */
export async function wasmModuleText(): Promise<string> {
  const source = await readFile(join(folder, "rowDots.wat"), "utf8");
  const assembler = await wabt();
  const parsed = assembler.parseWat("rowDots.wat", source, { simd: true });
  try {
    parsed.validate();
    const { buffer } = parsed.toBinary({});
    return [
      "/** Made from `rowDots.wat` by `npm run build:wasm`: do not edit. Base64, so that no host has to find a file. */",
      "export const rowDotsWasm =",
      `  "${Buffer.from(buffer).toString("base64")}";`,
      "",
    ].join("\n");
  } finally {
    parsed.destroy();
  }
}
