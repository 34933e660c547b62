// Builds the two hosts from one source tree and prints what they weigh.
//   node esbuild.config.mjs          dist/cli.js (Node, ESM) and dist/extension.cjs (VS Code)
//   node esbuild.config.mjs --vsix   the same, then bacopa.vsix
//   node esbuild.config.mjs --quiet  prints no sizes
//   node esbuild.config.mjs --inputs=FILE  also lists the bundled files there, as JSON
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { noticesOf } from "./scripts/notices.mjs";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
rmSync("dist", { recursive: true, force: true });

const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  minify: true,
  keepNames: true,
  legalComments: "none",
  define: { BACOPA_VERSION: JSON.stringify(version) },
  metafile: true,
  logLevel: "warning",
};

const results = await Promise.all([
  // The CLI cannot resolve `vscode`: an import of the editor in its tree fails this build.
  build({
    ...common,
    entryPoints: { cli: "src/headless/cli.ts" },
    outdir: "dist",
    format: "esm",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    banner: {
      // Some dependencies are CommonJS and call require() for Node's built-in modules.
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  }),
  build({
    ...common,
    // The workers read pages, and compare strategies, off the extension host's main loop.
    entryPoints: {
      extension: "src/vscode/extension.ts",
      worker: "src/adapters/worker/stagesWorker.ts",
      lab: "src/adapters/worker/labWorker.ts",
      onnxWorker: "src/adapters/embedders/onnx/onnxWorker.ts",
    },
    outdir: "dist",
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    external: ["vscode"],
  }),
]);
chmodSync("dist/cli.js", 0o755);
// The one runtime that is used of the five in the package.
const wasm = "ort-wasm-simd-threaded.wasm";
copyFileSync(`node_modules/onnxruntime-web/dist/${wasm}`, `dist/${wasm}`);

// Goes with the bundles into the .vsix.
writeFileSync("dist/THIRD_PARTY_NOTICES.txt", noticesOf(results.map(({ metafile }) => metafile)));
const inputs = process.argv.find((argument) => argument.startsWith("--inputs="))?.slice("--inputs=".length);
if (inputs !== undefined)
  writeFileSync(inputs, JSON.stringify(results.flatMap(({ metafile }) => Object.keys(metafile.inputs))));

const kilobytes = (bytes) => `${(bytes / 1024).toFixed(0)} kB`.padStart(9);
for (const { metafile } of process.argv.includes("--quiet") ? [] : results) {
  for (const [file, { bytes }] of Object.entries(metafile.outputs)) {
    if (file.includes("chunks/") && bytes < 100_000) continue;
    console.log(`${kilobytes(bytes)}  ${kilobytes(gzipSync(readFileSync(file)).length)} gzipped  ${file}`);
  }
}

if (!process.argv.includes("--quiet")) {
  const bytes = readFileSync(`dist/${wasm}`);
  console.log(`${kilobytes(bytes.length)}  ${kilobytes(gzipSync(bytes).length)} gzipped  dist/${wasm}`);
}

if (process.argv.includes("--vsix")) {
  const packaged = spawnSync(
    process.execPath,
    [
      "node_modules/@vscode/vsce/vsce",
      "package",
      "--no-dependencies",
      "--allow-missing-repository",
      "--no-rewrite-relative-links",
      "--out",
      "bacopa.vsix",
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  if (packaged.status !== 0) process.exit(packaged.status ?? 1);
  console.log(`${kilobytes(statSync("bacopa.vsix").size)}  bacopa.vsix`);
}
