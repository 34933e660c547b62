/** `npm run build:wasm`: assembles the WebAssembly of the vector scan after a change of its source. */
import { writeFile } from "node:fs/promises";
import { wasmModuleFile, wasmModuleText } from "./lib/wasmModule.ts";

await writeFile(wasmModuleFile, await wasmModuleText());
